"""How far members were wrong about their own motion, where the truth is recorded."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.recording import Floats, Member
from soliton_encirclement_ros.analysis.resampling import interpolated


class MeasurementError(NamedTuple):
    """Errors of a member's odometry, at the times at which it was measured.

    Attributes:
        name: The member.
        position_rms: RMS of the distance from the true position [m].
        position_max: The largest [m].
        velocity_rms: RMS of the difference from the true velocity [m/s].
        velocity_max: The largest [m/s].
        longest_gap: Longest time between two measurements [s], None for fewer than two.
    """

    name: str
    position_rms: float
    position_max: float
    velocity_rms: float
    velocity_max: float
    longest_gap: float | None


def measurement_errors(members: Iterable[Member]) -> Iterator[MeasurementError]:
    """Iterate over the members with a truth and an odometry at common times."""
    for member in members:
        track, true = member.track, member.truth
        if track is None or true is None:
            continue
        time, first = np.unique(track.time, return_index=True)
        errors = [
            _distances(said[first], interpolated(true.time, really, time))
            for said, really in (
                (track.position, true.position), (track.velocity, true.velocity),
            )
        ]  # fmt: skip
        if all(len(error) for error in errors):
            gap = float(np.diff(time).max()) if len(time) > 1 else None
            yield MeasurementError(member.name, *_figures(errors[0]), *_figures(errors[1]), gap)


def _distances(said: Floats, true: Floats) -> Floats:
    """Return how far vectors are apart, (K, 3) each; those that are not known are left out."""
    distances = np.sqrt(((said - true) ** 2).sum(axis=1))
    return distances[np.isfinite(distances)]


def _figures(distances: Floats) -> tuple[float, float]:
    """Return RMS and maximum."""
    return float(np.sqrt(np.mean(distances**2))), float(distances.max())
