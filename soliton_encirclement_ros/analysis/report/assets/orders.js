// Orders of the page: what each will do to whom is said before, and what became of it after.

const HOLD_TIME = 1200; // ms that a button is held for what moves vehicles

const ORDERS = {
  hold: { title: 'Hold', group: 'fly', urgent: true, does: (who) => `${who}: brake and hold where they are.` },
  land: { title: 'Land', group: 'fly', ask: true, does: (who) => `${who}: the autopilots land where the vehicles are, and disarm.` },
  rtl: { title: 'Return', group: 'fly', ask: true, does: (who) => `${who}: the autopilots return to where they took off, and land there.` },
  takeoff: { title: 'Take off', group: 'fly', long: true, check: 'check takeoff', does: (who) => `${who}: their agents are stopped; once all agree, all arm and climb to their take-off height, and hold. If one is not ready, nobody arms.` },
  engage: { title: 'Engage', group: 'fly', long: true, check: 'check engage', does: (who) => `${who}: follow their agents, which start together. If one cannot, all hold.` },
  stop: { title: 'Stop', group: 'all', urgent: true, does: (who) => `${who}: the agents command zero velocity until they are released.` },
  release: { title: 'Release stop', group: 'all', long: true, does: (who) => `${who}: the agents are stopped no longer; they go on with their laws and move.` },
  cancel: { title: 'Cancel', group: 'cancel', whole: true, does: () => 'Ends the take-off, engagement or release that is under way, as ctrl-C does.' },
  fail: { title: 'Fail', group: 'fail', named: true, ask: true, does: (who) => `Take ${who} down until recover is ordered?` },
  recover: { title: 'Recover', group: 'fail', named: true, does: (who) => `${who}: up again.` },
  pause: { title: 'Pause', group: 'pause', whole: true, does: () => 'The simulation stands still.' },
  'go on': { title: 'Resume', group: 'pause', whole: true, does: () => 'The simulation runs on.' },
  step: { title: 'Step', group: 'pause', whole: true, does: () => 'One tick of the paused simulation.' },
  restart: { title: 'Restart', group: 'restart', whole: true, ask: true, does: () => `This run ends and leaves its folder; one with ${restartValues()[0]} agents and seed ${restartValues()[1]} begins.` },
  'let target go': { title: 'Free target', group: 'target', whole: true, does: () => 'The target moves itself again.' },
};
const LINES = 200;

const operator = { chosen: new Set(), names: '', can: [], asking: null, aims: false };

const isChosen = () => operator.chosen.size > 0;
const members = () => [...operator.chosen];
const whom = (order) => (order.whole ? 'the run' : isChosen() ? members().join(', ') : 'all vehicles');

function send(verb, named = [], values = []) {
  if (!feed.socket || feed.socket.readyState !== WebSocket.OPEN) {
    sayOrder({ at: '', text: `${verb} is not sent: no connection to the server`, bad: true });
    return;
  }
  feed.socket.send(JSON.stringify({ verb, members: named, values }));
}

const restartValues = () => [Number(byId('agent-count').value), Number(byId('seed').value)];
const give = (verb) => send(verb, ORDERS[verb].whole ? [] : members(), verb === 'restart' ? restartValues() : []);

/** Let a button act only when it is held; a key counts as well as a pointer. */
function heldButton(button, act) {
  let timer = 0;
  let since = 0;
  const begin = (event) => {
    if (timer || (event.type === 'keydown' && event.key !== ' ' && event.key !== 'Enter')) return;
    event.preventDefault();
    button.classList.add('is-held');
    since = event.timeStamp;
    timer = setTimeout(() => end({ timeStamp: since + HOLD_TIME }), HOLD_TIME);
  };
  const end = (event) => {
    const isHeld = timer && event.timeStamp - since >= HOLD_TIME; // also if the page was slow
    clearTimeout(timer);
    timer = 0;
    button.classList.remove('is-held');
    if (isHeld) act();
  };
  for (const name of ['pointerdown', 'keydown']) button.addEventListener(name, begin);
  for (const name of ['pointerup', 'pointerleave', 'pointercancel', 'keyup', 'blur']) {
    button.addEventListener(name, end);
  }
}

/** Show what an order will do, and the button that gives it. */
function askFor(verb) {
  const order = ORDERS[verb];
  const box = byId('asked');
  const act = () => {
    give(verb);
    box.hidden = true;
  };
  const yes = element('button', 'danger', order.long ? `Hold to ${order.title.toLowerCase()}` : order.title);
  const no = element('button', '', 'Not now');
  yes.type = no.type = 'button';
  if (order.long) heldButton(yes, act);
  else yes.addEventListener('click', act);
  no.addEventListener('click', () => { box.hidden = true; });
  box.replaceChildren(element('p', '', order.does(whom(order))), yes, no);
  box.hidden = false;
  yes.focus();
  if (order.check) send(order.check, members());
}

function press(verb) {
  const order = ORDERS[verb];
  if (order.ask || order.long) askFor(verb);
  else give(verb);
}

function makeButton(order, verb, text, act) {
  const button = element('button', order.urgent ? 'danger' : '', text);
  button.type = 'button';
  button.dataset.verb = verb;
  button.addEventListener('click', act);
  return button;
}

function makeButtons() {
  for (const [verb, order] of Object.entries(ORDERS)) {
    const isSimulation = ['fail', 'pause', 'target', 'restart'].includes(order.group);
    byId(isSimulation ? 'simulation-orders' : 'fly-orders').append(
      makeButton(order, verb, order.title, () => press(verb)));
    if (order.urgent) {
      const all = makeButton(order, verb, `${order.title} all`, () => send(verb));
      all.title = order.does('all vehicles');
      byId('urgent').append(all);
    }
  }
  const pace = byId('pace');
  pace.addEventListener('change', () => send('pace', [], [Number(pace.value)]));
  const aim = byId('aim');
  aim.addEventListener('click', () => setAim(!operator.aims));
  canvas.addEventListener('click', takeAim, true);
}

function setAim(aims) {
  operator.aims = aims;
  byId('aim').setAttribute('aria-pressed', String(aims));
  byId('said').textContent = aims ? 'Click where the target is to go.' : '';
}

/** Send the target to where the map is clicked. */
function takeAim(event) {
  if (!operator.aims || moved >= 4) return;
  event.stopImmediatePropagation();
  const x = camera.x + (event.offsetX - camera.width / 2) / camera.scale;
  const y = camera.y - (event.offsetY - camera.height / 2) / camera.scale;
  setAim(false);
  send('send target', [], [Math.round(10 * x) / 10, Math.round(10 * y) / 10]);
}

/** Offer what can be ordered now, and say for whom. */
function paintOrders() {
  for (const button of document.querySelectorAll('[data-verb]')) {
    const order = ORDERS[button.dataset.verb];
    const isForAll = button.parentElement.id === 'urgent';
    const isNeeded = isForAll || !order.urgent || isChosen();
    button.hidden = !isNeeded || (order.group !== 'all' && !operator.can.includes(order.group));
    if (isForAll) continue; // whoever is chosen, this one is for all
    button.disabled = Boolean(order.named) && !isChosen();
    button.title = button.disabled ? 'Choose vehicles first.' : order.does(whom(order));
    if (order.urgent) button.textContent = `${order.title} ${members().join(', ')}`;
  }
  byId('pace-label').hidden = !operator.can.includes('pause');
  byId('restart-values').hidden = !operator.can.includes('restart');
  byId('aim').hidden = !operator.can.includes('target');
  byId('whom-said').textContent = isChosen() ? `for ${members().join(', ')} alone` : 'for all vehicles';
}

function choose(name) {
  if (!operator.chosen.delete(name)) operator.chosen.add(name);
  for (const button of byId('whom').children) {
    button.setAttribute('aria-pressed', String(operator.chosen.has(button.textContent)));
  }
  byId('asked').hidden = true;
  paintOrders();
}

/** Offer the vehicles that are there to choose from. */
function offerVehicles(names) {
  if (names.join() === operator.names) return;
  byId('agent-count').value = agents.length;
  operator.chosen = new Set(members().filter((name) => names.includes(name)));
  operator.names = names.join();
  byId('whom').replaceChildren(...names.map((name) => {
    const button = element('button', '', name);
    button.type = 'button';
    button.setAttribute('aria-pressed', String(operator.chosen.has(name)));
    button.addEventListener('click', () => choose(name));
    return button;
  }));
}

function sayOrder({ at, text, bad }) {
  const lines = byId('lines');
  lines.prepend(element('li', bad ? 'bad' : '', `${at}  ${text}`));
  while (lines.children.length > LINES) lines.lastChild.remove();
}

byId('urgent').hidden = false;
document.body.classList.add('operates');
makeButtons();
paintOrders();
TAKE.line = sayOrder;
const { begin: takeBegin, status: takeTable } = TAKE;
TAKE.begin = (told) => {
  takeBegin(told);
  byId('lines').replaceChildren();
  told.lines.forEach(sayOrder);
};
TAKE.status = (told) => {
  takeTable(told);
  operator.can = told.can;
  const names = told.vehicles.map((one) => one.name).filter((name) => name !== 'adversary');
  offerVehicles(names.sort((one, other) => one.localeCompare(other, 'en', { numeric: true })));
  paintOrders();
};
