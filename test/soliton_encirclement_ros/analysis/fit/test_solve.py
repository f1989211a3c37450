"""The solver: slopes are slopes, far starts end at one point, wild samples do not pull."""

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.fit.fit_records import FitSettings
from soliton_encirclement_ros.analysis.fit.joined_stretches import JoinedStretches
from soliton_encirclement_ros.analysis.fit.parameter_vector import DELAY, to_solver, to_values
from soliton_encirclement_ros.analysis.fit.rollout import roll_out
from soliton_encirclement_ros.analysis.fit.solve import Solver
from soliton_encirclement_ros.analysis.fit.stretches import stretches
from soliton_encirclement_ros.sim.compilation.compiled import compiled
from support.recorded.planted import flight, noisy, steps

TRUTH = np.array([0.8, 3.0, 8.0, 0.5, 4.0, 4.0, 0.12])
SCALE = np.full(3, 0.05)
SETTINGS = FitSettings()


@pytest.fixture(scope='module')
def solver():
    chance = np.random.default_rng(11)
    member = noisy(flight(steps(chance, duration=40.0), delay=0.12), chance)
    return solver_of(member)


def solver_of(member):
    return Solver(
        JoinedStretches(stretches(member, SETTINGS), 0.01, compiled(roll_out)), SCALE, SETTINGS
    )


def test_what_is_left_at_the_truth_is_the_noise(solver):
    missed = solver.residuals(TRUTH)
    assert missed.std(axis=0) == pytest.approx(1.0, rel=0.1)
    assert solver.cost(TRUTH) == pytest.approx(0.5 * missed.size, rel=0.15)


def test_slopes_are_those_of_central_differences(solver):
    """Varied one by one, though the solver varies two at once."""
    # Beside the grid of updates, on which the delay's slope has two sides.
    point = TRUTH + 0.0034 * np.eye(len(TRUTH))[DELAY]
    slopes, numbers = solver.slopes(point), to_solver(point)
    for i in range(len(TRUTH)):
        nudge = 1e-4 * np.eye(len(TRUTH))[i]
        ends = (solver.residuals(to_values(numbers + sign * nudge)) for sign in (1.0, -1.0))
        central = np.subtract(*ends) / 2e-4
        assert np.abs(slopes[:, :, i] - central).mean() < 0.03 * np.abs(central).mean() + 1e-9


@pytest.mark.parametrize(
    'start',
    [
        [0.3, 2.0, 6.0, 1.5, 3.0, 3.0, 0.3],
        [3.0, 4.0, 9.0, 0.1, 5.0, 4.5, 0.0],
        [1.0, 2.5, 7.0, 0.5, 3.0, 5.0, 0.4],
    ],
)
def test_far_starts_end_at_the_same_point(solver, start):
    found = solver.solve(np.array(start)).values
    assert found[:DELAY] == pytest.approx(TRUTH[:DELAY], rel=0.03)
    assert found[DELAY] == pytest.approx(0.12, abs=0.005)
    best = solver.solve(TRUTH)
    assert found == pytest.approx(best.values, rel=2e-3)
    assert best.cost == pytest.approx(solver.cost(best.values), rel=1e-9)


def test_what_is_fixed_or_infinite_stays(solver):
    start = TRUTH.copy()
    start[2], start[DELAY] = np.inf, 0.2
    found = solver.solve(start, {DELAY}).values
    assert found[2] == np.inf and found[DELAY] == 0.2
    assert found[0] != start[0]


def test_wild_samples_do_not_pull():
    chance = np.random.default_rng(12)
    member = noisy(flight(steps(chance, duration=40.0), delay=0.12), chance)
    velocity = member.track.velocity.copy()
    wild = chance.random(len(velocity)) < 0.02
    velocity[wild] += chance.normal(5.0, 10.0, (int(wild.sum()), 3))
    solver = solver_of(member._replace(track=member.track._replace(velocity=velocity)))
    found = solver.solve(np.array([0.5, 2.5, 7.0, 0.8, 3.0, 3.5, 0.2])).values
    assert found[:DELAY] == pytest.approx(TRUTH[:DELAY], rel=0.03)


def test_a_lag_is_never_shorter_than_an_update(solver):
    found = solver.solve(np.array([0.001, *TRUTH[1:]]), {1, 2, 3, 4, 5, 6})
    assert found.values[0] >= SETTINGS.update_rate
