"""What a recording is measured by."""

import math
from pathlib import Path

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.findings.finding_settings import default_settings
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.recorded.recordings import body, recording_of, recording_with, without

TIME = np.arange(0.0, 10.0, 0.1)
TARGET = body('target', TIME, (100.0, 0.0, 0.0))


def drone(name, distance, time=TIME):
    return body(name, time, (100.0 + distance, 0.0, 50.0))


def test_a_scenario_settles_everything():
    changes = {
        'run': {'num_agents': 2, 'sim_duration': 1.0},
        'swarm': {'encirclement_radius': 7.0, 'agent_state_timeout': 0.4},
        'mobility': {'max_speed_xy': 3.0},
    }
    flown = Scenario('s').with_changes(changes, 'test')
    found = default_settings(recording_of(flown))
    assert found.scenario == flown and found.target == 'target'
    assert (found.radius, found.radius_from, found.timeout) == (7.0, 'scenario', 0.4)
    assert (found.max_speed_xy, found.max_speed_z) == (3.0, flown.mobility.max_speed_z)


def test_without_a_scenario_the_radius_is_the_median_distance_of_the_second_half():
    far = body('uav_1', TIME, np.outer(np.where(TIME < 4.9, 50.0, 12.0), (1.0, 0.0, 0.0)))
    other = body('uav_2', TIME, (0.0, 14.0, 30.0))
    found = default_settings(recording_with(far, other, body('target', TIME, (0.0,) * 3)))
    assert (found.radius, found.radius_from) == (13.0, 'estimated')
    assert found.scenario.swarm.encirclement_radius == 13.0
    assert found.scenario.run.num_agents == 2
    assert found.max_speed_xy is None and found.max_speed_z is None


@pytest.mark.parametrize(
    ('path', 'name'),
    [('a/fly 7.mcap', 'fly_7.mcap'), ('/', 'recording'), ('_ä.b', 'b'), ('x' * 99, 'x' * 60)],
)
def test_without_a_scenario_the_bag_gives_the_name(path, name):
    found = default_settings(recording_with(TARGET, path=Path(path)))
    assert found.scenario.name == name


def test_a_slow_sender_is_not_taken_for_gone():
    slow = drone('uav_1', 5.0, np.arange(0.0, 10.0))
    assert default_settings(recording_with(slow, TARGET)).timeout == pytest.approx(3.0)
    assert default_settings(recording_with(drone('uav_1', 5.0), TARGET)).timeout == pytest.approx(
        0.3
    )
    quick = drone('uav_1', 5.0, np.arange(0.0, 10.0, 0.01))
    assert default_settings(recording_with(quick, TARGET)).timeout == 0.25


def test_what_is_given_comes_first():
    found = default_settings(
        recording_with(drone('uav_1', 5.0), TARGET), (100.0, 3.0, 0.0), radius=9.0
    )
    assert (found.target, found.radius, found.radius_from) == ((100.0, 3.0, 0.0), 9.0, 'given')


@pytest.mark.parametrize(
    'members', [[], [drone('uav_1', 5.0)], [TARGET], [drone('uav_1', 5.0, TIME + 99.0), TARGET]]
)
def test_a_radius_nobody_can_tell_is_unknown(members):
    found = default_settings(recording_with(*members))
    assert math.isnan(found.radius) and found.radius_from == 'unknown'


@pytest.mark.parametrize('distance', [0.0, 1e-6])
def test_agents_at_the_target_tell_no_radius(distance):
    agents = [drone('uav_1', distance), drone('uav_2', -distance)]
    found = default_settings(recording_with(*agents, body('target', TIME, (100.0, 0.0, 9.0))))
    assert math.isnan(found.radius) and found.radius_from == 'unknown'
    assert default_settings(recording_with(*agents, TARGET), radius=5.0).radius == 5.0


def test_a_target_that_is_not_there_is_refused_with_the_names_that_are():
    recording = recording_with(drone('uav_1', 5.0), TARGET)
    with pytest.raises(RunError, match="target 'bob': not in the recording; name one of uav_1, t"):
        default_settings(recording, 'bob')
    with pytest.raises(RunError, match='name one of target, or a point X,Y'):
        default_settings(without(recording, 'track', of=['uav_1']), 'uav_1')


def test_a_target_of_which_nothing_is_known_is_none():
    recording = recording_with(drone('uav_1', 5.0), TARGET)
    assert default_settings(without(recording, 'track', of=['target'])).target is None
