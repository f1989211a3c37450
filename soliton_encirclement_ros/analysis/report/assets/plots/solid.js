// The swarm in three dimensions, drawn by plotly when somebody asks for it: it needs WebGL.

const solid = { shown: false, drawnAt: 0, time: NaN };
const SOLID_PERIOD = 100; // milliseconds between two drawings
const SOLID_SIZE = 1.4; // of the longest axis, in plotly's units
const CIRCLE = Array.from({ length: 73 }, (_, i) => (i * TURN) / 72);

/** Return the bodies of a kind as a trace of signs with names. */
function solidSigns(time, named, shown, look) {
  const found = shown.map((body) => ({ body, at: [...placeOf(body, time), between(body.z, time)] }))
    .filter(({ at }) => Number.isFinite(at[0]));
  const axis = (i) => found.map(({ at }) => at[i]);
  return {
    type: 'scatter3d', mode: named ? 'markers+text' : 'markers', hoverinfo: 'text',
    x: axis(0), y: axis(1), z: axis(2), text: found.map(({ body }) => plain(body.label)),
    textfont: { size: 11, color: ink.text }, textposition: 'top center', marker: look,
  };
}

/** Return the trails of all bodies as one line with holes. */
function solidTrails(time, shown) {
  const last = pictureAt(time);
  const first = Math.max(0, pictureAt(time - shows.trail));
  const stride = Math.max(1, Math.ceil((last - first) / 60));
  const [x, y, z] = [[], [], []];
  for (const body of shows.trail ? shown : []) {
    for (let i = first; i <= last; i += stride) {
      x.push(body.x[i]);
      y.push(body.y[i]);
      z.push(body.z[i]);
    }
    for (const axis of [x, y, z]) axis.push(NaN);
  }
  return {
    type: 'scatter3d', mode: 'lines', hoverinfo: 'skip', x, y, z,
    line: { width: 2, color: ink.faint },
  };
}

/** Return the ring that is wanted, as high as its agents are in the middle. */
function solidRing(time, up) {
  const [cx, cy] = centreAt(time);
  if (scene.radius === null || !Number.isFinite(cx) || !up.length) return [];
  const height = up.reduce((sum, body) => sum + between(body.z, time), 0) / up.length;
  return [{
    type: 'scatter3d', mode: 'lines', hoverinfo: 'skip',
    x: CIRCLE.map((angle) => cx + scene.radius * Math.cos(angle)),
    y: CIRCLE.map((angle) => cy + scene.radius * Math.sin(angle)),
    z: CIRCLE.map(() => height),
    line: { width: 3, color: ink.muted, dash: 'dash' },
  }];
}

function solidTraces(time) {
  const shown = bodies.filter((body) => body.seen && !body.hidden && body.z);
  const of = (kind) => shown.filter((body) => body.kind === kind);
  const up = of('agent').filter((body) => !isDown(body, time));
  const down = of('agent').filter((body) => isDown(body, time));
  return [
    ...solidGhosts(time),
    ...solidRing(time, up.filter((body) => Number.isFinite(between(body.z, time)))),
    solidTrails(time, shown),
    solidSigns(time, true, up, { size: 5, color: ink.agent }),
    solidSigns(time, true, down, { size: 5, color: ink.down, symbol: 'circle-open' }),
    solidSigns(time, true, of('target'), { size: 6, color: ink.target, symbol: 'diamond' }),
    solidSigns(time, true, of('adversary'), { size: 6, color: ink.adversary, symbol: 'square' }),
    solidSigns(time, false, of('other'), { size: 4, color: ink.muted, symbol: 'square' }),
  ];
}

/** Return how long the axes are drawn, to scale: plotly's own way brings a flat scene too near. */
function solidShape(traces) {
  const spans = ['x', 'y', 'z'].map((axis) => {
    let [low, high] = [Infinity, -Infinity];
    for (const trace of traces) {
      for (const value of trace[axis]) {
        if (value < low) low = value; // false for NaN
        if (value > high) high = value;
      }
    }
    return Math.max(1, high - low);
  });
  const [x, y, z] = spans.map((span) => (SOLID_SIZE * span) / Math.max(...spans));
  return { x, y, z };
}

function solidLayout(traces) {
  const one = (text) => ({
    title: { text }, gridcolor: ink.line, color: ink.muted, showbackground: false, zeroline: false,
  });
  return {
    margin: { l: 0, r: 0, t: 0, b: 0 }, showlegend: false, uirevision: 'kept',
    paper_bgcolor: 'rgba(0,0,0,0)', font: { family: ink.font, size: 11, color: ink.muted },
    scene: {
      aspectmode: 'manual', aspectratio: solidShape(traces), camera: { eye: { x: 0.2, y: -1.3, z: 1 } },
      xaxis: one('east [m]'), yaxis: one('north [m]'), zaxis: one('up [m]'),
    },
  };
}

function paintSolid(time, now) {
  if (!solid.shown || (time === solid.time && now - solid.drawnAt < 1000)) return;
  if (now - solid.drawnAt < SOLID_PERIOD) {
    repaint();
    return;
  }
  Object.assign(solid, { drawnAt: now, time });
  const traces = solidTraces(time);
  Plotly.react(byId('solid'), traces, solidLayout(traces), { displayModeBar: false, responsive: true });
}

function showSolid(on) {
  solid.shown = on && isAnybody();
  solid.time = NaN;
  byId('solid').hidden = !solid.shown;
  byId('canvas').hidden = solid.shown;
  view.querySelector('.zoom').hidden = solid.shown;
  byId('solid-button').setAttribute('aria-pressed', String(solid.shown));
  byId('replay-title').textContent = solid.shown ? 'In three dimensions' : 'From above';
  if (!solid.shown) Plotly.purge(byId('solid'));
  repaint();
}

byId('solid-button').addEventListener('click', () => showSolid(!solid.shown));
bind('3', 'three dimensions, or from above', { 3: () => showSolid(!solid.shown) });
themeListeners.push(() => { solid.time = NaN; });
painters.push(paintSolid);
