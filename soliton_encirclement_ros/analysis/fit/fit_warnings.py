"""Warnings about the data or the fit."""

from collections.abc import Mapping

import numpy as np
from velocity_mobility_ros.core.model import MobilityParameters

from soliton_encirclement_ros.analysis.fit.excitation import Excitation
from soliton_encirclement_ros.analysis.fit.fit_records import Errors, Estimate
from soliton_encirclement_ros.analysis.recording import Floats

UNLIKE = 3.0
"""An agent whose error is this multiple of the median is probably of another type."""

FINE = 0.02
"""Errors and noise below this [m/s] cause no warning."""

POOR = 3.0
"""A prediction error above this multiple of the odometry noise causes a warning."""


def fit_warnings(
    estimates: Mapping[str, Estimate], seen: Excitation, validation: Errors, noise: Floats,
    agents: Mapping[str, Errors],
) -> list[str]:  # fmt: skip
    """Return the warnings of a fit, one line each."""
    found = _beyond_default(estimates, seen)
    delay = estimates.get('delay')
    is_usual = delay is not None
    if delay is not None and delay.known and delay.high is not None and delay.high < 0.0:
        found.append(
            f'delay = {delay.value:.3f} s: odometry responds before the command; commands '
            'were recorded late, or the clocks of the two topics differ'
        )
    for axis, error, own in (
        ('xy', validation.usual_xy, noise[0]), ('z', validation.usual_z, noise[2])
    ):  # fmt: skip
        if error > POOR * max(own, FINE):
            found.append(
                f'{axis}: prediction error {error:.2g} m/s, odometry noise {own:.2g} m/s: the '
                'mobility law does not describe this vehicle fully'
                + (', a multirotor perhaps: --type second_order' if is_usual else '')
            )
    usual = float(np.median([one.usual_xy for one in agents.values()]))
    for name, one in agents.items():
        if one.usual_xy > UNLIKE * max(usual, FINE):
            found.append(
                f'{name}: prediction error {one.usual_xy:.2g} m/s, median of all {usual:.2g}: '
                f'fit it alone (--agent {name})'
            )
    return found


def _beyond_default(estimates: Mapping[str, Estimate], seen: Excitation) -> list[str]:
    """Return warnings of unknown limits whose default is below the flown values."""
    flown = {
        'max_acc_xy': seen.acceleration[0], 'max_acc_z': seen.acceleration[1],
        'max_speed_xy': seen.speed[0], 'max_speed_z': seen.speed[1],
    }  # fmt: skip
    found = []
    for name, most in flown.items():
        default = getattr(MobilityParameters, name)
        lag = estimates['tau_xy' if name.endswith('xy') else 'tau_z']
        if not estimates[name].known and lag.known and most > default:
            unit = estimates[name].unit
            found.append(
                f'{name}: flown {most:.3g} {unit} is above the default {default:g}: set this '
                'limit in the vehicle file'
            )
    return found
