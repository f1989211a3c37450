"""The emergency stop: orders, which of them counts, heartbeats, and the latch of a member.

An order stops or releases; the newer one counts. While an operator's heartbeat is heard, the
operator's process lives. Whether a member is stopped (``StopLatch``):

    order given    counts if it is newer than the one before in its scope; at a tie a stop counts
    heartbeat      watched from the first one on; missing for its timeout: the member stops
    own reason     the member stops itself
    release        of everybody ends the stops by orders to everybody, by missing heartbeats, and
                   those that members gave themselves before; of one member ends the order to it,
                   a stop by missing heartbeats, and the one that it gave itself before

Without a release a stop lasts for ever, whoever gave it and whether that process still lives.

The content of a message (``StopMessage``) is plain values, checked when it is read.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

from soliton_encirclement_ros.core.errors import MalformedStateError
from velocity_mobility_ros.core.user_errors import NAME

EVERYBODY = ''
"""Scope of an order to all members; any other scope is the name of one member."""

MAX_SCOPES = 2000
"""Members that orders may name: twice the largest swarm, so that no sender fills the memory."""

CLOCK_TOLERANCE_NS = 2_000_000_000
"""Time [ns] by which the stamp of a release may be ahead of the own clock."""


class StopOrder(NamedTuple):
    """To stop or to release.

    Attributes:
        scope: ``EVERYBODY``, or the name of the member that it is for, such as ``uav_3``.
        stop: Whether to stop; else to release.
        stamp_ns: When it was given [ns since 1970, by the clock of its sender].
        source: The operator who gave it, and the reason.
    """

    scope: str
    stop: bool
    stamp_ns: int
    source: str


Orders = Mapping[str, StopOrder]
"""The order that counts, by scope."""


def overrules(order: StopOrder, before: StopOrder | None) -> bool:
    """Return whether an order counts and not the one before: the newer; a stop, if both tie."""
    if before is None:
        return True
    if order.stamp_ns == before.stamp_ns:
        return order.stop and not before.stop
    return order.stamp_ns > before.stamp_ns


def is_premature(order: StopOrder, before: StopOrder | None, now_ns: int) -> bool:
    """Return whether an order releases from stops that may only be given later.

    A release with a stamp far ahead would overrule every stop until that time. It may be as far
    ahead as the stop that it releases.

    Args:
        order: The order.
        before: The order that counts in its scope, None without one.
        now_ns: The present [ns since 1970].
    """
    latest_ns = now_ns if before is None else max(now_ns, before.stamp_ns)
    return not order.stop and order.stamp_ns > latest_ns + CLOCK_TOLERANCE_NS


def next_stamp_ns(orders: Orders, scope: str, now_ns: int) -> int:
    """Return a stamp [ns] with which an order given now counts, also with a slow clock."""
    before = orders.get(scope)
    return now_ns if before is None else max(now_ns, before.stamp_ns + 1)


LONGEST_TIMEOUT = 60.0
"""Longest time [s] without a heartbeat that may be asked for."""

MAX_OPERATORS = 16
"""Operators whose heartbeats are watched, at most."""


class Heartbeat(NamedTuple):
    """The last heartbeat of an operator.

    Attributes:
        source: The operator.
        timeout: Time [s] without a heartbeat after which members stop.
        heard_at: When it was heard [s, steady clock of the listener].
    """

    source: str
    timeout: float
    heard_at: float


Heartbeats = tuple[Heartbeat, ...]


def is_timeout(value: float) -> bool:
    """Return whether a number is a timeout of a heartbeat [s]."""
    return math.isfinite(value) and 0.0 < value <= LONGEST_TIMEOUT


def without(beats: Heartbeats, source: str) -> Heartbeats:
    """Return the heartbeats of all other operators."""
    return tuple(beat for beat in beats if beat.source != source)


def with_beat(beats: Heartbeats, beat: Heartbeat) -> Heartbeats:
    """Return the heartbeats with a new one; beyond ``MAX_OPERATORS`` nobody new is watched."""
    others = without(beats, beat.source)
    return (*others, beat) if len(others) < MAX_OPERATORS else beats


def missing(beats: Heartbeats, now: float) -> Heartbeats:
    """Return the operators that have been silent for longer than their timeout at a time [s]."""
    return tuple(beat for beat in beats if now - beat.heard_at > beat.timeout)


class StopLatch(NamedTuple):
    """The memory of a listener.

    Attributes:
        member: Its name; empty for one that is no member, such as the monitor.
        orders: The order that counts, by scope.
        beats: The last heartbeat of every operator that is watched.
        silence: The stop by a missed heartbeat, None without one; only a newer release ends it.
        own: The stop that the member gave itself, None without one. Nobody else is told: it is
            no order, and whoever releases the member or everybody ends it.
    """

    member: str
    orders: Orders
    beats: Heartbeats
    silence: StopOrder | None = None
    own: StopOrder | None = None


ITSELF = 'itself: '
"""Before the reason for which a member has stopped itself."""


def released(member: str) -> StopLatch:
    """Return the memory of a listener that has heard nothing."""
    return StopLatch(member, {}, ())


def with_order(latch: StopLatch, order: StopOrder) -> StopLatch:
    """Return the memory after an order; the same object if the order changes nothing."""
    before = latch.orders.get(order.scope)
    if not overrules(order, before) or (before is None and len(latch.orders) >= MAX_SCOPES):
        return latch
    after = latch._replace(orders={**latch.orders, order.scope: order})
    if order.stop or order.scope not in (EVERYBODY, latch.member):
        return after
    beats = () if order.scope == EVERYBODY else latch.beats
    silence, own = (
        stop if stop is not None and stop.stamp_ns >= order.stamp_ns else None
        for stop in (latch.silence, latch.own)
    )
    return after._replace(beats=beats, silence=silence, own=own)


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


def checked(latch: StopLatch, now: float, now_ns: int) -> StopLatch:
    """Return the memory at a time: stopped if a heartbeat is missing.

    Args:
        latch: The memory.
        now: The present [s, steady clock].
        now_ns: The same [ns since 1970].
    """
    lost = missing(latch.beats, now)
    if not lost:
        return latch
    names = ', '.join(beat.source for beat in lost)
    beats = tuple(beat for beat in latch.beats if beat not in lost)
    reason = f'no heartbeat of {names} for {lost[0].timeout:g} s'
    silence = latch.silence or StopOrder(EVERYBODY, True, now_ns, reason)
    return latch._replace(beats=beats, silence=silence)


def reason_to_stop(latch: StopLatch) -> str:
    """Return why the member is stopped: source of the order; empty if it is not."""
    orders = (latch.orders.get(scope) for scope in dict.fromkeys((EVERYBODY, latch.member)))
    reasons = [order.source for order in orders if order is not None and order.stop]
    reasons += [] if latch.silence is None else [latch.silence.source]
    return '; '.join(reasons if latch.own is None else [*reasons, f'{ITSELF}{latch.own.source}'])


def newest_ns(latch: StopLatch) -> int:
    """Return the stamp [ns] of the newest order that concerns the member, 0 without one.

    Its own stop and that by a missed heartbeat count: a release has to be newer.
    """
    orders = [latch.orders.get(scope) for scope in (EVERYBODY, latch.member)]
    stops = [*orders, latch.silence, latch.own]
    return max((order.stamp_ns for order in stops if order is not None), default=0)


TO_STOP, TO_RELEASE = 'stop', 'release'

HEARTBEAT = 'heartbeat'
"""The operator's process lives."""

HEARTBEAT_ENDS = 'heartbeat ends'
"""The operator ends the watch on purpose: nobody stops."""

END_HOLD = 'end hold'
"""A request to all operators to end their heartbeats."""

KINDS = (TO_STOP, TO_RELEASE, HEARTBEAT, HEARTBEAT_ENDS, END_HOLD)

MEMBER = NAME
"""Names of members."""

LARGEST_STAMP_NS = 2**31 * 1_000_000_000
"""Stamps [ns] end here, in 2038: ROS counts seconds in 32 bits."""

MAX_TEXT = 200
"""Characters of a source, at most."""


class StopMessage(NamedTuple):
    """One item of a message.

    Attributes:
        kind: One of ``KINDS``.
        scope: For an order: ``EVERYBODY`` or the name of a member.
        source: The sender.
        stamp_ns: When an order was given [ns since 1970].
        timeout: For a heartbeat: time [s] without one after which to stop.
    """

    kind: str
    scope: str = EVERYBODY
    source: str = ''
    stamp_ns: int = 0
    timeout: float = 0.0


def message_of_order(order: StopOrder) -> StopMessage:
    """Return an order as an item of a message."""
    kind = TO_STOP if order.stop else TO_RELEASE
    return StopMessage(kind, order.scope, order.source, order.stamp_ns)


def order_of(word: StopMessage) -> StopOrder | None:
    """Return the order in an item, None if it is none."""
    if word.kind not in (TO_STOP, TO_RELEASE):
        return None
    return StopOrder(word.scope, word.kind == TO_STOP, word.stamp_ns, word.source)


def read_stop(source: str, fields: dict[str, str]) -> StopMessage:
    """Return an item of a message from its texts.

    Args:
        source: The sender.
        fields: ``kind``; for an order ``stamp_ns`` and, for one member, ``member``; for a
            heartbeat ``timeout_s``.

    Raises:
        MalformedStateError: A text is missing or invalid; nothing of it counts.
    """
    kind, scope = fields.get('kind', ''), fields.get('member', EVERYBODY)
    if kind not in KINDS:
        raise MalformedStateError(f'kind = {kind[:40]!r} must be {", ".join(KINDS)}')
    if scope != EVERYBODY and not MEMBER.fullmatch(scope):
        raise MalformedStateError(f'member = {scope[:40]!r} must be a name such as uav_3')
    stamp_ns = _stamp(fields.get('stamp_ns', '')) if kind in (TO_STOP, TO_RELEASE) else 0
    timeout = _timeout(fields.get('timeout_s', '')) if kind == HEARTBEAT else 0.0
    return StopMessage(kind, scope, source[:MAX_TEXT] or 'unknown', stamp_ns, timeout)


def fields_of(word: StopMessage) -> dict[str, str]:
    """Return the texts of an item, for ``read_stop``."""
    fields = {'kind': word.kind}
    if word.kind in (TO_STOP, TO_RELEASE):
        fields['stamp_ns'] = str(word.stamp_ns)
        if word.scope != EVERYBODY:
            fields['member'] = word.scope
    if word.kind == HEARTBEAT:
        fields['timeout_s'] = repr(word.timeout)
    return fields


def _stamp(text: str) -> int:
    """Return a stamp [ns]: digits only, above 0."""
    if text.isascii() and text.isdigit() and len(text) < 20 and 0 < int(text) < LARGEST_STAMP_NS:
        return int(text)
    raise MalformedStateError(
        f'stamp_ns = {text[:40]!r} must be a whole number of nanoseconds since 1970'
    )


def _timeout(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not is_timeout(value):
        raise MalformedStateError(
            f'timeout_s = {text[:40]!r} must be above 0 and at most {LONGEST_TIMEOUT:g} s'
        )
    return value
