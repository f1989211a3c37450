"""How a page is put together: parts into a template, scripts under a policy that names them."""

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files.atomic_file import replacing

HOLE = re.compile(r'\{\{(\w+)\}\}')


def filled(template: str, parts: Mapping[str, str]) -> str:
    """Return an asset with ``{{name}}`` replaced by its part; parts are not looked into again."""
    return HOLE.sub(lambda hole: parts[hole[1]], asset(template))


def head(title: str, style: str, scripts: Iterable[str]) -> str:
    """Return the head of a page that runs these scripts and no others."""
    return filled('head.html', {'title': title, 'style': style, 'policy': policy(scripts)})


def json_text(content: Any) -> str:
    """Return JSON that may stand inside a script element: no text in it can end that."""
    text = json.dumps(content, allow_nan=False, separators=(',', ':'))
    return text.replace('<', '\\u003c')


def joined(names: Sequence[str]) -> str:
    """Return scripts one after the other; they share their names, and the page's own scope."""
    return "'use strict';\n" + '\n'.join(asset(f'{name}.js') for name in names)


def policy(scripts: Iterable[str]) -> str:
    """Return what the browser may do: run these very scripts, and fetch nothing."""
    hashes = ' '.join(f"'sha256-{_digest(script)}'" for script in scripts)
    return f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:"


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode('ascii')


def asset(name: str) -> str:
    """Return the text of a file of ours."""
    folder = resources.files('soliton_encirclement_ros.analysis.report') / 'assets'
    return (folder / name).read_text(encoding='utf-8')


def write_whole(path: Path, text: str) -> Path:
    """Write a page whole or not at all.

    Raises:
        RunError: The file cannot be written.
    """
    try:
        with replacing(path) as part:
            part.write_text(text, encoding='utf-8')
    except OSError as error:
        raise RunError(f'{path}: cannot write the page: {error.strerror}') from None
    return path
