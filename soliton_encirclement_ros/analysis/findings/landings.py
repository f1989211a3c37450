"""Vehicles that have landed at the end of a recording, which the verdict judges."""

from collections.abc import Iterator

import numpy as np

from soliton_encirclement_ros.analysis.findings.finding_records import Point
from soliton_encirclement_ros.analysis.findings.participants import Participants
from soliton_encirclement_ros.core.files.name_list import named
from soliton_encirclement_ros.core.run.summary import LAST_SHARE

LEAST = 0.5
"""Way down [m] that is no landing, but an estimate of height that wanders."""


def landing_warnings(participants: Participants, target: str | Point | None) -> Iterator[str]:
    """Iterate over a line if agents of other software end below half of their usual heights.

    Args:
        participants: Who flew.
        target: Whom they surround; without one there is no verdict to judge a landing.
    """
    if target is None or not participants.is_foreign:
        return
    names = [
        participants.names[k] for k, body in participants.agents.items()
        if _has_landed(body.time, body.position[:, 2])
    ]  # fmt: skip
    if names:
        yield (
            f'{named(names)}: far below the usual height in the last {100 * LAST_SHARE:g} %, '
            'which the verdict judges; if it is a landing, --between A..B leaves it out'
        )


def _has_landed(time: np.ndarray, height: np.ndarray) -> bool:
    """Return whether the usual height is far above the lowest of the end."""
    known = np.isfinite(height)
    time, height = time[known], height[known]
    if not len(time):
        return False
    last = height[time >= time[-1] - LAST_SHARE * (time[-1] - time[0])]
    down = float(np.median(height) - last.min())
    return down > max(LEAST, 0.5 * float(np.ptp(height)))
