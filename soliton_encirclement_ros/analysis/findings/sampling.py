"""The sample times of a recording, and the positions of all members at these times."""

import math
from collections.abc import Sequence

import numpy as np

from soliton_encirclement_ros.analysis.findings.finding_records import Point
from soliton_encirclement_ros.analysis.findings.participants import Participants
from soliton_encirclement_ros.analysis.recording import Floats
from soliton_encirclement_ros.analysis.resampling import zero_order_hold

ROUNDING = 1e-6
"""Share of a step by which a sample may miss it."""


def sample_times(cast: Participants, step: float) -> Floats:
    """Return the times of the samples [s]: those of the target, else even steps.

    Steps at which nothing new is known are left out, so a long silence costs nothing.

    Args:
        cast: Who takes part.
        step: Length of a step [s].
    """
    if cast.target is not None:
        return cast.target.time
    if not cast.agents:
        return np.empty(0)
    first = min(float(sight.time[0]) for sight in cast.agents.values())
    steps = [np.ceil((sight.time - first) / step - ROUNDING) for sight in cast.agents.values()]
    # Whole nanoseconds, as stamps are: a step falls on a sample, not just before it.
    return np.rint((first + step * np.unique(np.concatenate(steps))) * 1e9) / 1e9


def is_instant(at: Sequence[float] | Floats) -> bool:
    """Return whether all samples, of which there are some, were taken at one time [s]."""
    return len(at) > 0 and bool(at[-1] <= at[0])


def target_places(cast: Participants, target: str | Point | None, at: Floats) -> Floats:
    """Return where the target was at some times, (S, 3) [m], NaN where unknown."""
    if cast.target is not None:
        return zero_order_hold(cast.target.time, cast.target.position, at)
    if target is None or isinstance(target, str):
        return np.full((len(at), 3), math.nan)
    return np.tile(np.array(target, float), (len(at), 1))


def ring_distances(
    cast: Participants, centre: Floats, at: Floats, timeout: float
) -> dict[int, Floats]:
    """Return every agent's horizontal distance to the target, (S,) [m], NaN while not received.

    Args:
        cast: Who takes part.
        centre: (S, 3) where the target was [m].
        at: (S,) times [s].
        timeout: Age [s] at which a silent agent counts as gone.
    """
    found = {}
    for k, sight in cast.agents.items():
        offset = zero_order_hold(sight.time, sight.position[:, :2], at, timeout) - centre[:, :2]
        found[k] = np.hypot(offset[:, 0], offset[:, 1])
    return found
