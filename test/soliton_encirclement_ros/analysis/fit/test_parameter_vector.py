"""Points: there and back, and in the order of the law."""

import numpy as np
from soliton_encirclement_ros.analysis.fit.parameter_vector import (
    ALL_NAMES,
    ALL_UNITS,
    DELAY,
    NAMES,
    PAIRS,
    acceleration_lags_of,
    limits_of,
    to_solver,
    to_values,
    with_acceleration_lags,
)
from velocity_mobility_ros.core.model import MobilityParameters
from velocity_mobility_ros.core.parameters import declarations
from velocity_mobility_ros.vehicles.second_order import SecondOrderParameters


def test_the_solvers_numbers_give_the_values_back():
    values = np.array([0.5, np.inf, 8.0, 1.2, 4.0, np.inf, -0.05, 0.1, 0.02])
    back = to_values(to_solver(values))
    assert np.allclose(back[np.isfinite(values)], values[np.isfinite(values)], rtol=1e-15)
    assert (np.isinf(back) == np.isinf(values)).all()


def test_the_law_takes_them_in_its_own_order():
    body = MobilityParameters('kinematic', 1e-2, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
    values = np.array([getattr(body, name) for name in NAMES[:-1]] + [0.1])
    assert limits_of(values) == body.limits


def test_names_and_units_are_those_of_the_mobility():
    known = declarations(SecondOrderParameters)
    for name, unit in zip(ALL_NAMES, ALL_UNITS, strict=True):
        assert name == 'delay' or known[name].unit == unit


def test_a_delay_becomes_lags_of_the_acceleration():
    """Up to a quarter of the whole, which stays as it is."""
    values = np.array([1.1, 3.0, 8.0, 0.04, 4.0, 4.0, 0.28])
    found = with_acceleration_lags(values, 0.02)
    assert acceleration_lags_of(values) is None
    assert acceleration_lags_of(found) == (0.28, 0.08)
    assert found[DELAY] == 0.0
    assert (found[0], found[3]) == (1.1, 0.24)
    at_once = with_acceleration_lags(np.array([*values[:DELAY], -0.05]), 0.02)
    assert acceleration_lags_of(at_once) == (0.02, 0.02)


def test_every_parameter_is_varied_once():
    assert sorted(i for pair in PAIRS for i in pair) == list(range(len(ALL_NAMES)))
