// The metrics of the swarm over time, with failures, recoveries, changed parameters, and who was down when.

const MANY = 24; // more marks than this are drawn without their lines

const metricCurves = data.metrics.map((told) => ({ ...told, t: floats(told.t), y: floats(told.y) }));

function valueAt(curve, time) {
  const i = lastAt(curve.t, time);
  // The first value stands for the picture before it, as the first place does.
  if (i < 0) return curve.t[0] - time < scene.step ? curve.y[0] : NaN;
  const j = Math.min(i + 1, curve.t.length - 1);
  const step = curve.t[j] - curve.t[i];
  if (curve.steps || step <= 0 || Number.isNaN(curve.y[j])) return curve.y[i];
  return curve.y[i] + ((time - curve.t[i]) / step) * (curve.y[j] - curve.y[i]);
}

const shownEvents = () => data.events.filter(([, name]) => !isHidden(name));

/** Return the marks of changed parameters in the same lane, none if nothing changed. */
function changeMarks() {
  const times = data.changes.map(([time]) => time);
  const marks = {
    x: times, y: times.map(() => 0.3), yaxis: 'y2', mode: 'markers', cliponaxis: false,
    marker: { symbol: 'diamond', size: 6, color: ink.adversary },
  };
  return times.length ? [marks] : [];
}

/** Return the marks of events, in a lane of their own below the curve. */
function marks() {
  const many = shownEvents().length > MANY;
  return [true, false].map((failed) => {
    const times = shownEvents().filter((event) => event[2] === failed).map(([time]) => time);
    const colour = failed ? ink.down : ink.target;
    const sign = failed ? 'triangle-down' : 'triangle-up';
    return {
      x: times, y: times.map(() => (many && failed ? 0.75 : 0.3)), yaxis: 'y2', mode: 'markers', cliponaxis: false,
      marker: { symbol: many ? 'line-ns' : sign, size: many ? 3 : 6, color: colour,
        line: { width: many ? 1.2 : 0, color: colour } },
    };
  });
}

const LANE = data.events.length || data.changes.length ? 0.17 : 0; // share of a plot's height

function markLines() {
  const lines = [...shownEvents().map(([time, , failed]) => [time, failed ? ink.down : ink.target]),
    ...data.changes.map(([time]) => [time, ink.adversary])];
  if (lines.length > MANY) return [];
  return lines.map(([time, colour]) => ({
    type: 'line', x0: time, x1: time, y0: 0, y1: 1, yref: 'paper', layer: 'below',
    line: { width: 1, color: colour }, opacity: 0.25,
  }));
}

/** Say what happened where the cursor is, if anything did within a few pixels. */
function eventNear(time) {
  const reach = ((range[1] - range[0]) / 500) * 4;
  const near = shownEvents().filter((event) => Math.abs(event[0] - time) < reach);
  if (!near.length) return '';
  const [at, name, failed, closed] = near.reduce((one, other) =>
    (Math.abs(other[0] - time) < Math.abs(one[0] - time) ? other : one));
  const then = closed === null ? 'never closed' : `closed ${tidy(closed, 1)} s later`;
  return `${name} ${failed ? 'down' : 'up'} at ${tidy(at, 1)} s, ${then}`;
}

/** Say which parameter changed where the cursor is, if one did within a few pixels. */
function changeNear(time) {
  const reach = ((range[1] - range[0]) / 500) * 4;
  return data.changes.filter(([at]) => Math.abs(at - time) < reach).map(([, what]) => what).join('; ');
}

function metricPanel(curve, isLast) {
  // Rounding errors of a perfect ring are no curve.
  const top = () => 1.08 * curve.y.reduce((most, value) => (value > most ? value : most), 0.01);
  const unit = curve.unit ? ` ${curve.unit}` : '';
  makePanel(byId('metrics'), {
    title: curve.symbol, meaning: curve.meaning, hint: curve.formula,
    height: isLast ? 98 : 84, left: 46, right: 10, bottom: isLast ? 22 : 8,
    yaxis: () => ({ range: [0, top()], domain: [LANE, 1] }),
    layout: () => (LANE ? {
      yaxis2: axis({ domain: [0, LANE], range: [0, 1], showgrid: false, showticklabels: false }),
      shapes: markLines(),
    } : {}),
    traces: () => [{
      x: curve.t, y: curve.y, mode: 'lines',
      line: { width: 1.3, color: ink.agent, shape: curve.steps ? 'hv' : 'linear' },
    }, ...(LANE ? [...marks(), ...changeMarks()] : [])],
    readout: (time) => {
      const value = valueAt(curve, time);
      const changed = isLast ? changeNear(time) : '';
      return (changed ? `${changed} · ` : '') + (curve.steps ? tidy(value, 0) : tidy(value, 3)) + unit;
    },
  }).metric = curve.name;
}

// Of long names the end is shown, where they differ.
function outagePanel() {
  const rows = () => agents.filter((body) => !body.hidden);
  const spec = {
    title: 'Down', meaning: 'when which agent was down',
    get height() { return 30 + 13 * Math.max(1, rows().length); },
    left: 46, right: 10, bottom: 22, layout: () => ({}),
    yaxis: () => ({
      range: [rows().length - 0.5, -0.5], showgrid: false,
      tickvals: rows().map((_, i) => i), ticktext: rows().map((body) => plain(body.label.slice(-6))),
    }),
    traces: () => rows().map((body, i) => ({
      x: (body.down || []).flatMap(([begin, end]) => [begin, end === null ? clock.end : end, null]),
      y: (body.down || []).flatMap(() => [i, i, null]),
      mode: 'lines', line: { width: 7, color: ink.down },
    })),
    readout: (time) => [eventNear(time), changeNear(time)].filter(Boolean).join('; '),
  };
  makePanel(byId('metrics'), spec).metric = 'down';
}

byId('marks').hidden = !data.events.length;
byId('changes').hidden = !data.changes.length;
const hasOutages = agents.some((body) => body.down && body.down.length);
metricCurves.forEach((curve, i) => metricPanel(curve, i === metricCurves.length - 1 && !hasOutages));
if (hasOutages) outagePanel();
if (!metricCurves.length) {
  byId('metrics').append(element('p', 'nothing', 'No metrics: nobody knows where the ring was.'));
  document.querySelector('.mouse').hidden = true;
}
