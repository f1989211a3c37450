"""Names of members."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.core.states.swarm_topics import uav, uav_id


@given(st.integers(0, 10**9 - 1))
def test_name_and_back(agent_id: int) -> None:
    """The name of agent k leads back to k."""
    assert uav_id(uav(agent_id)) == agent_id


@pytest.mark.parametrize(
    'name',
    ['', 'uav_', 'uav', '3', 'uav_-1', 'uav_1.0', 'uav_ 1', 'UAV_1', 'uav_²', 'uav_٣', 'target'],
)
def test_other_names_are_nobody(name: str) -> None:
    """Only plain digits make a number."""
    assert uav_id(name) is None


def test_a_second_spelling_is_nobody() -> None:
    """One agent has one name; else one message can hold the same agent twice."""
    assert uav_id('uav_07') is None


def test_an_endless_number_is_nobody() -> None:
    """A hostile name is no agent and raises nothing."""
    assert uav_id('uav_' + '9' * 5000) is None
