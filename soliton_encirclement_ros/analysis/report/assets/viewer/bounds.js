// What agents keep: a fence, and half of the least distance round each of them.

const keeps = () => scene.bounds || {};
const fenceRings = () => keeps().fence || [];

function drawFence() {
  pen.beginPath();
  for (const ring of fenceRings()) {
    ring.forEach(([x, y], i) => pen[i ? 'lineTo' : 'moveTo'](screenX(x), screenY(y)));
    pen.closePath();
  }
  pen.lineWidth = 1.5;
  pen.strokeStyle = ink.down;
  pen.setLineDash([10, 4]);
  pen.stroke();
  pen.setLineDash([]);
}

/** Two of these circles that touch are as near as vehicles may come. */
function drawSeparations(time) {
  const radius = (keeps().separation / 2) * camera.scale;
  if (!(radius > SIGN + 2)) return;
  pen.lineWidth = 1;
  pen.strokeStyle = ink.faint;
  for (const body of agents) {
    const [x, y] = placeOf(body, time);
    if (body.hidden || !Number.isFinite(x) || isDown(body, time)) continue;
    disc(screenX(x), screenY(y), radius);
    pen.stroke();
  }
}
