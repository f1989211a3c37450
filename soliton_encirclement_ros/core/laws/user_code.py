"""Laws and propagation layers of users: found by file, by module, or by an entry point."""

import functools
import importlib
import importlib.metadata
import importlib.util
import sys
import traceback
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from velocity_mobility_ros.core.shown import shown

from soliton_encirclement_ros.core.errors import LawError
from soliton_encirclement_ros.core.laws.law_fault import reason_of


def is_outside(name: object, group: str) -> bool:
    """Say whether a name stands for something of a user, if it is no name of ours."""
    if not isinstance(name, str):
        return False
    return bool(file_of(name)) or ':' in name or name in entry_points(group)


@functools.cache
def entry_points(group: str) -> dict[str, importlib.metadata.EntryPoint]:
    """Return what installed packages bring in a group of entry points, by name."""
    return {point.name: point for point in importlib.metadata.entry_points(group=group)}


def file_of(name: str) -> str:
    """Return the file of ``FILE.py`` and ``FILE.py:NAME``, empty for other names."""
    if name.endswith('.py'):
        return name
    file, colon, _ = name.rpartition('.py:')
    return f'{file}.py' if colon else ''


def whole_name(name: str) -> str:
    """Return a name so that it means the same from every folder: files with their path."""
    file = file_of(name)
    return f'{Path(file).resolve()}{name.removeprefix(file)}' if file else name


def short_name(name: str) -> str:
    """Return what people call it: a file's name without its folder and ending."""
    file = file_of(name)
    if not file:
        return name.partition(':')[0]
    return f'{Path(file).stem}{name.removeprefix(file).replace(":", ".")}'


def load(name: str, kind: type, group: str) -> Any:
    """Return what a name stands for.

    Args:
        name: ``FILE.py``, ``FILE.py:NAME``, ``package.module:NAME``, or the name of an entry
            point. Without a NAME, a file has one object of the kind at its top level.
        kind: What it must be.
        group: The group of entry points.

    Raises:
        LawError: It cannot be found or is of another kind; one line says what to mend.
    """
    if name.endswith('.py'):
        return _only_one(_module_of(Path(name)), kind, name)
    point = entry_points(group).get(name)
    module, colon, key = (point.value if point else name).rpartition(':')
    if not (module and colon and key):
        raise LawError(f'{name}: write FILE.py or package.module:NAME')
    is_file = module.endswith('.py')
    found = getattr(_module_of(Path(module)) if is_file else _imported(module, name), key, None)
    if not isinstance(found, kind):
        text = f'{key} in {module} is {_kind(found)}, must be a {kind.__name__}'
        raise LawError(f'{name}: {text}')
    return found


def _module_of(path: Path) -> ModuleType:
    if not path.is_file():
        raise LawError(f'{path}: there is no such file')
    name = f'law_{path.stem}'
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise LawError(f'{path}: cannot be read as Python')
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # records and compiled code look their module up
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        raise LawError(f'{path}{_line(error, path)}: {reason_of(error)}') from None
    return module


def _imported(module: str, name: str) -> ModuleType:
    try:
        return importlib.import_module(module)
    except BaseException as error:
        raise LawError(f'{name}: {module} cannot be imported: {reason_of(error)}') from None


def _only_one(module: ModuleType, kind: type, name: str) -> Any:
    found = {key: value for key, value in vars(module).items() if isinstance(value, kind)}
    if len(found) != 1:
        text = f'there are {len(found)}: {", ".join(found)}' if found else 'there is none'
        name_of_it = kind.__name__.upper()
        if not found and isinstance(getattr(module, name_of_it, None), FunctionType):
            maker = f'make_{kind.__name__.lower()}'
            text = f'{name_of_it} is a function: {maker} makes a {kind.__name__.lower()} of one'
        raise LawError(f'{name}: must have one {kind.__name__} at its top level; {text}')
    return next(iter(found.values()))


def _line(error: BaseException, path: Path) -> str:
    """Return the line of a file at which something went wrong, as ``:12``."""
    if isinstance(error, SyntaxError) and error.lineno:
        return f':{error.lineno}'
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)
             if frame.filename == str(path)]  # fmt: skip
    return f':{lines[-1]}' if lines else ''


def _kind(value: object) -> str:
    return 'missing' if value is None else shown(value)
