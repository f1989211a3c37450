"""Whether a member is stopped: a memory of orders and heartbeats, and its pure steps.

    order given    counts if it is newer than the one before in its scope; at a tie a stop counts
    heartbeat      watched from the first one on; missing for its timeout: the member stops
    release        of everybody ends the stops by orders to everybody and by missing heartbeats;
                   of one member ends its own stop and one by missing heartbeats

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
    """

    member: str
    orders: Orders
    beats: Heartbeats
    silence: str


def released(member: str) -> StopLatch:
    """Return the memory of a listener that has heard nothing."""
    return StopLatch(member, {}, (), '')


def with_order(latch: StopLatch, order: StopOrder) -> StopLatch:
    """Return the memory after an order; the same object if the order changes nothing."""
    before = latch.orders.get(order.scope)
    if not overrules(order, before) or (before is None and len(latch.orders) >= MAX_SCOPES):
        return latch
    after = latch._replace(orders={**latch.orders, order.scope: order})
    if order.stop:
        return after
    if order.scope == EVERYBODY:
        return after._replace(beats=(), silence='')
    return after._replace(silence='') if order.scope == latch.member else after


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
    return '; '.join([*reasons, latch.silence] if latch.silence else reasons)


def newest_ns(latch: StopLatch) -> int:
    """Return the stamp [ns] of the newest order that concerns the member, 0 without one."""
    orders = (latch.orders.get(scope) for scope in (EVERYBODY, latch.member))
    return max((order.stamp_ns for order in orders if order is not None), default=0)


def stops_somebody(latch: StopLatch) -> bool:
    """Return whether a stop by order is in force for anybody."""
    return any(order.stop for order in latch.orders.values())
