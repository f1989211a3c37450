"""Weights of the arcs: one wide arc, held like a token, leaves the rest of the ring protected.

Agents cover ``protection_angle_deg``; one open arc of ``360 - protection_angle_deg`` is left. The
agent at its start holds the token and gets the edge weight; everybody else has weight 1.
"""

import math
from collections.abc import Mapping

from soliton_encirclement_ros.core.plane import wrap_2pi
from soliton_encirclement_ros.core.ring import NOBODY

SWITCH_COOLDOWN = 1.0
"""Time [s] for which the token stays where it is."""

SWITCH_HYSTERESIS = 0.05
"""Advantage [rad] that a gap needs over the holder's before the token moves."""

LONG_AGO = -1e9


def edge_weight(protection_angle_deg: float, count: int) -> float:
    """Return the weight that opens an arc of ``360 - protection`` degrees among ``count`` agents.

        lambda_edge = (360 - P) (M - 1) / P

    Args:
        protection_angle_deg: Angle P [deg] that the agents cover, 0 to 360.
        count: Number M of agents on the ring.
    """
    open_deg = 360.0 - protection_angle_deg
    if count < 2 or open_deg <= 1e-6:
        return 1.0
    den = 360.0 - open_deg
    weight = (open_deg * (count - 1)) / den if den > 1e-9 else 1.0
    return weight if math.isfinite(weight) and weight > 0.0 else 1.0


class EdgeWeights:
    """The token and the weights; lives in the target, which broadcasts the map."""

    def __init__(self, protection_angle_deg: float, always_fresh: bool) -> None:
        """Start without a holder.

        Args:
            protection_angle_deg: Angle [deg] of the circle to cover.
            always_fresh: Whether a holder who keeps the token gets the weight of the current
                number of agents at once. The original lets it wait while the token may not move.
        """
        self._protection = protection_angle_deg
        self._always_fresh = always_fresh
        self._weights: dict[int, float] = {}
        self._switched = LONG_AGO
        self.holder = NOBODY

    def update(self, now: float, thetas: Mapping[int, float]) -> dict[int, float]:
        """Return the weight of every agent's arc.

        Args:
            now: Time [s].
            thetas: Angle [rad, 0 to 2 pi] of every agent heard, in the order of first hearing.
        """
        if self.holder not in thetas:
            self.holder = NOBODY
        open_deg = 360.0 - self._protection
        if len(thetas) < 2 or open_deg <= 1e-6:
            self.holder = NOBODY
            self._weights = dict.fromkeys(thetas, 1.0)
        else:
            self._pass_token(now, thetas)
        self._weights = {agent: self._weights.get(agent, 1.0) for agent in thetas}
        return dict(self._weights)

    def _pass_token(self, now: float, thetas: Mapping[int, float]) -> None:
        weight = edge_weight(self._protection, len(thetas))
        sign = 1.0 if weight >= 1.0 + 1e-6 else -1.0
        gaps = {agent: sign * gap for agent, gap in gaps_by_start(thetas).items()}
        candidate = max(gaps, key=gaps.__getitem__)
        if self.holder == candidate:
            self._assign(candidate, weight, thetas)
        elif self.holder == NOBODY or self._may_move(now, gaps, candidate):
            self._assign(candidate, weight, thetas)
            self._switched = now
        elif self._always_fresh:
            self._assign(self.holder, weight, thetas)

    def _may_move(self, now: float, gaps: Mapping[int, float], candidate: int) -> bool:
        """Say whether the cooldown is over and the candidate clearly better than the holder."""
        cooled = now - self._switched >= SWITCH_COOLDOWN
        return cooled and gaps[candidate] > gaps[self.holder] + SWITCH_HYSTERESIS

    def _assign(self, holder: int, weight: float, thetas: Mapping[int, float]) -> None:
        self._weights = dict.fromkeys(thetas, 1.0)
        self._weights[holder] = weight
        self.holder = holder


def gaps_by_start(thetas: Mapping[int, float]) -> dict[int, float]:
    """Return the arc [rad] from every agent to its successor, in the order of the angles."""
    ring = sorted(thetas.items(), key=lambda entry: entry[1])
    following = [*ring[1:], ring[0]]
    return {
        agent: wrap_2pi(after - theta)
        for (agent, theta), (_, after) in zip(ring, following, strict=True)
    }
