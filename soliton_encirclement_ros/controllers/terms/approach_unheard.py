"""The radius at which an agent keeps from a target that it may not hear at the full one.

A radio may reach less far than the ring. An agent that hears nothing of its target, neither from
it nor through others, goes on by dead reckoning and comes closer, to a share of its present
distance; when it hears again it goes back slowly, so that it stays within reach for long:

    unheard    rho = min(rho, share r), and at least half of R
    heard      rho = min(rho + speed T, R)
"""

from typing import NamedTuple

CLOSEST = 0.5
"""Smallest radius, as a share of the full one."""

STAYS = 1.0
"""The share with which an agent stays where it is."""

NONE_YET = 0.0
"""The radius of an agent before its first tick [m]; at that it takes the full one."""


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


def kept_radius(before: float, is_heard: bool, distance: float, rule: ApproachUnheard) -> float:
    """Return the radius to keep [m].

    Args:
        before: That of the last tick [m], ``NONE_YET`` before.
        is_heard: Whether a report of the target came within its timeout.
        distance: Distance to the target [m], by dead reckoning.
        rule: The numbers.
    """
    radius = rule.radius if before == NONE_YET else min(before, rule.radius)
    if is_heard:
        return min(radius + rule.step, rule.radius)
    if rule.share >= STAYS:
        return radius
    return max(min(radius, rule.share * distance), CLOSEST * rule.radius)
