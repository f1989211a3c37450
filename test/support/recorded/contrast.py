"""Which texts of a page hardly stand out from what is behind them (WCAG 2, level AA)."""

from typing import Any

ENOUGH = 4.5

FAINT = """(enough) => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = (colour) => colour.slice(0, 3).map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const over = (top, share, below) => below.map((c, i) => share * top[i] + (1 - share) * c);
  const behind = (one) => {
    const colour = one ? rgb(getComputedStyle(one).backgroundColor) : [255, 255, 255];
    const share = colour.length > 3 ? colour[3] : 1;
    return share === 1 ? colour : over(colour, share, behind(one.parentElement));
  };
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const one = texts.currentNode.parentElement;
    const text = texts.currentNode.textContent.trim();
    if (!text || one.closest('script, svg, :disabled') || !one.checkVisibility()) continue;
    let share = 1;
    for (let at = one; at; at = at.parentElement) share *= Number(getComputedStyle(at).opacity);
    const ground = behind(one);
    const ink = over(rgb(getComputedStyle(one).color), share, ground);
    const [low, high] = [light(ink), light(ground)].sort((a, b) => a - b);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < enough) found.push([text.slice(0, 30), ratio.toFixed(2)]);
  }
  return found;
}"""


def faint_texts(page: Any) -> list[list[str]]:
    """Return the texts that are shown and hardly stand out, and their contrast."""
    return page.evaluate(FAINT, ENOUGH)
