// What Python packed: little-endian columns as base64 in one JSON text.

const data = JSON.parse(typeof carried === 'undefined' ? document.getElementById('data').textContent : carried.data);

function unpacked(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes.buffer;
}

const floats = (text) => new Float32Array(unpacked(text));
const places = (text) => new Int16Array(unpacked(text));
const byId = (id) => document.getElementById(id);

/** Return the position of the last time at or before t, -1 before the first. */
function lastAt(times, t) {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Return an element with a class and a text; texts from the recording never become markup. */
function element(tag, className = '', text = '') {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

const tidy = (value, digits = 2) =>
  Number.isFinite(value) ? value.toFixed(digits).replace(/^-(?=0\.?0*$)/, '') : '–';

// Plotly reads a little markup in texts; a name is none.
const plain = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
