"""HTML elements, page templates, and a content security policy for only their scripts.

No text is escaped elsewhere.
"""

import base64
import gzip
import hashlib
import html
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.files import replacing, writing

UNKNOWN_TEXT = '–'


class HtmlColumn(NamedTuple):
    """Column of a table: title, unit, and digits after the decimal point (None for text)."""

    title: str
    unit: str = ''
    digits: int | None = None


def escaped(text: object) -> str:
    """Return a text as HTML; characters that cannot be printed become escapes."""
    shown = ''.join(c if c.isprintable() else f'\\u{ord(c):04x}' for c in str(text))
    return html.escape(shown, quote=True)


def number(value: float | None, digits: int) -> str:
    """Return a number with fixed digits, or a dash if unknown."""
    if value is None or not math.isfinite(value):
        return UNKNOWN_TEXT
    text = f'{value:.{digits}f}' if abs(value) < 1e9 else f'{value:.3g}'
    return text[1:] if float(text) == 0.0 and text.startswith('-') else text


def cell(value: object, column: HtmlColumn) -> str:
    """Return one cell of a table."""
    if column.digits is None:
        return f'<td>{escaped(UNKNOWN_TEXT if value is None else value)}</td>'
    text = escaped(value) if isinstance(value, str) else number(value, column.digits)
    return f'<td class="number">{text}</td>'


def table(caption: str, columns: Sequence[HtmlColumn], rows: Iterable[Sequence[Any]]) -> str:
    """Return a table that scrolls sideways if too wide; the first column is the head of each row.

    In rows None is unknown, and text is shown as it is.
    """
    head = ''.join(_head(column) for column in columns)
    body = ''.join(_row(columns, row) for row in rows)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escaped(caption)}">'
        f'<table><caption>{escaped(caption)}</caption>'
        f'<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def without_unknown(
    columns: Sequence[HtmlColumn], rows: Sequence[Sequence[Any]]
) -> tuple[list[HtmlColumn], list[list[Any]]]:
    """Return columns and rows without the columns in which no row has a value."""
    def is_unknown(value: object) -> bool:
        is_infinite = isinstance(value, float) and not math.isfinite(value)
        return is_infinite or value in (None, UNKNOWN_TEXT)

    known = [i for i in range(len(columns)) if not all(is_unknown(row[i]) for row in rows)]
    return [columns[i] for i in known], [[row[i] for i in known] for row in rows]


def _head(column: HtmlColumn) -> str:
    kind = '' if column.digits is None else ' class="number"'
    unit = f' <span class="unit">{escaped(column.unit)}</span>' if column.unit else ''
    return f'<th scope="col"{kind}><span class="head">{escaped(column.title)}</span>{unit}</th>'


def _row(columns: Sequence[HtmlColumn], row: Sequence[Any]) -> str:
    first, *others = [cell(value, column) for value, column in zip(row, columns, strict=True)]
    head = f'<th scope="row"{first[3:-5]}</th>'
    return f'<tr data-row="{escaped(row[0])}">{head}{"".join(others)}</tr>'


def nothing(text: str) -> str:
    """Return a note for an empty section."""
    return f'<p class="nothing">{escaped(text)}</p>'


def unordered_list(texts: Iterable[str]) -> str:
    """Return texts as a list."""
    return '<ul>' + ''.join(f'<li>{escaped(text)}</li>' for text in texts) + '</ul>'


def pairs(content: Mapping[str, object]) -> str:
    """Return names and values as a list."""
    items = ''.join(
        f'<div><dt>{escaped(name)}</dt><dd>{escaped(value)}</dd></div>'
        for name, value in content.items()
    )
    return f'<dl class="pairs">{items}</dl>'


def collapsible(title: str, content: str, is_open: bool = False) -> str:
    """Return collapsible content."""
    return (
        f'<details{" open" if is_open else ""}><summary>{escaped(title)}</summary>'
        f'{content}</details>'
    )


PLACEHOLDER = re.compile(r'\{\{(\w+)\}\}')


def fill_template(template: str, parts: Mapping[str, str]) -> str:
    """Return an asset with ``{{name}}`` replaced by its part; parts are not expanded again."""
    return PLACEHOLDER.sub(lambda match: parts[match[1]], asset(template))


def head(title: str, style: str, scripts: Iterable[str], more: str = '') -> str:
    """Return the head of a page that runs these scripts and no others.

    Its policy also allows ``more``, such as ``connect-src 'self'``.
    """
    allowed = '; '.join(filter(None, [policy(scripts), more]))
    return fill_template('pages/head.html', {'title': title, 'style': style, 'policy': allowed})


def compressed_parts(data: Any, scripts: Sequence[str]) -> dict[str, str]:
    """Return the parts of a page that carries its data and its scripts, in order, compressed."""
    text = json.dumps({'data': json_text(data), 'scripts': list(scripts)})
    packed = base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode('ascii')
    return {'packed': packed, 'unpack': asset('unpack.js')}


def json_text(content: Any) -> str:
    """Return JSON that is safe inside a script element: no text can end the element."""
    text = json.dumps(content, allow_nan=False, separators=(',', ':'))
    return text.replace('<', '\\u003c')


def join_scripts(names: Sequence[str]) -> str:
    """Return concatenated scripts; they share one scope."""
    return "'use strict';\n" + '\n'.join(asset(f'{name}.js') for name in names)


def policy(scripts: Iterable[str]) -> str:
    """Return the content security policy: run only these scripts, fetch nothing."""
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts)
    hashes = ' '.join(f"'sha256-{base64.b64encode(digest).decode('ascii')}'" for digest in digests)
    return f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:"


def asset(name: str) -> str:
    """Return the text of a file in ``assets``."""
    folder = resources.files('soliton_encirclement_ros.analysis.report') / 'assets'
    return (folder / name).read_text(encoding='utf-8')


def write_whole(path: Path, text: str) -> Path:
    """Write a page atomically.

    Raises:
        RunError: The file cannot be written.
    """
    with writing(path, 'write the page'), replacing(path) as temporary:
        temporary.write_text(text, encoding='utf-8')
    return path
