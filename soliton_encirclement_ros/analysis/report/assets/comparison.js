// Several recordings over each other: one plot per metric, zoomed together.

const COLOURS = ['#1f78e6', '#d9730d', '#1aa64d', '#d92626', '#8e6bd8', '#13a0a8', '#b08300', '#7d8791'];
const DASHES = ['solid', 'dash', 'dot'];
const MARGIN = { l: 50, r: 12, t: 4, b: 24 };
const hidden = new Set();
const plots = [];
let shown = 'lines';
let span = null; // the chosen range of time, null for the whole

const unpackedLine = (line) => line && { t: floats(line.t), y: floats(line.y) };
const curves = data.curves.map((told) => ({
  ...told, lines: told.lines.map(unpackedLine), differences: told.differences.map(unpackedLine),
}));
const short = (text) => (text.length > 28 ? `${text.slice(0, 27)}…` : text);

const ends = curves.flatMap((one) => one.lines).filter((line) => line && line.t.length)
  .flatMap((line) => [line.t[0], line.t[line.t.length - 1]]);
const everything = ends.length ? [Math.min(...ends), Math.max(...ends)] : [0, 1];
const wholeSpan = () => (shown === 'differences' ? data.common : everything);

function axisOf(more) {
  return { gridcolor: ink.line, zerolinecolor: ink.faint, zeroline: true, ticks: '',
    automargin: false, tickfont: { size: 11, color: ink.muted }, ...more };
}

function traces(curve) {
  return curve[shown].map((line, i) => ({
    x: line ? line.t : [], y: line ? line.y : [], mode: 'lines', name: plain(short(data.names[i])),
    visible: Boolean(line) && !hidden.has(i), hovertemplate: '%{y:.3f}',
    line: { width: 1.4, color: COLOURS[i % COLOURS.length],
      dash: DASHES[Math.floor(i / COLOURS.length) % DASHES.length],
      shape: curve.steps ? 'hv' : 'linear' },
  }));
}

function layout(curve) {
  return {
    height: 170, showlegend: false, hovermode: 'x', dragmode: 'zoom',
    margin: MARGIN, paper_bgcolor: 'rgba(0,0,0,0)',
    plot_bgcolor: 'rgba(0,0,0,0)', font: { family: ink.font, size: 11, color: ink.muted },
    hoverlabel: { bgcolor: ink.card, bordercolor: ink.faint, font: { color: ink.text } },
    xaxis: axisOf({ range: [...(span || wholeSpan())], ticksuffix: ' s', showticksuffix: 'first',
      hoverformat: '.2f', nticks: 8 }),
    yaxis: axisOf({ fixedrange: true, nticks: 5,
      rangemode: shown === 'lines' ? 'tozero' : 'normal' }),
  };
}

function drawAll() {
  for (const { plot, curve } of plots) {
    Plotly.react(plot, traces(curve), layout(curve), { displayModeBar: false, responsive: true });
  }
  byId('whole').hidden = span === null;
  repaint();
}

function zoomPlots(event) {
  if (event['xaxis.autorange'] || event.autosize) return;
  const from = event['xaxis.range[0]'];
  if (from === undefined) return;
  span = [Number(from), Number(event['xaxis.range[1]'])];
  drawAll();
}

function wholeTime() {
  span = null;
  drawAll();
}

function choose(what) {
  shown = what;
  span = null;
  byId('values').setAttribute('aria-pressed', String(what === 'lines'));
  byId('differences').setAttribute('aria-pressed', String(what === 'differences'));
  drawAll();
}

function addPlot(curve) {
  const figure = element('figure', 'panel');
  const caption = element('figcaption');
  const unit = curve.unit ? ` [${curve.unit}]` : '';
  const title = element('span', 'title', curve.symbol + unit);
  title.title = curve.formula;
  const plot = element('div', 'chart');
  const over = element('div', 'over');
  const cursor = element('div', 'cursor');
  over.append(plot, cursor);
  // A finger scrolls the page; Plotly would take it for the begin of a zoom and hold the page.
  const toPage = (event) => event.stopPropagation();
  plot.addEventListener('touchstart', toPage, { capture: true, passive: true });
  caption.append(title, element('span', 'meaning', curve.meaning));
  figure.append(caption, over);
  byId('curves').append(figure);
  plots.push({ plot, curve, cursor, ready: true });
}

function addName(name, i) {
  const chip = element('button', 'chip');
  const sign = element('span', 'sign');
  sign.style.background = COLOURS[i % COLOURS.length];
  chip.type = 'button';
  chip.setAttribute('aria-pressed', 'true');
  chip.append(sign, element('span', 'name', name));
  chip.addEventListener('click', () => {
    if (!hidden.delete(i)) hidden.add(i);
    chip.setAttribute('aria-pressed', String(!hidden.has(i)));
    drawAll();
  });
  byId('names').append(chip);
}

/** Draw in every plot where the replay is. */
function paintCursors(time) {
  const [from, to] = span || wholeSpan();
  const share = (time - from) / (to - from);
  for (const { plot, cursor } of plots) {
    cursor.hidden = !isAnybody() || share < 0 || share > 1;
    const width = plot.clientWidth - MARGIN.l - MARGIN.r;
    cursor.style.transform = `translateX(${(MARGIN.l + share * width).toFixed(1)}px)`;
  }
}

/** Offer the other recordings as ghosts beside the flight; at first the next one. */
function makeGhosts() {
  const told = data.ghosts.map((scene, i) => ({ scene, name: data.names[i] })).filter((one) => one.scene);
  byId('ghosts').hidden = !told.length;
  byId('ghost').append(new Option('none'), ...told.map((one) => new Option(short(one.name))));
  const show = () => {
    const chosen = told[byId('ghost').selectedIndex - 1];
    setGhost(chosen ? chosen.scene : null, chosen && short(chosen.name));
  };
  byId('ghost').addEventListener('change', show);
  byId('ghost').selectedIndex = told.length ? 1 : 0;
  show();
}

curves.forEach(addPlot);
data.names.forEach(addName);
if (!curves.length) byId('curves').append(element('p', 'nothing', 'Nothing was measured.'));
byId('values').addEventListener('click', () => choose('lines'));
byId('differences').addEventListener('click', () => choose('differences'));
byId('whole').addEventListener('click', wholeTime);
drawAll();
themeListeners.push(drawAll);
for (const { plot } of plots) {
  plot.on('plotly_relayout', zoomPlots);
  plot.on('plotly_doubleclick', () => { wholeTime(); return false; });
  plot.on('plotly_click', (event) => { if (isAnybody()) seek(event.points[0].x); });
}
byId('stage').hidden = byId('transport').hidden = !isAnybody();
byId('flight').classList.toggle('alone', !isAnybody());
makeGhosts();
painters.push(paintCursors);
Object.assign(window.report, { panels: plots, ghostPlace, ghosts: () => ghostsSeen() });
