"""Objects chosen by name: laws, propagation layers, estimators, vehicles; ours and those of users.

A ``Plugin`` holds one kind. Rooms above add the built-in ones when they are imported, so this file
and the contracts name nobody. Somebody must import these rooms before the first name is looked up,
however a program begins: a command, a node, a launch file, a test, a user's script. Therefore a
package announces them in its ``__init__``, which Python runs before anything else of the package,
and a ``Plugin`` imports them when it does not know a name yet; they must not need a scenario.

Rejected: entry points for our own objects, which a checkout on ``PYTHONPATH`` does not have, and
for which every start would read the metadata of all installed packages; and a module of imports
that everything executable begins with, which the next script forgets. Entry points are read for
names that are neither ours nor of a file or module.
"""

import functools
import importlib
import importlib.util
import os
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar

from velocity_mobility_ros.core.environment.unix_process import StopRequest, raise_interrupt
from velocity_mobility_ros.core.user_errors import MobilityError, meant, shown

Kind = TypeVar('Kind')

ROOMS: list[str] = []
"""Modules that add the built-in objects when they are imported."""

LONGEST_REASON = 200
"""Largest number of characters shown of the text of an exception."""


def announce(*rooms: str) -> None:
    """Name modules that add built-in objects; they are imported when a name is looked up."""
    ROOMS.extend(rooms)


TRUSTED: set[str] = set()
"""What the user has named, by ``resolved_name``."""


def trust(name: str) -> None:
    """Let code be loaded that a recording names, too: a file, with all in it, or a module."""
    TRUSTED.add(resolved_name(file_of(name) or name))


class Plugin(dict[str, Kind]):
    """The built-in objects of one kind, by name; ``load`` finds those of users, too."""

    def __init__(
        self,
        kind: type[Kind],
        error: type[MobilityError],
        group: str = '',
        check: Callable[[Kind, str], None] | None = None,
    ) -> None:
        """Begin without objects.

        Args:
            kind: The type of the objects; messages name it.
            error: What is raised.
            group: Group of entry points of packages that bring one; empty: users have none.
            check: Raises ``error`` if an object of a user is of no use; called with its name.
        """
        super().__init__()
        self._kind, self._error, self._group, self._check = kind, error, group, check
        self._loaded: dict[str, Kind] = {}

    def __missing__(self, name: str) -> Kind:
        """Return the object of a user, so that a record with its name leads to it."""
        return self.load(name)

    def is_built_in(self, name: object) -> bool:
        """Return whether a name is that of a built-in object."""
        if not isinstance(name, str):  # a list in a scenario file cannot be looked up
            return False
        if name not in self:
            for room in ROOMS:
                importlib.import_module(room)
        return name in self

    def is_foreign(self, name: object) -> bool:
        """Return whether a name is that of an object of a user."""
        if not isinstance(name, str) or not self._group or self.is_built_in(name):
            return False
        return bool(file_of(name)) or ':' in name or name in entry_points(self._group)

    def is_trusted(self, name: object) -> bool:
        """Return whether a recording that names an object may load it.

        That is a built-in one, one of an installed package, or one that the user has named.
        """
        if self.is_built_in(name) or not self.is_foreign(name):
            return True
        whole = resolved_name(str(name))
        named = {whole, file_of(whole)} & {*TRUSTED, *self._loaded}
        return bool(named) or str(name) in entry_points(self._group)

    def load(self, name: str) -> Kind:
        """Return the object of a name.

        Args:
            name: Of a built-in one, ``FILE.py``, ``FILE.py:NAME``, ``package.module:NAME``,
                or of an entry point. Without a NAME, a file has one object at its top level.

        Raises:
            MobilityError: It cannot be found, is of another kind, or of no use; one line says what
                to mend. The type is that of this kind.
        """
        if self.is_built_in(name):
            return self[name]
        if name.splitlines() not in ([name], []):
            raise self._error(f'{shown(name)}: write FILE.py or package.module:NAME in one line')
        name = resolved_name(name)
        if name not in self._loaded:
            plugin = self._find(name)
            if self._check is not None:
                self._check(plugin, name)
            self._loaded[name] = plugin
        return self._loaded[name]

    def _find(self, name: str) -> Kind:
        if name.endswith('.py'):
            return self._single_object(self._module_of(Path(name)), name)
        point = entry_points(self._group).get(name)
        module, colon, key = (point.value if point else name).rpartition(':')
        if not (module and colon and key):
            raise self._error(f'{name}: write FILE.py or package.module:NAME')
        is_file = module.endswith('.py')
        source = self._module_of(Path(module)) if is_file else self._import(module, name)
        plugin = getattr(source, key, None)
        if not isinstance(plugin, self._kind):
            actual = 'missing' if plugin is None else shown(plugin)
            text = f'{key} in {module} is {actual}, must be a {self._kind.__name__}'
            raise self._error(f'{name}: {text}')
        return plugin

    def _module_of(self, path: Path) -> ModuleType:
        if not os.path.isfile(path):
            raise self._error(f'{path}: there is no such file')
        name = f'law_{path.stem}'
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None  # its name ends with .py
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module  # records and compiled code look their module up
        try:
            spec.loader.exec_module(module)
        except BaseException as error:
            raise self._error(f'{path}{_line(error, path)}: {reason_of(error)}') from None
        return module

    def _import(self, module: str, name: str) -> ModuleType:
        try:
            return importlib.import_module(module)
        except BaseException as error:
            text = f'{name}: {module} cannot be imported: {reason_of(error)}'
            raise self._error(text) from None

    def _single_object(self, module: ModuleType, name: str) -> Kind:
        kind = self._kind.__name__
        loaded = {
            key: value for key, value in vars(module).items() if isinstance(value, self._kind)
        }
        if len(loaded) != 1:
            text = f'there are {len(loaded)}: {", ".join(loaded)}' if loaded else 'there is none'
            upper, lower = kind.upper(), kind.lower()
            if not loaded and isinstance(getattr(module, upper, None), FunctionType):
                text = f'{upper} is a function: make_{lower} makes a {lower} of one'
            raise self._error(f'{name}: must have one {kind} at its top level; {text}')
        return next(iter(loaded.values()))


@functools.cache
def entry_points(group: str) -> dict[str, Any]:
    """Return the entry points of installed packages in a group, by name."""
    from importlib import metadata  # takes longer than all other imports here

    return {point.name: point for point in metadata.entry_points(group=group)}


def file_of(name: str) -> str:
    """Return the file of ``FILE.py`` and ``FILE.py:NAME``, empty for other names."""
    if name.endswith('.py'):
        return name
    file, colon, _ = name.rpartition('.py:')
    return f'{file}.py' if colon else ''


def resolved_name(name: str) -> str:
    """Return a name so that it means the same from every folder: files with their path."""
    file = file_of(name)
    return f'{Path(file).resolve()}{name.removeprefix(file)}' if file else name


def short_name(name: str) -> str:
    """Return the name to show: a file's name without its folder and ending."""
    file = file_of(name)
    if not file:
        return name.partition(':')[0]
    return f'{Path(file).stem}{name.removeprefix(file).replace(":", ".")}'


def reason_of(error: BaseException) -> str:
    """Return an exception of an author's code in words.

    Raises:
        StopRequest, KeyboardInterrupt: It was no exception of the code: somebody has pressed
            ctrl-C.
    """
    if isinstance(error, StopRequest):
        raise error
    if isinstance(error, Exception):
        raise_interrupt(error)
    else:
        is_default = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if is_default and isinstance(error, KeyboardInterrupt):  # with another, an author's own
            raise error
        return f'wants to end the process by {type(error).__name__}'
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    near = ''
    if isinstance(error, AttributeError) and error.name:  # a misspelt gain or field
        near = meant(error.name, getattr(error.obj, '_fields', ()))
    hint = f'; did you mean {near}?' if near else ''
    return f'{type(error).__name__}: {" ".join(str(text).split())[:LONGEST_REASON]}{hint}'


def _line(error: BaseException, path: Path) -> str:
    """Return the line of a file at which something went wrong, as ``:12``."""
    if isinstance(error, SyntaxError) and error.lineno:
        return f':{error.lineno}'
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)
             if frame.filename == str(path)]  # fmt: skip
    return f':{lines[-1]}' if lines else ''
