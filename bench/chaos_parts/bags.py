"""What was recorded in a chaos run: every bag is readable, and nothing is missing in it."""

from pathlib import Path

import numpy as np
from chaos_parts.faults import KINDS
from chaos_parts.invariants import Breach, Window, find_gaps, window_of
from chaos_parts.swarm import HOSTS, RECORDER, TARGET
from chaos_parts.verdict import Flown
from rosbags.highlevel import AnyReader
from rosbags.typesys import Stores, get_typestore

LONGEST = 1.0
"""Time without a message of a node on the computer of the recorder that is a gap [s]."""


def judge_bags(folder: Path, flown: Flown) -> list[Breach]:
    """Return what is wrong with the bags of a flight: unreadable ones, and gaps."""
    breaches, arrivals = [], {}
    for bag in sorted(folder.glob('bag_*')):
        try:
            for name, times in read_arrivals(bag).items():
                arrivals.setdefault(name, []).extend(times)
        except Exception as error:  # whatever a reader says of a damaged bag
            breaches.append(Breach('bag', 0.0, bag.name, f'not readable: {error}'))
    local = [name for name in flown.watch.names if flown.home[name] == HOSTS[0]]
    offset = _offset(flown)
    for name in local:
        times = sorted(at + offset for at in arrivals.get(name, ()))
        if not times:
            breaches.append(Breach('bag', 0.0, name, 'nothing of it was recorded'))
        windows = [one for one in recorded_windows(flown, name)]
        for begin, end in find_gaps(times, LONGEST, windows):
            text = f'nothing recorded of it for {end - begin:.1f} s'
            breaches.append(Breach('bag', begin - flown.start, name, text))
    return breaches


def read_arrivals(bag: Path) -> dict[str, list[float]]:
    """Return when commands of members were logged [s since 1970]."""
    found: dict[str, list[float]] = {}
    with AnyReader([bag], default_typestore=get_typestore(Stores.LATEST)) as reader:
        wanted = [one for one in reader.connections if one.topic.endswith('/cmd_vel')]
        for connection, logged, _ in reader.messages(wanted):
            found.setdefault(connection.topic.split('/')[1], []).append(logged / 1e9)
    return found


def recorded_windows(flown: Flown, name: str) -> list[Window]:
    """Return when a member's commands may be missing in the bag."""
    hits = {name, RECORDER}
    return [
        window_of(fault, flown.start) for fault in flown.faults
        if hits & set(fault.who) or not KINDS[fault.kind].hits_members
    ] + flown.watch.stalls  # fmt: skip


def _offset(flown: Flown) -> float:
    """Return what is added to times since 1970 to get those of the watcher [s]."""
    del flown
    import time

    return float(np.median([time.monotonic() - time.time() for _ in range(5)]))


__all__ = ['TARGET', 'judge_bags']
