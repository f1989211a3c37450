// On paper: dark ink, and every plot, also those that nobody has scrolled to yet.

let themeOfScreen = null;

addEventListener('beforeprint', () => {
  if (isDark()) {
    themeOfScreen = 'dark';
    setTheme('light');
  }
  for (const panel of panels) draw(panel);
  drawReplay(shownTime());
});
addEventListener('afterprint', () => {
  if (themeOfScreen) setTheme(themeOfScreen);
  themeOfScreen = null;
});
