"""Whether a member is stopped: a memory of orders and heartbeats, and its pure steps.

    order given    counts if it is newer than the one before in its scope; at a tie a stop counts
    heartbeat      watched from the first one on; missing for its timeout: the member stops
    own reason     the member stops itself
    release        of everybody ends the stops by orders to everybody, by missing heartbeats, and
                   those that members gave themselves before; of one member ends the order to it,
                   a stop by missing heartbeats, and the one that it gave itself before

Without a release a stop lasts for ever, whoever gave it and whether that process still lives.
"""

from typing import NamedTuple

from soliton_encirclement_ros.core.stop.heartbeat import (
    Heartbeat,
    Heartbeats,
    missing,
    with_beat,
    without,
)
from soliton_encirclement_ros.core.stop.stop_order import (
    EVERYBODY,
    MAX_SCOPES,
    Orders,
    StopOrder,
    overrules,
)


class StopLatch(NamedTuple):
    """What a listener remembers.

    Attributes:
        member: Its name; empty for one that is no member, such as the monitor.
        orders: The order that counts, by scope.
        beats: The last heartbeat of every operator that is watched.
        silence: Which heartbeat was missed, as text; empty without a stop for that reason.
        own: The stop that the member gave itself, None without one. Nobody else is told: it is
            no order, and whoever releases the member or everybody ends it.
    """

    member: str
    orders: Orders
    beats: Heartbeats
    silence: str
    own: StopOrder | None = None


ITSELF = 'itself: '
"""Before the reason for which a member has stopped itself."""


def released(member: str) -> StopLatch:
    """Return the memory of a listener that has heard nothing."""
    return StopLatch(member, {}, (), '')


def with_order(latch: StopLatch, order: StopOrder) -> StopLatch:
    """Return the memory after an order; the same object if the order changes nothing."""
    before = latch.orders.get(order.scope)
    if not overrules(order, before) or (before is None and len(latch.orders) >= MAX_SCOPES):
        return latch
    after = latch._replace(orders={**latch.orders, order.scope: order})
    if order.stop or order.scope not in (EVERYBODY, latch.member):
        return after
    beats = () if order.scope == EVERYBODY else latch.beats
    is_over = latch.own is None or order.stamp_ns > latch.own.stamp_ns
    return after._replace(beats=beats, silence='', own=None if is_over else latch.own)


def with_own_stop(latch: StopLatch, reason: str, now_ns: int) -> StopLatch:
    """Return the memory after the member has stopped itself; the first reason stays.

    Args:
        latch: The memory.
        reason: Why.
        now_ns: The present [ns since 1970].
    """
    if latch.own is not None:
        return latch
    return latch._replace(own=StopOrder(latch.member, True, now_ns, reason))


def with_heartbeat(latch: StopLatch, source: str, timeout: float, now: float) -> StopLatch:
    """Return the memory after a heartbeat.

    Args:
        latch: The memory.
        source: The operator.
        timeout: Time [s] without a heartbeat after which to stop.
        now: The present [s, steady clock].
    """
    return latch._replace(beats=with_beat(latch.beats, Heartbeat(source, timeout, now)))


def without_operator(latch: StopLatch, source: str) -> StopLatch:
    """Return the memory after an operator has ended the watch."""
    return latch._replace(beats=without(latch.beats, source))


def checked(latch: StopLatch, now: float) -> StopLatch:
    """Return the memory at a time [s, steady clock]: stopped if a heartbeat is missing."""
    lost = missing(latch.beats, now)
    if not lost:
        return latch
    names = ', '.join(beat.source for beat in lost)
    beats = tuple(beat for beat in latch.beats if beat not in lost)
    silence = f'no heartbeat of {names} for {lost[0].timeout:g} s'
    return latch._replace(beats=beats, silence=latch.silence or silence)


def reason_to_stop(latch: StopLatch) -> str:
    """Return why the member is stopped: who gave the order; empty if it is not."""
    orders = (latch.orders.get(scope) for scope in dict.fromkeys((EVERYBODY, latch.member)))
    reasons = [order.source for order in orders if order is not None and order.stop]
    own = '' if latch.own is None else f'{ITSELF}{latch.own.source}'
    return '; '.join([*reasons, *filter(None, (latch.silence, own))])


def newest_ns(latch: StopLatch) -> int:
    """Return the stamp [ns] of the newest order that concerns the member, 0 without one.

    Its own stop counts: a release has to be newer.
    """
    orders = (*(latch.orders.get(scope) for scope in (EVERYBODY, latch.member)), latch.own)
    return max((order.stamp_ns for order in orders if order is not None), default=0)


def stops_somebody(latch: StopLatch) -> bool:
    """Return whether a stop by order is in force for anybody."""
    return any(order.stop for order in latch.orders.values())
