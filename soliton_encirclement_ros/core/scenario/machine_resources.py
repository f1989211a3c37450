"""Free resources of this machine; None if unknown."""

import shutil
from collections.abc import Iterator
from pathlib import Path

MEMINFO = Path('/proc/meminfo')
GROUP = Path('/sys/fs/cgroup')
LIMITS = (
    ('memory.max', 'memory.current'),
    ('memory/memory.limit_in_bytes', 'memory/memory.usage_in_bytes'),
)
"""Files below ``GROUP`` with the limit of a container and what it uses [bytes], by version."""


def free_memory(meminfo: Path = MEMINFO, group: Path = GROUP) -> float | None:
    """Return the memory that processes can still take [bytes]; a container may have less.

    Args:
        meminfo: What the kernel says of the machine.
        group: Folder with the limits of the container.
    """
    return min((*_of_machine(meminfo), *_of_container(group)), default=None)


def free_disk(folder: Path) -> float | None:
    """Return the room [bytes] where a folder is, or will be."""
    try:
        whole = folder.absolute()
    except OSError:
        return None  # the working folder is gone
    for place in (whole, *whole.parents):
        try:
            usage = shutil.disk_usage(place)
        except FileNotFoundError:
            continue  # it will be made in the folder above
        except OSError:
            return None
        return float(usage.free) if usage.total else None  # /proc and its like have no room
    return None


def _of_machine(meminfo: Path) -> Iterator[float]:
    try:
        lines = meminfo.read_text(encoding='ascii').splitlines()
    except OSError:
        return  # no Linux: nobody knows how much there is
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
