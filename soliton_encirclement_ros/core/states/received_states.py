"""Which received states count: acceptance by sequence number, expiry, loss, and the relay.

Neighbours that are present, with a timeout that grows with the measured packet loss.

A sender that is up publishes every period T. If a share p of messages is lost, n silent periods
in a row happen by chance with probability ``p^n``. A neighbour counts as gone once its silence is
both longer than the timeout of the law and less likely than ``CHANCE``. Without loss that is the
timeout itself, so a failure is detected at once; with loss the set of neighbours stays stable.

Reports of the target that agents relay to each other: which are sent, which are accepted.

An agent sends the newest report that it holds, as received, with its age. Another one accepts it
if it is younger than its own by more than half a control period. A report that goes round never
gets younger, so every agent accepts it once and no echo keeps it alive: not even where clocks
differ, since what a clock adds on the way out it takes off on the way back.
"""

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import Any, NamedTuple

from velocity_mobility_ros.core.coordinate_frames import is_plausible

NEVER = -math.inf
"""Time of reception [s] of a state that was never received."""


MAX_GOSSIP = 8
"""Most silent agents in a message."""

YOUNGER = 1e-6
"""Difference of ages [s] from which a state counts as younger; ages have rounding errors."""


def is_fresh(received: float, now: float, timeout: float) -> bool:
    """Return whether a state received at a time [s] is within a timeout [s] now [s]."""
    return now - received <= timeout


def is_unread(received: float, since: float, now: float, timeout: float) -> bool:
    """Return whether a message came after a time and has not expired; all times in s."""
    return received > since and is_fresh(received, now, timeout)


PERIODS, MOST = 3.0, 4.0
"""A timeout is at least so many reached periods, but at most so many times what was set."""


def stretched(timeout: float, longest_period: float) -> float:
    """Return a timeout that suits the periods which a swarm on a slow machine really reaches.

    Members that tick late send late; a timeout that lets only one of their messages be late would
    break the ring although nobody has failed.

    Args:
        timeout: The timeout as set [s].
        longest_period: The longest of the last control periods [s].
    """
    return max(timeout, min(PERIODS * longest_period, MOST * timeout))


def is_news(seq: float, known_seq: float, received: float, now: float, timeout: float) -> bool:
    """Return whether to accept a message: it is newer than the cached one, or that one expired.

    After its timeout a sender may start again from any number.

    Args:
        seq: Sequence number of the message.
        known_seq: Sequence number of the cached message.
        received: When the cached message was received [s], ``NEVER`` if there is none.
        now: Time [s].
        timeout: How long a message is valid [s].
    """
    return seq > known_seq or not is_fresh(received, now, timeout)


def age_at(now: float, received: float, age: float) -> float:
    """Return how old a message is at a time [s] that came at another [s] with an age [s]."""
    return now - received + age


class LastSeen(NamedTuple):
    """The last position of a sender.

    Attributes:
        x: East [m]; the value for an unknown position is up to the receiver.
        y: North [m].
        seq: Number of the message.
        received: When it came [s], ``NEVER`` before the first.
    """

    x: float
    y: float
    seq: float
    received: float


def update_last_seen(
    known: LastSeen, x: float, y: float, seq: float, now: float, timeout: float
) -> LastSeen:
    """Return the last position of a sender after a message, whether that counts or not.

    Args:
        known: The last position before.
        x: Position in the message, east [m].
        y: The same, north [m].
        seq: Number of the message.
        now: Time [s].
        timeout: How long a message counts [s].
    """
    if is_news(seq, known.seq, known.received, now, timeout):
        return LastSeen(x, y, seq, now)
    return known


@dataclass(slots=True)
class CachedAgent:
    """The last state of an agent: position [m], velocity [m/s], number, time of reception [s]."""

    x: float = 0.0
    y: float = 0.0
    vx: float = 0.0
    vy: float = 0.0
    seq: int = 0
    received: float = NEVER
    is_cached: bool = False


@dataclass(slots=True)
class Size:
    """How many entries of a list count."""

    count: int = 0


class CachedAgents(NamedTuple):
    """The agents that a receiver has received within a timeout.

    Attributes:
        rows: A ``CachedAgent`` by index or number of the agent.
        order: Those that are cached, in the order of first reception.
        size: How many these are.
    """

    rows: Any
    order: Any
    size: Size


def empty_cache() -> CachedAgents:
    """Return the cache of a receiver that has received nobody; agents may have any number."""
    return CachedAgents(defaultdict(CachedAgent), defaultdict(int), Size())


def list_cached(cache: CachedAgents) -> list[int]:
    """Return who is cached, in the order of first reception."""
    return [cache.order[p] for p in range(cache.size.count)]


def accept_state(
    cache: CachedAgents, j: int, x: float, y: float, vx: float, vy: float, seq: int, now: float,
    timeout: float,
) -> bool:  # fmt: skip
    """Store an agent's state unless it is older than a fresh one; return whether it was stored.

    Args:
        cache: The cache.
        j: Index or number of the agent.
        x: Position, east [m].
        y: The same, north [m].
        vx: Velocity, east [m/s].
        vy: The same, north [m/s].
        seq: Number of the state.
        now: Time [s].
        timeout: How long a state counts [s].
    """
    row = cache.rows[j]
    if not is_news(seq, row.seq, row.received, now, timeout):
        return False
    if not row.is_cached:
        cache.order[cache.size.count] = j
        cache.size.count += 1
        row.is_cached = True
    row.x, row.y, row.vx, row.vy = x, y, vx, vy
    row.seq, row.received = seq, now
    return True


def drop_old(cache: CachedAgents, timeout: float, now: float) -> None:
    """Remove agents not received within a timeout [s] now [s]; the order of the others stays."""
    count = 0
    for p in range(cache.size.count):
        j = cache.order[p]
        if is_fresh(cache.rows[j].received, now, timeout):
            cache.order[count] = j
            count += 1
        else:
            cache.rows[j].is_cached, cache.rows[j].received = False, NEVER
    cache.size.count = count


CHANCE = 1e-6
"""Probability below which silence is not attributed to packet loss."""

FEWEST_PERIODS = 2.5
"""Periods of silence that are always tolerated: in real time a message may come just after the
tick that would have used it."""

MEMORY = 200.0
"""Messages over which the loss is averaged, all senders together."""


def update_loss(lost: float, got: float, messages: int, left_out: int) -> tuple[float, float]:
    """Return the decaying counts of lost and received messages after some more.

    Args:
        lost: Lost messages so far.
        got: Received messages so far.
        messages: How many were received; their order does not matter.
        left_out: How many are missing between them and those before.
    """
    keep = 1.0 - 1.0 / MEMORY
    for _ in range(messages):
        before = got
        got = got * keep + 1.0
        lost = lost * keep
        if got == before and lost == 0.0:
            break
    return lost + left_out, got


def share_lost(lost: float, got: float) -> float:
    """Return the share of messages that are lost."""
    total = lost + got
    return lost / total if total > 0.0 else 0.0


def silence_timeout(loss: float, period: float, timeout: float, longest: float) -> float:
    """Return the silence [s] after which a neighbour counts as gone.

    Args:
        loss: Share of messages that are lost.
        period: Time between two messages of a sender [s].
        timeout: Silence that is always tolerated [s].
        longest: Longest silence that is ever tolerated [s].
    """
    if loss <= 0.0:
        return timeout
    if loss >= 1.0:
        return longest
    periods = math.log(CHANCE) / math.log(loss)
    return min(longest, max(timeout, periods * period))


def timeout_without_loss(wanted: float, period: float, most: float) -> float:
    """Return a law's timeout: the wanted one, but some periods at least, and a time at most [s].

    Args:
        wanted: The wanted timeout [s].
        period: Time between two messages of a sender [s].
        most: The longest timeout [s]: that after which states are not used any more.
    """
    return min(most, max(wanted, FEWEST_PERIODS * period))


PREFIX = 'relay_'
"""Prefix of a report's fields in a broadcast state."""

AGE = f'{PREFIX}age'
"""Field with the age [s] of the report when the message was sent, ``NO_REPORT``: none."""

AHEAD = f'{PREFIX}ahead'
"""Field with the time [s] by which the message is younger than the sender's pose."""

REPORT = tuple(f'{PREFIX}{name}' for name in ('x', 'y', 'z', 'vx', 'vy', 'vz', 'omega_ref'))
FIELDS = (*REPORT, AGE, AHEAD)

NO_REPORT = -1.0

FIRST_RELAYED_SEQ = -2
"""Number of the first report that an agent takes from another one; the next ones count down.

The target's own numbers are not negative, so each report that a law gets has another number.
"""


def forwards_target(age: float, hold: float) -> bool:
    """Return whether an agent relays its report.

    Args:
        age: Age of the report [s], infinite without one.
        hold: Age [s] beyond which the target is lost.
    """
    return 0.0 <= age <= hold and is_plausible(age)


def relayed_age(age: float, ahead: float, report_age: float) -> float:
    """Return the age [s] of a report from another agent.

    Args:
        age: Present age of its message [s]: that of the sender's pose.
        ahead: Time [s] by which the message is younger than the pose.
        report_age: Age of the report when the message was sent [s].
    """
    return max(0.0, age - ahead) + report_age


def accepts_report(age: float, own_age: float, hold: float, period: float) -> bool:
    """Return whether an agent accepts a report from another one in the place of its own.

    Args:
        age: Age of the report [s].
        own_age: Age of its own [s], infinite without one.
        hold: Age [s] beyond which the target is lost.
        period: Control period [s].
    """
    return 0.0 <= age <= hold and age < own_age - 0.5 * period
