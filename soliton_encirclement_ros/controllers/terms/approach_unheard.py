"""The radius at which an agent keeps from a target that it may not hear at the full one.

A radio may reach less far than the ring. An agent that hears nothing of its target, neither from
it nor through others, goes on by dead reckoning and comes closer, to a share of its present
distance r. When it hears again it goes back at once to a little less than the distance r_h of its
last news, and on from there slowly, so that it stays within reach for long:

    unheard    rho = min(rho, share r), and at least half of R
    heard      rho = max(rho + speed T, 0.85 r_h), and at most R
"""

from typing import NamedTuple

CLOSEST = 0.5
"""Smallest radius, as a share of the full one."""

BACK = 0.85
"""Share of the distance at which it heard last to which an agent goes back at once."""

STAYS = 1.0
"""The share with which an agent stays where it is."""


class KeptRadius(NamedTuple):
    """The radius rho that is kept [m], 0 before the first tick, and the distance r_h [m]."""

    radius: float
    heard_at: float


NONE_YET = KeptRadius(0.0, 0.0)


class ApproachUnheard(NamedTuple):
    """Numbers of the rule.

    Attributes:
        radius: Full radius R [m].
        share: Share of the distance to which an agent comes closer; 1: it stays.
        step: Growth of the radius in a period [m].
    """

    radius: float
    share: float
    step: float


def kept_radius(
    before: KeptRadius, is_heard: bool, distance: float, rule: ApproachUnheard
) -> KeptRadius:
    """Return the radius to keep.

    Args:
        before: That of the last tick.
        is_heard: Whether a report of the target came within its timeout.
        distance: Distance to the target [m], by dead reckoning.
        rule: The numbers.
    """
    full = rule.radius
    radius = full if before.radius == 0.0 else min(before.radius, full)
    if is_heard:
        radius = min(max(radius + rule.step, BACK * before.heard_at), full)
        return KeptRadius(radius, distance)
    if rule.share < STAYS:
        radius = max(min(radius, rule.share * distance), CLOSEST * full)
    return KeptRadius(radius, before.heard_at)
