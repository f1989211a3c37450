"""Free resources of this machine, None if unknown, and its cores."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

MEMINFO = Path('/proc/meminfo')
GROUP = Path('/sys/fs/cgroup')
LIMITS = (
    ('memory.max', 'memory.current'),
    ('memory/memory.limit_in_bytes', 'memory/memory.usage_in_bytes'),
)
"""Files below ``GROUP`` with limit and usage of a container [bytes], by cgroup version."""

CORE_LIMITS = (('cpu.max',), ('cpu/cpu.cfs_quota_us', 'cpu/cpu.cfs_period_us'))
"""Files with the processor time of a container and the time that it is for, by cgroup version."""


def free_memory(meminfo: Path = MEMINFO, group: Path = GROUP) -> float | None:
    """Return the free memory [bytes], within the limit of the container.

    Args:
        meminfo: Memory file of the kernel.
        group: Folder with the limits of the container.
    """
    return min((*_of_machine(meminfo), *_of_container(group)), default=None)


def usable_cores(group: Path = GROUP) -> float:
    """Return how many cores this process may keep busy, within the limit of the container.

    Args:
        group: Folder with the limits of the container.
    """
    known = hasattr(os, 'sched_getaffinity')
    cores = len(os.sched_getaffinity(0)) if known else os.cpu_count() or 1
    return min((float(cores), *_cores_of_container(group)))


def free_disk(folder: Path) -> float | None:
    """Return the free disk space [bytes] of a folder that may not exist yet."""
    try:
        whole = folder.absolute()
    except OSError:
        return None  # the working folder is gone
    for place in (whole, *whole.parents):
        try:
            usage = shutil.disk_usage(place)
        except FileNotFoundError:
            continue  # it will be created in the parent folder
        except OSError:
            return None
        return float(usage.free) if usage.total else None  # /proc and similar file systems
    return None


def _cores_of_container(group: Path) -> Iterator[float]:
    for names in CORE_LIMITS:
        try:
            words = ' '.join((group / name).read_text() for name in names).split()
        except OSError:
            continue  # no such limit in this version of control groups
        if len(words) == 2 and all(word.isdigit() for word in words) and int(words[1]) > 0:
            yield int(words[0]) / int(words[1])


def _of_machine(meminfo: Path) -> Iterator[float]:
    try:
        lines = meminfo.read_text(encoding='ascii').splitlines()
    except OSError:
        return  # not Linux: unknown
    for line in lines:
        name, _, rest = line.partition(':')
        if name == 'MemAvailable':
            yield 1024.0 * float(rest.split()[0])


def _of_container(group: Path) -> Iterator[float]:
    for limit, used in LIMITS:
        try:
            most, now = ((group / name).read_text().strip() for name in (limit, used))
        except OSError:
            continue  # no such limit in this version of control groups
        if most.isdigit() and now.isdigit():
            yield max(0.0, float(most) - float(now))
