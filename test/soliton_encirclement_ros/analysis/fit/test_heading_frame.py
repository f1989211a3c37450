"""A robot that drives along its heading is fitted along it, another vehicle in map."""

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.fit import FitSettings, fit, follow, roll_out
from soliton_encirclement_ros.analysis.fit.fit_data import along_heading
from soliton_encirclement_ros.analysis.recording import Commands, Member, Track
from soliton_encirclement_ros.sim.compilation.compiled import compiled

STEP, LAG = 0.01, 0.15


def driven(noise: float = 0.0) -> Member:
    """Return a robot with two wheels that starts, turns and stops, commanded at 10 Hz in map."""
    chance = np.random.default_rng(2)
    time = np.arange(0.0, 80.0, STEP)
    forward = np.where(time % 20.0 < 14.0, 0.22, 0.0)
    turning = np.array([0.0, 0.5, -0.4, 0.8])[(time // 10.0).astype(int) % 4]
    speed, rate, share = 0.0 * time, 0.0 * time, STEP / LAG
    for k in range(1, len(time)):
        held = (k - 1) // 10 * 10
        speed[k] = speed[k - 1] + share * (forward[held] - speed[k - 1])
        rate[k] = rate[k - 1] + share * (turning[held] - rate[k - 1])
    yaw = np.cumsum(rate) * STEP
    ahead = np.column_stack([np.cos(yaw), np.sin(yaw), 0.0 * yaw])
    velocity = ahead * speed[:, None]
    track = Track(time, np.cumsum(velocity, axis=0) * STEP,
                  velocity + chance.normal(0.0, noise, velocity.shape), yaw)  # fmt: skip
    sent = slice(None, None, 10)
    return Member('robot', track, Commands(time[sent], ahead[sent] * forward[sent, None],
                                           turning[sent]))  # fmt: skip


@pytest.mark.parametrize('noise', [0.0, 0.005])
def test_a_robot_that_turns_has_the_lag_of_its_speed(noise: float) -> None:
    found = fit([driven(noise)], FitSettings(), compiled(roll_out), follow=compiled(follow))
    assert found.estimates['tau_xy'].value == pytest.approx(LAG, rel=0.03)
    assert not found.estimates['max_acc_xy'].known
    assert found.estimates['delay'].value == pytest.approx(0.0, abs=STEP)
    (line,) = found.problems
    assert line.startswith('robot: driven along the heading, with which the velocity turns')


def test_who_flies_nose_first_by_commands_in_map_stays_in_map() -> None:
    robot = driven()
    turn = 0.4 * robot.commands.time
    ring = 0.22 * np.column_stack([np.cos(turn), np.sin(turn), 0.0 * turn])
    flown = robot._replace(commands=robot.commands._replace(velocity=ring))
    assert along_heading(flown) is flown
    straight = robot._replace(track=robot.track._replace(yaw=0.0 * robot.track.yaw))
    assert along_heading(straight) is straight
    bare = robot._replace(commands=None)
    assert along_heading(bare) is bare


def test_velocities_along_the_heading_are_those_that_were_told() -> None:
    found = along_heading(driven())
    assert set(np.round(found.commands.velocity[:, 0], 6)) == {0.0, 0.22}
    assert np.abs(found.commands.velocity[:, 1:]).max() < 1e-9
    assert np.abs(found.track.velocity[:, 1:]).max() < 1e-9
