"""One order of the emergency stop, to stop or to release, and which of two orders counts."""

from collections.abc import Mapping
from typing import NamedTuple

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
        source: Who gave it, and why.
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
