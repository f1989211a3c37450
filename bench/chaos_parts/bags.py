"""What was recorded in a chaos run: every bag is readable, and nothing is missing in it."""

import time
from collections import defaultdict
from pathlib import Path

from chaos_parts.invariants import Breach, Window, find_gaps, window_of
from chaos_parts.swarm import HOSTS, RECORDER, vehicle_of
from chaos_parts.verdict import Flown

from soliton_encirclement_ros.analysis.bag.storage.bag_files import open_bag

LONGEST = 1.0
"""Time without a message of a node on the computer of the recorder that is a gap [s]."""


def judge_bags(folder: Path, flown: Flown) -> list[Breach]:
    """Return what is wrong with the bags of a flight: unreadable ones, and gaps.

    Only nodes on the computer of the recorder are judged: the network loses what others say.
    """
    breaches: list[Breach] = []
    arrivals: dict[str, list[float]] = defaultdict(list)
    for bag in sorted(folder.glob('bag_*')):
        try:
            for name, times in read_arrivals(bag).items():
                arrivals[name] += times
        except Exception as error:  # whatever a reader says of a damaged bag
            breaches.append(Breach('bag', 0.0, bag.name, f'not readable: {error}'))
    since_1970 = time.time() - time.monotonic()
    for name in (name for name in flown.watch.names if flown.home[name] == HOSTS[0]):
        inside = [at - since_1970 for at in arrivals[name]]
        times = [flown.start, *sorted(at for at in inside if at > flown.start), flown.ended]
        for begin, end in find_gaps(
            times, LONGEST, recorded_windows(flown, name), flown.watch.stalls
        ):
            text = f'nothing recorded of it for {end - begin:.1f} s'
            breaches.append(Breach('bag', begin - flown.start, name, text))
    return breaches


def read_arrivals(bag: Path) -> dict[str, list[float]]:
    """Return when commands of members were logged [s since 1970]."""
    found: dict[str, list[float]] = defaultdict(list)
    with open_bag(bag) as opened:
        for storage in opened.storages:
            for batch in storage.batches():
                if batch.channel.topic.endswith('/cmd_vel'):
                    name = batch.channel.topic.split('/')[1]
                    found[name] += (1e-9 * batch.logged).tolist()
    return found


def recorded_windows(flown: Flown, name: str) -> list[Window]:
    """Return when a member's commands may be missing in the bag: also while its bridge is hit."""
    hits = {name, RECORDER}
    return [
        window_of(fault, flown.start) for fault in flown.faults
        if hits & {*map(vehicle_of, fault.who)} or fault.kind == 'storm'
    ]  # fmt: skip
