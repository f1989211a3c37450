"""A target that broadcasts nothing against the rest of a scenario."""

import pytest

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.scenario import Scenario

SILENT = 'target_sensing.target_broadcasts = false: the target broadcasts nothing'


def changed(**changes: dict) -> Scenario:
    """Return the default scenario with a target that broadcasts nothing, and changes."""
    values = {'target_broadcasts': False, **changes.pop('target_sensing', {})}
    return Scenario().with_changes({'target_sensing': values, **changes}, 'test')


@pytest.mark.parametrize(('changes', 'text'), [
    ({'run': {'rng': 'reference'}},
     "run.rng = 'reference' with target_sensing.target_broadcasts = false: in the original experiment the target "
     'broadcasts its state; remove one of the two'),
    ({'target': {'protection_angle_deg': 200.0}},
     f'target.protection_angle_deg = 200 deg with {SILENT}, so agents do not know the weights of '
     'the arcs; set it to 360'),
    ({'target': {'target_swarm_spin_enable': True}},
     f'target.target_swarm_spin_enable = true with {SILENT}, so it cannot turn the ring; set it '
     'to false, and target_sensing.ring_omega_ref for a constant rate'),
    ({'target': {'target_swarm_omega_ref': 0.2}},
     f'target.target_swarm_omega_ref = 0.2 rad/s with {SILENT}; set it to 0, and '
     'target_sensing.ring_omega_ref to the rate'),
    ({'target_sensing': {'blind_agents': '3 11'}},
     "target_sensing.blind_agents: '11' names no member; there are the agents 1 to 10"),
])  # fmt: skip
def test_what_cannot_be_is_refused_in_one_line(changes, text):
    with pytest.raises(ScenarioError) as raised:
        changed(**changes)
    assert str(raised.value) == f'test: {text}'


def test_a_missing_estimator_is_named(tmp_path):
    path = tmp_path / 'mine.py'
    with pytest.raises(ScenarioError) as raised:
        changed(target_sensing={'estimator': str(path)})
    assert str(raised.value) == f'test: target_sensing.estimator: {path}: there is no such file'


@pytest.mark.parametrize(('changes', 'text'), [
    ({'target_sensing': {'sensor_range': 12.0}},
     'target_sensing.sensor_range = 12 m is below swarm.encirclement_radius = 20 m: agents on the ring do '
     'not see the target'),
    ({'target_sensing': {'bearing_rate': 50.0}},
     'target_sensing.bearing_rate = 50 Hz: agents measure once per swarm.control_period = 0.05 s at most'),
    ({'run': {'num_agents': 2}},
     'run.num_agents = 2 with target_sensing.range_noise = none: fewer than 3 agents can hardly tell how '
     'far the target is from bearings alone'),
])  # fmt: skip
def test_what_will_hardly_work_is_warned_of(changes, text):
    assert text in changed(**changes).warnings


def test_with_a_target_that_broadcasts_nothing_of_this_is_checked():
    usual = Scenario().with_changes(
        {'target': {'protection_angle_deg': 200.0}, 'target_sensing': {'sensor_range': 1.0}}, 'test'
    )
    assert not usual.is_estimated
    assert not any('sensor_range' in line for line in usual.warnings)
    assert 'target_sensing.sensor_range = 1.0 has no effect' in usual.idle['target_sensing.sensor_range']


def test_another_estimator_has_parameters_of_its_own():
    published = changed(target_sensing={'estimator': 'deghat', 'k_bearing': 3.0})
    assert published.target_sensing.k_bearing == 3.0
    again = published.with_changes({'target_sensing': {'estimator': 'kalman'}}, 'test')
    assert again.target_sensing.acceleration_density == 4.0 and not hasattr(again.target_sensing, 'k_bearing')
    assert again.is_estimated
