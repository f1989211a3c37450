// Everybody, and where they are at any time.

const scene = { first: 0, ...data.scene }; // first: time of the first picture
const bodies = [];
const agents = [];
let target = null;
let adversary = null;

const picturesTo = (time, pictures = scene) => (time - pictures.first) / pictures.step;
const pictureAt = (time, pictures = scene) =>
  Math.max(0, Math.min(pictures.count - 1, Math.floor(picturesTo(time, pictures))));

const PACKED = { x: floats, y: floats, z: floats, v: floats, yaw: floats, mx: floats, my: floats, pred: places, succ: places };

/** Return a body as it is told; its columns are packed, or arrays that somebody fills. */
function unpackedBody(told) {
  const body = { ...told, label: told.name.replace(/^uav_(?=\d+$)/, '') };
  for (const [name, unpack] of Object.entries(PACKED)) {
    body[name] = typeof told[name] === 'string' ? unpack(told[name]) : told[name] || null;
  }
  return body;
}

function addBody(told) {
  const body = { ...unpackedBody(told), place: bodies.length, hidden: false };
  body.downs = told.downs || downPictures(body);
  bodies.push(body);
  if (body.kind === 'agent') agents.push(body);
  if (body.kind === 'target') target = target || body;
  if (body.kind === 'adversary') adversary = adversary || body;
}

/** Return for every picture whether a body was down: trails ask for many. */
function downPictures(body) {
  const found = new Uint8Array(scene.count);
  for (const [begin, end] of body.down || []) {
    const at = (time) => Math.max(0, Math.ceil(picturesTo(time)));
    found.fill(1, at(begin), end === null ? scene.count : at(end));
  }
  return found;
}
scene.bodies.forEach(addBody);

const holder = scene.holder ? places(scene.holder) : null;
const isHidden = (name) => bodies.some((body) => body.name === name && body.hidden);

/** Return a value between two pictures; NaN where it is not known. */
function between(column, time, pictures = scene) {
  if (!column) return NaN;
  const i = pictureAt(time, pictures);
  const share = Math.max(0, Math.min(1, picturesTo(time, pictures) - i));
  const after = column[Math.min(i + 1, pictures.count - 1)];
  // Beside a hole the last known place stands for up to one picture.
  return Number.isNaN(after) ? column[i] : column[i] + share * (after - column[i]);
}

const placeOf = (body, time) => [between(body.x, time), between(body.y, time)];

function centreAt(time) {
  if (scene.point) return scene.point;
  return target ? placeOf(target, time) : [NaN, NaN];
}

const [DOWN, FILTERED, STOPPED, SILENT] = [1, 2, 4, 8];
const hasFlag = (body, flag, time) => Boolean(body.flags && body.flags[pictureAt(time)] & flag);

/** Return where a body that is silent was heard last; nowhere if it is heard. */
function lastPlaceOf(body, time) {
  let i = pictureAt(time);
  if (!hasFlag(body, SILENT, time)) return [NaN, NaN];
  while (i > 0 && Number.isNaN(body.x[i])) i -= 1;
  return [body.x[i], body.y[i]];
}

function isDown(body, time) {
  return Boolean(body.down) && body.down.some(([begin, end]) =>
    begin <= time && (end === null || time < end));
}

function radiusError(body, time) {
  const [cx, cy] = centreAt(time);
  const [x, y] = placeOf(body, time);
  return scene.radius === null ? NaN : Math.hypot(x - cx, y - cy) - scene.radius;
}

const TURN = 2 * Math.PI;

/** Return the live agents with their bearing from the centre [rad], in the order of it. */
function ringAt(time) {
  const [cx, cy] = centreAt(time);
  return agents
    .filter((body) => !isDown(body, time))
    .map((body) => {
      const [x, y] = placeOf(body, time);
      return { body, theta: Math.atan2(y - cy, x - cx) };
    })
    .filter((one) => Number.isFinite(one.theta))
    .sort((one, other) => one.theta - other.theta)
    .map((one, i, ring) => {
      const next = ring[(i + 1) % ring.length].theta;
      return { ...one, gap: (next - one.theta + TURN) % TURN || TURN };
    });
}

/** Return where the protected arc begins and ends [rad], or null: from the end of the open arc,
 * counter-clockwise, to the agent at its start. Who that is the target says; where it did not,
 * but a wide arc should be open, it is the one before the widest gap. */
function protectedArc(time) {
  if (!holder && !opensWide()) return null;
  const ring = ringAt(time);
  const held = holder ? holder[pictureAt(time)] : -1;
  const start = holder
    ? ring.find((one) => one.body.place === held)
    : ring.reduce((widest, one) => (widest && widest.gap >= one.gap ? widest : one), null);
  if (!start || ring.length < 2) return null;
  return [start.theta + start.gap, start.theta + TURN];
}

const opensWide = () => scene.protection !== null && agents.length > 1
  && 360 - scene.protection > 360 / agents.length;

/** Return the arc that is asked for [rad], centred on the adversary; null where none is. */
function askedArc(time) {
  if (!scene.turns || !adversary || scene.protection === null || scene.protection >= 360) {
    return null;
  }
  const [cx, cy] = centreAt(time);
  const [x, y] = placeOf(adversary, time);
  const middle = Math.atan2(y - cy, x - cx);
  const half = (scene.protection / 360) * Math.PI;
  return Number.isFinite(middle) ? [middle - half, middle + half] : null;
}
