"""Finds the scenarios and layouts installed with the package."""

import os
import sys
from pathlib import Path

from velocity_mobility_ros.core.environment.parameter_files import use_of
from velocity_mobility_ros.core.user_errors import closest

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.files.path_kind import is_file, is_folder, refuse_endless

PACKAGE = 'soliton_encirclement_ros'
KINDS = ('scenario', 'vehicle', 'sweep', 'study')
PLURALS = {'study': 'studies'}
"""Kinds of files whose folder is not just called the kind with an s."""


def share_folder() -> Path:
    """Return the folder that holds ``config`` and ``launch``.

    In a source tree (or an editable install) that is the tree itself; else the share folder of the
    ROS workspace or of the virtual environment.
    """
    source = Path(__file__).resolve().parents[3]
    if (source / 'package.xml').is_file():
        return source
    try:
        from ament_index_python.packages import get_package_share_directory

        return Path(get_package_share_directory(PACKAGE))
    except (ImportError, LookupError):
        return Path(sys.prefix) / 'share' / PACKAGE


def find_scenario(name: str) -> Path:
    """Return the file of a scenario, given by path or by the name of an included one.

    Raises:
        ScenarioError: There is no such file.
    """
    return find_file('scenario', name)


def find_file(kind: str, name: str) -> Path:
    """Return a file, given by path or by the name of an included one of its kind.

    Raises:
        ScenarioError: There is no such file, or the path cannot be accessed.
    """
    kinds, folder = _plural(kind), _folder(kind)
    candidates = [Path(name)]
    if os.sep not in name:  # a missing path must not match an included file
        candidates.append(folder / f'{name}.yaml')
    for candidate in candidates:
        if is_file(candidate, ScenarioError):
            return candidate
    if name and is_folder(Path(name), ScenarioError):
        raise ScenarioError(f'{name}: is a folder; name a {kind} file')
    refuse_endless(Path(name), ScenarioError)
    if other := _of_other_kind(kind, name):
        raise ScenarioError(f'{name}: no such {kind} file; {other}')
    known = sorted(file.stem for file in folder.glob('*.yaml'))
    near = closest(name.removesuffix('.yaml'), known)
    hint = f'did you mean {near}? ' if near else ''
    raise ScenarioError(f'{name}: no such {kind} file; {hint}included {kinds}: {", ".join(known)}')


def _of_other_kind(kind: str, name: str) -> str:
    """Return what an included file of this name is instead, and its use; empty without one."""
    for other in KINDS:
        if other != kind and name and (_folder(other) / f'{name}.yaml').is_file():
            return f'{name} is a {other}, which is for: {use_of(f"a {other}")}'
    return ''


def _plural(kind: str) -> str:
    return PLURALS.get(kind, f'{kind}s')


def _folder(kind: str) -> Path:
    """Return the folder of the included files of a kind."""
    return share_folder() / 'config' / _plural(kind)
