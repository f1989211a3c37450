// The swarm from above, at one time.

const shows = { links: true, trail: 8, strong: null };
const CHUNKS = 5; // shades of a trail
const mostSteps = () => Math.min(1500, 20000 / bodies.length); // of a trail

function resize() {
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  camera.width = Math.max(1, canvas.clientWidth);
  camera.height = Math.max(1, canvas.clientHeight);
  canvas.width = Math.round(camera.width * ratio);
  canvas.height = Math.round(camera.height * ratio);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  // A phone that is turned still shows all, unless somebody chose a part.
  if (camera.whole) fit();
  repaint();
}

function drawReplay(time) {
  moveCamera(time);
  pen.clearRect(0, 0, camera.width, camera.height);
  if (!isAnybody()) return;
  drawGrid();
  drawCoordinates();
  drawFence();
  drawRing(time);
  drawSeparations(time);
  const seen = bodies.filter((body) => body.seen && !body.hidden);
  drawGhosts(time);
  for (const body of seen) drawTrail(body, time);
  for (const body of seen) if (body.mx) drawMeasured(body, time);
  if (shows.links) drawLinks(time);
  // In a crowd those that are down are not hidden by the others.
  const above = [...seen].reverse().sort((a, b) => isDown(a, time) - isDown(b, time));
  for (const body of above) drawBody(body, time, drawSign);
  written.length = 0;
  for (const body of byRank(seen, time)) drawBody(body, time, drawLabel);
  drawScale();
  drawNorth();
}

function strokeArc(time, from, to, pixels, dash = []) {
  const [cx, cy] = centreAt(time);
  pen.beginPath();
  const radius = Math.max(1, scene.radius * camera.scale + pixels);
  // The screen's angles turn clockwise.
  pen.arc(screenX(cx), screenY(cy), radius, -from, -to, true);
  pen.setLineDash(dash);
  pen.stroke();
  pen.setLineDash([]);
}

function drawRing(time) {
  const [cx] = centreAt(time);
  if (scene.radius === null || !Number.isFinite(cx)) return;
  const arc = protectedArc(time);
  if (arc) {
    pen.lineWidth = 11;
    pen.strokeStyle = ink.agent;
    pen.globalAlpha = 0.16;
    strokeArc(time, ...arc, 0);
    pen.globalAlpha = 1;
  }
  pen.lineWidth = 1.2;
  pen.strokeStyle = ink.muted;
  strokeArc(time, 0, 2 * Math.PI, 0, [5, 5]);
  const asked = askedArc(time);
  if (!asked) return;
  pen.lineWidth = 2;
  pen.strokeStyle = ink.adversary;
  strokeArc(time, ...asked, 13);
}

/** Draw where a body came from: fainter the longer ago, red where it was down. */
function drawTrail(body, time) {
  const last = pictureAt(time);
  const first = Math.max(0, pictureAt(time - shows.trail));
  if (shows.trail === 0 || last <= first) return;
  const stride = Math.ceil((last - first) / mostSteps());
  pen.lineWidth = 1.6;
  const fades = Number.isFinite(shows.trail);
  let from = first;
  for (let chunk = 1; chunk <= CHUNKS; chunk++) {
    const to = chunk === CHUNKS ? last : first + Math.floor(((last - first) * chunk) / CHUNKS);
    pen.globalAlpha = fades ? 0.08 + 0.42 * (chunk / CHUNKS) : 0.3;
    strokeTrail(body, from, to, stride, chunk === CHUNKS ? time : null);
    from = to;
  }
  pen.globalAlpha = 1;
}

/** Draw dots where a body believed to be, beside where it was. */
function drawMeasured(body, time) {
  const last = pictureAt(time);
  const first = Math.max(0, pictureAt(time - shows.trail));
  const stride = Math.max(1, Math.ceil((last - first) / mostSteps()));
  pen.fillStyle = ink[body.kind] || ink.muted;
  pen.globalAlpha = 0.7;
  for (let i = first; i <= last; i += stride) {
    if (Number.isNaN(body.mx[i])) continue;
    pen.fillRect(screenX(body.mx[i]) - 1, screenY(body.my[i]) - 1, 2, 2);
  }
  pen.globalAlpha = 1;
}

function strokeTrail(body, from, to, stride, time) {
  let red = body.downs[from];
  let drawing = false;
  pen.beginPath();
  for (let i = from; i <= to; i += stride) {
    if (Number.isNaN(body.x[i])) {
      drawing = false;
      continue;
    }
    const [x, y] = [screenX(body.x[i]), screenY(body.y[i])];
    if (drawing) pen.lineTo(x, y);
    else pen.moveTo(x, y);
    drawing = true;
    const now = body.downs[i];
    if (now === red) continue;
    strokeIn(body, red);
    pen.beginPath();
    pen.moveTo(x, y);
    red = now;
  }
  if (time !== null && drawing) {
    const [x, y] = placeOf(body, time);
    pen.lineTo(screenX(x), screenY(y));
  }
  strokeIn(body, red);
}

function strokeIn(body, red) {
  pen.strokeStyle = red ? ink.down : ink[body.kind] || ink.muted;
  pen.stroke();
}

/** Draw a line to every successor; a dashed one to a predecessor that does not name it back. */
function drawLinks(time) {
  const i = pictureAt(time);
  pen.lineWidth = 1;
  pen.strokeStyle = ink.agent;
  pen.globalAlpha = 0.45;
  for (const body of agents) {
    if (!body.succ || body.hidden || isDown(body, time)) continue;
    link(body, bodies[body.succ[i]], time, []);
    const pred = bodies[body.pred[i]];
    if (pred && !(pred.succ && pred.succ[i] === body.place)) link(body, pred, time, [3, 4]);
  }
  pen.globalAlpha = 1;
}

function link(one, other, time, dash) {
  if (!other || other.hidden) return;
  const [x, y] = placeOf(one, time);
  const [ox, oy] = placeOf(other, time);
  pen.beginPath();
  pen.setLineDash(dash);
  pen.moveTo(screenX(x), screenY(y));
  pen.lineTo(screenX(ox), screenY(oy));
  pen.stroke();
  pen.setLineDash([]);
}

/** Draw a body where it is; faint where it was, if it is silent. */
function drawBody(body, time, draw) {
  const [x, y] = placeOf(body, time);
  const isHeard = Number.isFinite(x);
  const [sx, sy] = isHeard ? [x, y] : lastPlaceOf(body, time);
  const isStrong = shows.strong === body || camera.follow === body;
  pen.globalAlpha = isHeard ? 1 : 0.4;
  if (Number.isFinite(sx)) draw(body, screenX(sx), screenY(sy), time, isStrong);
  pen.globalAlpha = 1;
}

/** Sort bodies so that in a crowd the names that matter are written, and others left out. */
function byRank(seen, time) {
  const rank = (body) => (body === shows.strong || body === camera.follow ? 0
    : body.kind !== 'agent' ? 1 : isDown(body, time) ? 2 : 3);
  return [...seen].sort((one, other) => rank(one) - rank(other));
}

/** Write a name beside its sign: that of an agent on the outside of the ring. */
function drawLabel(body, sx, sy, time) {
  const text = body.label.slice(0, 24);
  const colour = isDown(body, time) ? ink.down : ink.text;
  const [cx, cy] = centreAt(time);
  const [ox, oy] = [sx - screenX(cx), sy - screenY(cy)];
  const away = Math.hypot(ox, oy);
  if (body.kind !== 'agent' || !(away > 1) || text.length > 4) {
    drawBeside(text, sx, sy, colour);
    return;
  }
  const reach = askedArc(time) || body === camera.follow ? 25 : 15; // beyond arc and corners
  writeName(text, sx + (reach * ox) / away, sy + (reach * oy) / away + 4, 'center', colour);
}

byId('links').addEventListener('click', (event) => {
  shows.links = !shows.links;
  event.currentTarget.setAttribute('aria-pressed', String(shows.links));
  repaint();
});
byId('trails').addEventListener('change', (event) => {
  shows.trail = Number(event.target.value);
  repaint();
});
const isAnybody = () => bodies.some((body) => body.seen);

/** Show the tools for what there is. */
function fitTools() {
  byId('links').hidden = !agents.some((body) => body.succ);
  byId('empty').hidden = isAnybody();
  for (const part of view.parentNode.querySelectorAll('.tools, .zoom')) part.hidden = !isAnybody();
}
fitTools();
new ResizeObserver(resize).observe(canvas);
painters.push(drawReplay);
