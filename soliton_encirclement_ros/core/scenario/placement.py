"""Draws the start of each agent: an angle and a share of the radius."""

import numpy as np
from velocity_mobility_ros.core.frames import TURN

from soliton_encirclement_ros.core.parameters.run_parameters import RunParameters
from soliton_encirclement_ros.core.scenario.random_streams import REFERENCE


def scattered(run: RunParameters, i: int, stream: np.random.Generator) -> tuple[float, float]:
    """Return the angle [rad] and the share of the radius of the i-th agent, from 0.

    Two numbers are always drawn, so that no parameter changes the start of another agent. The
    original draws only the numbers it needs.
    """
    if run.rng == REFERENCE:
        return _scattered_as_original(run, i, stream)
    angle = stream.uniform(0.0, TURN)
    share = stream.uniform(1.0 - run.init_radius_range, 1.0 + run.init_radius_range)
    return _even_angle(run, i) if run.init_angles_equidistant else angle, share


def _scattered_as_original(
    run: RunParameters, i: int, stream: np.random.Generator
) -> tuple[float, float]:
    even, scatter = run.init_angles_equidistant, run.init_radius_range
    angle = _even_angle(run, i) if even else stream.uniform(0.0, TURN)
    share = 1.0 if scatter == 0.0 else stream.uniform(1.0 - scatter, 1.0 + scatter)
    return angle, share


def _even_angle(run: RunParameters, i: int) -> float:
    return i * (TURN / run.num_agents)
