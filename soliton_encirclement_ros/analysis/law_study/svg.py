"""Elements of SVG pictures; small enough for thousands of marks on one page."""

import html
from collections.abc import Iterable

INK, MUTED, LINE = '#1b1f23', '#5c666f', '#dfe2e5'
FONT = 'system-ui, &quot;Segoe UI&quot;, Roboto, &quot;DejaVu Sans&quot;, sans-serif'
WIDTH_OF_LETTER = 0.58
"""Mean width of a letter, share of the size of its font."""


def picture(width: float, height: float, elements: Iterable[str]) -> str:
    """Return a picture on white ground [px]."""
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    ground = f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FONT}">{ground}'
        f'{"".join(elements)}</svg>'
    )


def text(
    x: float, y: float, content: str, size: float = 11.0, anchor: str = 'start',
    colour: str = INK, turn: float = 0.0,
) -> str:
    """Return a text.

    Args:
        x: Place of its anchor [px], to the right.
        y: Its base line [px], downwards.
        content: The text.
        size: Size of the font [px].
        anchor: ``start``, ``middle`` or ``end``.
        colour: Its colour.
        turn: Turned clockwise by so much [deg].
    """  # fmt: skip
    place = f'x="{x:.1f}" y="{y:.1f}"'
    if turn:
        place = f'transform="translate({x:.1f} {y:.1f}) rotate({turn:g})"'
    return (
        f'<text {place} font-size="{size:g}" text-anchor="{anchor}" fill="{colour}">'
        f'{html.escape(content)}</text>'
    )


def box(x: float, y: float, width: float, height: float, fill: str, title: str = '') -> str:
    """Return a filled rectangle; its title appears under the mouse."""
    told = f'<title>{html.escape(title)}</title>' if title else ''
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}">'
        f'{told}</rect>'
    )


def line(x0: float, y0: float, x1: float, y1: float, colour: str, width: float = 1.0) -> str:
    """Return a straight line."""
    return (
        f'<path d="M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}" stroke="{colour}" '
        f'stroke-width="{width:g}"/>'
    )


def dot(x: float, y: float, radius: float, fill: str, title: str = '') -> str:
    """Return a filled circle; its title appears under the mouse."""
    told = f'<title>{html.escape(title)}</title>' if title else ''
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{fill}">{told}</circle>'


def width_of(content: str, size: float) -> float:
    """Return about how wide a text is [px]."""
    return WIDTH_OF_LETTER * size * len(content)
