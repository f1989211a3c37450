"""Whether a state can be believed: the plain loop and the codec agree on every number."""

import math

import pytest
from hypothesis import given, settings, strategies as st

from soliton_encirclement_ros.core.states.state_codec import StateDecoder, encode
from soliton_encirclement_ros.core.states.states import (
    LARGEST_SEQ, AdversaryState, AgentState, SilentBody, State, TargetState, is_sound,
    validation_error
)

PLACE = (1.0, -2.0, 3.0)
DEAD = SilentBody(4, PLACE, PLACE, 12.5)
AGENT = AgentState(3, 4, PLACE, PLACE, 0.1, 0.2, (('q', 0.3),), 0.05)
TARGET = TargetState(4, PLACE, PLACE, ((3, 1.5),), 0.1, 0.05)
ADVERSARY = AdversaryState(4, PLACE, PLACE, 0.05)
BAD = [
    (AGENT._replace(velocity=(0.0, math.inf, 0.0)), 'uav_3/y = -2.0, inf must be finite'),
    (AGENT._replace(u_ss=-math.inf), 'uav_3/u_ss = -inf, 0.0 must be finite'),
    (AGENT._replace(age=-0.1), 'uav_3/age = -0.1 s must be at least 0'),
    (AGENT._replace(age=math.nan), 'uav_3/age = nan, 0.0 must be finite'),
    (
        AGENT._replace(silent=(DEAD._replace(velocity=(math.inf, 0.0, 0.0)),)),
        'uav_3/silent/uav_4/x = 1.0, inf must be finite',
    ),
    (AGENT._replace(silent=(DEAD._replace(age=-1.0),)), 'uav_3/silent/uav_4/age = -1.0 s must be'),
    (
        AGENT._replace(silent=(DEAD._replace(position=(math.inf, 0.0, 0.0)),)),
        'uav_3/silent/uav_4/x = inf, 1.0 must be finite',
    ),
    (TARGET._replace(lambdas=((3, 0.0),)), 'uav_3/lambda = 0.0 must be above 0 and at most'),
    (ADVERSARY._replace(seq=2**60), f'adversary/seq = {2**60} is no sequence number'),
]
"""States and what is wrong with them."""


@pytest.mark.parametrize(
    'state',
    [AGENT, TARGET, ADVERSARY, AGENT._replace(seq=LARGEST_SEQ, silent=(DEAD,))],
)
def test_sound_states(state: State) -> None:
    assert is_sound(state)
    assert validation_error(state) == ''


@pytest.mark.parametrize(('state', 'text'), BAD)
def test_bad_states_are_refused_with_and_without_ros(state: State, text: str) -> None:
    assert not is_sound(state)
    assert validation_error(state).startswith(text)
    decoded = StateDecoder().decode(*encode([state]))
    assert decoded.states == []
    assert len(decoded.problems) == 1


NUMBERS = st.one_of(
    st.sampled_from([math.nan, math.inf, -math.inf, 1e9, -1e9, 1.0000001e9, 0.0, -0.0, 5e-324]),
    st.floats(-10.0, 10.0),
)
VECTORS = st.tuples(NUMBERS, NUMBERS, NUMBERS)
SEQS = st.integers(-1, 3)
SILENT = st.builds(SilentBody, st.just(4), VECTORS, VECTORS, NUMBERS)
STATES = st.one_of(
    st.builds(AgentState, st.just(3), SEQS, VECTORS, VECTORS, NUMBERS, NUMBERS,
              st.lists(st.tuples(st.just('q'), NUMBERS), max_size=1).map(tuple), NUMBERS,
              st.lists(SILENT, max_size=1).map(tuple)),
    st.builds(TargetState, SEQS, VECTORS, VECTORS,
              st.lists(st.tuples(st.just(3), NUMBERS), max_size=1).map(tuple), NUMBERS, NUMBERS),
    st.builds(AdversaryState, SEQS, VECTORS, VECTORS, NUMBERS),
)  # fmt: skip


@given(STATES)
@settings(max_examples=500)
def test_what_is_sound_is_what_a_listener_decodes(state: State) -> None:
    decoded = StateDecoder().decode(*encode([state]))
    assert decoded.states == ([state] if is_sound(state) else [])
    assert bool(validation_error(state)) is not is_sound(state)
