"""How much was asked and flown, and the noise of the odometry."""

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.fit.excitation import deviation, motion, noise_of
from soliton_encirclement_ros.analysis.fit.fit_records import FitSettings
from soliton_encirclement_ros.analysis.fit.joined_stretches import JoinedStretches
from soliton_encirclement_ros.analysis.fit.stretches import stretches
from support.recorded.planted import flight, noisy, steps

VALUES = np.array([0.8, 3.0, 8.0, 0.5, 4.0, 4.0, 0.0])


def course_of(member):
    return JoinedStretches(stretches(member, FitSettings()), 0.01)


def test_what_was_asked_for_is_more_than_what_the_limits_let_through():
    told = np.zeros((400, 3))
    told[100:240] = 9.0, 0.0, -6.0
    seen = motion(course_of(flight(told)), VALUES, np.full(3, 1e-3))
    assert seen.command_speed == pytest.approx([9.0, 6.0])
    assert seen.command_change == pytest.approx([9.0, 6.0])
    assert seen.speed == pytest.approx([8.0, 4.0], abs=1e-6)
    assert seen.acceleration == pytest.approx([3.0, 4.0], abs=1e-6)
    assert seen.demanded == pytest.approx([9.0 / 0.8, 6.0 / 0.5], rel=1e-3)


def test_noise_is_measured_during_a_manoeuvre():
    chance = np.random.default_rng(1)
    joined = course_of(noisy(flight(steps(chance)), chance))
    assert noise_of(joined) == pytest.approx(0.05, rel=0.1)


def test_the_deviation_is_that_of_the_noise_and_wild_values_have_no_say():
    missed = 0.2 * np.random.default_rng(1).standard_normal((4000, 3))
    missed[:, 2] *= 3.0
    missed[::20] = 1e6
    assert deviation(missed) == pytest.approx([0.2, 0.2, 0.6], rel=0.12)
    assert (deviation(np.zeros((5, 3))) == 1e-3).all()
