"""Parameter files of ROS 2 as rcl reads them: their sections, and the nodes that these are for.

A YAML file is known by its first keys, to say where it belongs if it is given elsewhere. The
parameters of a run that differ from their defaults are written to a table, to which each node adds
its rows.
"""

import csv
import io
import math
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from velocity_mobility_ros.core.user_errors import ParameterError, closest


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
         'failure', 'sight'),
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
    return next((one.use for one in KINDS if one.name == kind), '')


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


KEY = 'ros__parameters'

NODE_NAMES = {
    'mobility_node': 'mobility_node',
    'trajectory_node': 'trajectory_node',
    'twist_limiter_node': 'twist_limiter',
    'px4_bridge_node': 'px4_bridge_node',
    'ardupilot_bridge_node': 'ardupilot_bridge_node',
    'mavros_bridge_node': 'mavros_bridge_node',
    'agent_node': 'agent',
    'target_node': 'target',
    'adversary_node': 'adversary',
    'safety_node': 'safety',
    'world_node': 'world',
    'monitor_node': 'monitor',
    'recorder_node': 'recorder',
}
"""What the nodes of this ROS package are called, by their executable."""

ANY_NAME = {'*': r'/\w+', '**': r'(/\w+)*'}
"""What the wildcards stand for: one part of a full name, and any number of them."""

MOST = 6
"""Largest number of names in a message."""

TRUE, FALSE = ('y', 'yes', 'true', 'on'), ('n', 'no', 'false', 'off')
BOOLEANS = {
    spelt: word in TRUE
    for word in TRUE + FALSE
    for spelt in (word, word.capitalize(), word.upper())
}
INTEGER = re.compile(r'[-+]?(0x[0-9a-f]+|0[0-7]*|[1-9]\d*)', re.IGNORECASE | re.ASCII)
OCTAL = re.compile(r'[-+]?0+[1-7][0-7]*', re.ASCII)
FLOAT = re.compile(r'[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?', re.IGNORECASE | re.ASCII)
NO_NUMBER = re.compile(r'[-+]?\.?(nan|inf|infinity)', re.IGNORECASE)


class Section(NamedTuple):
    """Parameters for the nodes of one name.

    Attributes:
        name: Full name of a node, with or without the first slash, or a pattern.
        values: The parameters, as written.
    """

    name: str
    values: dict[str, yaml.Node]

    @property
    def node_name(self) -> str:
        """What the node itself is called, without its namespace."""
        return self.name.rpartition('/')[2]

    def is_for(self, node: str) -> bool:
        """Return whether rcl gives the parameters to a node.

        Args:
            node: Full name of the node.
        """
        parts = self.name.removeprefix('/').split('/')
        pattern = ''.join(ANY_NAME.get(part, f'/{re.escape(part)}') for part in parts)
        return re.fullmatch(pattern, node) is not None


def read_sections(path: Path) -> list[Section]:
    """Return the sections of a parameter file.

    Raises:
        ParameterError: It cannot be read, is not YAML, or is known to be something else.
    """
    try:
        text = path.read_bytes()
        sections = sections_of(text)
        hint = '' if sections else kind_hint(_first_keys(text), PARAMETER_FILE)
    except OSError as error:
        raise ParameterError(f'{path}: cannot read the parameters: {error.strerror}') from None
    except yaml.YAMLError as error:
        raise ParameterError(f'{path}: not valid YAML: {" ".join(str(error).split())}') from None
    except RecursionError:
        raise ParameterError(f'{path}: not valid YAML: nested too deeply') from None
    if hint:
        raise ParameterError(f'{path}: has no {KEY}{hint}')
    return sections


def why_unread(file: str) -> str:
    """Return why ROS could not read a parameter file; empty if that is not known.

    Args:
        file: Its path, as the user wrote it.
    """
    path = Path(file)
    if not path.is_file():
        what = 'a folder' if path.is_dir() else 'no regular file'
        return f'{file}: is {what}' if path.exists() else f'{file}: there is no such file'
    try:
        sections = read_sections(path)
    except ParameterError as error:
        return str(error)
    wanted = f'write NODE: {{{KEY}: {{NAME: VALUE}}}}'
    return '' if sections else f'{file}: has no {KEY}: {wanted}'


def sections_of(text: bytes | str) -> list[Section]:
    """Return the sections of the text of a parameter file.

    Raises:
        yaml.YAMLError: It is not YAML.
    """
    return [found for document in _documents(text) for found in _sections(document, '')]


def _documents(text: bytes | str) -> Iterator[yaml.Node]:
    return yaml.compose_all(text, getattr(yaml, 'CSafeLoader', yaml.SafeLoader))


def _first_keys(text: bytes) -> list[str]:
    maps = (one for one in _documents(text) if isinstance(one, yaml.MappingNode))
    return [str(key.value) for one in maps for key, _ in one.value]


def _sections(node: yaml.Node, name: str) -> Iterator[Section]:
    if not isinstance(node, yaml.MappingNode):
        return
    for key, value in node.value:
        if str(key.value).startswith(KEY):
            yield Section(name, dict(_values(value, '')))
        else:
            slash = '/' if name and not name.endswith('/') else ''
            yield from _sections(value, f'{name}{slash}{key.value}')


def _values(node: yaml.Node, above: str) -> Iterator[tuple[str, yaml.Node]]:
    if not isinstance(node, yaml.MappingNode):
        return
    for key, value in node.value:
        name = f'{above}{key.value}'
        if isinstance(value, yaml.MappingNode):
            yield from _values(value, f'{name}.')
        else:
            yield name, value


def is_value(node: yaml.Node, value: object) -> bool:
    """Return whether rcl reads a value from what is written; what is no scalar is not compared."""
    if not isinstance(node, yaml.ScalarNode):
        return True
    if isinstance(value, str):
        return node.value == value
    read = value_of(node)
    if isinstance(read, str) or isinstance(read, bool) is not isinstance(value, bool):
        return False
    return read == value or (math.isnan(read) and math.isnan(value))


def value_of(node: yaml.Node) -> Any:
    """Return a value of the type that rcl chooses; quotation marks make it a text."""
    text: str = node.value
    if node.style or not text:
        return text
    if text in BOOLEANS:
        return BOOLEANS[text]
    if INTEGER.fullmatch(text):
        return _integer(text)
    if FLOAT.fullmatch(text):
        return float(text)
    return float(text.replace('.', '')) if NO_NUMBER.fullmatch(text) else text


def _integer(text: str) -> int:
    """Return the integer that C reads: a first 0 makes it octal."""
    digits = text.lstrip('+-').lower()
    base = 16 if digits.startswith('0x') else 8 if digits.startswith('0') else 10
    return int(text, base)


def no_section(file: str, sections: Sequence[Section], nodes: Sequence[str]) -> str:
    """Return why a file has nothing for any of some nodes; empty if it has.

    Args:
        file: What the user calls the file.
        sections: Its sections.
        nodes: Full names of the nodes.
    """
    if any(section.is_for(node) for section in sections for node in nodes):
        return ''
    has = f'it has {_named([one.name for one in sections])}' if sections else 'it has none'
    name = nodes[0].rpartition('/')[2]
    names = [*dict.fromkeys((nodes[0], f'/**/{name}', '/**'))]
    return (
        f'{file} has no section for {_named(nodes)}: {has}; call it {" or ".join(names)}, with '
        f'the parameters below {KEY}'
    )


def section_warnings(file: str, sections: Sequence[Section], nodes: Sequence[str]) -> list[str]:
    """Return a warning for each section whose node is none of this package, and each octal number.

    Args:
        file: What the user calls the file.
        sections: Its sections.
        nodes: Full names of nodes that may have been given another name.
    """
    known = {*NODE_NAMES.values(), *ANY_NAME, *(node.rpartition('/')[2] for node in nodes)}
    unknown = [
        f'{file}: section {one.name} has no effect: no node of this package is called '
        f'{one.node_name}{_hint(one.node_name)}'
        for one in sections
        if one.node_name not in known
    ]
    octal = [
        f'{file}: {name}: {node.value} is octal, which is {_integer(node.value)}; '
        f'write {int(node.value)} or {_integer(node.value)}'
        for one in sections
        for name, node in one.values.items()
        if isinstance(node, yaml.ScalarNode) and not node.style and OCTAL.fullmatch(node.value)
    ]
    return unknown + octal


def _hint(name: str) -> str:
    near = NODE_NAMES.get(name) or closest(name, NODE_NAMES.values())
    return f'; did you mean {near}?' if near else ''


def _named(names: Sequence[str]) -> str:
    more = ['...'] if len(names) > MOST else []
    return ', '.join([*names[:MOST], *more])


TABLE = 'SWARM_PARAMETER_TABLE'
"""Environment variable with the path of the table, for the nodes that a run starts."""


class Changed(NamedTuple):
    """A parameter that is not at its default, or that was given in vain.

    Attributes:
        parameter: Its name.
        value: The value in force.
        default: The default; empty if there is none.
        unit: The unit of both.
        origin: Where the value comes from.
    """

    parameter: str
    value: Any
    default: Any
    unit: str
    origin: str


def begin_table(path: Path, scenario: Iterable[Changed]) -> None:
    """Write the header, and the rows of what all nodes share."""
    rows = [('node', *Changed._fields), *(('scenario', *one) for one in scenario)]
    path.write_text(_text(rows), encoding='utf-8')


def add_rows(node: str, changed: Iterable[Changed], table: str) -> None:
    """Add the rows of a node to a table in one piece: others add theirs at the same time.

    Args:
        node: Full name of the node.
        changed: What it tells.
        table: Path of the table; nothing is written where there is none.
    """
    text = _text((node, *one) for one in changed)
    if text and os.path.isfile(table):
        with open(table, 'ab', buffering=0) as file:
            file.write(text.encode())


def _text(rows: Iterable[Iterable[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator='\n').writerows(
        ['none' if cell is None else cell for cell in row] for row in rows
    )
    return text.getvalue()
