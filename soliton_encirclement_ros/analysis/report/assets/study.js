// One metric at a time: its plots, its comparisons, its ablation.

function repaint() {} // nothing here moves by itself; the theme asks for it

function choose(metric) {
  for (const part of document.querySelectorAll('[data-metric]')) {
    part.hidden = part.dataset.metric !== metric;
  }
  for (const button of document.querySelectorAll('[data-choice]')) {
    button.setAttribute('aria-pressed', String(button.dataset.choice === metric));
  }
}

for (const button of document.querySelectorAll('[data-choice]')) {
  button.addEventListener('click', () => choose(button.dataset.choice));
}
choose(data.metrics[0]);
window.report = { panels: document.querySelectorAll('[data-metric]') };
setTheme(stored() || (system.matches ? 'dark' : 'light'));
