// Keys, and the list of them that "?" opens.

const KEYS = {};
const help = byId('help');

/** Bind keys; the list of keys says what they do. */
function bind(shown, does, acts) {
  Object.assign(KEYS, acts);
  const row = element('div');
  const keys = element('dt');
  keys.append(...shown.split(' ').map((one) => element('kbd', '', one)));
  row.append(keys, element('dd', '', does));
  byId('keys').append(row);
}

function onKey(event) {
  const act = KEYS[event.key];
  const at = event.target;
  if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
  if (help.open && event.key !== '?') return;
  if (event.key !== 'Escape' && at.closest('select, .scroll')) return;
  if (event.key === ' ' && at.closest('button, summary, input:not([type=range])')) return;
  event.preventDefault();
  act(event);
}

function showHelp() {
  if (help.open) help.close();
  else help.showModal();
}

document.addEventListener('keydown', onKey);
byId('help-button').addEventListener('click', showHelp);
help.addEventListener('click', (event) => {
  if (event.target === help || event.target.closest('button')) help.close();
});
bind('?', 'this list', { '?': showHelp });
