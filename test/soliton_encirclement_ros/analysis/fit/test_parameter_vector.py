"""Points: there and back, and in the order of the law."""

import numpy as np
from soliton_encirclement_ros.analysis.fit.parameter_vector import (
    NAMES,
    PAIRS,
    UNITS,
    limits_of,
    to_solver,
    to_values,
)
from velocity_mobility_ros.core.model import MobilityParameters
from velocity_mobility_ros.core.parameters import declarations


def test_the_solvers_numbers_give_the_values_back():
    values = np.array([0.5, np.inf, 8.0, 1.2, 4.0, np.inf, -0.05])
    back = to_values(to_solver(values))
    assert np.allclose(back[np.isfinite(values)], values[np.isfinite(values)], rtol=1e-15)
    assert (np.isinf(back) == np.isinf(values)).all()


def test_the_law_takes_them_in_its_own_order():
    body = MobilityParameters('kinematic', 1e-2, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
    values = np.array([getattr(body, name) for name in NAMES[:-1]] + [0.1])
    assert limits_of(values) == body.limits


def test_names_and_units_are_those_of_the_mobility():
    known = declarations(MobilityParameters)
    for name, unit in zip(NAMES[:-1], UNITS[:-1], strict=True):
        assert known[name].unit == unit


def test_every_parameter_is_varied_once():
    assert sorted(i for pair in PAIRS for i in pair) == list(range(len(NAMES)))
