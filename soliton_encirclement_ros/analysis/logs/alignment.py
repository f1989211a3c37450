"""When recordings without a common clock begin: by take-offs, begins of motion, equal motion."""

import math
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.comparison_records import MOVING, start_of_motion
from soliton_encirclement_ros.analysis.recording import Floats, Motion, Recording

RISE = 0.5
"""Height above the ground [m] at which a vehicle has taken off."""

STILL = 0.2
"""Heights before a take-off differ by less [m], for at least a second."""


def take_off_time(time: Floats, height: Floats) -> float | None:
    """Return when a vehicle that stands at first has risen [s], None if it does not stand or rise.

    Args:
        time: Ascending [s], (K,).
        height: [m], (K,).
    """
    known = np.isfinite(height)
    time, height = time[known], height[known]
    if not len(time):
        return None
    ground = float(np.median(height[time <= time[0] + 1.0]))
    up = np.flatnonzero(height > ground + RISE)
    if not len(up) or time[up[0]] - time[0] < 1.0:
        return None
    first = int(up[0])
    stands = np.abs(height[time <= time[0] + 1.0] - ground) < STILL
    share = (ground + RISE - height[first - 1]) / (height[first] - height[first - 1])
    risen = float(time[first - 1] + share * (time[first] - time[first - 1]))
    return risen if stands.all() else None


TAKE_OFF, MOTION = 'take-off', 'begin of motion'


def first_events(recording: Recording) -> dict[str, float]:
    """Return when the first vehicle took off, and when the first one began to move [s]."""
    motions = [member.motion for member in recording.members.values() if member.motion]
    times = {
        TAKE_OFF: [take_off_time(one.time, one.position[:, 2]) for one in motions],
        MOTION: [start_of_motion(one.time, np.linalg.norm(one.velocity, axis=1))
                 for one in motions],
    }  # fmt: skip
    known = {what: [time for time in all_times if time is not None]
             for what, all_times in times.items()}  # fmt: skip
    return {what: min(all_times) for what, all_times in known.items() if all_times}


STEP = 0.05
"""Step of times at which motions are compared [s]."""


NOISE = 0.1
"""Velocities that differ by no more than this may be equal [m/s]."""


class MotionMatch(NamedTuple):
    """How much later a motion must be so that it equals another.

    Attributes:
        lag: Time to be added to its times [s].
        rms: What remains of the difference of velocities [m/s].
        spread: Standard error of the lag, if errors of velocities last for a second [s].
        rival: Time from the lag to one that fits as well, as in a motion that repeats [s]; None
            without.
    """

    lag: float
    rms: float
    spread: float
    rival: float | None


def match_motions(reference: Motion, other: Motion) -> MotionMatch | None:
    """Return by how much one recording of a motion is later than another, None if it is unclear.

    The lag has the least difference of velocities, over at least half of the shorter recording.
    """
    tables = []
    for motion in (reference, other):
        known = np.isfinite(motion.velocity).all(axis=1)
        time, velocity = motion.time[known], motion.velocity[known]
        if len(time) < 2 or np.ptp(velocity, axis=0).max() < MOVING:
            return None
        grid = np.arange(time[0], time[-1], STEP)
        tables.append((grid[0], np.array([np.interp(grid, time, axis) for axis in velocity.T])))
    (begin, first), (own_begin, second) = tables
    size = first.shape[1] + second.shape[1] - 1

    def correlate(a: Floats, b: Floats) -> Floats:
        product = np.fft.rfft(a, size) * np.fft.rfft(b[:, ::-1], size)
        return np.fft.irfft(product.sum(axis=0), size)

    ones = [np.ones((1, table.shape[1])) for table in (first, second)]
    count = np.maximum(np.rint(correlate(*ones)), 1.0)
    squares = correlate((first**2).sum(axis=0)[None], ones[1])
    squares += correlate(ones[0], (second**2).sum(axis=0)[None])
    error = (squares - 2.0 * correlate(first, second)) / count
    error[count < min(first.shape[1], second.shape[1]) / 2] = np.inf
    best = int(error.argmin())
    around = error[max(0, best - 1) : best + 2]
    shift, curvature = 0.0, 0.0
    if len(around) == 3 and np.isfinite(around).all():
        curvature = max(0.0, float(around[0] + around[2] - 2.0 * around[1]))
        shift = (around[0] - around[2]) / (2.0 * curvature) if curvature else 0.0
    remains = max(0.0, float(error[best]))
    seconds = STEP * float(count[best])
    spread = STEP * math.sqrt(2.0 * remains / curvature / seconds) if curvature else math.inf
    unlike = np.flatnonzero(error > 2.0 * remains + NOISE**2)
    before, after = unlike[unlike < best], unlike[unlike > best]
    valley = slice(before[-1] if len(before) else 0, after[0] if len(after) else len(error))
    elsewhere = error.copy()
    elsewhere[valley] = np.inf
    other = int(elsewhere.argmin())
    is_alike = elsewhere[other] <= 2.0 * remains + NOISE**2
    lag = STEP * (best + shift - (second.shape[1] - 1)) + begin - own_begin
    return MotionMatch(float(lag), math.sqrt(remains), spread,
                       STEP * (other - best) if is_alike else None)  # fmt: skip
