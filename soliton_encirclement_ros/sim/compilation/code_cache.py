"""Compiled code on disk: one folder per digest of everything that it depends on.

Code that cannot be read is compiled again; code that cannot be written is not kept.

The digest of a function covers the source files and constants of the function and of all functions
that it calls, the processor, and the versions of Python and the libraries. Paths and times of the
source files do not count.
"""

import contextlib
import fcntl
import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from soliton_encirclement_ros.core.laws.record_rows import SOURCE
from soliton_encirclement_ros.sim.compilation import call_graph
from soliton_encirclement_ros.sim.compilation.call_graph import comes_from_us, is_ours, named
from soliton_encirclement_ros.sim.compilation.numba_import import allow_scipy, say_first_time

CACHE = 'SWARM_CACHE_DIR'
"""Environment variable that names another folder for compiled code."""


LOCK = 'compiling.lock'
"""File in that folder that the process holds which compiles."""


def disk_cache(function: Callable, folder: Path) -> Any:
    """Return a numba cache that treats damaged code and a full disk as an empty cache.

    numba's own caches depend on the path and the time of the source file, so they compile the same
    sources again in another place. This one depends on the folder alone.

    Args:
        function: The function to compile.
        folder: Folder of this function, named by its digest.
    """
    from numba.core import caching
    from numba.core.caching import CompileResultCacheImpl, FunctionCache

    # in older releases its name begins with an underscore
    name = 'UserProvidedCacheLocator'
    locator: Any = getattr(caching, name, None) or getattr(caching, f'_{name}')

    class CachePlace(locator):
        """Always the same folder."""

        def get_cache_path(self) -> str:
            """Return the folder."""
            return str(folder)

        def get_source_stamp(self) -> str:
            """Return a constant: the digest in the folder's name covers the sources."""
            return ''

        @classmethod
        def from_function(cls, py_func: Callable, py_file: str) -> 'CachePlace':
            """Return the place of a function; write errors show later."""
            return cls(py_func, py_file)

    class CachedCode(CompileResultCacheImpl):
        """Compiled code in that folder."""

        _locator_classes = (CachePlace,)

    class DiskCache(FunctionCache):
        """Ignores errors of reading and writing."""

        _impl_class = CachedCode

        def _index_key(self, sig: Any, codegen: Any) -> Any:
            """Return the key of a variant without the enclosed variables, which numba adds.

            The digest covers them, and compiled functions among them differ by process.
            """
            return sig, codegen.magic_tuple()

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            """Return compiled code, None if there is none or it cannot be read."""
            try:
                code = super().load_overload(sig, target_context)
            except Exception:  # a damaged pickle raises anything
                empty(folder)  # otherwise the next process fails to read it, too
                code = None
            if code is None:
                allow_scipy()
                say_first_time()
            return code

        def save_overload(self, sig: Any, data: Any) -> None:
            """Write compiled code if the disk has space and its index can be read.

            Another version that compiles meanwhile may have put types into it that are not here.
            """
            with contextlib.suppress(Exception):  # compiled again next time
                super().save_overload(sig, data)

    return DiskCache(function)


@contextlib.contextmanager
def compiler_lock(waits: bool = True) -> Iterator[bool]:
    """Let one process at a time compile: whoever waits finds the code of the one before.

    Args:
        waits: Whether to wait until no other process compiles.

    Yields:
        Whether no other process compiles; also where there is no folder for a cache.
    """
    with contextlib.ExitStack() as stack:
        is_ours = True
        with contextlib.suppress(OSError, RuntimeError):  # no cache: nothing to share
            cache_root().mkdir(parents=True, exist_ok=True)
            lock = stack.enter_context((cache_root() / LOCK).open('w'))
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
            except BlockingIOError:
                is_ours = False
        yield is_ours


def empty(folder: Path) -> None:
    """Remove the files of a folder as far as permissions allow."""
    with contextlib.suppress(OSError):  # a file that stays is found damaged again
        for path in folder.iterdir():
            path.unlink()


def is_cached(folder: Path | None) -> bool:
    """Return whether a folder of ``cache_folder`` holds compiled code."""
    return folder is not None and any(folder.glob('*.nbc'))


def cache_folder(digest: str) -> Path | None:
    """Return the folder for a digest, None if no cache folder can be written."""
    with contextlib.suppress(OSError, RuntimeError):  # no home, disk full, no permission
        root = cache_root()
        root.mkdir(parents=True, exist_ok=True)
        if os.access(root, os.W_OK):
            return root / digest
    return None


def cache_root() -> Path:
    """Return the folder of all compiled code.

    Raises:
        RuntimeError: ``SWARM_CACHE_DIR`` is not set, and the user has no home.
    """
    caches = os.environ.get('XDG_CACHE_HOME')
    named = os.environ.get(CACHE)
    return Path(named or Path(caches or Path.home() / '.cache') / 'soliton_encirclement_ros')


COMPILER = [Path(__file__).with_name(name) for name in ('compiled.py', 'by_address.py')]
"""The options of the compiler count, too, and how it is given records."""


def digest_of(function: Callable) -> str:
    """Return the digest of a function, 16 hexadecimal digits."""
    import numba
    from llvmlite import binding

    files: set[str] = set()
    constants: set[str] = set()
    reach(function, files, constants)
    machine = binding.get_host_cpu_name(), sorted(binding.get_host_cpu_features().items())
    versions = sys.version, sys.flags.optimize, np.__version__, numba.__version__
    digest = hashlib.sha256(f'{function.__qualname__} {versions} {machine}'.encode())
    for path in sorted(files | {*map(str, COMPILER), call_graph.__file__}):
        digest.update(Path(path).read_bytes())
    digest.update(repr(sorted(constants)).encode())
    return digest.hexdigest()[:16]


def reach(function: Callable, files: set[str], constants: set[str]) -> None:
    """Collect the source files and constants of a function and of all functions it calls."""
    waiting, seen = [function], set()
    while waiting:
        reached = waiting.pop()
        if reached in seen:
            continue
        seen.add(reached)
        if hasattr(reached, SOURCE):
            constants.add(getattr(reached, SOURCE))
        else:
            files.add(reached.__code__.co_filename)
        for name, value in named(reached).items():
            if is_ours(value):  # by its name, too: functions made by one factory share all else
                constants.add(f'{reached.__qualname__}: {name} = {value.__qualname__}')
                waiting.append(value)
            elif isinstance(value, (int, float, tuple)):
                constants.add(f'{name} = {value!r}')
            else:
                add_records(value, files)
        for value in reached.__annotations__.values():
            add_records(value, files)


def add_records(value: object, files: set[str]) -> None:
    """Collect the source files of a record type and of the record types in its fields."""
    if isinstance(value, type) and comes_from_us(value.__module__):
        files.add(sys.modules[value.__module__].__file__)
        for inner in value.__annotations__.values():
            add_records(inner, files)
