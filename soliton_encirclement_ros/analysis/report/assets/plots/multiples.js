// One small plot per agent, all of the same quantity, side by side.

const quantities = data.curves.quantities;
const decoded = new Map();
let quantity = quantities[0];

/** Return the lines of an agent in the quantity that is shown, unpacked when first asked for. */
function linesOf(name) {
  const key = `${quantity.key} ${name}`;
  if (!decoded.has(key)) {
    const told = (data.curves.lines[name] || {})[quantity.key] || [];
    decoded.set(key, told.map((line) => ({ ...line, t: floats(line.t), y: floats(line.y) })));
  }
  return decoded.get(key);
}

/** Return the range of everything that is shown, so that agents can be compared. */
function commonRange() {
  let [low, high] = quantity.zero ? [0, 0] : [Infinity, -Infinity];
  for (const body of agents) {
    if (body.hidden) continue;
    for (const line of linesOf(body.name)) {
      for (const value of line.y) {
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
  }
  const margin = 0.06 * (high - low) || 1;
  return low > high ? [0, 1] : [low < 0 ? low - margin : low, high + margin];
}

function outageBands(body) {
  return (body.down || []).map(([begin, end]) => ({
    type: 'rect', x0: begin, x1: end === null ? clock.end : end, y0: 0, y1: 1, yref: 'paper',
    layer: 'below', line: { width: 0 }, fillcolor: ink.down, opacity: 0.14,
  }));
}

/** Return width and colour of a line: where the truth is known, the odometry stands behind it. */
function strokeOf(role, lines) {
  if (role === 'command') return { width: 1.2, color: ink.command };
  const isBehind = role === 'odometry' && lines.some((line) => line.role === 'truth');
  return isBehind ? { width: 0.8, color: ink.faint } : { width: 1.2, color: ink.agent };
}

function smallPanel(body, common) {
  const lines = linesOf(body.name);
  makePanel(byId('multiples'), {
    title: body.name.slice(0, 40), height: 116, left: 38, right: 8, bottom: 20, xticks: 5,
    yaxis: () => ({
      ...(common ? { range: common } : { rangemode: quantity.zero ? 'tozero' : 'normal' }),
      zeroline: quantity.zero, zerolinecolor: ink.faint, zerolinewidth: 1,
    }),
    layout: () => ({ shapes: outageBands(body) }),
    traces: () => [...lines].reverse().map((line) => ({
      x: line.t, y: line.y, mode: 'lines',
      line: strokeOf(line.role, lines),
    })),
    readout: (time) => lines.map((line) => tidy(valueAt(line, time))).join(' / ')
      + (quantity.unit ? ` ${quantity.unit}` : ''),
  }).agent = body.name;
}

function showMultiples() {
  removePanels(byId('multiples'));
  const shown = agents.filter((body) => !body.hidden && quantity && linesOf(body.name).length);
  const told = shown.some((body) => linesOf(body.name).some((line) => line.role === 'command'));
  const known = shown.some((body) => linesOf(body.name).some((line) => line.role === 'truth'));
  byId('roles').hidden = !told && !known;
  byId('true-role').hidden = !known;
  byId('roles').classList.toggle('known', known);
  if (!shown.length) {
    const why = quantities.length ? 'All agents are hidden.' : 'No agent said how it moved.';
    byId('multiples').append(element('p', 'nothing', why));
    return;
  }
  const common = byId('alike').checked ? commonRange() : null;
  for (const body of shown) smallPanel(body, common);
}

function makeChoice() {
  for (const one of quantities) {
    const text = one.unit ? `${one.title} [${one.unit}]` : one.title;
    const button = element('button', '', text);
    button.type = 'button';
    button.dataset.key = one.key;
    button.setAttribute('aria-pressed', String(one === quantity));
    button.addEventListener('click', () => {
      quantity = one;
      for (const other of byId('quantities').children) {
        other.setAttribute('aria-pressed', String(other === button));
      }
      showMultiples();
    });
    byId('quantities').append(button);
  }
}

makeChoice();
if (!quantities.length) byId('alike').closest('label').hidden = true;
showMultiples();
byId('alike').addEventListener('change', showMultiples);
hideListeners.push(() => { showMultiples(); drawAgain(); markRows(); });

/** Grey out the rows of hidden agents in the tables. */
function markRows() {
  for (const row of document.querySelectorAll('tr[data-row]')) {
    row.classList.toggle('is-hidden', isHidden(row.dataset.row));
  }
}

Object.assign(window.report, { panels, setRange, range: () => range });
repaint();
