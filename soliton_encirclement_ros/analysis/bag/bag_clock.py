"""The common time base of a bag, by simulated, header or reception time, and its flights.

Simulated time restarts with each flight, so that one bag may hold several.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.analysis.bag.decoding.message_decoder import NO_STAMP, Rows
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import FIRST_REAL, Integers
from soliton_encirclement_ros.analysis.recording import HEADER, RECEIVED, SIMULATED
from soliton_encirclement_ros.core.errors import RunError

Flags = NDArray[np.bool_]

SECOND = 1_000_000_000
LARGEST_LATENCY = 2 * SECOND
"""Maximum delay of a reception after its stamp [ns]; beyond, the clocks differ."""

LEAST_LATENCY = SECOND // 2
"""Of a recording's messages some are less late [ns], or the clocks differ."""

LARGEST_LEAD = SECOND // 20
"""Maximum lead of a stamp over its reception [ns]; beyond, the clocks differ."""

LARGEST_SPREAD = SECOND
"""Clocks whose difference changes by more [ns] within a recording are not comparable."""

PARTS = 10
"""Parts of a recording whose earliest messages are compared."""

MAX_STALL = 60 * SECOND
"""Maximum time [ns] for which a recorder may stall and then get all messages."""

ENOUGH = 20
"""Minimum number of messages for a rule without exception."""


class Clock(NamedTuple):
    """The clock of a recording.

    Attributes:
        kind: ``SIMULATED``, ``HEADER`` or ``RECEIVED``.
        logged: Times [ns] at which ``/clock`` was logged, ascending; empty without need of it.
        stamps: Its values then [ns].
    """

    kind: str
    logged: Integers
    stamps: Integers

    def of_logged(self, logged: Integers) -> Integers:
        """Return times of reception [ns] in this clock."""
        if not len(self.logged):
            return logged
        base, start = self.logged[0], self.stamps[0]
        seen = np.interp(logged - base, self.logged - base, (self.stamps - start).astype(float))
        before = np.minimum(logged - base, 0)
        after = np.maximum(logged - self.logged[-1], 0)
        return np.rint(seen).astype(np.int64) + start + before + after


def rival_clocks(logged: Integers, stamps: Integers) -> Flags | None:
    """Return which messages of ``/clock`` are of the first of two publishers; None of one alone.

    Of two it goes to and fro all the time.

    Args:
        logged: When its messages were logged [ns], (K,).
        stamps: Their values [ns], (K,).
    """
    order = np.argsort(logged, kind='stable')
    back = np.count_nonzero(np.diff(stamps[order]) < -LARGEST_SPREAD)
    if back < max(ENOUGH, len(logged) // PARTS):
        return None
    ahead = stamps - (logged - logged[order[0]])
    ranked = np.sort(ahead)
    widest = int(np.diff(ranked).argmax())
    return ahead <= ranked[widest]


def one_clock(ticks: Rows, stamped: Iterable[Rows]) -> tuple[Rows | None, list[str]]:
    """Return the messages of one publisher of ``/clock``, of several that which fits the stamps.

    Args:
        ticks: All its messages.
        stamped: Messages of members that may have stamps.

    Returns:
        Its messages, None if it fits no stamps; and a line if there are several publishers.
    """
    is_first = rival_clocks(ticks.logged, ticks.stamps)
    if is_first is None:
        return ticks, []
    known = [rows for rows in stamped if (rows.stamps != NO_STAMP).any()]
    parts = [ticks.some(is_first), ticks.some(~is_first)]
    fits = [sum(_fits(part, rows) for rows in known) for part in parts]
    best = int(np.argmax(fits))
    begun = [f'{int(part.stamps.min()) / SECOND:.0f} s' for part in parts]
    line = f'two publishers on /clock, at {" and ".join(begun)} at first: '
    if not fits[best]:
        return None, [f'{line}no stamps fit either, so it is not used']
    return parts[best], [f'{line}that of {begun[best]} fits the stamps']


def _fits(ticks: Rows, rows: Rows) -> bool:
    """Return whether stamps are those of a clock."""
    has = rows.stamps != NO_STAMP
    clock = clock_of(ticks, (), FIRST_REAL)
    late = clock.of_logged(rows.logged[has]) - rows.stamps[has]
    return abs(int(np.percentile(late, 50, method='nearest'))) <= LARGEST_SPREAD


def clock_of(
    ticks: Rows | None, stamped: Iterable[Rows], first_logged: int, is_ours: bool = False
) -> Clock:
    """Return the clock of a recording.

    Log times that are no dates are those of a simulation in recordings of this package, or if the
    recorder used simulated time: then many are the stamps. Else its clock was never set.

    Args:
        ticks: Messages of ``/clock``, None if there are none.
        stamped: Messages of members that may have stamps.
        first_logged: Log time of the first message [ns].
        is_ours: Whether the recording is of a swarm of this package.
    """
    none, stamped = np.zeros(0, np.int64), list(stamped)
    if ticks is not None and (ticks.logged != ticks.stamps).any():
        order = np.argsort(ticks.logged, kind='stable')
        logged, stamps = ticks.logged[order], np.maximum.accumulate(ticks.stamps[order])
        return Clock(SIMULATED, logged, stamps)
    is_undated = first_logged < FIRST_REAL and (is_ours or _logs_stamps(stamped))
    if ticks is not None or is_undated:
        return Clock(SIMULATED, none, none)
    logged, stamps = _simulated(stamped)
    if len(stamps):
        return Clock(SIMULATED, logged, stamps)
    has_stamps = any(2 * np.count_nonzero(rows.stamps != NO_STAMP) > len(rows.stamps)
                     for rows in stamped)  # fmt: skip
    return Clock(HEADER if has_stamps else RECEIVED, none, none)


def _logs_stamps(stamped: Iterable[Rows]) -> bool:
    """Return whether half of the stamps are the log times, as in simulated time."""
    late = [(rows.logged - rows.stamps)[rows.stamps != NO_STAMP] for rows in stamped]
    exact = sum(np.count_nonzero(one == 0) for one in late)
    return exact > 0 and 2 * exact >= sum(map(len, late))


def _simulated(stamped: Iterable[Rows]) -> tuple[Integers, Integers]:
    """Return log times [ns] and values of stamps in simulated time, none if there are none.

    Stamps that are not dates but advance with the recorder count from a vehicle's boot.
    """
    found = []
    for rows in stamped:
        has = rows.stamps != NO_STAMP
        logged, stamps = rows.logged[has], rows.stamps[has]
        if len(stamps) >= ENOUGH and np.median(stamps) < FIRST_REAL:
            found += [(logged, stamps)] * (_drift(logged - stamps) > LARGEST_SPREAD)
    if not found:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    logged, stamps = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.argsort(logged, kind='stable')
    logged, stamps = logged[order], stamps[order]
    kept = in_order(stamps)
    if (np.diff(stamps[kept]) < -LARGEST_SPREAD).any():  # it began anew: no time for all of it
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    return logged[kept], np.maximum.accumulate(stamps[kept])


def began_late(times: Sequence[int]) -> bool:
    """Return whether simulated time [ns] ran for longer before a recording than within it."""
    return min(times) > max(times) - min(times)


def timed(clock: Clock, rows: Rows) -> tuple[Integers, Rows, list[str]]:
    """Return times [ns] in a clock and rows, without implausible ones, and the problems."""
    rows, problems = _in_order(rows)
    received = clock.of_logged(rows.logged)
    rows = _with_zero(clock, rows, received)
    has = rows.stamps != NO_STAMP
    if clock.kind == RECEIVED or not has.any():
        return received, rows, problems
    late = (received - np.where(has, rows.stamps, received))[has]
    middle, change = int(np.percentile(late, 50, method='nearest')), _drift(late)
    if change > LARGEST_SPREAD:
        apart = change / SECOND
        line = f'stamps and reception drift apart by {apart:.1f} s: times of reception are used'
        return received, rows, [*problems, line]
    shift = 0
    least = int(np.percentile(late, 2, method='nearest'))
    if not -LARGEST_LEAD <= middle <= LARGEST_LATENCY or least > LEAST_LATENCY:
        shift = middle
        where = 'behind' if middle > 0 else 'ahead of'
        line = f'stamps are {abs(middle) / SECOND:.3f} s {where} the recorder: shifted by that'
        if rows.stamps[has].max() < FIRST_REAL <= received.min():
            line = 'stamps count from the start of their sender: shifted to the recorder'
        problems.append(line)
    times = np.where(has, rows.stamps + shift, received)
    if not has.all():
        problems.append(f'{np.count_nonzero(~has)} messages without stamps among others with them')
    kept = _believable(received - times, has, middle - shift, rows.stamps)
    wrong = np.count_nonzero(~kept)
    if wrong:
        problems.append(f'{wrong} stamps do not fit the time of reception: left out')
    return times[kept], rows.some(kept), problems


def _drift(late: Integers) -> int:
    """Return the drift between two clocks [ns], given the delays of messages, in order.

    A recorder that stalls for a while gets all messages of that time late, but the earliest
    messages of most parts of a recording have the usual delay.
    """
    if len(late) < PARTS * ENOUGH:
        low, high = np.percentile(late, (2, 98), method='nearest').tolist()
        return int(high - low)
    parts = np.array_split(late, PARTS)
    lows = sorted(int(np.percentile(part, 10, method='nearest')) for part in parts)
    return lows[-1] - lows[0]


def _delayed(stamps: Integers, late: Integers) -> Flags:
    """Return which messages the recorder got late [ns]: stamps between those of neighbours."""
    between = np.zeros(len(stamps), bool)
    between[1:-1] = (stamps[:-2] < stamps[1:-1]) & (stamps[1:-1] < stamps[2:])
    return between & (late > 0) & (late <= MAX_STALL)


def _with_zero(clock: Clock, rows: Rows, received: Integers) -> Rows:
    """Return rows with stamps of zero where that is the simulated time, not the lack of one."""
    begun = (rows.stamps == NO_STAMP) & (np.abs(received) <= LARGEST_SPREAD)
    if clock.kind != SIMULATED or not begun.any() or (rows.stamps == NO_STAMP).all():
        return rows
    return rows._replace(stamps=np.where(begun, 0, rows.stamps))


def _believable(late: Integers, has: Flags, middle: int, stamps: Integers) -> Flags:
    """Return which messages were received with plausible delays [ns]."""
    kept = ~has | (np.abs(late - middle) <= LARGEST_SPREAD)
    kept[has] |= _delayed(stamps[has], late[has] - middle)
    exact = np.count_nonzero(late[has] == 0)
    if exact >= max(ENOUGH, 0.9 * np.count_nonzero(has)):
        kept &= ~has | (late == 0)
    return kept


def in_order(logged: Integers) -> Flags:
    """Return which messages were logged [ns] at a time near to those before and after."""
    if len(logged) < ENOUGH:
        return np.ones(len(logged), bool)
    before, after = np.roll(logged, 1), np.roll(logged, -1)
    before[0], after[-1] = after[0], before[-1]
    outside = np.maximum(logged - np.maximum(before, after), np.minimum(before, after) - logged)
    return outside <= LARGEST_SPREAD


def _in_order(rows: Rows) -> tuple[Rows, list[str]]:
    """Remove single messages that were logged out of order."""
    kept = in_order(rows.logged)
    wrong = np.count_nonzero(~kept)
    lines = [f'{wrong} messages were logged out of order: left out'] * (wrong > 0)
    back = np.diff(rows.logged[kept])
    jump = int(back.min()) if len(back) else 0
    if jump < -LARGEST_SPREAD:
        lines.append(f'the clock of the recorder jumps back by {-jump / SECOND:.1f} s')
    return (rows if kept.all() else rows.some(kept)), lines


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
    last, middle = logged[anew - 1], (logged[anew] - logged[anew - 1]) // 2
    edges = [EVER.min, *(last + np.minimum(AFTERWARDS, middle + 1)).tolist(), EVER.max]
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
