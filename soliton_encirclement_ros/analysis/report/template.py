"""Fills page templates, and sets a content security policy that allows only their scripts."""

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files.atomic_file import replacing

PLACEHOLDER = re.compile(r'\{\{(\w+)\}\}')


def filled(template: str, parts: Mapping[str, str]) -> str:
    """Return an asset with ``{{name}}`` replaced by its part; parts are not expanded again."""
    return PLACEHOLDER.sub(lambda match: parts[match[1]], asset(template))


def head(title: str, style: str, scripts: Iterable[str], more: str = '') -> str:
    """Return the head of a page that runs these scripts and no others.

    Args:
        title: Its title.
        style: Its style sheet.
        scripts: The scripts.
        more: What else its policy allows, such as ``connect-src 'self'``.
    """
    allowed = '; '.join(filter(None, [policy(scripts), more]))
    return filled('pages/head.html', {'title': title, 'style': style, 'policy': allowed})


def carrying(data: Any, scripts: Sequence[str]) -> dict[str, str]:
    """Return the parts of a page that carries its data and its scripts compressed.

    Args:
        data: What the scripts show.
        scripts: The scripts in their order.
    """
    text = json.dumps({'data': json_text(data), 'scripts': list(scripts)})
    packed = base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode('ascii')
    return {'packed': packed, 'unpack': asset('unpack.js')}


def json_text(content: Any) -> str:
    """Return JSON that is safe inside a script element: no text can end the element."""
    text = json.dumps(content, allow_nan=False, separators=(',', ':'))
    return text.replace('<', '\\u003c')


def joined(names: Sequence[str]) -> str:
    """Return concatenated scripts; they share one scope."""
    return "'use strict';\n" + '\n'.join(asset(f'{name}.js') for name in names)


def policy(scripts: Iterable[str]) -> str:
    """Return the content security policy: run only these scripts, fetch nothing."""
    hashes = ' '.join(f"'sha256-{_digest(script)}'" for script in scripts)
    return f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:"


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode('ascii')


def asset(name: str) -> str:
    """Return the text of a file in ``assets``."""
    folder = resources.files('soliton_encirclement_ros.analysis.report') / 'assets'
    return (folder / name).read_text(encoding='utf-8')


def write_whole(path: Path, text: str) -> Path:
    """Write a page atomically.

    Raises:
        RunError: The file cannot be written.
    """
    try:
        with replacing(path) as part:
            part.write_text(text, encoding='utf-8')
    except OSError as error:
        raise RunError(f'{path}: cannot write the page: {error.strerror}') from None
    return path
