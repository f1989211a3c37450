"""Predecessor and successor of an agent on the ring, with hysteresis against switching.

Angles are seen from the target, counter-clockwise from east. The ring holds every live agent
sorted by (angle, id); the predecessor is the entry before, the successor the entry after,
cyclically.
"""

import math
from collections.abc import Sequence
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


def adjacent(
    own_id: int, theta: float, ids: Sequence[int], thetas: Sequence[float]
) -> tuple[int, int]:
    """Return the positions (in ``ids``) of the entries just before and just after an agent.

    Args:
        own_id: The agent's id, which breaks ties of angle.
        theta: The agent's angle [rad].
        ids: Ids of the other live agents, at least one.
        thetas: Their angles [rad], same order.
    """
    before = after = highest = lowest = -1
    for i in range(len(ids)):
        key = (thetas[i], ids[i])
        if highest < 0 or key > (thetas[highest], ids[highest]):
            highest = i
        if lowest < 0 or key < (thetas[lowest], ids[lowest]):
            lowest = i
        if key < (theta, own_id):
            if before < 0 or key > (thetas[before], ids[before]):
                before = i
        elif after < 0 or key < (thetas[after], ids[after]):
            after = i
    return (before if before >= 0 else highest), (after if after >= 0 else lowest)


def select_neighbours(
    own_id: int,
    theta: float,
    ids: Sequence[int],
    thetas: Sequence[float],
    old: Neighbours,
    hysteresis: float,
) -> Neighbours:
    """Choose predecessor and successor, keeping an old one that is nearly as close.

    An old neighbour stays while it is alive and its arc exceeds the nearest one's by no more than
    ``hysteresis``. If the two old neighbours have swapped sides the new pair is taken as it is.

    Args:
        own_id: The agent's id.
        theta: The agent's angle [rad].
        ids: Ids of the other live agents, without the agent itself.
        thetas: Their angles [rad], same order.
        old: The previous choice.
        hysteresis: Tolerance [rad].
    """
    if len(ids) == 0:
        return ALONE
    i, j = adjacent(own_id, theta, ids, thetas)
    theta_pred = theta_succ = math.nan
    for k in range(len(ids)):
        if ids[k] == old.pred:
            theta_pred = thetas[k]
        if ids[k] == old.succ:
            theta_succ = thetas[k]
    nearest = between(theta, ids[i], thetas[i], ids[j], thetas[j])
    return keep_old(theta, nearest, old, theta_pred, theta_succ, hysteresis)


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
