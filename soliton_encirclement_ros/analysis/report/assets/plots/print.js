// On paper: dark ink, plots as wide as the paper, also those that nobody has scrolled to yet.

let themeOfScreen = null;

addEventListener('beforeprint', () => {
  if (isDark()) {
    themeOfScreen = 'dark';
    setTheme('light');
  }
  // Drawings are as wide as they were drawn, so all are drawn anew at the width of paper.
  document.documentElement.dataset.paper = '';
  for (const panel of panels) draw(panel);
  resize();
  drawReplay(shownTime());
});
addEventListener('afterprint', () => {
  delete document.documentElement.dataset.paper;
  if (themeOfScreen) setTheme(themeOfScreen);
  themeOfScreen = null;
  resize();
  drawAgain();
});
