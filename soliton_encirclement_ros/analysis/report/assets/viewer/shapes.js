// The signs on the map. Sizes are in pixels of the page.

const pen = canvas.getContext('2d');
const SIGN = 6;

function disc(x, y, radius) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
}

function drawAgent(x, y, strong) {
  disc(x, y, strong ? SIGN + 2 : SIGN);
  pen.fillStyle = ink.agent;
  pen.fill();
  pen.lineWidth = 1.5;
  pen.strokeStyle = ink.card;
  pen.stroke();
}

/** One that is down: hollow, red, struck through. */
function drawDown(x, y) {
  disc(x, y, SIGN);
  pen.fillStyle = ink.card;
  pen.fill();
  const d = SIGN * 0.7;
  pen.moveTo(x - d, y + d);
  pen.lineTo(x + d, y - d);
  pen.lineWidth = 2;
  pen.strokeStyle = ink.down;
  pen.stroke();
}

function star(x, y) {
  pen.beginPath();
  for (let i = 0; i < 10; i++) {
    const r = i % 2 ? 4 : 9.5;
    const angle = -Math.PI / 2 + (i * Math.PI) / 5;
    pen.lineTo(x + r * Math.cos(angle), y + r * Math.sin(angle));
  }
  pen.closePath();
}

function drawTarget(x, y) {
  star(x, y);
  pen.fillStyle = ink.target;
  pen.fill();
}

function drawAdversary(x, y) {
  const d = 6;
  pen.beginPath();
  pen.moveTo(x - d, y - d);
  pen.lineTo(x + d, y + d);
  pen.moveTo(x - d, y + d);
  pen.lineTo(x + d, y - d);
  pen.lineWidth = 4;
  pen.strokeStyle = ink.adversary;
  pen.stroke();
}

function drawOther(x, y) {
  pen.fillStyle = ink.muted;
  pen.fillRect(x - 4, y - 4, 8, 8);
}

const SIGNS = { target: drawTarget, adversary: drawAdversary, other: drawOther };

function drawSign(body, x, y, time, strong) {
  if (body === camera.follow) drawFollowed(x, y);
  drawHeading(body, x, y, time);
  if (body.kind !== 'agent') SIGNS[body.kind](x, y);
  else if (isDown(body, time)) drawDown(x, y);
  else drawAgent(x, y, strong);
  if (hasFlag(body, FILTERED, time)) drawHalo(x, y, ink.adversary);
  if (hasFlag(body, STOPPED, time)) drawHalo(x, y, ink.down);
}

/** Four corners round the one that the map follows. */
function drawFollowed(x, y) {
  const d = SIGN + 8;
  pen.beginPath();
  for (const [right, down] of [[1, 1], [1, -1], [-1, -1], [-1, 1]]) {
    pen.moveTo(x + right * d, y + down * (d - 6));
    pen.lineTo(x + right * d, y + down * d);
    pen.lineTo(x + right * (d - 6), y + down * d);
  }
  pen.lineWidth = 1.5;
  pen.strokeStyle = ink.text;
  pen.stroke();
}

/** A short line to where a body points. */
function drawHeading(body, x, y, time) {
  const yaw = body.yaw ? body.yaw[pictureAt(time)] : NaN;
  if (!Number.isFinite(yaw)) return;
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x + 13 * Math.cos(yaw), y - 13 * Math.sin(yaw));
  pen.lineWidth = 2;
  pen.strokeStyle = ink[body.kind] || ink.muted;
  pen.stroke();
}

function drawHalo(x, y, colour) {
  disc(x, y, SIGN + 3.5);
  pen.lineWidth = 2;
  pen.strokeStyle = colour;
  pen.stroke();
}

/** Return 1, 2 or 5 times a power of ten, the first that is no smaller. */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [1, 2, 5, 10].find((one) => one * power >= value * 0.999);
}

function drawGrid() {
  const step = roundUp(60 / camera.scale);
  const west = camera.x - camera.width / 2 / camera.scale;
  const south = camera.y - camera.height / 2 / camera.scale;
  pen.beginPath();
  for (let x = Math.ceil(west / step) * step; screenX(x) < camera.width; x += step) {
    const at = Math.round(screenX(x)) + 0.5;
    pen.moveTo(at, 0);
    pen.lineTo(at, camera.height);
  }
  for (let y = Math.ceil(south / step) * step; screenY(y) > 0; y += step) {
    const at = Math.round(screenY(y)) + 0.5;
    pen.moveTo(0, at);
    pen.lineTo(camera.width, at);
  }
  pen.lineWidth = 1;
  pen.strokeStyle = ink.line;
  pen.stroke();
}

/** Return a length in words, with the digits that steps of this size need. */
function lengthText(value, step) {
  const [size, unit] = step >= 1000 ? [1000, 'km'] : [1, 'm'];
  return `${+(value / size).toFixed(Math.max(0, -Math.floor(Math.log10(step / size))))} ${unit}`;
}

/** Write at the edges how far east and north the lines of the grid are. */
function drawCoordinates() {
  const step = roundUp(60 / camera.scale);
  const [east, north] = scene.origin;
  const afterScale = 14 + step * camera.scale + 30;
  const left = Math.ceil((camera.x + (afterScale - camera.width / 2) / camera.scale) / step) * step;
  for (let x = left; screenX(x) < camera.width - 20; x += step) {
    drawText(lengthText(x + east, step), screenX(x), camera.height - 6, 'center');
  }
  const low = Math.ceil((camera.y + (44 - camera.height / 2) / camera.scale) / step) * step;
  for (let y = low; screenY(y) > 64; y += step) {
    drawText(lengthText(y + north, step), 6, screenY(y) + 4);
  }
}

function drawScale() {
  const length = roundUp(60 / camera.scale);
  const [x, y] = [14, camera.height - 14];
  pen.beginPath();
  pen.moveTo(x, y - 4);
  pen.lineTo(x, y);
  pen.lineTo(x + length * camera.scale, y);
  pen.lineTo(x + length * camera.scale, y - 4);
  pen.lineWidth = 1.5;
  pen.strokeStyle = ink.muted;
  pen.stroke();
  drawText(lengthText(length, length), x + (length * camera.scale) / 2, y - 8, 'center');
}

function drawNorth() {
  const [x, y] = [22, 30];
  pen.beginPath();
  pen.moveTo(x, y - 12);
  pen.lineTo(x + 5, y + 6);
  pen.lineTo(x, y + 2);
  pen.lineTo(x - 5, y + 6);
  pen.closePath();
  pen.fillStyle = ink.muted;
  pen.fill();
  drawText('N', x, y + 20, 'center');
}

/** Write a text that stays readable over lines and signs. */
function drawText(text, x, y, align = 'left', colour = ink.muted) {
  pen.font = `11px ${ink.font}`;
  pen.textAlign = align;
  pen.lineJoin = 'round';
  pen.lineWidth = 3;
  pen.strokeStyle = ink.card;
  pen.strokeText(text, x, y);
  pen.fillStyle = colour;
  pen.fillText(text, x, y);
}

const written = []; // boxes of the names of this picture: left, right, top, bottom

/** Write a name unless it would cover another one. */
function writeName(text, x, y, align, colour) {
  pen.font = `11px ${ink.font}`;
  const width = pen.measureText(text).width;
  const left = x - { left: 0, center: width / 2, right: width }[align];
  const box = [left, left + width, y - 9, y + 1];
  if (written.some(([l, r, t, b]) => l < box[1] && box[0] < r && t < box[3] && box[2] < b)) return;
  written.push(box);
  drawText(text, x, y, align, colour);
}

/** Write a text to the right of a sign; where it would be cut off there, to the left. */
function drawBeside(text, x, y, colour) {
  pen.font = `11px ${ink.font}`;
  const cornered = y < 140 ? 48 : 4; // the buttons of the zoom are up there
  const fits = x + 10 + pen.measureText(text).width < camera.width - cornered;
  if (fits) writeName(text, x + 10, y - 8, 'left', colour);
  else writeName(text, x - 10, y - 8, 'right', colour);
}
