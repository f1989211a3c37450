// What scrolls is scrolled by keys too: it takes the focus where nothing in it does.

function fitFocus(box) {
  const scrolls = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
  if (!scrolls || box.querySelector('button')) {
    box.removeAttribute('tabindex');
    return;
  }
  box.tabIndex = 0;
  const caption = box.querySelector('caption');
  if (!caption) return;
  box.setAttribute('role', 'region');
  box.setAttribute('aria-label', caption.textContent);
}

const scrollers = new ResizeObserver((entries) => {
  for (const { target } of entries) fitFocus(target.closest('.scroll, .paper, pre'));
});
for (const box of document.querySelectorAll('.scroll, .paper, pre')) {
  scrollers.observe(box);
  if (box.firstElementChild) scrollers.observe(box.firstElementChild);
}
