"""The one place that knows the compiler.

``compiled(function)`` gives the same function as machine code, and with it every function of ours
that it calls: copies that call each other, while the originals stay what the nodes run. The
compiled code is kept on disk under a digest of every source it is made of, of the processor and of
all else that it depends on, so it is never out of date. Where the sources lie and when they were
written does not count.
Without numba, or with ``NUMBA_DISABLE_JIT``, the function itself comes back, and one line says so.
"""

import contextlib
import functools
import hashlib
import os
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from soliton_encirclement_ros.core.laws.record_rows import SOURCE
from soliton_encirclement_ros.sim.compilation import call_graph
from soliton_encirclement_ros.sim.compilation.call_graph import (
    comes_from_us,
    enclosed,
    is_ours,
    named,
)

CACHE = 'SWARM_CACHE_DIR'
"""Environment variable that names another folder for compiled code."""

FIRST_TIME = 'compiling the laws for this machine: once, one to two minutes of one core'
NO_NUMBA = 'numba is not installed: flying with plain Python, which is slow; pip install numba'
SWITCHED_OFF = 'NUMBA_DISABLE_JIT is set: flying with plain Python, which is slow; unset it'
BROKEN_NUMBA = 'numba cannot be loaded ({}): flying with plain Python, which is slow'

OPTIONS = {'error_model': 'numpy', 'no_cfunc_wrapper': True, '_nrt': False}
"""No exceptions and no counting of references: the caller holds every array there is."""


class NotCompiledError(Exception):
    """The compiler does not take a function; the message is its reason."""


def say(line: str) -> None:
    """Tell the user."""
    print(line, file=sys.stderr, flush=True)


@functools.cache
def say_first_time() -> None:
    """Tell the user, once, what takes so long."""
    say(FIRST_TIME)


@functools.cache
def has_numba() -> bool:
    """Return whether there is a compiler; without one, warn the user once."""
    try:
        import numba
    except ModuleNotFoundError:
        say(NO_NUMBA)
        return False
    except Exception as error:  # say, numba and numpy do not fit together
        say(BROKEN_NUMBA.format(' '.join(str(error).split())[:200]))
        return False
    if numba.config.DISABLE_JIT:  # then numba gives functions back as they are
        say(SWITCHED_OFF)
        return False
    return True


@functools.cache
def compiled(function: Callable) -> Callable:
    """Return a function as machine code, read from disk where it was compiled before."""
    if not has_numba():
        return np.errstate(over='ignore')(function)
    import numba

    folder = cache_folder(digest_of(function))
    machine_code = numba.njit(**OPTIONS)(twin(function))
    if folder is None:
        say_first_time()
    else:
        machine_code._cache = lasting_cache(machine_code.py_func, folder)
    return machine_code


POINTED: dict[Callable, Callable] = {}
"""What ``pointed`` has returned."""


def pointed(function: Callable, *examples: Any) -> Callable:
    """Return a function as machine code that compiled code can be given, whatever it does.

    Args:
        function: The function; it returns a whole number.
        examples: One of every argument; arrays in the order of C.
    """
    if not has_numba():
        return function
    if function not in POINTED:
        POINTED[function] = machine_code(function, cache_folder(digest_of(function)), examples)
    return POINTED[function]


def machine_code(function: Callable, folder: Path | None, examples: Sequence[Any]) -> Callable:
    """Return a function as machine code of one signature, kept in a folder.

    Args:
        function: The function; it returns a whole number.
        folder: Where it is kept, None for nowhere.
        examples: One of every argument.
    """
    import numba
    from numba.core import event
    from numba.core.ccallback import CFunc

    types_ = tuple(map(numba.typeof, examples))
    found = CFunc(twin(function), (types_, numba.int64), {}, OPTIONS)
    if folder is not None:
        found._cache = lasting_cache(found._pyfunc, folder)
    compile_uncached = found._compile_uncached

    def announced() -> Any:
        """Compile as ``watching`` wants it: here numba tells of its parts alone."""
        who = types.SimpleNamespace(py_func=found._pyfunc)
        with event.trigger_event('numba:compile', data={'dispatcher': who}):
            return compile_uncached()

    found._compile_uncached = announced
    try:
        found.compile()
    except Exception as error:  # whatever the compiler makes of somebody else's code
        raise NotCompiledError(_first_words(error)) from None
    return found


def _first_words(error: Exception) -> str:
    """Return what a compiler says first that is about the code, in one line."""
    lines = [line.strip() for line in str(error).splitlines()]
    telling = [line for line in lines if line and not line.startswith(('Failed in', 'During'))]
    return f'{type(error).__name__}: {(telling or lines or [""])[0][:160]}'


def is_kept(folder: Path | None) -> bool:
    """Return whether there is compiled code in a folder of ``cache_folder``."""
    return folder is not None and any(folder.glob('*.nbc'))


def to_compile(functions: Iterable[Callable]) -> list[Callable]:
    """Return those of the functions that are not compiled yet; none where there is no compiler.

    Others turn out to need it, too, when they are called: what is kept may be damaged.
    """
    if not has_numba():
        return []
    return [one for one in functions if not is_kept(cache_folder(digest_of(one)))]


@contextlib.contextmanager
def watching(
    began: Callable[[types.CodeType], None], ended: Callable[[types.CodeType], None]
) -> Iterator[None]:
    """Call back with the code of every function that is compiled meanwhile.

    Args:
        began: Called before it is compiled; nothing that is read from disk is.
        ended: Called when it is compiled.
    """
    if not has_numba():
        yield
        return
    from numba.core import event

    class CompileListener(event.Listener):
        """Hears when the compiler begins and ends a function."""

        def on_start(self, event: Any) -> None:
            """Pass the function on."""
            began(event.data['dispatcher'].py_func.__code__)

        def on_end(self, event: Any) -> None:
            """Pass the function on."""
            ended(event.data['dispatcher'].py_func.__code__)

    with event.install_listener('numba:compile', CompileListener()):
        yield


def lasting_cache(function: Callable, folder: Path) -> Any:
    """Return numba's cache of a function, except that damaged code or a full disk are no error.

    Args:
        function: What is compiled.
        folder: Of this function alone, by its digest. That stands for everything the code is made
            of, so neither the path of the source nor its time matters, as they do in numba's own
            places: the same sources elsewhere would be compiled once more.
    """
    from numba.core import caching
    from numba.core.caching import CompileResultCacheImpl, FunctionCache

    # in older releases its name begins with an underscore
    name = 'UserProvidedCacheLocator'
    locator: Any = getattr(caching, name, None) or getattr(caching, f'_{name}')

    class CachePlace(locator):
        """The folder."""

        def get_cache_path(self) -> str:
            """Return the folder."""
            return str(folder)

        def get_source_stamp(self) -> str:
            """Return what is the same as long as the digest is."""
            return ''

        @classmethod
        def from_function(cls, py_func: Callable, py_file: str) -> 'CachePlace':
            """Return the place of a function; whether it can be written shows later."""
            return cls(py_func, py_file)

    class KeptCode(CompileResultCacheImpl):
        """Compiled code in that place."""

        _locator_classes = (CachePlace,)

    class LastingCache(FunctionCache):
        """What cannot be read is compiled anew, what cannot be written is not kept."""

        _impl_class = KeptCode

        def _index_key(self, sig: Any, codegen: Any) -> Any:
            """Return what tells variants apart: not what encloses the function, as numba does.

            That is in the digest, and compiled functions look different in every process.
            """
            return sig, codegen.magic_tuple()

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            """Return compiled code, None where there is none that can be read."""
            try:
                found = super().load_overload(sig, target_context)
            except Exception:  # whatever a damaged pickle comes to
                empty(folder)  # or it is read in vain the next time, too
                found = None
            if found is None:
                say_first_time()
            return found

        def save_overload(self, sig: Any, data: Any) -> None:
            """Keep compiled code if there is room."""
            with contextlib.suppress(OSError):  # compiled anew the next time
                super().save_overload(sig, data)

    return LastingCache(function)


def empty(folder: Path) -> None:
    """Remove the files of a folder as far as the system allows it."""
    with contextlib.suppress(OSError):  # what stays is tried, and found damaged, once more
        for path in folder.iterdir():
            path.unlink()


@functools.cache
def part(function: Callable) -> Callable:
    """Return a function as a part of compiled code."""
    import numba

    return numba.njit(no_cpython_wrapper=True, forceinline=True, **OPTIONS)(twin(function))


def twin(function: Callable) -> Callable:
    """Return a copy of a function that calls the compiled copies of our other functions."""
    inner = enclosed(function)
    names = {'__name__': function.__module__}
    names |= {name: linked(value) for name, value in named(function).items() if name not in inner}
    cells = tuple(types.CellType(linked(value)) for value in inner.values())
    copy = types.FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, cells or None
    )
    copy.__qualname__ = function.__qualname__
    copy.__doc__ = function.__doc__
    return copy


def linked(value: object) -> object:
    """Return a value that compiled code names; of a function of ours its compiled copy."""
    return part(value) if is_ours(value) else value


def digest_of(function: Callable) -> str:
    """Return a digest of everything that the compiled code of a function is made of."""
    import numba
    from llvmlite import binding

    files: set[str] = set()
    constants: set[str] = set()
    reach(function, files, constants)
    machine = binding.get_host_cpu_name(), sorted(binding.get_host_cpu_features().items())
    versions = sys.version, sys.flags.optimize, np.__version__, numba.__version__
    digest = hashlib.sha256(f'{function.__qualname__} {versions} {machine}'.encode())
    for path in sorted(files | {__file__, call_graph.__file__}):
        digest.update(Path(path).read_bytes())
    digest.update(repr(sorted(constants)).encode())
    return digest.hexdigest()[:16]


def reach(function: Callable, files: set[str], constants: set[str]) -> None:
    """Collect the files of a function and of all that it uses, and the constants it reads."""
    waiting, seen = [function], set()
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        if hasattr(one, SOURCE):
            constants.add(getattr(one, SOURCE))
        else:
            files.add(one.__code__.co_filename)
        for name, value in named(one).items():
            if is_ours(value):
                waiting.append(value)
            elif isinstance(value, (int, float, tuple)):
                constants.add(f'{name} = {value!r}')
            else:
                add_records(value, files)
        for value in one.__annotations__.values():
            add_records(value, files)


def add_records(value: object, files: set[str]) -> None:
    """Collect the file of a record of ours, and those of the records in it."""
    if isinstance(value, type) and comes_from_us(value.__module__):
        files.add(sys.modules[value.__module__].__file__)
        for inner in value.__annotations__.values():
            add_records(inner, files)


def cache_folder(digest: str) -> Path | None:
    """Return where compiled code with a digest lies, None where nothing can be kept."""
    with contextlib.suppress(OSError, RuntimeError):  # no home, no room, no right: not kept
        root = cache_root()
        root.mkdir(parents=True, exist_ok=True)
        if os.access(root, os.W_OK):
            return root / digest
    return None


def cache_root() -> Path:
    """Return the folder of all compiled code.

    Raises:
        RuntimeError: None is named, and the user has no home.
    """
    named = os.environ.get(CACHE)
    return Path(named) if named else user_cache() / 'soliton_encirclement_ros'


def user_cache() -> Path:
    """Return the folder for what can be made again.

    Raises:
        RuntimeError: The user has no home.
    """
    return Path(os.environ.get('XDG_CACHE_HOME') or Path.home() / '.cache')
