"""The sample times of a recording, and the positions of all members at these times."""

import math
from collections.abc import Sequence

import numpy as np

from soliton_encirclement_ros.analysis.findings.finding_records import Point
from soliton_encirclement_ros.analysis.findings.participants import Participants
from soliton_encirclement_ros.analysis.recording import Floats
from soliton_encirclement_ros.analysis.resampling import zero_order_hold

ROUNDING = 1e-6
"""Tolerance of a sample time, as a share of a step."""


def sample_times(participants: Participants, step: float) -> Floats:
    """Return the times of the samples [s]: those of the target, else even steps.

    Steps without new data are left out.

    Args:
        participants: Members with a role.
        step: Length of a step [s].
    """
    if participants.target is not None:
        return participants.target.time
    if not participants.agents:
        return np.empty(0)
    first = min(float(body.time[0]) for body in participants.agents.values())
    steps = [
        np.ceil((body.time - first) / step - ROUNDING) for body in participants.agents.values()
    ]
    # Rounded to nanoseconds, as stamps are, so that a step is not just before its sample.
    return np.rint((first + step * np.unique(np.concatenate(steps))) * 1e9) / 1e9


def is_instant(at: Sequence[float] | Floats) -> bool:
    """Return whether there are samples and all have one time [s]."""
    return len(at) > 0 and bool(at[-1] <= at[0])


def target_positions(participants: Participants, target: str | Point | None, at: Floats) -> Floats:
    """Return the positions of the target at given times, (S, 3) [m], NaN where unknown."""
    if participants.target is not None:
        return zero_order_hold(participants.target.time, participants.target.position, at)
    if target is None or isinstance(target, str):
        return np.full((len(at), 3), math.nan)
    return np.tile(np.array(target, float), (len(at), 1))


def ring_distances(
    participants: Participants, centre: Floats, at: Floats, timeout: float
) -> dict[int, Floats]:
    """Return every agent's horizontal distance to the target, (S,) [m].

    NaN while it is not received, or no member of the ring.

    Args:
        participants: Members with a role.
        centre: (S, 3) position of the target [m].
        at: (S,) times [s].
        timeout: Age of the last state [s] above which an agent counts as lost.
    """
    found = {}
    for k, body in participants.agents.items():
        offset = zero_order_hold(body.time, body.position[:, :2], at, timeout) - centre[:, :2]
        found[k] = np.hypot(offset[:, 0], offset[:, 1])
        if body.is_on_ring is not None:
            on_ring = body.is_on_ring.astype(float)
            found[k][zero_order_hold(body.time, on_ring, at, timeout) != 1.0] = math.nan
    return found
