"""Facts about the machine and about this process that benches report."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

LIBRARIES = ('numba', 'numpy', 'gradysim')


def describe() -> str:
    """Return processor, cores, Python and libraries in one line."""
    cores = len(os.sched_getaffinity(0))
    libraries = [f'{name} {_version(name)}' for name in LIBRARIES]
    python = f'Python {platform.python_version()}'
    return ', '.join((_processor(), f'{cores} cores', python, *libraries))


def memory() -> float:
    """Return the memory of this process [MB]."""
    return _status('VmRSS')


def peak_memory() -> float:
    """Return the largest memory of this process so far [MB].

    Not ``ru_maxrss``, which a process inherits from whoever started it.
    """
    return _status('VmHWM')


def _status(key: str) -> float:
    lines = Path('/proc/self/status').read_text(encoding='ascii').splitlines()
    kilobytes = next(line for line in lines if line.startswith(f'{key}:')).split()[1]
    return int(kilobytes) * 1024 / 1e6


def _processor() -> str:
    for line in Path('/proc/cpuinfo').read_text(encoding='utf-8').splitlines():
        if line.startswith('model name'):
            return line.partition(':')[2].strip()
    return platform.machine()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return 'missing'
