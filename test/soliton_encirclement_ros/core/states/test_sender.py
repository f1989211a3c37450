"""Whose words a state is."""

import pytest
from soliton_encirclement_ros.core.states.sender import sender_of
from soliton_encirclement_ros.core.states.states import (
    AdversaryState,
    AgentState,
    State,
    TargetState,
)

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
