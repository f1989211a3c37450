"""What was said is judged as the swarm itself judges it."""

import math
import random
from pathlib import Path

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
from soliton_encirclement_ros.core.errors import MalformedStateError
from soliton_encirclement_ros.core.states.state_codec import StateDecoder
from soliton_encirclement_ros.core.states.states import AgentState, TargetState
from soliton_encirclement_ros.core.states.swarm_topics import TARGET, uav
from support.recorded.bags import Raw, Scribe, flight, write_bag

START = 1_700_000_000 * 10**9
JOINTS = 'sensor_msgs/msg/JointState'
ODD = (math.nan, math.inf, -math.inf, 1e308, -5.0, 0.5, 2.0**54, 1e10, 0.0)


def random_message(draw: random.Random) -> tuple[list[str], list[float], list[float]]:
    """Return names, positions and velocities, some of them wrong in one way or another."""
    names: list[str] = []
    for owner in draw.sample(('uav_1', 'uav_2', TARGET), draw.randint(1, 3)):
        fields = ['x', 'y', 'z', 'seq']
        fields += draw.sample(['age'], draw.randint(0, 1))
        if owner != TARGET:
            fields += draw.sample(['u', 'u_ss', 'prop/q', 'lambda'], draw.randint(0, 4))
        elif draw.random() < 0.5:
            fields.append('omega_ref')
        names += [f'{owner}/{field}' for field in fields]
    if draw.random() < 0.1:
        names.append(draw.choice([*names, 'uav_1/speed', 'nobody', 'uav_01/x']))
    if draw.random() < 0.1:
        names.pop(draw.randrange(len(names)))
    positions = [float(draw.randint(1, 9)) for _ in names]
    velocities = [0.0 if draw.random() < 0.7 else draw.uniform(-1, 1) for _ in names]
    for values in (positions, velocities):
        if draw.random() < 0.2:
            values[draw.randrange(len(values))] = draw.choice(ODD)
    if draw.random() < 0.05:
        velocities = []
    return names, positions, velocities


def expected(messages: list[tuple[list[str], list[float], list[float]]]) -> dict[str, list]:
    """Return what a node would have taken from these, by member."""
    decoder, told = StateDecoder(), {}
    for message in messages:
        try:
            states = decoder.decode(*message).states
        except MalformedStateError:
            continue
        for state in states:
            owner = uav(state.agent_id) if isinstance(state, AgentState) else TARGET
            told.setdefault(owner, []).append(state)
    return told


@pytest.mark.parametrize('seed', range(2))
def test_the_same_words_are_refused_as_in_flight(tmp_path: Path, seed: int) -> None:
    draw, scribe = random.Random(seed), Scribe()
    messages = [random_message(draw) for _ in range(400)]
    raws = [Raw('/swarm/agent_states', JOINTS, START + k * 10**7,
                scribe.joints(START + k * 10**7, *message))
            for k, message in enumerate(messages)]  # fmt: skip
    members = read_recording(write_bag(tmp_path / 'bag', raws)).members
    told = expected(messages)
    assert set(members) == set(told)
    for owner, states in told.items():
        words = members[owner].states
        assert words.seq.tolist() == [state.seq for state in states]
        assert words.position.tolist() == [list(state.position) for state in states]
        assert words.velocity.tolist() == [list(state.velocity) for state in states]
        assert np.nan_to_num(words.values['age']).tolist() == [state.age for state in states]
        if isinstance(states[0], TargetState):
            omega = np.nan_to_num(words.values['omega_ref']).tolist()
            assert omega == [state.omega_ref for state in states]
            for k in (1, 2):
                weights = np.nan_to_num(words.values[f'uav_{k}/lambda']).tolist()
                assert weights == [dict(state.lambdas).get(k, 0.0) for state in states]
        else:
            told_u = np.nan_to_num(words.values['u']).tolist()
            assert told_u == [state.u for state in states]
            fields = np.nan_to_num(words.values['prop/q']).tolist()
            assert fields == [dict(state.prop).get('q', 0.0) for state in states]


def test_a_handshake_is_no_problem(tmp_path: Path) -> None:
    empty = Raw('/swarm/agent_states', JOINTS, START, Scribe().joints(0, [], []))
    recording = read_recording(write_bag(tmp_path / 'bag', [empty, *flight(Scribe())]))
    assert recording.problems == () and list(recording.members) == ['uav_1']
