"""Command tracking of a vehicle: velocity error, saturation and control effort.

Only times when the agent was up count: a failed agent is commanded to stop at once.
"""

from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.recording import (
    Commands,
    Flags,
    Floats,
    Telemetry,
    Track,
)
from soliton_encirclement_ros.analysis.resampling import (
    NEVER,
    latest,
    zero_order_hold,
)
from soliton_encirclement_ros.core.run.sample_statistics import root_mean_square

MAX_HOLD = 1.0
"""Age [s] above which a command is no longer compared."""

FULL = 0.999
"""Share of the speed limit from which a command counts as saturated."""


class Tracking(NamedTuple):
    """RMS and 95th percentile of the norm of commanded minus flown velocity [m/s]."""

    rms: float
    p95: float


class Effort(NamedTuple):
    """Mean rate of change of the command [m/s^2], and the sum of all changes [m/s]."""

    mean: float
    total: float


def tracking(track: Track, commands: Commands, flying: Flags, up: Flags) -> Tracking | None:
    """Return the velocity error; None if commands and odometry never overlap.

    At every odometry sample the velocity is compared with the last command before it, at most
    ``MAX_HOLD`` old. Delay is not compensated: the lag of the vehicle is part of the error.

    Args:
        track: (K,) samples of odometry.
        commands: (C,) commands.
        flying: (K,) whether the agent was up.
        up: (C,) the same.
    """
    index = latest(commands.time, track.time, strictly=True)
    known = np.flatnonzero((index != NEVER) & flying)
    command = index[known]
    used = up[command] & (track.time[known] - commands.time[command] <= MAX_HOLD)
    if not used.any():
        return None
    difference = commands.velocity[command[used]] - track.velocity[known[used]]
    error = np.linalg.norm(difference, axis=1)
    return Tracking(root_mean_square(error), float(np.percentile(error, 95.0)))


def saturation(
    commands: Commands, up: Flags, max_speed_xy: float | None, max_speed_z: float | None
) -> float | None:
    """Return the share of commands at a speed limit [m/s], 0 to 1; None without any limit.

    If several commands have one stamp, the last one counts: the startup handshake repeats
    commands.

    Args:
        commands: (C,) commands.
        up: (C,) whether the agent was up.
        max_speed_xy: Largest horizontal speed [m/s], None if unknown.
        max_speed_z: Largest vertical speed [m/s], None if unknown.
    """
    last = np.diff(commands.time, append=np.inf) > 0.0
    velocity = commands.velocity[up & last]
    limits = ((np.hypot(velocity[:, 0], velocity[:, 1]), max_speed_xy),
              (np.abs(velocity[:, 2]), max_speed_z))  # fmt: skip
    reached = [speed >= FULL * limit for speed, limit in limits if limit]
    if not reached or not len(velocity):
        return None
    return float(np.any(reached, axis=0).mean())


def effort(commands: Commands, up: Flags) -> Effort | None:
    """Return how much the command changed; None for fewer than two commands.

    Changes are those between two commands at most ``MAX_HOLD`` apart; their rate is
    ``sum(|dv|) / sum(dt)``. Rates are not computed per command, because ``dt`` jitters in
    flight and would dominate their RMS.

    Args:
        commands: (C,) commands.
        up: (C,) whether the agent was up; a change counts if it was up for both commands.
    """
    dt = np.diff(commands.time)
    dv = np.linalg.norm(np.diff(commands.velocity, axis=0), axis=1)
    used = up[1:] & up[:-1] & (dt > 0.0) & (dt <= MAX_HOLD)
    if not used.any():
        return None
    total = float(dv[used].sum())
    return Effort(total / float(dt[used].sum()), total)


def is_up(telemetry: Telemetry | None, at: Floats) -> Flags:
    """Return whether an agent was up at some times (S,) [s]; without telemetry it always was."""
    if telemetry is None:
        return np.ones(len(at), bool)
    return zero_order_hold(telemetry.time, telemetry.failed, at) != 1.0


def rms_of_known(values: Floats) -> float | None:
    """Return the RMS of the finite values, None without any."""
    finite = values[np.isfinite(values)]
    return root_mean_square(finite) if len(finite) else None
