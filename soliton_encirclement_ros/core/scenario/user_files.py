"""Files of users: found by name in the installed package or by path, and read as YAML.

The package comes with scenarios, layouts and other files. Errors are of one line; duplicate keys
are errors.
"""

import os
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.files import is_file, is_folder, refuse_endless
from velocity_mobility_ros.core.environment.parameter_files import parse_yaml, use_of
from velocity_mobility_ros.core.spreadsheet import decoded
from velocity_mobility_ros.core.user_errors import closest, cut, shown

PACKAGE = 'soliton_encirclement_ros'
KINDS = ('scenario', 'vehicle', 'sweep')


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


def find_file(kind: str, name: str) -> Path:
    """Return a file, given by path or by the name of an included one of its kind.

    Raises:
        ScenarioError: There is no such file, or the path cannot be accessed.
    """
    if name.splitlines() not in ([name], []):
        raise ScenarioError(f'{shown(name)}: no such {kind} file; its name is one line')
    folder = _folder(kind)
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
    raise ScenarioError(f'{name}: no such {kind} file; {hint}included {kind}s: {", ".join(known)}')


find_scenario = partial(find_file, 'scenario')
"""Returns the file of a scenario, given by path or by the name of an included one."""


def _of_other_kind(kind: str, name: str) -> str:
    """Return the kind of an included file of this name, and its use; empty without one."""
    for other in KINDS:
        if other != kind and name and (_folder(other) / f'{name}.yaml').is_file():
            return f'{name} is a {other}, which is for: {use_of(f"a {other}")}'
    return ''


def _folder(kind: str) -> Path:
    """Return the folder of the included files of a kind."""
    return share_folder() / 'config' / f'{kind}s'


OCTAL = re.compile(r'[-+]?0[0-7_]+')
"""Numbers with a leading zero: octal in YAML 1.1, decimal for most users."""

MAX_NUMBER_LENGTH = 1000

COLON = 'mapping values are not allowed'
"""Error of PyYAML for ``a: b: c``."""


class _Loader(yaml.SafeLoader):
    """The safe loader, with errors for input that PyYAML misreads silently.

    PyYAML uses the last of two equal keys, and reads ``017`` as 15 and ``3:20`` as 200.
    """

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """Insert merged mappings (``<<``), each key once."""
        super().flatten_mapping(node)
        keys = [key.value if isinstance(key, yaml.ScalarNode) else key for key, _ in node.value]
        node.value = list(dict(zip(keys, node.value, strict=True)).values())

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Return a mapping without duplicate keys."""
        seen = set()
        if not isinstance(node, yaml.MappingNode):
            return super().construct_mapping(node, deep)  # says what it is instead
        for key, _ in node.value:
            if key.value in seen and isinstance(key, yaml.ScalarNode):
                line = key.start_mark.line + 1
                raise yaml.YAMLError(f'line {line}: duplicate key {shown(key.value)}')
            if isinstance(key, yaml.ScalarNode):
                seen.add(key.value)
        return super().construct_mapping(node, deep)

    def decimal_int(self, node: yaml.Node) -> int:
        """Return a whole number."""
        _refuse_odd(node)
        if isinstance(node, yaml.ScalarNode) and OCTAL.fullmatch(node.value):
            text = node.value.replace('_', '')
            sign = '-' if text[0] == '-' else ''
            digits = text.lstrip('+-').lstrip('0') or '0'
            raise yaml.YAMLError(f'{_place(node)} is octal in YAML; write {sign}{cut(digits)}')
        return _number(self.construct_yaml_int, node)

    def decimal_float(self, node: yaml.Node) -> float:
        """Return a number."""
        _refuse_odd(node)
        return _number(self.construct_yaml_float, node)


_Loader.add_constructor('tag:yaml.org,2002:int', _Loader.decimal_int)
_Loader.add_constructor('tag:yaml.org,2002:float', _Loader.decimal_float)


def _number(construct: Callable[[yaml.Node], Any], node: yaml.Node) -> Any:
    """Return the number of a node; PyYAML refuses ``!!int ""`` with an IndexError."""
    try:
        return construct(node)
    except (ValueError, LookupError, OverflowError):
        line = node.start_mark.line + 1
        raise yaml.YAMLError(f'line {line}: {shown(node.value)} is not a number') from None


def _refuse_odd(node: yaml.Node) -> None:
    """Refuse sexagesimal numbers, and numbers too long to print."""
    if isinstance(node, yaml.ScalarNode) and len(node.value) > MAX_NUMBER_LENGTH:
        raise yaml.YAMLError(f'{_place(node)} is longer than {MAX_NUMBER_LENGTH} characters')
    if isinstance(node, yaml.ScalarNode) and ':' in node.value:
        raise yaml.YAMLError(
            f'{_place(node)} is a base-60 number in YAML; write a plain number (for example of '
            'seconds), or quote a text'
        )


def _place(node: yaml.ScalarNode) -> str:
    return f'line {node.start_mark.line + 1}: {cut(node.value)}'


def read_yaml(text: str, source: Path | None = None) -> Any:
    """Return the content of a YAML text.

    Args:
        text: The text.
        source: File that it is of, named first in errors.

    Raises:
        ScenarioError: The text is not valid YAML; the reason is in one line.
    """
    where = f'{source}: ' if source else ''
    try:
        return parse_yaml(text, _Loader)
    except yaml.YAMLError as error:
        reason = ' '.join(str(error).split())
        raise ScenarioError(f'{where}not valid YAML: {reason}{_hint(error)}') from None


def _hint(error: Any) -> str:
    """Return the remedy of an error of PyYAML that does not name it."""
    problem = getattr(error, 'problem', None) or ''
    if COLON not in problem:
        return ''
    line = error.problem_mark.line + 1
    return f"; quote the text in line {line} that has a colon, 'A: B', or mend the indentation"


def read_text(path: Path, what: str) -> str:
    """Return the text of a file.

    Args:
        path: The file.
        what: Kind of file, named in errors.

    Raises:
        ScenarioError: It cannot be read as text; the reason is in one line.
    """
    refuse_endless(path, ScenarioError)
    try:
        return decoded(path.read_bytes())
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, 'strerror', None) or 'not UTF-8 text; save it as UTF-8'
        raise ScenarioError(f'{path}: cannot read the {what}: {reason}') from None
