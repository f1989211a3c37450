"""What byzantine agents publish."""

import math

import numpy as np
import pytest

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.parameters.run_parameters import RadioParameters
from soliton_encirclement_ros.core.radio_delivery import Medium
from soliton_encirclement_ros.core.states.states import (
    AdversaryState, AgentState, State, TargetState, is_sound
)

MEMBERS = ('uav_1', 'uav_2', 'uav_3', 'target', 'adversary')


def truth(n: int) -> AgentState:
    """Return what agent 2 truly says at second n."""
    return AgentState(2, n, (n * 1.0, 2.0, 3.0), (0.5 * n, 0.0, 0.0), 0.1 * n, 0.2 * n)


def medium_with(text: str, seed: int = 1) -> Medium:
    """Return a radio with byzantine agents."""
    return Medium(RadioParameters(byzantine=text), seed, MEMBERS)


def told(text: str, times: range, seed: int = 1) -> list[State]:
    """Return what agent 2 tells the others, one message a second."""
    medium = medium_with(text, seed)
    return [medium.falsified('uav_2', truth(n), n, float(n)) for n in times]


def test_frozen_repeats_the_first_words_of_the_window() -> None:
    heard = told('3..6: 2 frozen', range(8))
    for n, state in enumerate(heard):
        assert isinstance(state, AgentState)
        first = truth(3) if 3 <= n < 6 else truth(n)
        expected = (n, first.position, first.velocity, first.u, truth(n).u_ss)
        assert (state.seq, state.position, state.velocity, state.u, state.u_ss) == expected


def test_frozen_again_freezes_anew() -> None:
    heard = told('1..3: 2 frozen; 5..: 2 frozen', range(8))
    assert [state.position[0] for state in heard] == [0.0, 1.0, 1.0, 3.0, 4.0, 5.0, 5.0, 5.0]


def test_offset_moves_the_position() -> None:
    (state,) = told('0..: 2 offset 5 -3.5', range(4, 5))
    assert state == truth(4)._replace(position=(9.0, -1.5, 3.0))


def test_random_scatters_evenly_around_the_truth() -> None:
    heard = told('0..: 2 random 8', range(5000))
    dx = np.array([state.position[0] - n for n, state in enumerate(heard)])
    dy = np.array([state.position[1] - 2.0 for state in heard])
    for shift in (dx, dy):
        assert -8.0 <= shift.min() < -7.9 and 7.9 < shift.max() < 8.0
        assert abs(shift.mean()) < 4.0 * 16.0 / math.sqrt(12.0 * len(shift))
    assert abs(np.corrcoef(dx, dy)[0, 1]) < 4.0 / math.sqrt(len(dx))
    assert {state.position[2] for state in heard} == {3.0}
    assert told('0..: 2 random 8', range(10), seed=2) != heard[:10]


def test_random_is_not_shifted_by_when_the_lie_begins() -> None:
    assert told('5..: 2 random 8', range(10))[5:] == told('0..: 2 random 8', range(10))[5:]


def test_nan_is_refused_by_every_listener() -> None:
    (state,) = told('0..: 2 nan', range(1))
    assert all(map(math.isnan, state.position))
    assert not is_sound(state)


def test_mirrored_is_on_the_other_side_of_the_target() -> None:
    state = medium_with('0..: 2 mirrored').falsified('uav_2', truth(4), 4, 4.0, (1.0, -1.0, 9.0))
    assert state == truth(4)._replace(position=(-2.0, -4.0, 3.0))


def carried(text: str, *senders: int) -> list[AgentState]:
    """Return what the target hears of agents that send at 0, 1, ... s, in order."""
    medium, heard = medium_with(text), []
    places = dict.fromkeys(MEMBERS, (0.0, 0.0, 0.0))
    for n in range(4):
        for k in senders:
            state = truth(n)._replace(agent_id=k, position=(10.0 * k + n, 0.0, 0.0))
            medium.carry(f'uav_{k}', state, n, n * 10**9, float(n), places)
        heard += [message.state for message in medium.arrive(n * 10**9)['target']]
    return heard


@pytest.mark.parametrize('order', [(2, 3), (3, 2)])
def test_repeat_is_a_message_late_whoever_speaks_first(order: tuple[int, int]) -> None:
    heard = [state for state in carried('1..: 2 repeat 3', *order) if state.agent_id == 2]
    assert [state.position[0] for state in heard] == [20.0, 21.0, 31.0, 32.0]
    assert [state.seq for state in heard] == [0, 1, 2, 3]


def test_a_sybil_speaks_in_a_silent_name_only() -> None:
    heard = carried('2..: 2 sybil 3', 2)
    alone = [(state.agent_id, state.seq, state.position[0]) for state in heard]
    assert alone == [(2, 0, 20.0), (2, 1, 21.0), (2, 2, 22.0), (3, 2, -22.0), (2, 3, 23.0),
                     (3, 3, -23.0)]  # fmt: skip
    both = carried('2..: 2 sybil 3', 2, 3)
    assert [state.position[0] for state in both if state.agent_id == 3] == [30.0, 31.0, 32.0, 33.0]


@pytest.mark.parametrize(
    'state',
    [
        TargetState(1, (1.0, 2.0, 0.0), (0.0, 0.0, 0.0), ((1, 1.0),), 0.2),
        AdversaryState(1, (1.0, 2.0, 0.0), (0.0, 0.0, 0.0)),
    ],
)
def test_target_and_adversary_may_lie_too(state: State) -> None:
    name = 'target' if isinstance(state, TargetState) else 'adversary'
    later = state._replace(seq=2, position=(7.0, 7.0, 0.0))
    medium = medium_with(f'0..: {name} frozen')
    medium.falsified(name, state, 1, 0.0)
    assert medium.falsified(name, later, 2, 1.0) == state._replace(seq=2)


def test_lies_add_up_in_the_order_of_the_text() -> None:
    heard = told('0..: 2 offset 1 0; 1..: 2 offset 0 1', range(2))
    assert [state.position for state in heard] == [(1.0, 2.0, 3.0), (2.0, 3.0, 3.0)]


def test_the_others_tell_the_truth() -> None:
    medium = medium_with('0..: 2 nan')
    assert medium.falsified('uav_3', truth(4), 0, 0.0) == truth(4)


@pytest.mark.parametrize(
    ('text', 'message'),
    [
        ('0..: 2', "'2' must be WHO KIND NUMBERS"),
        ('0..: 2 mad', "'2 mad' has the kind 'mad', must be one of frozen, offset, random, nan"),
        ('0..: 2 offset 5 x', "'2 offset 5 x' must be WHO offset DX DY"),
        ('0..: 2 offset 1e10 0', "'2 offset 1e10 0' must be WHO offset DX DY"),
        ('0..: 2 random -1', "'2 random -1' must be WHO random S with S at least 0"),
        ('0..: 2 random', "'2 random' must be WHO random S with S at least 0"),
        ('0..: 2 frozen 1', "'2 frozen 1' must be WHO frozen"),
        ('0..: 2 repeat 2', "'2 repeat 2' must be WHO repeat K with the number K of another"),
        ('0..: target repeat 2', 'must be WHO repeat K'),
        ('0..: 2 sybil 9', "'9' names no member"),
    ],
)
def test_bad_texts(text: str, message: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        medium_with(text)
    assert str(caught.value).startswith('radio.byzantine: ')
    assert message in str(caught.value)
