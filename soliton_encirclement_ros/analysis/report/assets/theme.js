// Dark or light: as the system says, until somebody chooses.

const system = matchMedia('(prefers-color-scheme: dark)');
const themeListeners = [];
let ink = {};

function stored() {
  try {
    return localStorage.getItem('swarm-report-theme');
  } catch {
    return null; // some browsers keep nothing for files
  }
}

const isDark = () => document.documentElement.dataset.theme === 'dark';

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  byId('theme').textContent = isDark() ? 'Light' : 'Dark';
  byId('theme').setAttribute('aria-label', isDark() ? 'Use light colours' : 'Use dark colours');
  const style = getComputedStyle(document.documentElement);
  const names = ['text', 'muted', 'faint', 'line', 'card', 'agent', 'down', 'target', 'adversary',
    'command'];
  ink = Object.fromEntries(names.map((one) => [one, style.getPropertyValue(`--${one}`).trim()]));
  ink.font = style.getPropertyValue('--font').trim();
  for (const tell of themeListeners) tell();
  repaint();
}

byId('theme').addEventListener('click', () => {
  const name = isDark() ? 'light' : 'dark';
  try {
    localStorage.setItem('swarm-report-theme', name);
  } catch {
    // Then the choice lasts until the page is closed.
  }
  setTheme(name);
});
system.addEventListener('change', () => {
  if (!stored()) setTheme(system.matches ? 'dark' : 'light');
});
