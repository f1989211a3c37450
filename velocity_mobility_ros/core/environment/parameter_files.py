"""YAML files, their kinds, and the table of parameters of a run that differ from their defaults.

A file is known by its first keys, to say where it belongs if it is given elsewhere. Each node adds
its rows to the table.
"""

import csv
import io
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import yaml


def parse_yaml(text: str | bytes, loader: Any = yaml.SafeLoader) -> Any:
    """Return the content of a YAML text.

    Args:
        text: The text.
        loader: Class of PyYAML that reads it.

    Raises:
        yaml.YAMLError: It is not valid YAML, whatever PyYAML itself raises, as for ``2020-13-45``.
    """
    try:
        return yaml.load(text, loader)
    except RecursionError:
        raise yaml.YAMLError('nested too deeply') from None
    except (ValueError, AttributeError, LookupError, TypeError, OverflowError) as error:
        raise yaml.YAMLError(str(error) or type(error).__name__) from None


class FileKind(NamedTuple):
    """A kind of file.

    Attributes:
        name: What it is called.
        signs: Keys that only this kind and those before it have, as patterns.
        use: How it is given.
    """

    name: str
    signs: tuple[str, ...]
    use: str


PARAMETER_FILE, SCENARIO, VEHICLE = 'a parameter file of nodes', 'a scenario', 'a vehicle'
SWEEP, MAP, PLACES = 'a sweep', 'a map of topics', 'a file of places'
RUN = 'a record of a finished run'

KINDS = (
    FileKind(
        PARAMETER_FILE, (r'.*[/*].*', 'ros__parameters'),
        'start the node with --ros-args --params-file FILE',
    ),
    FileKind(
        RUN, ('created', 'verdict'), 'swarm report FOLDER and swarm compare FOLDER, of its run'
    ),
    FileKind(SWEEP, ('design', 'changes', 'scenario', 'seeds'), 'swarm sweep FILE'),
    FileKind(MAP, ('agents',), '--map FILE of swarm report, compare and fit'),
    FileKind(
        SCENARIO,
        ('run', 'swarm', 'vehicles', 'paths', 'safety', 'control', 'propagation', 'radio',
         'failure', 'target_sensing'),
        'swarm run FILE, or a launch file with scenario:=FILE',
    ),
    FileKind(
        VEHICLE, ('mobility', 'fitted'),
        '--vehicle FILE, or a launch file with vehicle_file:=FILE (swarm.launch.py: vehicle:=)',
    ),
    FileKind(PLACES, (r'uav_\d+',), '--places FILE of swarm fly takeoff'),
)  # fmt: skip
"""All kinds; the first one with a sign among the keys of a file is its kind."""


def use_of(kind: str) -> str:
    """Return how files of a kind are given, empty for an unknown one."""
    return next((file_kind.use for file_kind in KINDS if file_kind.name == kind), '')


def kind_hint(keys: Iterable[Any], wanted: str) -> str:
    """Return what a file is and where it belongs, as the rest of an error; empty if not known.

    Args:
        keys: The first keys of the file.
        wanted: Name of the kind that was expected.
    """
    names = [key for key in keys if isinstance(key, str)]
    for kind in KINDS:
        if any(re.fullmatch(sign, name) for sign in kind.signs for name in names):
            known = kind.name != wanted
            return f'; it looks like {kind.name}, which is for: {kind.use}' if known else ''
    return ''


TABLE = 'SWARM_PARAMETER_TABLE'
"""Environment variable with the path of the table, for the nodes that a run starts."""


class Changed(NamedTuple):
    """A parameter that is not at its default.

    Attributes:
        parameter: Its name.
        value: The value in force.
        default: The default; empty if there is none.
        unit: The unit of both.
        origin: Who has given the value: the run, or a user.
    """

    parameter: str
    value: Any
    default: Any
    unit: str
    origin: str


def begin_table(path: Path, scenario: Iterable[Changed]) -> None:
    """Write the header, and the rows of the parameters that all nodes share."""
    rows = [('node', *Changed._fields), *(('scenario', *row) for row in scenario)]
    path.write_text(_text(rows), encoding='utf-8')


def add_rows(node: str, changed: Iterable[Changed], table: str) -> None:
    """Add the rows of a node to a table in one piece: others add theirs at the same time.

    Args:
        node: Full name of the node.
        changed: What it tells.
        table: Path of the table; nothing is written where there is none.
    """
    text = _text((node, *row) for row in changed)
    if text and os.path.isfile(table):
        with open(table, 'ab', buffering=0) as file:
            file.write(text.encode())


def _text(rows: Iterable[Iterable[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator='\n').writerows(
        ['none' if cell is None else cell for cell in row] for row in rows
    )
    return text.getvalue()
