// Which part of the map is seen. East is right, north is up.

const view = byId('view');
const canvas = byId('canvas');
const camera = { x: 0, y: 0, scale: 4, follow: null, whole: true, width: 1, height: 1 };
const SMALLEST = 0.001;
const LARGEST = 2000;
const RECENT = 30; // seconds that are fitted into the map while it follows the present

const screenX = (x) => camera.width / 2 + (x - camera.x) * camera.scale;
const screenY = (y) => camera.height / 2 - (y - camera.y) * camera.scale;

/** Return the box of everything that is drawn, ever or lately [m]. */
function extent() {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  const add = (x, y, margin) => {
    if (!Number.isFinite(x) || !Number.isFinite(y)) return;
    box[0] = Math.min(box[0], x - margin);
    box[1] = Math.min(box[1], y - margin);
    box[2] = Math.max(box[2], x + margin);
    box[3] = Math.max(box[3], y + margin);
  };
  if (scene.point) add(...scene.point, scene.radius || 0);
  const first = clock.following ? pictureAt(clock.end - RECENT) : 0;
  for (const body of bodies) {
    const margin = body === target ? scene.radius || 0 : 0;
    for (let i = first; body.x && i < scene.count; i++) add(body.x[i], body.y[i], margin);
  }
  for (const body of ghostsSeen()) body.x.forEach((x, i) => add(x, body.y[i], 0));
  // A wide fence does not make the swarm small: what is near of it is seen.
  const [west, south, east, north] = box;
  const reach = Math.max(east - west, north - south) / 2;
  const near = (value, low, high) => Math.max(low - reach, Math.min(high + reach, value));
  for (const [x, y] of fenceRings().flat()) add(near(x, west, east), near(y, south, north), 0);
  return box[0] > box[2] ? [-10, -10, 10, 10] : box;
}

let whole = null;
function fit() {
  whole = whole || extent();
  const [west, south, east, north] = whole;
  camera.x = (west + east) / 2;
  camera.y = (south + north) / 2;
  const width = Math.max(2, east - west) * 1.12;
  const height = Math.max(2, north - south) * 1.12;
  camera.scale = Math.min(camera.width / width, camera.height / height);
  camera.whole = true;
  repaint();
}

/** Zoom so that the place under a pixel stays there. */
function zoom(factor, px = camera.width / 2, py = camera.height / 2) {
  const scale = Math.max(SMALLEST, Math.min(LARGEST, camera.scale * factor));
  if (!camera.follow) {
    camera.x += (px - camera.width / 2) * (1 / camera.scale - 1 / scale);
    camera.y -= (py - camera.height / 2) * (1 / camera.scale - 1 / scale);
  }
  camera.scale = scale;
  camera.whole = false;
  repaint();
}

function pan(dx, dy) {
  follow(null);
  camera.whole = false;
  camera.x -= dx / camera.scale;
  camera.y += dy / camera.scale;
  repaint();
}

const fingers = new Map();
let moved = 0;
canvas.addEventListener('pointerdown', (event) => {
  fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
  canvas.setPointerCapture(event.pointerId);
  moved = 0;
});
canvas.addEventListener('pointermove', (event) => {
  const last = fingers.get(event.pointerId);
  if (!last) return;
  const now = [event.offsetX, event.offsetY];
  const [dx, dy] = [now[0] - last[0], now[1] - last[1]];
  moved += Math.hypot(dx, dy);
  const other = [...fingers].find(([id]) => id !== event.pointerId);
  fingers.set(event.pointerId, now);
  if (moved < 4) return;
  if (other) pinch(last, now, other[1]);
  pan(dx / fingers.size, dy / fingers.size);
});
for (const name of ['pointerup', 'pointercancel']) {
  canvas.addEventListener(name, (event) => fingers.delete(event.pointerId));
}

function pinch(last, now, other) {
  const spread = (at) => Math.max(1, Math.hypot(at[0] - other[0], at[1] - other[1]));
  zoom(spread(now) / spread(last), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
}

// A wheel scrolls the page, unless the replay was clicked or a key says otherwise.
canvas.addEventListener('wheel', (event) => {
  if (!event.ctrlKey && !event.metaKey && document.activeElement !== canvas) return;
  event.preventDefault();
  zoom(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY);
}, { passive: false });

byId('nearer').addEventListener('click', () => zoom(1.4));
byId('farther').addEventListener('click', () => zoom(1 / 1.4));
/** Show everything, and follow nobody. */
function seeAll() {
  follow(null);
  fit();
}

byId('fit').addEventListener('click', seeAll);
bind('+ −', 'zoom in, zoom out', { '+': () => zoom(1.4), '-': () => zoom(1 / 1.4) });
bind('0', 'see all', { 0: seeAll });
