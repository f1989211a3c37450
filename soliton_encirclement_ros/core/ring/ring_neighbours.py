"""Predecessor and successor of an agent on the ring, with hysteresis against switching.

Angles are seen from the target, counter-clockwise from east. The ring holds every live agent
sorted by (angle, id); the predecessor is the entry before, the successor the entry after,
cyclically.
"""

from typing import NamedTuple

from velocity_mobility_ros.core.frames import wrap_2pi

NOBODY = -1
"""The id that stands for no neighbour."""


class Neighbours(NamedTuple):
    """The two neighbours of an agent and the arcs [rad] to them; ids are NOBODY when alone."""

    pred: int
    succ: int
    gap_pred: float
    gap_succ: float


ALONE = Neighbours(NOBODY, NOBODY, 0.0, 0.0)


def between(
    theta: float, pred: int, theta_pred: float, succ: int, theta_succ: float
) -> Neighbours:
    """Return the neighbours of an agent at an angle [rad] with the arcs to theirs [rad]."""
    return Neighbours(pred, succ, wrap_2pi(theta - theta_pred), wrap_2pi(theta_succ - theta))


def keep_old(
    theta: float,
    nearest: Neighbours,
    old: Neighbours,
    theta_pred: float,
    theta_succ: float,
    hysteresis: float,
) -> Neighbours:
    """Return the nearest neighbours, or an old one that is nearly as close.

    Args:
        theta: The agent's angle [rad].
        nearest: Those just before and after it.
        old: The previous choice.
        theta_pred: Angle of the old predecessor [rad], NaN if it is gone.
        theta_succ: Angle of the old successor [rad], NaN if it is gone.
        hysteresis: Tolerance [rad].
    """
    pred, succ, gap_pred, gap_succ = nearest
    if old.pred != NOBODY and old.succ != NOBODY and pred == old.succ and succ == old.pred:
        return nearest
    held = wrap_2pi(theta - theta_pred)
    if held - nearest.gap_pred <= hysteresis:
        pred, gap_pred = old.pred, held
    held = wrap_2pi(theta_succ - theta)
    if held - nearest.gap_succ <= hysteresis:
        succ, gap_succ = old.succ, held
    return Neighbours(pred, succ, gap_pred, gap_succ)
