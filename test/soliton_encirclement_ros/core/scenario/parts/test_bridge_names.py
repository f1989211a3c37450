"""Namespaces of autopilots as parameters of their bridges."""

import pytest
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.parts.bridge_names import (
    first_instance,
    instance_parameter,
    namespace_parameter,
)


@pytest.mark.parametrize(
    ('kind', 'text', 'found'),
    [
        ('px4', 'auto', {}),
        ('simulated', 'auto', {}),
        ('px4', 'none', {'px4_namespace': ''}),
        ('ardupilot', 'ap', {'ap_prefix': '/ap'}),
        ('mavros', 'uav1/mavros', {'mavros_namespace': 'uav1/mavros'}),
    ],
)
def test_a_namespace_is_a_parameter_of_the_kind(kind, text, found):
    assert namespace_parameter(kind, text) == found


@pytest.mark.parametrize('text', ['a b', '3x', 'a/', 'a//b', '-'])
def test_what_is_no_namespace_is_refused(text):
    with pytest.raises(ScenarioError, match=r'autopilot_namespace = .* must be auto, none or a'):
        namespace_parameter('px4', text)


@pytest.mark.parametrize('kind', ['ardupilot', 'mavros'])
def test_only_px4_may_have_none(kind):
    with pytest.raises(ScenarioError, match=f'the topics of {kind} always have one'):
        namespace_parameter(kind, 'none')


def test_a_vehicle_without_an_autopilot_has_no_such_namespace():
    with pytest.raises(ScenarioError, match='a vehicle of kind simulated has no autopilot'):
        namespace_parameter('simulated', 'px4_1')


@pytest.mark.parametrize(
    ('kind', 'agent_id', 'first', 'found'),
    [
        ('px4', 3, 1, {'px4_namespace': 'px4_3'}),
        ('px4', 1, 0, {'px4_namespace': ''}),
        ('px4', 3, 21, {'px4_namespace': 'px4_23'}),
        ('ardupilot', 3, 21, {'ap_prefix': '/ap/v3'}),
        ('mavros', 3, 21, {}),
        ('simulated', 3, 21, {}),
    ],
)
def test_instances_follow_the_first_one(kind, agent_id, first, found):
    assert instance_parameter(kind, agent_id, first) == found


@pytest.mark.parametrize('text', ['', '-1', 'x', '254', '252', '1.0', '\u0663'])
def test_an_instance_that_cannot_be_is_refused(text):
    with pytest.raises(ScenarioError, match='must be a number from 0 to 251, for 3 vehicles'):
        first_instance(text, 3)


def test_an_instance_is_a_number():
    assert (first_instance('0', 3), first_instance('251', 3)) == (0, 251)
