"""Which limits there are, and which lags are none."""

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.fit.fit_records import FitSettings
from soliton_encirclement_ros.analysis.fit.joined_stretches import JoinedStretches
from soliton_encirclement_ros.analysis.fit.limit_selection import axis_of, select_limits
from soliton_encirclement_ros.analysis.fit.parameter_vector import ALL_NAMES, LIMITS
from soliton_encirclement_ros.analysis.fit.rollout import roll_out
from soliton_encirclement_ros.analysis.fit.solve import Solver
from soliton_encirclement_ros.analysis.fit.stretches import stretches
from soliton_encirclement_ros.sim.compilation.compiled import compiled
from support.recorded.planted import QUAD, flight, noisy, steps
from velocity_mobility_ros.core.model import MobilityParameters

TRUTH = np.array([0.8, 3.0, 8.0, 0.5, 4.0, 4.0, 0.0])
SETTINGS = FitSettings()


def chosen(told, start=TRUTH, mobility=QUAD):
    member = noisy(flight(told, mobility), np.random.default_rng(4))
    joined = JoinedStretches(stretches(member, SETTINGS), 0.01, compiled(roll_out))
    solver, calls = Solver(joined, np.full(3, 0.05), SETTINGS), []
    found = select_limits(solver, solver.solve(start), frozenset(), lambda: calls.append(1))
    assert len(calls) == len(LIMITS)
    return found


def test_limits_that_hold_stay():
    found = chosen(steps(np.random.default_rng(1), duration=30.0))
    assert np.isfinite(found.solution.values).all() and not found.no_lag


@pytest.mark.parametrize('start', [TRUTH, TRUTH * np.array([1, 0.3, 0.1, 1, 0.3, 0.2, 1])])
def test_limits_that_never_hold_go_also_if_noise_likes_them(start):
    found = chosen(steps(np.random.default_rng(2), 30.0, xy=0.8, z=0.5), start)
    assert np.isinf(found.solution.values[list(LIMITS)]).all()
    assert found.solution.values[[0, 3]] == pytest.approx([0.8, 0.5], rel=0.15)


def test_a_vehicle_without_lag_has_none():
    body = MobilityParameters(tau_xy=None, tau_z=None, max_acc_xy=3.0, max_acc_z=4.0)
    start = np.array([0.1, 2.5, 12.0, 0.1, 3.0, 6.0, 0.0])
    found = chosen(steps(np.random.default_rng(3), 30.0), start, body)
    assert found.no_lag == {0, 3}
    assert found.solution.values[[1, 4]] == pytest.approx([3.0, 4.0], rel=0.02)


def test_every_parameter_has_its_axis():
    assert [axis_of(i) for i in range(len(ALL_NAMES))] == [0, 0, 0, 1, 1, 1, 0, 0, 1]
