"""Figures as SVG for a page: the same text every time, letters as text."""

import io
import re

import matplotlib as mpl
from matplotlib.figure import Figure

SALT = 'study'
SETTINGS = {'svg.fonttype': 'none', 'svg.hashsalt': SALT}


def svg_text(figure: Figure, prefix: str) -> str:
    """Return a figure as an ``svg`` element.

    Args:
        figure: The figure.
        prefix: Begins all its names, so that several figures can be on one page.
    """
    text = io.StringIO()
    with mpl.rc_context(SETTINGS):
        figure.savefig(text, format='svg', metadata={'Date': None, 'Creator': None})
    element = text.getvalue()
    element = element[element.index('<svg') :]
    element = re.sub(r'\bid="', f'id="{prefix}-', element)
    return re.sub(r'(href="#|url\(#)', rf'\g<1>{prefix}-', element)
