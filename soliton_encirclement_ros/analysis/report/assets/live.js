// The same viewer, fed by a running swarm: columns that grow, and a clock that follows the present.

const ROOM = 12000; // pictures that are kept, as many as the server keeps
const WINDOW = 120; // seconds of the curves
const MOST_EVENTS = 300;
const FEED = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/feed${location.search}`;

clock.revision = 0; // of the curves: Plotly looks at no array twice unless it is told
const feed = { open: false, heardAt: 0, age: null, socket: null, simulation: null };
let columns = [];

const present = () => scene.first + (scene.count - 1) * scene.step;

/** Begin with all that the server has kept. */
function takeAll(told) {
  for (const list of [bodies, agents]) list.length = 0;
  [target, adversary] = [null, null];
  columns = told.columns;
  Object.assign(scene, { first: told.begin, step: told.step, count: 0, radius: told.radius, bounds: told.bounds });
  told.names.forEach((name, i) => {
    const made = { name, kind: told.kinds[i], seen: true, down: [], downs: new Uint8Array(ROOM) };
    for (const column of columns) made[column] = new Float32Array(ROOM).fill(NaN);
    addBody(made);
  });
  takeRows(0, floats(told.rows), told.count);
  told.metrics.forEach((metric, i) => {
    metricCurves[i].t = [...floats(metric.t)];
    metricCurves[i].y = [...floats(metric.y)];
  });
  data.events.length = 0;
  byId('events').replaceChildren();
  told.events.forEach(takeEvent);
  whole = null;
  makeChips();
  makeLegend();
  makeFollowList();
  fitTools();
  clock.following = true;
  spanAll();
  clock.time = clock.end;
  fit();
  drawAgain();
}

/** Write rows of all bodies from a picture on. */
function takeRows(first, rows, count) {
  const width = columns.length;
  const added = bodies.length ? rows.length / (width * bodies.length) : 0;
  for (let row = 0; row < added; row++) {
    bodies.forEach((body, place) => {
      const at = (row * bodies.length + place) * width;
      columns.forEach((column, i) => { body[column][first + row] = rows[at + i]; });
      noteDown(body, first + row);
    });
  }
  scene.count = count;
}

/** Keep when a body was down: as a mark of every picture, and as spans of time. */
function noteDown(body, i) {
  const down = Boolean(body.flags[i] & DOWN);
  body.downs[i] = down ? 1 : 0;
  const last = body.down[body.down.length - 1];
  const open = last && last[1] === null;
  const time = scene.first + i * scene.step;
  if (down && !open) body.down.push([time, null]);
  if (!down && open) last[1] = time;
}

function takeNews(told) {
  const dropped = Math.round((told.begin - scene.first) / scene.step);
  if (dropped > 0) forget(dropped);
  takeRows(told.first, floats(told.rows), told.count);
  const isKept = told.bounds && told.bounds.separation === keeps().separation;
  if (told.radius && !(isKept && scene.radius === told.radius)) {
    Object.assign(scene, { radius: told.radius, bounds: told.bounds });
    whole = null;
    makeLegend();
    if (camera.whole) fit();
  }
  if (told.metrics) {
    const [time, ...values] = told.metrics;
    metricCurves.forEach((curve, i) => {
      curve.t.push(time);
      curve.y.push(values[i] === null ? NaN : values[i]);
    });
  }
  told.events.forEach(takeEvent);
  spanAll();
  repaint();
}

/** Drop the oldest pictures, as the server has. */
function forget(count) {
  for (const body of bodies) {
    for (const column of columns) body[column].copyWithin(0, count);
    body.downs.copyWithin(0, count);
  }
  scene.first += count * scene.step;
}

function spanAll() {
  clock.revision += 1;
  clock.begin = scene.first;
  clock.end = Math.max(scene.first, present());
  spanTime();
}

function takeEvent([time, name, text, bad]) {
  data.events.push([time, name, bad, null, text]);
  const item = element('li', bad ? 'bad' : '');
  const button = element('button', 'quiet', `${tidy(time, 1)} s  ${name}: ${text}`);
  button.type = 'button';
  button.addEventListener('click', () => seek(time));
  item.append(button);
  byId('events').prepend(item);
  while (byId('events').children.length > MOST_EVENTS) byId('events').lastChild.remove();
  drawTicks();
}

const COUNTED = [[DOWN, 'down'], [STOPPED, 'stopped'], [SILENT, 'silent'], [FILTERED, 'filtered']];

/** Return how many agents are up, and how many are what else. */
function countText() {
  const last = (body) => body.flags[Math.max(0, scene.count - 1)];
  const counts = COUNTED.map(([flag, word]) => [agents.filter((body) => last(body) & flag).length, word]);
  const up = agents.filter((body) => !(last(body) & (DOWN | SILENT))).length;
  return [`${up} of ${agents.length} up`,
    ...counts.filter(([count]) => count).map(([count, word]) => `${count} ${word}`)].join(', ');
}

/** Write a text where it has changed: readers of the screen say it again otherwise. */
function write(id, text) {
  if (byId(id).textContent !== text) byId(id).textContent = text;
}

function takeStatus(told) {
  Object.assign(feed, { age: told.age, simulation: told.simulation, period: told.period });
  write('source', told.source ? `Live view of ${told.source}` : 'Live view');
  write('counts', agents.length ? countText() : '');
  const rows = told.vehicles.map((one) => {
    const row = element('tr');
    row.append(element('th', '', one.name), element('td', one.bad ? 'bad' : '', one.state),
      element('td', 'number', tidy(one.age, 1)),
      element('td', 'number', one.filtered === null ? '' : tidy(100 * one.filtered, 0)),
      element('td', '', one.health));
    return row;
  });
  byId('vehicles').replaceChildren(...rows);
}

const TAKE = { begin: (told) => takeAll(told.scene), news: takeNews, status: takeStatus };

function connect() {
  const socket = new WebSocket(FEED);
  feed.socket = socket;
  socket.addEventListener('message', (event) => {
    feed.open = true;
    feed.heardAt = performance.now();
    const told = JSON.parse(event.data);
    TAKE[told.kind](told);
  });
  socket.addEventListener('close', () => {
    feed.open = false;
    sayLink();
    setTimeout(connect, 1000);
  });
}

const isPaused = () => Boolean(feed.simulation && feed.simulation.paused);
const paceText = () => {
  const { factor } = feed.simulation || {};
  if (factor) return `, ${tidy(factor, 2)} × real time`;
  return feed.period ? `, control period ${tidy(feed.period, 0)} ms` : '';
};

/** Say how old what is shown is: old data never looks alive. */
function sayLink() {
  const quiet = (performance.now() - feed.heardAt) / 1000;
  const [text, good] = !feed.open || quiet > 2
    ? ['no connection to the server: what is shown is old', false]
    : feed.age === null ? ['connected; nothing is heard of a swarm', false]
      : isPaused() ? ['paused by an operator', false]
      : feed.age > 1 ? [`nothing heard for ${feed.age.toFixed(0)} s: paused, over, or out of reach`, false]
        : [`live${paceText()}`, true];
  write('link', text);
  document.body.classList.toggle('is-old', !good);
}
setInterval(sayLink, 250);

/** Let the shown time run after the present, evenly, also where news come in steps. */
function followPresent() {
  byId('now').setAttribute('aria-pressed', String(clock.following));
  if (!clock.following) return;
  clock.playing = false;
  const behind = clock.end - clock.time;
  clock.time = behind > 5 || behind < 0 ? clock.end : clock.time + 0.3 * behind;
  if (behind > 0.002) repaint();
}
painters.unshift(followPresent);

/** Fit the map again where somebody has left it, unless a part of it was chosen. */
function keepInView() {
  const isOut = (body) => {
    const [x, y] = placeOf(body, clock.time);
    const [right, down] = [screenX(x), screenY(y)];
    return right < 0 || right > camera.width || down < 0 || down > camera.height;
  };
  if (!camera.whole || !bodies.some(isOut)) return;
  whole = null;
  fit();
}

let drawnAt = 0;
/** Move the window of the curves on, once a second. */
function moveCurves(time, now) {
  if (now - drawnAt < 1000 || !clock.following) return;
  drawnAt = now;
  keepInView();
  range = [Math.max(clock.begin, clock.end - WINDOW), latest()];
  for (const panel of panels) if (panel.near) draw(panel);
}
painters.push(moveCurves);

byId('now').addEventListener('click', () => {
  clock.following = true;
  repaint();
});
Object.assign(window.report, { panels, range: () => range, lastPlaceOf });
connect();
