"""Several simulated flights in one bag: simulated time restarts with each."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.bag.assembly.clocks import (
    LARGEST_SPREAD,
    SECOND,
    in_order,
    rival_clocks,
)
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import Integers, MessageBatch
from soliton_encirclement_ros.core.errors import RunError

AFTERWARDS = SECOND
"""Messages logged up to this long [ns] after the last tick of a flight may belong to it; later
ones belong to the start of the next flight."""

EVER = np.iinfo(np.int64)


class BagFlight(NamedTuple):
    """First and last log time of its messages [ns], and its duration [s]."""

    begin: int
    end: int
    duration: float


def flights(logged: Integers, values: Integers) -> list[BagFlight]:
    """Return the flights of a bag, at least one.

    A bag that was logged at simulated time is one flight: nothing separates its flights.

    Args:
        logged: Log times of the messages of ``/clock`` [ns], (K,).
        values: Their values [ns], (K,).
    """
    kept = in_order(logged) & in_order(values)
    order = np.argsort(logged[kept], kind='stable')
    logged, values = logged[kept][order], values[kept][order]
    anew = np.flatnonzero(np.diff(values) < -LARGEST_SPREAD) + 1
    if rival_clocks(logged, values) is not None:
        anew = anew[:0]
    parts = np.split(values, anew)
    cuts = [_cut(int(logged[k - 1]), int(logged[k])) for k in anew]
    edges = [EVER.min, *cuts, EVER.max]
    return [
        BagFlight(begin, end, float(np.ptp(part)) / SECOND if len(part) else 0.0)
        for begin, end, part in zip(edges[:-1], edges[1:], parts, strict=True)
    ]


def choose(found: Sequence[BagFlight], number: int | None) -> int:
    """Return the number of the requested flight, by default the last, counted from 1.

    Raises:
        RunError: There is no such flight.
    """
    if number is None:
        return len(found)
    if not 1 <= number <= len(found):
        there = 'one flight: leave --flight out' if len(found) == 1 else (
            f'flights 1 to {len(found)}, each with a simulated time that begins anew'
        )  # fmt: skip
        raise RunError(f'--flight {number}: the bag holds {there}')
    return number


def in_words(found: Sequence[BagFlight], number: int) -> str:
    """Return the flights in the bag, and which of them is used."""
    long = ', '.join(f'{one.duration:.0f}' for one in found)
    return (
        f'simulated time begins anew: {len(found)} flights, of {long} s; only flight {number} is '
        'looked at; --flight chooses another'
    )


def within(batch: MessageBatch, flight: BagFlight) -> MessageBatch:
    """Return the messages of a flight."""
    kept = (batch.logged >= flight.begin) & (batch.logged < flight.end)
    if kept.all():
        return batch
    return batch._replace(
        logged=batch.logged[kept], starts=batch.starts[kept], sizes=batch.sizes[kept]
    )


def _cut(last: int, first: int) -> int:
    """Return when one flight ends and the next begins [ns], between two ticks."""
    return min(last + AFTERWARDS, last + (first - last) // 2 + 1)
