"""Digest of everything that the compiled code of a function depends on.

It covers the source files and constants of the function and of all functions that it calls, the
processor, and the versions of Python and the libraries. Paths and times of the source files do not
count.
"""

import hashlib
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from soliton_encirclement_ros.core.laws.record_rows import SOURCE
from soliton_encirclement_ros.sim.compilation import call_graph
from soliton_encirclement_ros.sim.compilation.call_graph import comes_from_us, is_ours, named

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
    """Collect the source files of a record type and of the record types in its fields."""
    if isinstance(value, type) and comes_from_us(value.__module__):
        files.add(sys.modules[value.__module__].__file__)
        for inner in value.__annotations__.values():
            add_records(inner, files)
