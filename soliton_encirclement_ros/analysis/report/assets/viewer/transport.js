// Play, pause, speed, scrub bar.

const scrub = byId('scrub');
const ticks = byId('ticks');

/** Let the scrub bar reach over all that there is. */
function spanTime() {
  scrub.min = String(clock.begin);
  scrub.max = String(clock.end);
  for (const id of ['play', 'scrub', 'back', 'on']) byId(id).disabled = clock.end <= clock.begin;
}
spanTime();

const shareOf = (time) => (clock.end > clock.begin ? (time - clock.begin) / (clock.end - clock.begin) : 0);

function clockText(time) {
  return `${time.toFixed(1)} s`;
}

let told = '';
function paintTransport(time) {
  const text = clockText(time);
  if (text !== told) {
    byId('time').textContent = text;
    scrub.setAttribute('aria-valuetext', text);
    told = text;
  }
  scrub.value = String(time);
  scrub.style.setProperty('--share', `${100 * shareOf(time)}%`);
  const button = byId('play');
  const label = isMoving() ? 'Pause' : 'Play';
  if (button.getAttribute('aria-label') === label) return;
  button.setAttribute('aria-label', label);
  button.textContent = isMoving() ? '❚❚' : '▶';
}

/** Mark failures, recoveries and changes of parameters above the scrub bar. */
function drawTicks() {
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [ticks.clientWidth, ticks.clientHeight];
  ticks.width = width * ratio;
  ticks.height = height * ratio;
  const brush = ticks.getContext('2d');
  brush.scale(ratio, ratio);
  // The knob of the bar is 16 pixels wide and stays inside.
  const at = (time) => 8 + (width - 16) * shareOf(time) - 0.75;
  for (const [time, name, failed] of data.events) {
    if (isHidden(name)) continue;
    brush.fillStyle = failed ? ink.down : ink.target;
    brush.fillRect(at(time), failed ? 0 : 3, 1.5, height - 3);
  }
  brush.fillStyle = ink.adversary;
  for (const [time] of data.changes) brush.fillRect(at(time), 0, 1.5, height);
}

byId('play').addEventListener('click', () => play(!isMoving()));
byId('speed').addEventListener('change', (event) => { clock.speed = Number(event.target.value); });
scrub.addEventListener('input', () => { clock.hover = null; seek(Number(scrub.value)); });
painters.push(paintTransport);
hideListeners.push(drawTicks);
themeListeners.push(drawTicks);
new ResizeObserver(drawTicks).observe(ticks);

const chosen = stored();
setTheme(chosen || (system.matches ? 'dark' : 'light'));
resize();
window.report = { clock, camera, scene, bodies, seek, play, drawReplay, protectedArc, askedArc };
