"""The common time base of a bag, by simulated, header or reception time, and its flights.

Simulated time restarts with each flight, so that one bag may hold several.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.analysis.bag.decoding.message_decoder import NO_STAMP, MessageRows
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import FIRST_REAL, Integers
from soliton_encirclement_ros.analysis.recording import HEADER, RECEIVED, SIMULATED
from soliton_encirclement_ros.core.errors import RunError

Flags = NDArray[np.bool_]

SECOND = 1_000_000_000
LARGEST_LATENCY = 2 * SECOND
"""Maximum delay of a reception after its stamp [ns]; beyond, the clocks differ."""

LEAST_LATENCY = SECOND // 2
"""Some messages of a recording have less latency [ns], or the clocks differ."""

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
    """The clock of a recording: ``SIMULATED``, ``HEADER`` or ``RECEIVED``.

    Where it is needed, ``/clock`` was ``logged`` at times [ns], ascending, with ``stamps`` [ns].
    """

    kind: str
    logged: Integers
    stamps: Integers

    def of_logged(self, logged: Integers) -> Integers:
        """Return times of reception [ns] in this clock."""
        if not len(self.logged):
            return logged
        base, start = self.logged[0], self.stamps[0]
        offsets = np.interp(logged - base, self.logged - base, (self.stamps - start).astype(float))
        before = np.minimum(logged - base, 0)
        after = np.maximum(logged - self.logged[-1], 0)
        return np.rint(offsets).astype(np.int64) + start + before + after


def rival_clocks(logged: Integers, stamps: Integers) -> Flags | None:
    """Return which messages of ``/clock`` are of the first of two publishers; None for only one.

    With two publishers, simulated time jumps back and forth all the time. Log times and values are
    (K,) [ns].
    """
    order = np.argsort(logged, kind='stable')
    back = np.count_nonzero(np.diff(stamps[order]) < -LARGEST_SPREAD)
    if back < max(ENOUGH, len(logged) // PARTS):
        return None
    ahead = stamps - (logged - logged[order[0]])
    ranked = np.sort(ahead)
    widest = int(np.diff(ranked).argmax())
    return ahead <= ranked[widest]


def select_clock(
    ticks: MessageRows, stamped: Iterable[MessageRows]
) -> tuple[MessageRows | None, list[str]]:
    """Return the messages of the publisher of ``/clock`` that fits the stamps of members.

    Returns:
        Its messages, None if it fits no stamps; and a line if there are several publishers.
    """
    is_first = rival_clocks(ticks.logged, ticks.stamps)
    if is_first is None:
        return ticks, []
    known = [rows for rows in stamped if (rows.stamps != NO_STAMP).any()]
    publishers = [ticks.select(is_first), ticks.select(~is_first)]
    fits = [sum(_fits(ticks_of, rows) for rows in known) for ticks_of in publishers]
    best = int(np.argmax(fits))
    starts = [f'{int(ticks_of.stamps.min()) / SECOND:.0f} s' for ticks_of in publishers]
    line = f'two publishers on /clock, at {" and ".join(starts)} at first: '
    if not fits[best]:
        return None, [f'{line}no stamps fit either, so it is not used']
    return publishers[best], [f'{line}that of {starts[best]} fits the stamps']


def _fits(ticks: MessageRows, rows: MessageRows) -> bool:
    """Return whether stamps are those of a clock."""
    has = rows.stamps != NO_STAMP
    clock = clock_of(ticks, (), FIRST_REAL)
    late = clock.of_logged(rows.logged[has]) - rows.stamps[has]
    return abs(int(np.percentile(late, 50, method='nearest'))) <= LARGEST_SPREAD


def clock_of(
    ticks: MessageRows | None, stamped: Iterable[MessageRows], first_logged: int,
    is_ours: bool = False,
) -> Clock:  # fmt: skip
    """Return the clock of a recording by the messages of ``/clock``, if any, and of members.

    Log times that are no dates are simulated time in recordings of this package, or where many
    equal the stamps, since the recorder used simulated time. Else its clock was never set.
    ``first_logged`` is the log time of the first message [ns].
    """
    none, stamped = np.zeros(0, np.int64), list(stamped)
    if ticks is not None and (ticks.logged != ticks.stamps).any():
        order = np.argsort(ticks.logged, kind='stable')
        logged, stamps = ticks.logged[order], np.maximum.accumulate(ticks.stamps[order])
        return Clock(SIMULATED, logged, stamps)
    is_undated = first_logged < FIRST_REAL and (is_ours or _logs_stamps(stamped))
    if ticks is not None or is_undated:
        return Clock(SIMULATED, none, none)
    logged, stamps = _simulated_stamps(stamped)
    if len(stamps):
        return Clock(SIMULATED, logged, stamps)
    has_stamps = any(2 * np.count_nonzero(rows.stamps != NO_STAMP) > len(rows.stamps)
                     for rows in stamped)  # fmt: skip
    return Clock(HEADER if has_stamps else RECEIVED, none, none)


def _logs_stamps(stamped: Iterable[MessageRows]) -> bool:
    """Return whether half of the stamps are the log times, as in simulated time."""
    late = [(rows.logged - rows.stamps)[rows.stamps != NO_STAMP] for rows in stamped]
    exact = sum(np.count_nonzero(delays == 0) for delays in late)
    return exact > 0 and 2 * exact >= sum(map(len, late))


def _simulated_stamps(stamped: Iterable[MessageRows]) -> tuple[Integers, Integers]:
    """Return log times [ns] and stamps [ns] in simulated time, empty without any.

    Stamps that are not dates but advance with the recorder count from a vehicle's boot.
    """
    simulated = []
    for rows in stamped:
        has = rows.stamps != NO_STAMP
        logged, stamps = rows.logged[has], rows.stamps[has]
        if len(stamps) >= ENOUGH and np.median(stamps) < FIRST_REAL:
            simulated += [(logged, stamps)] * (_drift(logged - stamps) > LARGEST_SPREAD)
    if not simulated:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    logged, stamps = (np.concatenate(column) for column in zip(*simulated, strict=True))
    order = np.argsort(logged, kind='stable')
    logged, stamps = logged[order], stamps[order]
    is_ordered = in_order(stamps)
    if (np.diff(stamps[is_ordered]) < -LARGEST_SPREAD).any():  # it restarted: no time for all
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    return logged[is_ordered], np.maximum.accumulate(stamps[is_ordered])


def began_late(times: Sequence[int]) -> bool:
    """Return whether simulated time [ns] ran for longer before a recording than within it."""
    return min(times) > max(times) - min(times)


def assign_times(clock: Clock, rows: MessageRows) -> tuple[Integers, MessageRows, list[str]]:
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
    is_valid = _believable(received - times, has, middle - shift, rows.stamps)
    wrong = np.count_nonzero(~is_valid)
    if wrong:
        problems.append(f'{wrong} stamps do not fit the time of reception: left out')
    return times[is_valid], rows.select(is_valid), problems


def _drift(late: Integers) -> int:
    """Return the drift between two clocks [ns], given the delays of messages, in order.

    A recorder that stalls for a while gets all messages of that time late, but the earliest
    messages of most parts of a recording have the usual delay.
    """
    if len(late) < PARTS * ENOUGH:
        low, high = np.percentile(late, (2, 98), method='nearest').tolist()
        return int(high - low)
    segments = np.array_split(late, PARTS)
    lows = sorted(int(np.percentile(segment, 10, method='nearest')) for segment in segments)
    return lows[-1] - lows[0]


def _find_delayed(stamps: Integers, late: Integers) -> Flags:
    """Return which messages reached the recorder late: stamps between those of neighbours."""
    between = np.zeros(len(stamps), bool)
    between[1:-1] = (stamps[:-2] < stamps[1:-1]) & (stamps[1:-1] < stamps[2:])
    return between & (late > 0) & (late <= MAX_STALL)


def _with_zero(clock: Clock, rows: MessageRows, received: Integers) -> MessageRows:
    """Return rows with stamps of zero where that is the simulated time, not the lack of one."""
    is_zero = (rows.stamps == NO_STAMP) & (np.abs(received) <= LARGEST_SPREAD)
    if clock.kind != SIMULATED or not is_zero.any() or (rows.stamps == NO_STAMP).all():
        return rows
    return rows._replace(stamps=np.where(is_zero, 0, rows.stamps))


def _believable(late: Integers, has: Flags, middle: int, stamps: Integers) -> Flags:
    """Return which messages were received with plausible delays [ns]."""
    is_valid = ~has | (np.abs(late - middle) <= LARGEST_SPREAD)
    is_valid[has] |= _find_delayed(stamps[has], late[has] - middle)
    exact = np.count_nonzero(late[has] == 0)
    if exact >= max(ENOUGH, 0.9 * np.count_nonzero(has)):
        is_valid &= ~has | (late == 0)
    return is_valid


def in_order(logged: Integers) -> Flags:
    """Return the mask of messages whose log time [ns] is near to those before and after."""
    if len(logged) < ENOUGH:
        return np.ones(len(logged), bool)
    before, after = np.roll(logged, 1), np.roll(logged, -1)
    before[0], after[-1] = after[0], before[-1]
    outside = np.maximum(logged - np.maximum(before, after), np.minimum(before, after) - logged)
    return outside <= LARGEST_SPREAD


def _in_order(rows: MessageRows) -> tuple[MessageRows, list[str]]:
    """Remove single messages that were logged out of order."""
    is_ordered = in_order(rows.logged)
    wrong = np.count_nonzero(~is_ordered)
    lines = [f'{wrong} messages were logged out of order: left out'] * (wrong > 0)
    back = np.diff(rows.logged[is_ordered])
    jump = int(back.min()) if len(back) else 0
    if jump < -LARGEST_SPREAD:
        lines.append(f'the clock of the recorder jumps back by {-jump / SECOND:.1f} s')
    return (rows if is_ordered.all() else rows.select(is_ordered)), lines


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
    """Return the flights of a bag by log times and values of ``/clock``, (K,) [ns]; at least one.

    A bag that was logged at simulated time is one flight: nothing separates its flights.
    """
    is_ordered = in_order(logged) & in_order(values)
    order = np.argsort(logged[is_ordered], kind='stable')
    logged, values = logged[is_ordered][order], values[is_ordered][order]
    restarts = np.flatnonzero(np.diff(values) < -LARGEST_SPREAD) + 1
    if rival_clocks(logged, values) is not None:
        restarts = restarts[:0]
    segments = np.split(values, restarts)
    last, middle = logged[restarts - 1], (logged[restarts] - logged[restarts - 1]) // 2
    edges = [EVER.min, *(last + np.minimum(AFTERWARDS, middle + 1)).tolist(), EVER.max]
    return [
        BagFlight(begin, end, float(np.ptp(segment)) / SECOND if len(segment) else 0.0)
        for begin, end, segment in zip(edges[:-1], edges[1:], segments, strict=True)
    ]


def select_flight(flights: Sequence[BagFlight], number: int | None) -> int:
    """Return the number of the requested flight, by default the last, counted from 1.

    Raises:
        RunError: There is no such flight.
    """
    if number is None:
        return len(flights)
    if not 1 <= number <= len(flights):
        choices = 'one flight: leave --flight out' if len(flights) == 1 else (
            f'flights 1 to {len(flights)}, each with a simulated time that begins anew'
        )  # fmt: skip
        raise RunError(f'--flight {number}: the bag holds {choices}')
    return number


def describe_flights(flights: Sequence[BagFlight], number: int) -> str:
    """Return the flights in the bag, and which of them is used."""
    durations = ', '.join(f'{flight.duration:.0f}' for flight in flights)
    return (
        f'simulated time begins anew: {len(flights)} flights, of {durations} s; only flight '
        f'{number} is looked at; --flight chooses another'
    )
