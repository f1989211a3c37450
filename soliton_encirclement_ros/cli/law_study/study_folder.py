"""The folder of a study: it belongs to one study file."""

from pathlib import Path
from typing import Any

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files.atomic_file import replacing
from soliton_encirclement_ros.core.files.path_kind import is_there

COPY = 'study.yaml'
OTHERS = ('sweep.yaml', 'runs.sqlite')
"""Files of a sweep."""


def check_owner(folder: Path, study: Any) -> None:
    """Refuse a folder that holds another study, or a sweep.

    A study that has been changed is another one: flights of the test would be seen before it.

    Raises:
        RunError: It does.
    """
    copy = folder / COPY
    try:
        known = copy.read_text(encoding='utf-8')
    except FileNotFoundError:
        for name in OTHERS:
            if is_there(folder / name):
                raise RunError(f'--out {folder}: holds a sweep: use another folder') from None
        return
    except (OSError, UnicodeDecodeError):
        raise RunError(f'{copy}: cannot be read: use another --out') from None
    if known != study.text:
        raise RunError(
            f'--out {folder}: holds another study, {COPY} differs from {study.source}: use '
            'another folder, or remove this one'
        )


def write_copy(folder: Path, study: Any) -> None:
    """Keep a copy of the study file.

    Raises:
        RunError: It cannot be written.
    """
    path = folder / COPY
    try:
        with replacing(path) as part:
            part.write_text(study.text, encoding='utf-8')
    except OSError as error:
        raise RunError(f'{path}: cannot write: {error.strerror}') from None
