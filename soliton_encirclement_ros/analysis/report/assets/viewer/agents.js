// Who is shown: chips to click, and the map itself.

const hideListeners = [];
const chips = new Map();

function setHidden(body, hidden) {
  body.hidden = hidden;
  const chip = chips.get(body);
  chip.setAttribute('aria-pressed', String(!hidden));
  say(hidden ? `${body.name} is hidden.` : `${body.name} is shown.`);
  for (const tell of hideListeners) tell();
  repaint();
}

function makeChip(body) {
  const chip = element('button', `chip ${body.kind}`);
  chip.type = 'button';
  chip.append(element('span', 'sign'), element('span', 'name', body.label.slice(0, 40)));
  chip.setAttribute('aria-pressed', 'true');
  chip.setAttribute('aria-label', `Show ${body.name}`);
  chip.title = body.seen ? body.name : `${body.name}: no position was recorded`;
  chip.dataset.name = body.name;
  chip.addEventListener('click', () => setHidden(body, !body.hidden));
  for (const [name, strong] of [['pointerenter', body], ['pointerleave', null]]) {
    chip.addEventListener(name, () => {
      shows.strong = strong;
      repaint();
    });
  }
  chips.set(body, chip);
  return chip;
}

const isOther = (body) => Number(body.kind !== 'agent');
const agentsFirst = (one, other) => isOther(one) - isOther(other)
  || one.name.localeCompare(other.name, 'en', { numeric: true });

function makeChips() {
  chips.clear();
  byId('agents').replaceChildren(...[...bodies].sort(agentsFirst).map(makeChip));
  if (agents.length < 3) return;
  for (const [text, hidden] of [['All', false], ['None', true]]) {
    const button = element('button', 'quiet', text);
    button.type = 'button';
    button.setAttribute('aria-label', hidden ? 'Hide all agents' : 'Show all agents');
    button.addEventListener('click', () => {
      for (const body of agents) if (body.hidden !== hidden) body.hidden = hidden;
      for (const body of agents) chips.get(body).setAttribute('aria-pressed', String(!hidden));
      say(hidden ? 'All agents are hidden.' : 'All agents are shown.');
      for (const tell of hideListeners) tell();
      repaint();
    });
    byId('agents').append(button);
  }
}

function paintChips(time) {
  for (const [body, chip] of chips) chip.classList.toggle('is-down', isDown(body, time));
}

function bodyAt(px, py, time) {
  let found = null;
  let nearest = 16;
  for (const body of bodies) {
    if (body.hidden || !body.seen) continue;
    const [x, y] = placeOf(body, time);
    const distance = Math.hypot(screenX(x) - px, screenY(y) - py);
    if (distance < nearest) [found, nearest] = [body, distance];
  }
  return found;
}

const tip = byId('tip');

/** Say who is under the pointer, how far from the ring, how fast. */
function showTip(event) {
  const time = shownTime();
  const body = event ? bodyAt(event.offsetX, event.offsetY, time) : null;
  tip.hidden = !body;
  if (shows.strong !== body) repaint();
  shows.strong = body;
  canvas.style.cursor = body ? 'pointer' : '';
  if (!body) return;
  const [x, y] = placeOf(body, time);
  const [east, north] = [x + scene.origin[0], y + scene.origin[1]];
  const lines = [`${tidy(east)}, ${tidy(north)}, ${tidy(between(body.z, time))} m`,
    `${tidy(between(body.v, time))} m/s`];
  if (body.kind === 'agent') {
    const error = radiusError(body, time);
    if (Number.isFinite(error)) lines.push(`${error > 0 ? '+' : ''}${tidy(error)} m off the ring`);
    if (isDown(body, time)) lines.push('down');
  }
  tip.replaceChildren(element('strong', '', body.name),
    ...lines.map((line) => element('span', '', line)));
  tip.style.left = `${Math.min(screenX(x) + 14, camera.width - tip.offsetWidth - 4)}px`;
  tip.style.top = `${Math.max(4, Math.min(screenY(y) + 14, camera.height - tip.offsetHeight - 4))}px`;
}

canvas.addEventListener('pointermove', (event) => showTip(event));
canvas.addEventListener('pointerleave', () => showTip(null));
canvas.addEventListener('click', (event) => {
  const body = moved < 4 ? bodyAt(event.offsetX, event.offsetY, shownTime()) : null;
  if (body) followAloud(body === camera.follow ? null : body);
  showTip(null);
});

function makeLegend() {
  const known = [
    [agents.length, 'agent', 'agent'],
    [agents.some((body) => body.down && body.down.length), 'down', 'agent that is down'],
    [agents.some((body) => body.flags), 'stopped', 'stopped by the operator'],
    [agents.some((body) => body.flags), 'filtered', 'its separation filter acts'],
    [agents.some((body) => body.flags), 'silent', 'silent, where it was last'],
    [target || scene.point, 'target', 'target'],
    [adversary, 'adversary', 'adversary'],
    [bodies.some((body) => body.mx), 'measured', 'measured positions'],
    [ghost, 'ghost', ghost && `ghost: ${ghost.name}`],
    [scene.radius !== null && (target || scene.point), 'ring', 'ring wanted'],
    [keeps().separation, 'separation', `${+(keeps().separation || 0).toFixed(2)} m apart: these circles do not overlap`],
    [fenceRings().length, 'fence', 'fence'],
    [agents.some((body) => body.succ), 'link', 'neighbours on the ring'],
    [protectedArc(clock.end / 2) || protectedArc(clock.end), 'arc', 'arc protected'],
    [askedArc(0) || askedArc(clock.end), 'asked', 'arc asked for, towards the adversary'],
  ];
  byId('legend').replaceChildren();
  for (const [is, name, text] of known) {
    if (!is) continue;
    const item = element('li');
    item.append(element('span', `sign ${name}`), text);
    byId('legend').append(item);
  }
}

makeChips();
makeLegend();
painters.push(paintChips);
