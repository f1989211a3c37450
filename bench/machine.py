"""Facts about the machine and about this process that benches report."""

import math
import os
import platform
import struct
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median

LIBRARIES = ('numba', 'numpy', 'gradysim')


def describe() -> str:
    """Return processor, cores, Python and libraries in one line."""
    cores = len(os.sched_getaffinity(0))
    libraries = [f'{name} {_version(name)}' for name in LIBRARIES]
    python = f'Python {platform.python_version()}'
    return ', '.join((_processor(), f'{cores} cores', python, *libraries))


def calibration(rounds: int = 11) -> float:
    """Return the median processor time of some fixed work in Python [s]."""
    times = []
    for _ in range(rounds):
        began = time.thread_time()
        state = b''.join(struct.pack('<4d', k, math.sin(k), math.cos(k), 0.1) for k in range(4000))
        sorted(struct.iter_unpack('<4d', state), key=lambda row: math.atan2(row[1], row[2]))
        times.append(time.thread_time() - began)
    return median(times)


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
