// A plot with a caption, a cursor, and a readout. Plotly draws; all pointing is done here, so that
// one cursor moves in every plot without any of them being drawn again.

const CONFIG = { staticPlot: true, displayModeBar: false };
const panels = new Set();
const latest = () => Math.max(clock.end, clock.begin + 1e-3);
let range = [clock.begin, latest()];

function makePanel(parent, spec) {
  const figure = element('figure', 'panel');
  const caption = element('figcaption');
  const title = element('span', 'title', spec.title);
  const readout = element('span', 'readout');
  caption.append(title, element('span', 'meaning', spec.meaning || ''), readout);
  if (spec.hint) title.title = spec.hint;
  const plot = element('div', 'chart');
  plot.style.height = `${spec.height}px`;
  const drawn = element('div', 'drawn');
  const glass = element('div', 'glass');
  const cursor = element('div', 'cursor');
  cursor.hidden = true;
  glass.style.left = `${spec.left}px`;
  glass.style.right = `${spec.right}px`;
  glass.append(cursor);
  plot.append(drawn, glass);
  figure.append(caption, plot);
  parent.append(figure);
  const panel = { spec, figure, plot, drawn, glass, cursor, readout, ready: false, width: 0 };
  panels.add(panel);
  point(panel);
  waiting.observe(figure);
  return panel;
}

function removePanels(parent) {
  for (const panel of [...panels]) {
    if (panel.figure.parentNode !== parent) continue;
    waiting.unobserve(panel.figure);
    if (panel.ready) Plotly.purge(panel.drawn);
    panels.delete(panel);
  }
  parent.replaceChildren();
}

const panelOf = (figure) => [...panels].find((panel) => panel.figure === figure);

// Plots are drawn when they are about to be seen, one per frame, so that the page is there at once.
const queue = [];
const waiting = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    const panel = panelOf(entry.target);
    if (!panel) continue;
    panel.near = entry.isIntersecting;
    if (!panel.near) continue;
    // Out of sight nobody moved its cursor.
    if (panel.ready) paintPanel(panel, shownTime(), true);
    else if (!queue.includes(panel)) queue.push(panel);
  }
  if (queue.length) requestAnimationFrame(drawNext);
}, { rootMargin: '400px' });

function drawNext() {
  const panel = queue.shift();
  if (panel && panels.has(panel) && !panel.ready) draw(panel);
  if (queue.length) requestAnimationFrame(drawNext);
}

function axis(more) {
  return {
    gridcolor: ink.line, zeroline: false, fixedrange: true, automargin: false, ticks: '',
    tickfont: { size: 11, color: ink.muted }, ...more,
  };
}

function layoutOf(panel) {
  const { spec } = panel;
  return {
    width: panel.plot.clientWidth, height: spec.height, showlegend: false,
    margin: { l: spec.left, r: spec.right, t: 4, b: spec.bottom },
    paper_bgcolor: 'rgba(0,0,0,0)', plot_bgcolor: 'rgba(0,0,0,0)',
    font: { family: ink.font, size: 11, color: ink.muted },
    xaxis: axis({ range: [...range], nticks: spec.xticks || 8, showticklabels: spec.bottom > 12,
      ticksuffix: ' s', showticksuffix: 'first' }),
    yaxis: axis({ nticks: 4, ...spec.yaxis() }),
    datarevision: clock.revision,
    ...spec.layout(),
  };
}

function draw(panel) {
  panel.width = panel.plot.clientWidth;
  if (!panel.width) return;
  panel.ready = true;
  panel.plot.style.height = `${panel.spec.height}px`;
  Plotly.react(panel.drawn, panel.spec.traces(), layoutOf(panel), CONFIG);
  panel.glass.style.bottom = `${panel.spec.bottom}px`;
  paintPanel(panel, shownTime(), true);
}

function drawAgain() {
  for (const panel of panels) {
    if (panel.ready && panel.near) draw(panel);
    else panel.ready = false;
  }
  // Observed anew, those that come into sight report themselves.
  for (const panel of panels) {
    waiting.unobserve(panel.figure);
    waiting.observe(panel.figure);
  }
}

function setRange(from, to) {
  range = [Math.max(clock.begin, from), Math.min(latest(), to)];
  const zoomed = range[0] > clock.begin || range[1] < clock.end;
  for (const button of document.querySelectorAll('.whole')) button.hidden = !zoomed;
  drawAgain();
  repaint();
}

const wholeRange = () => setRange(0, Infinity);

let readAt = 0;
function paintPanels(time, now) {
  // Numbers that change faster than this cannot be read.
  const reads = !clock.playing || now - readAt > 100;
  if (reads) readAt = now;
  for (const panel of panels) if (panel.ready && panel.near) paintPanel(panel, time, reads);
}

function paintPanel(panel, time, reads) {
  const share = (time - range[0]) / (range[1] - range[0]);
  const width = panel.width - panel.spec.left - panel.spec.right;
  panel.cursor.hidden = share < 0 || share > 1;
  panel.cursor.style.transform = `translateX(${(share * width).toFixed(1)}px)`;
  if (!reads) return;
  const text = panel.spec.readout(time);
  if (text !== panel.readout.textContent) panel.readout.textContent = text;
}

function timeAt(panel, clientX) {
  const box = panel.glass.getBoundingClientRect();
  const share = Math.max(0, Math.min(1, (clientX - box.left) / box.width));
  return range[0] + share * (range[1] - range[0]);
}

/** Hover, click, drag and double click in a plot; a finger scrubs. */
function point(panel) {
  const { glass } = panel;
  const choice = element('div', 'choice-of-time');
  choice.hidden = true;
  glass.append(choice);
  let from = null;
  glass.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    from = event.clientX;
    if (event.pointerType === 'mouse') glass.setPointerCapture(event.pointerId);
  });
  glass.addEventListener('pointermove', (event) => {
    const time = timeAt(panel, event.clientX);
    if (event.pointerType === 'mouse') hoverAt(time);
    // A finger that scrolls the page moves sideways too, a little.
    else if (from !== null && Math.abs(event.clientX - from) > 8) seek(time);
    if (from === null || event.pointerType !== 'mouse') return;
    const left = glass.getBoundingClientRect().left;
    choice.hidden = Math.abs(event.clientX - from) < 5;
    choice.style.left = `${Math.min(event.clientX, from) - left}px`;
    choice.style.width = `${Math.abs(event.clientX - from)}px`;
  });
  glass.addEventListener('pointerup', (event) => {
    if (from === null) return;
    const dragged = event.pointerType === 'mouse' && Math.abs(event.clientX - from) >= 5;
    const ends = [timeAt(panel, from), timeAt(panel, event.clientX)].sort((a, b) => a - b);
    choice.hidden = true;
    from = null;
    if (dragged) setRange(...ends);
    else seek(timeAt(panel, event.clientX));
  });
  glass.addEventListener('pointercancel', () => { from = null; choice.hidden = true; });
  glass.addEventListener('pointerleave', () => hoverAt(null));
  glass.addEventListener('dblclick', wholeRange);
}

for (const button of document.querySelectorAll('.whole')) button.addEventListener('click', wholeRange);
new ResizeObserver(() => {
  if ([...panels].some((panel) => panel.ready && panel.plot.clientWidth !== panel.width)) drawAgain();
}).observe(document.body);
painters.push(paintPanels);
themeListeners.push(drawAgain);
