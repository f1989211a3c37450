"""What looks wrong in the data or in the fit, in one line each."""

from collections.abc import Mapping

import numpy as np
from velocity_mobility_ros.core.model import MobilityParameters

from soliton_encirclement_ros.analysis.fit.excitation import Excitation
from soliton_encirclement_ros.analysis.fit.fit_records import Errors, Estimate
from soliton_encirclement_ros.analysis.recording import Floats

UNLIKE = 3.0
"""An agent that misses by this multiple of the others is of another type."""

FINE = 0.02
"""Errors and noise [m/s] that are small enough."""

POOR = 3.0
"""Prediction that misses by this multiple of the odometry's own noise."""


def fit_warnings(
    estimates: Mapping[str, Estimate], seen: Excitation, validation: Errors, noise: Floats,
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


def _beyond_default(estimates: Mapping[str, Estimate], seen: Excitation) -> list[str]:
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
