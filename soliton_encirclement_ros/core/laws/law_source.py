"""User-written laws: found by file, by module, or by an installed package's entry point."""

import functools
import importlib
import importlib.metadata
import importlib.util
import sys
import traceback
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from types import ModuleType

from velocity_mobility_ros.core.shown import shown

from soliton_encirclement_ros.core.errors import LawError
from soliton_encirclement_ros.core.laws.law import Law
from soliton_encirclement_ros.core.parameters.swarm_parameters import CONTROLLER_NAMES, PEER_NAMES

GROUP = 'soliton_encirclement_ros.laws'
"""Entry points of packages that provide a law: ``name = package.module:LAW``."""

PEERS = 'soliton_encirclement_ros.controllers.peers'
"""Where the published laws are: ``kim_sugie.KIM_SUGIE`` and so on."""


def has_own_parameters(controller: object) -> bool:
    """Return whether the law of this name has a record of its own parameters."""
    return controller in PEER_NAMES or is_foreign(controller)


def is_foreign(controller: object) -> bool:
    """Return whether a controller's name stands for a law outside of this package."""
    if not isinstance(controller, str) or controller in CONTROLLER_NAMES:
        return False
    return controller.endswith('.py') or ':' in controller or controller in entry_points()


@functools.cache
def entry_points() -> dict[str, importlib.metadata.EntryPoint]:
    """Return the laws of installed packages, by name."""
    return {point.name: point for point in importlib.metadata.entry_points(group=GROUP)}


def whole_name(controller: str) -> str:
    """Return a law's name so that it is valid in every folder: files with their path."""
    return str(Path(controller).resolve()) if controller.endswith('.py') else controller


def short_name(controller: str) -> str:
    """Return the displayed name of a law: a file's name without its folder and ending."""
    return Path(controller).stem if controller.endswith('.py') else controller.partition(':')[0]


def law_labels(controllers: Collection[str]) -> dict[str, str]:
    """Return the name of each law in tables: its short name, unless two laws share it."""
    counts = Counter(map(short_name, controllers))
    return {one: short_name(one) if counts[short_name(one)] == 1 else one for one in controllers}


@functools.cache
def load_law(controller: str) -> Law:
    """Return the law of a name.

    Args:
        controller: ``FILE.py``, ``package.module:NAME``, the name of a published law of this
            package, or that of an entry point. A file has one law at its top level, under any
            name.

    Raises:
        LawError: It cannot be found or is not a law; one line names the remedy.
    """
    if controller.endswith('.py'):
        return _only_law(_module_of(Path(controller)), controller)
    module, colon, name = _place_of(controller).partition(':')
    if not (module and colon and name):
        raise LawError(f'{controller}: write FILE.py or package.module:NAME')
    found = getattr(_imported(module, controller), name, None)
    if not isinstance(found, Law):
        raise LawError(f'{controller}: {name} in {module} is {_kind(found)}, must be a Law')
    return found


def _place_of(controller: str) -> str:
    """Return where a law is, as ``package.module:NAME``."""
    if controller in PEER_NAMES:
        return f'{PEERS}.{controller}:{controller.upper()}'
    point = entry_points().get(controller)
    return point.value if point else controller


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
    except Exception as error:
        raise LawError(f'{path}{_line(error, path)}: {_reason(error)}') from None
    return module


def _imported(module: str, controller: str) -> ModuleType:
    try:
        return importlib.import_module(module)
    except Exception as error:
        raise LawError(f'{controller}: {module} cannot be imported: {_reason(error)}') from None


def _only_law(module: ModuleType, controller: str) -> Law:
    laws = {name: value for name, value in vars(module).items() if isinstance(value, Law)}
    if len(laws) != 1:
        found = f'there are {len(laws)}: {", ".join(laws)}' if laws else 'there is none'
        raise LawError(f'{controller}: must have one Law at its top level; {found}')
    return next(iter(laws.values()))


def _line(error: Exception, path: Path) -> str:
    """Return the line of a file in which an error occurred, as ``:12``."""
    if isinstance(error, SyntaxError) and error.lineno:
        return f':{error.lineno}'
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)
             if frame.filename == str(path)]  # fmt: skip
    return f':{lines[-1]}' if lines else ''


def _reason(error: Exception) -> str:
    words = error.msg if isinstance(error, SyntaxError) else str(error)
    return f'{type(error).__name__}: {" ".join(str(words).split())[:200]}'


def _kind(value: object) -> str:
    return 'missing' if value is None else shown(value)
