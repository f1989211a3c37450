"""Names of members, and whose words a state is."""

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core.states.states import (
    AdversaryState, AgentState, State, TargetState, sender_of
)
from soliton_encirclement_ros.core.states.swarm_topics import uav, uav_id


@given(st.integers(0, 10**9 - 1))
def test_name_and_back(agent_id: int) -> None:
    """The name of agent k leads back to k."""
    assert uav_id(uav(agent_id)) == agent_id


@pytest.mark.parametrize(
    'name',
    ['', 'uav_', '3', 'uav_-1', 'uav_1.0', 'UAV_1', 'uav_²', 'uav_07', 'uav_' + '9' * 5000],
)
def test_other_names_are_nobody(name: str) -> None:
    """Only plain digits make a number, and one agent has one name."""
    assert uav_id(name) is None


ORIGIN = (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ('state', 'name'),
    [
        (AgentState(3, 0, ORIGIN, ORIGIN), 'uav_3'),
        (TargetState(0, ORIGIN, ORIGIN), 'target'),
        (AdversaryState(0, ORIGIN, ORIGIN), 'adversary'),
    ],
)
def test_every_kind_has_its_speaker(state: State, name: str) -> None:
    assert sender_of(state) == name
