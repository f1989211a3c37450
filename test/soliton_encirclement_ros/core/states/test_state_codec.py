"""States on the wire: there and back, and everything that is not one."""

import math
import random
import string
import tracemalloc
from array import array
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core import AdversaryState, AgentState, TargetState
from soliton_encirclement_ros.core.errors import MalformedStateError
from soliton_encirclement_ros.core.states.bounded_cache import MAX_BYTES
from soliton_encirclement_ros.core.states.state_codec import NamedValues, StateDecoder, encode
from soliton_encirclement_ros.core.states.states import SilentBody, State
from velocity_mobility_ros.core.parameter_declaration import LARGEST_COORDINATE

NUMBER = st.floats(-LARGEST_COORDINATE, LARGEST_COORDINATE)
VECTOR = st.tuples(NUMBER, NUMBER, NUMBER)
SEQ = st.integers(0, 2**53)
FIELD = st.text(string.ascii_lowercase + '_/', min_size=1, max_size=8)
PROP = st.dictionaries(FIELD, NUMBER, max_size=3).map(lambda fields: tuple(fields.items()))
WEIGHTS = st.dictionaries(st.integers(1, 99), st.floats(1e-300, LARGEST_COORDINATE), max_size=5)
OTHERS = st.lists(st.integers(1, 99), unique=True, max_size=3)
BODY = st.tuples(VECTOR, VECTOR, st.floats(0.0, LARGEST_COORDINATE))

DEAD = SilentBody(8, (7.0, 8.0, 9.0), (0.1, 0.2, 0.3), 12.5)
AGENT = AgentState(3, 7, (1.0, 2.0, 3.0), (4.0, 5.0, 6.0), 0.5, -0.25, (('q', 9.0),))
TARGET = TargetState(8, (1.5, 2.5, 0.0), (0.1, 0.2, 0.0), ((3, 2.0), (4, 1.0)), 0.75)
ADVERSARY = AdversaryState(9, (40.0, 41.0, 42.0), (1.0, 1.0, 1.0))


@st.composite
def swarms(draw: st.DrawFn) -> list[State]:
    """Draw up to five agents, perhaps a target, perhaps an adversary, in any order."""
    ids = draw(st.lists(st.integers(1, 99), unique=True, max_size=5))
    states: list[State] = [
        AgentState(
            i,
            draw(SEQ),
            draw(VECTOR),
            draw(VECTOR),
            draw(NUMBER),
            draw(NUMBER),
            draw(PROP),
            silent=tuple(SilentBody(j, *draw(BODY)) for j in draw(OTHERS)),
            ring_member=draw(st.booleans()),
        )
        for i in ids
    ]
    if draw(st.booleans()):
        weights = tuple(draw(WEIGHTS).items())
        states.append(TargetState(draw(SEQ), draw(VECTOR), draw(VECTOR), weights, draw(NUMBER)))
    if draw(st.booleans()):
        states.append(AdversaryState(draw(SEQ), draw(VECTOR), draw(VECTOR)))
    return draw(st.permutations(states))


def by_owner(states: Sequence[State]) -> dict[object, State]:
    """Return states by owner; the order of weights says nothing, so it is removed."""
    return {
        getattr(state, 'agent_id', type(state)): state._replace(lambdas=frozenset(state.lambdas))
        if isinstance(state, TargetState)
        else state
        for state in states
    }


def decoded(values: NamedValues) -> list[State]:
    """Return the states of a message without problems."""
    states, problems, _ = StateDecoder().decode(*values)
    assert problems == []
    return states


def changed(name: str, position: float, velocity: float = 0.0) -> NamedValues:
    """Return a message of all three kinds with one entry replaced."""
    values = encode([AGENT, TARGET, ADVERSARY])
    i = values.names.index(name)
    values.positions[i], values.velocities[i] = position, velocity
    return values


def ringed(position: float, velocity: float = 0.0) -> NamedValues:
    """Return the three members, the agent with a value of ``ring_member``."""
    values = encode([AGENT, TARGET, ADVERSARY])
    values.names.append('uav_3/ring_member')
    values.positions.append(position)
    values.velocities.append(velocity)
    return values


def without(name: str) -> NamedValues:
    """Return a message of all three kinds with one entry missing."""
    values = encode([AGENT, TARGET, ADVERSARY])
    i = values.names.index(name)
    for column in values:
        del column[i]
    return values


@given(swarms())
def test_there_and_back(states: list[State]) -> None:
    """Any number of members of all kinds share one message and come back to the last bit."""
    assert by_owner(decoded(encode(states))) == by_owner(states)


def test_wire_form_of_an_agent() -> None:
    """The names of the contract, position and velocity side by side."""
    names, positions, velocities = encode([AGENT])
    assert names == [
        'uav_3/x', 'uav_3/y', 'uav_3/z', 'uav_3/seq', 'uav_3/u', 'uav_3/u_ss', 'uav_3/prop/q'
    ]  # fmt: skip
    assert positions == [1.0, 2.0, 3.0, 7.0, 0.5, -0.25, 9.0]
    assert velocities == [4.0, 5.0, 6.0, 0.0, 0.0, 0.0, 0.0]


def test_only_a_vehicle_that_is_no_member_of_the_ring_says_so() -> None:
    """So a state without the name is that of a member, as in bags from before there was one."""
    assert 'uav_3/ring_member' not in encode([AGENT]).names
    values = encode([AGENT._replace(ring_member=False)])
    assert values.positions[values.names.index('uav_3/ring_member')] == 0.0
    for value in (0.0, 1.0):
        assert StateDecoder().decode(*ringed(value)).states[0].ring_member is bool(value)


def test_wire_form_of_a_silent_agent_that_another_tells_of() -> None:
    names, positions, velocities = encode([AGENT._replace(silent=(DEAD,))])
    of_silent = [name.removeprefix('uav_3/silent/') for name in names[-4:]]
    assert of_silent == ['uav_8/x', 'uav_8/y', 'uav_8/z', 'uav_8/age']
    assert positions[-4:] == [7.0, 8.0, 9.0, 12.5]
    assert velocities[-4:] == [0.1, 0.2, 0.3, 0.0]


@pytest.mark.parametrize('field', ['z', 'age'])
def test_half_a_silent_agent_is_refused_and_the_other_members_count(field: str) -> None:
    values = encode([AGENT._replace(silent=(DEAD,)), TARGET])
    i = values.names.index(f'uav_3/silent/uav_8/{field}')
    for column in values:
        del column[i]
    states, problems, _ = StateDecoder().decode(*values)
    assert states == [TARGET]
    assert problems == [f"uav_3 lacks 'silent/uav_8/{field}'"]


def test_wire_form_of_target_and_adversary() -> None:
    """The target says the weights of the agents' arcs."""
    names = encode([TARGET, ADVERSARY]).names
    assert names[3:7] == ['target/seq', 'target/omega_ref', 'uav_3/lambda', 'uav_4/lambda']
    assert names[7:] == ['adversary/x', 'adversary/y', 'adversary/z', 'adversary/seq']


def test_optional_fields_default_to_zero() -> None:
    """A member needs a place and a number, no more."""
    for name in ('uav_3/u', 'uav_3/u_ss', 'uav_3/prop/q', 'target/omega_ref'):
        assert len(decoded(without(name))) == 3
    bare = NamedValues(['uav_1/x', 'uav_1/y', 'uav_1/z', 'uav_1/seq'], [0.0] * 4, [0.0] * 4)
    assert decoded(bare) == [AgentState(1, 0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))]


@pytest.mark.parametrize(
    ('message', 'text'),
    [
        ((['uav_1/x'], [], [0.0]), '1 names, 0 positions and 1 velocities differ in number'),
        (([], [0.0], [0.0]), '0 names, 1 positions and 1 velocities differ in number'),
        ((['uav_1/x', 'uav_1/x'], [0.0] * 2, [0.0] * 2), "repeated name 'uav_1/x'"),
        ((['joint_1'], [0.0], [0.0]), "unknown name 'joint_1'"),
        ((['uav_x/x'], [0.0], [0.0]), "unknown name 'uav_x/x'"),
        ((['uav_1/omega_ref'], [0.0], [0.0]), "unknown name 'uav_1/omega_ref'"),
        ((['uav_1/prop/'], [0.0], [0.0]), "unknown name 'uav_1/prop/'"),
        ((['uav_1/silent/uav_0/x'], [0.0], [0.0]), "unknown name 'uav_1/silent/uav_0/x'"),
        ((['target/silent/uav_2/x'], [0.0], [0.0]), "unknown name 'target/silent/uav_2/x'"),
        ((['/x'], [0.0], [0.0]), "unknown name '/x'"),
        ((['a' * 5000], [0.0], [0.0]), "unknown name 'aaaa"),
        ((['uav_' + '9' * 5000 + '/x'], [0.0], [0.0]), "unknown name 'uav_999"),
        ((['uav_7/x', 'uav_07/x'], [0.0] * 2, [0.0] * 2), "unknown name 'uav_07/x'"),
        ((['odom'], [0.1], [0.0]), "unknown name 'odom'"),
        ((['odom/age/x'], [0.1], [0.0]), "unknown name 'odom/age/x'"),
        ((['odom/age'] * 2, [0.1] * 2, [0.0] * 2), "repeated name 'odom/age'"),
    ],
)
def test_messages_of_the_wrong_shape(message: tuple, text: str) -> None:
    """The message as a whole is refused, in one short line."""
    with pytest.raises(MalformedStateError) as error:
        StateDecoder().decode(*message)
    assert str(error.value).startswith(text)
    assert len(str(error.value)) < 120 and '\n' not in str(error.value)


BAD_MEMBERS = [
    (changed('uav_3/x', math.nan), AgentState, 'uav_3/x = nan, 0.0 must be finite'),
    (changed('uav_3/y', 1.1e9), AgentState, 'uav_3/y = 1100000000.0, 0.0 must be finite and at'),
    (changed('uav_3/u', -math.inf), AgentState, 'uav_3/u = -inf, 0.0 must be finite'),
    (changed('uav_3/prop/q', math.nan), AgentState, 'uav_3/prop/q = nan, 0.0 must be finite'),
    (changed('target/omega_ref', math.nan), TargetState, 'target/omega_ref = nan'),
    (changed('adversary/y', math.nan), AdversaryState, 'adversary/y = nan'),
    (without('uav_3/x'), AgentState, "uav_3 lacks 'x'"),
    (without('uav_3/seq'), AgentState, "uav_3 lacks 'seq'"),
    (changed('uav_3/seq', -1.0), AgentState, 'uav_3/seq = -1.0 is no sequence number'),
    (changed('uav_3/seq', 1.5), AgentState, 'uav_3/seq = 1.5 is no sequence number'),
    (changed('uav_3/seq', 2.0**53 + 2.0), AgentState, 'uav_3/seq = 9007199254740994.0 is no'),
    (changed('uav_3/seq', math.nan), AgentState, 'uav_3/seq = nan is no sequence number'),
    (ringed(0.5), AgentState, 'uav_3/ring_member = 0.5 must be 0 or 1'),
    (ringed(0.0, math.inf), AgentState, 'uav_3/ring_member = 0.0, inf must be finite'),
    (changed('target/seq', -5.0), TargetState, 'target/seq = -5.0 is no sequence number'),
    (changed('uav_4/lambda', 0.0), TargetState, 'uav_4/lambda = 0.0 must be above 0'),
    (changed('uav_4/lambda', math.inf), TargetState, 'uav_4/lambda = inf must be above 0'),
    (changed('uav_4/lambda', -2.0), TargetState, 'uav_4/lambda = -2.0 must be above 0'),
]


@pytest.mark.parametrize(('values', 'victim', 'text'), BAD_MEMBERS)
def test_one_bad_member_does_not_spoil_the_others(
    values: NamedValues, victim: type, text: str
) -> None:
    """Exactly the bad member is missing, and one line says why."""
    states, problems, _ = StateDecoder().decode(*values)
    good = {AgentState, TargetState, AdversaryState} - {victim}
    assert {type(state) for state in states} == good
    assert len(problems) == 1 and problems[0].startswith(text)


def test_layout_memory_follows_alternating_layouts() -> None:
    """One decoder for senders with different layouts gives what fresh ones give."""
    turned = NamedValues(*(column[::-1] for column in encode([AGENT, TARGET])))
    messages = [encode([AGENT]), encode([TARGET]), turned, encode([ADVERSARY, AGENT]), encode([])]
    decoder, draw = StateDecoder(), random.Random(1)
    for _ in range(200):
        message = draw.choice(messages)
        assert decoder.decode(*message) == StateDecoder().decode(*message)


def test_layout_memory_survives_a_refused_message() -> None:
    """After a malformed message the next good one is read as ever."""
    decoder, message = StateDecoder(), encode([AGENT])
    decoder.decode(*message)
    for names in (['uav_3/x', 'uav_3/x'], ['nonsense', 'uav_3/x']):
        with pytest.raises(MalformedStateError, match='name'):
            decoder.decode(names, [0.0, 0.0], [0.0, 0.0])
        assert decoder.decode(*message).states == [AGENT]


def test_layout_memory_keeps_no_hold_of_the_callers_list() -> None:
    """A list of names that the caller changes later is read anew."""
    decoder, message = StateDecoder(), encode([AGENT])
    decoder.decode(*message)
    message.names[0], message.names[1] = message.names[1], message.names[0]
    assert decoder.decode(*message).states[0].position == (2.0, 1.0, 3.0)


def test_layout_memory_stays_right_when_it_overflows() -> None:
    """A thousand layouts in a row, each read twice with other numbers."""
    decoder = StateDecoder()
    for agent_id in range(1, 1001):
        for seq in (1, 2):
            state = AGENT._replace(agent_id=agent_id, seq=seq)
            assert decoder.decode(*encode([state])) == ([state], [], 0.0)


def test_layout_memory_is_bounded_in_bytes() -> None:
    """A stranger's names of a megabyte, each another one, are not kept all."""
    decoder, (names, *numbers) = StateDecoder(), encode([AGENT, TARGET])
    tracemalloc.start()
    for k in range(40):
        decoder.decode([*names, f'uav_9/prop/{"f" * 1_000_000}{k}'], *([*v, 0.0] for v in numbers))
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 4 * MAX_BYTES


@pytest.mark.parametrize('kind', [list, tuple])
def test_names_and_numbers_as_rclpy_hands_them_out(kind: type) -> None:
    """Names as list or tuple, numbers as array of doubles."""
    names, positions, velocities = encode([AGENT, TARGET, ADVERSARY])
    decoder = StateDecoder()
    for _ in range(2):
        found = decoder.decode(kind(names), array('d', positions), array('d', velocities))
        assert by_owner(found.states) == by_owner([AGENT, TARGET, ADVERSARY])
        assert found.problems == []


def test_weights_alone_are_nobody() -> None:
    """A weight without a target says nothing, and is no problem."""
    assert StateDecoder().decode(['uav_1/lambda'], [2.0], [0.0]) == ([], [], 0.0)


BAD_NUMBERS = [math.nan, math.inf, -math.inf, -1.0, 0.5, 1e308, -1e308]


def garbage(draw: random.Random) -> NamedValues:
    """Return a message that was good once: entries lost, doubled, renamed, made nonsense."""
    values = encode([AGENT, TARGET, ADVERSARY, AGENT._replace(agent_id=5)])
    for _ in range(draw.randint(0, 4)):
        damage(draw, values, draw.randrange(len(values.names)))
    if draw.random() < 0.1:
        draw.choice(values).pop()
    return values


def damage(draw: random.Random, values: NamedValues, i: int) -> None:
    """Spoil entry i in one of five ways."""
    kind = draw.randrange(5)
    if kind == 0:
        for column in values:
            del column[i]
    elif kind == 1:
        values.names[i] = ''.join(draw.choices('uavtrgex_/0127²\x00\n', k=draw.randint(0, 9)))
    elif kind == 2:
        values.names[i] = draw.choice(values.names)
    else:
        (values.positions if kind == 3 else values.velocities)[i] = draw.choice(BAD_NUMBERS)


def numbers(value: object) -> Iterator[float]:
    """Iterate over every number in a state, however deep."""
    if isinstance(value, tuple):
        for part in value:
            yield from numbers(part)
    elif not isinstance(value, str):
        yield float(value)


def test_two_thousand_garbage_messages() -> None:
    """Nothing but MalformedStateError is raised, and no state with a bad number comes out."""
    draw, decoder, refused = random.Random(20), StateDecoder(), 0
    for _ in range(2000):
        try:
            states, problems, _ = decoder.decode(*garbage(draw))
        except MalformedStateError:
            refused += 1
            continue
        for state in states:
            assert all(math.isfinite(number) for number in numbers(state))
            assert 0 <= state.seq <= 2**53
        assert all('\n' not in problem for problem in problems)
    assert 200 < refused < 1800


@pytest.mark.parametrize('states', [[], [ADVERSARY]])
@pytest.mark.parametrize('age', [0.0, 1 / 3])
def test_the_age_of_the_odometry_there_and_back(states: list[State], age: float) -> None:
    assert StateDecoder().decode(*encode(states, age)) == (states, [], age)
    assert encode(states, 0.0) == encode(states)


@pytest.mark.parametrize(
    ('age', 'rate', 'problem'),
    [
        (-0.1, 0.0, 'odom/age = -0.1 s must be at least 0'),
        (math.nan, 0.0, 'odom/age = nan, 0.0 must be finite'),
        (0.1, math.nan, 'odom/age = 0.1, nan must be finite'),
    ],
)
def test_what_is_no_age_is_refused(age, rate, problem):
    with pytest.raises(MalformedStateError, match=problem):
        StateDecoder().decode(['odom/age'], [age], [rate])
