// A link that opens at a moment: the address ends with #t=12.5 wherever time stands still.

const moment = { time: clock.time, text: location.hash, timer: 0 };

function openMoment() {
  const found = /^#t=(-?\d+(?:\.\d+)?)$/.exec(location.hash);
  if (!found || location.hash === moment.text) return;
  moment.text = location.hash;
  play(false);
  seek(Number(found[1]));
  moment.time = clock.time;
}

function writeMoment() {
  clearTimeout(moment.timer);
  Object.assign(moment, { time: clock.time, text: `#t=${+clock.time.toFixed(2)}` });
  location.replace(moment.text);
}

/** Write the time once it has stood still for a moment. */
function noteMoment() {
  if (clock.playing || clock.time === moment.time) return;
  moment.time = clock.time;
  clearTimeout(moment.timer);
  moment.timer = setTimeout(() => { if (!clock.playing) writeMoment(); }, 300);
}

async function copyLink() {
  play(false);
  writeMoment();
  try {
    await navigator.clipboard.writeText(location.href);
    say(`Copied: the link to ${clockText(clock.time)}.`);
  } catch {
    say(`The address of this page leads to ${clockText(clock.time)}.`); // some browsers keep the clipboard
  }
}

byId('copy').hidden = false;
byId('copy').addEventListener('click', copyLink);
bind('l', 'copy a link to this moment', { l: copyLink });
addEventListener('hashchange', openMoment);
painters.push(noteMoment);
moment.text = '';
openMoment();
