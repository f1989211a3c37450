"""Sensors of all members against the run."""

import pytest
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.scenario import Scenario

BLURRED = {'mobility': {'position_noise_xy': 0.5}}


def changed(**changes: dict) -> Scenario:
    """Return the default scenario with changes."""
    return Scenario().with_changes(changes, 'test')


@pytest.mark.parametrize('name', ['odom_latency', 'command_latency'])
def test_a_latency_as_long_as_the_run_is_refused(name):
    with pytest.raises(ScenarioError) as raised:
        changed(mobility={name: 2.0}, run={'sim_duration': 2.0})
    expected = f'mobility.{name} = 2.0 s must be shorter than the run, run.sim_duration = 2.0 s'
    assert str(raised.value) == f'test: {expected}'
    assert changed(mobility={name: 2.0}, run={'sim_duration': 2.1}).is_sensed


def test_the_original_has_no_sensors():
    with pytest.raises(ScenarioError, match='the original experiment has no noise'):
        changed(run={'rng': 'reference'}, **BLURRED)


def test_a_vehicle_file_is_checked_like_the_section(tmp_path):
    path = tmp_path / 'late.yaml'
    path.write_text('mobility: {command_latency: 3.0}\n')
    with pytest.raises(ScenarioError, match=r'command_latency = 3\.0 s must be shorter'):
        changed(vehicles={'target_vehicle': str(path)}, run={'sim_duration': 1.0})
    late = changed(vehicles={'target_vehicle': str(path)})
    assert late.is_sensed
    assert late.sensor_of('target').delay == 300 and late.sensor_of('uav_1').delay == 0


def test_limits_of_commands_count_their_latency():
    late = changed(mobility={'command_latency': 0.2})
    assert late.limits_of('uav_1').response_delay == 0.2


def test_clocks_that_are_wrong_by_more_than_a_timeout_are_warned_of():
    assert not changed(radio={'clock_offset': 0.2}).warnings
    (line,) = changed(radio={'clock_offset': 0.4}).warnings
    assert line.startswith('radio.clock_offset = 0.4 s is longer than swarm.agent_state_timeout')


def test_the_original_has_no_wrong_clocks():
    with pytest.raises(ScenarioError, match=r"radio\.clock_offset = 0\.1 with run\.rng = 'ref"):
        changed(radio={'clock_offset': 0.1}, run={'rng': 'reference'})
