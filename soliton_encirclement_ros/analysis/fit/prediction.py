"""Predicted velocities and their errors."""

from collections.abc import Mapping

import numpy as np

from soliton_encirclement_ros.analysis.fit.excitation import deviation
from soliton_encirclement_ros.analysis.fit.fit_records import Curve, Errors
from soliton_encirclement_ros.analysis.fit.joined_stretches import JoinedStretches
from soliton_encirclement_ros.analysis.recording import Floats
from soliton_encirclement_ros.core.run.sample_statistics import root_mean_square


def curves(joined: JoinedStretches, values: Floats, scale: Floats) -> tuple[Curve, ...]:
    """Return measured and predicted velocities; only the start comes from the measurement.

    Args:
        joined: The stretches.
        values: The values.
        scale: (3,) standard deviation of a sample [m/s].
    """
    predicted = joined.predicted(values, scale)
    line = joined.line(values)
    wanted = line.wanted[line.sampled]
    found = []
    for s, part in enumerate(joined.parts):
        own = joined.stretch == s
        found.append(Curve(
            part.agent, joined.time[own], joined.measured[own], predicted[own], wanted[own]
        ))  # fmt: skip
    return tuple(found)


def errors(found: tuple[Curve, ...]) -> Errors:
    """Return the root mean squares of measured minus predicted velocity."""
    residuals = np.concatenate([one.measured - one.predicted for one in found])
    xy, z = (root_mean_square(one) for one in (residuals[:, :2], residuals[:, 2]))
    usual = deviation(residuals)
    return Errors(xy, z, float(usual[0]), float(usual[2]), len(residuals))


def by_agent(found: tuple[Curve, ...]) -> Mapping[str, Errors]:
    """Return the errors of every agent."""
    names = dict.fromkeys(one.agent for one in found)
    return {name: errors(tuple(one for one in found if one.agent == name)) for name in names}
