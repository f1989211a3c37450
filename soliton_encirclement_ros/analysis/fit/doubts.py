"""What looks wrong in the data or in the fit, in one line each."""

from collections.abc import Mapping, Sequence

import numpy as np
from velocity_mobility_ros.core.model import MobilityParameters

from soliton_encirclement_ros.analysis.fit.motion import Motion
from soliton_encirclement_ros.analysis.fit.records import Errors, Estimate
from soliton_encirclement_ros.analysis.recording import Floats, Member, Track

UNLIKE = 3.0
"""An agent that misses by this multiple of the others is of another type."""

FINE = 0.02
"""Errors and noise [m/s] that are small enough."""

WINDOW = 1.0
"""Time [s] over which positions and velocities are compared."""

STRAY = 0.3
"""Share of the way by which they may differ."""

SLIGHT = 0.2
"""And so much more [m], which noise may do."""

FEWEST = 10
"""Samples that are worth comparing."""

POOR = 3.0
"""Prediction that misses by this multiple of the odometry's own noise."""


def doubts(
    estimates: Mapping[str, Estimate], seen: Motion, validation: Errors, noise: Floats,
    agents: Mapping[str, Errors],
) -> list[str]:  # fmt: skip
    """Return what a user should know of a fit."""
    found = _beyond_default(estimates, seen)
    delay = estimates['delay']
    if delay.known and delay.high is not None and delay.high < 0.0:
        found.append(
            f'delay = {delay.value:.3f} s: odometry answers before the command came; commands '
            'were recorded late, or the clocks of the two topics differ'
        )
    for axis, missed, own in (
        ('xy', validation.usual_xy, noise[0]), ('z', validation.usual_z, noise[2])
    ):  # fmt: skip
        if missed > POOR * max(own, FINE):
            found.append(
                f'{axis}: the prediction misses by {missed:.2g} m/s, the odometry is uncertain by '
                f'{own:.2g} m/s: this vehicle does more than the law knows'
            )
    usual = float(np.median([one.usual_xy for one in agents.values()]))
    for name, one in agents.items():
        if one.usual_xy > UNLIKE * max(usual, FINE):
            found.append(
                f'{name} is missed by {one.usual_xy:.2g} m/s, the others by {usual:.2g}: fit it '
                f'alone (--agent {name})'
            )
    return found


def disagreements(members: Sequence[Member]) -> list[str]:
    """Return whose velocity is not the change of its position, as in another frame."""
    found = []
    for member in members:
        if member.track is None or len(member.track.time) < FEWEST:
            continue
        moved, told = _ways(member.track)
        if not len(told):
            continue
        # By medians: a position that jumps now and then is another matter.
        way, missed = (
            float(np.median(np.sqrt((one**2).sum(axis=1)))) for one in (told, moved - told)
        )
        if missed > STRAY * way + SLIGHT:
            found.append(
                f'{member.name}: within {WINDOW:g} s its position moves otherwise than its '
                f'velocity says, by {missed:.2g} of {way:.2g} m: is one of them in another frame?'
            )
    return found


def _ways(track: Track) -> tuple[Floats, Floats]:
    """Return how far position went in windows of time, and how far by the velocity (k, 3) [m]."""
    sound = np.isfinite(track.velocity).all(axis=1) & np.isfinite(track.position).all(axis=1)
    time, position, velocity = track.time[sound], track.position[sound], track.velocity[sound]
    gap = np.diff(time)
    usual = max(1e-3, float(np.median(gap))) if len(gap) else WINDOW
    steps = 0.5 * (velocity[1:] + velocity[:-1]) * gap[:, None]
    way = np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])[: len(time)]
    begin = np.arange(0, len(time), max(1, round(WINDOW / usual)))
    lasting = np.diff(time[begin]) < 2.0 * WINDOW
    return np.diff(position[begin], axis=0)[lasting], np.diff(way[begin], axis=0)[lasting]


def _beyond_default(estimates: Mapping[str, Estimate], seen: Motion) -> list[str]:
    """Return limits that nobody knows but that the default would hold lower than was flown."""
    flown = {
        'max_acc_xy': seen.flown[0], 'max_acc_z': seen.flown[1],
        'max_speed_xy': seen.speed[0], 'max_speed_z': seen.speed[1],
    }  # fmt: skip
    found = []
    for name, most in flown.items():
        default = getattr(MobilityParameters, name)
        lag = estimates['tau_xy' if name.endswith('xy') else 'tau_z']
        if not estimates[name].known and lag.known and most > default:
            unit = estimates[name].unit
            found.append(
                f'{name}: {most:.3g} {unit} was flown, more than the default {default:g}: write a '
                'limit of your own into the vehicle file'
            )
    return found
