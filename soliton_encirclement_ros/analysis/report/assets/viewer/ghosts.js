// The bodies of another recording at the same time: pale and hollow.

let ghost = null; // name, pictures (their grid of times) and bodies

/** Show the bodies of another scene beside the flight; null: of none. */
function setGhost(told, name) {
  ghost = told && { name, pictures: { first: 0, ...told }, bodies: told.bodies.map(unpackedBody) };
  if (ghost) {
    const shift = [0, 1].map((i) => told.origin[i] - scene.origin[i]);
    for (const body of ghost.bodies) {
      body.x = body.x && body.x.map((x) => x + shift[0]);
      body.y = body.y && body.y.map((y) => y + shift[1]);
    }
  }
  whole = null;
  if (camera.whole) fit();
  makeLegend();
  repaint();
}

/** Return where a ghost was; nowhere before its recording begins and after it ends. */
function ghostPlace(body, time) {
  const { first, step, count } = ghost.pictures;
  if (time < first - step || time > first + count * step) return [NaN, NaN, NaN];
  return ['x', 'y', 'z'].map((axis) => between(body[axis], time, ghost.pictures));
}

const ghostsSeen = () => (ghost ? ghost.bodies.filter((body) => body.seen && !isHidden(body.name)) : []);

function drawGhosts(time) {
  pen.globalAlpha = 0.65;
  for (const body of ghostsSeen()) {
    const [x, y] = ghostPlace(body, time);
    if (!Number.isFinite(x)) continue;
    drawGhostTrail(body, time);
    pen.strokeStyle = isDown(body, time) ? ink.down : ink[body.kind] || ink.muted;
    pen.lineWidth = 1.4;
    outline(body.kind, screenX(x), screenY(y));
    pen.stroke();
  }
  pen.globalAlpha = 1;
}

function outline(kind, x, y) {
  if (kind === 'target') star(x, y);
  else disc(x, y, kind === 'agent' ? SIGN + 1 : SIGN - 1);
}

/** Draw where it came from, dotted. */
function drawGhostTrail(body, time) {
  const last = pictureAt(time, ghost.pictures);
  const first = Math.max(0, pictureAt(time - shows.trail, ghost.pictures));
  const stride = Math.max(1, Math.ceil((last - first) / mostSteps()));
  if (!shows.trail) return;
  pen.setLineDash([1, 4]);
  pen.strokeStyle = ink.muted;
  pen.lineWidth = 1.2;
  pen.beginPath();
  for (let i = first; i <= last; i += stride) pen.lineTo(screenX(body.x[i]), screenY(body.y[i]));
  pen.stroke();
  pen.setLineDash([]);
}

/** Return the ghosts as signs of the view in three dimensions. */
function solidGhosts(time) {
  const found = ghostsSeen().map((body) => ghostPlace(body, time)).filter(([x]) => Number.isFinite(x));
  if (!found.length) return [];
  const [x, y, z] = [0, 1, 2].map((axis) => found.map((place) => place[axis]));
  return [{
    type: 'scatter3d', mode: 'markers', hoverinfo: 'skip', x, y, z, opacity: 0.6,
    marker: { size: 6, color: ink.muted, symbol: 'circle-open' },
  }];
}
