"""States in messages, there and back; what is malformed is counted, never raised."""

import math
import tracemalloc
from collections import Counter

import pytest
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.core.states.bounded_cache import MAX_BYTES
from soliton_encirclement_ros.core.states.states import SilentBody
from soliton_encirclement_ros.nodes.state_messages import StateReader, StateWriter, decoded
from support.ros.bodies import adversary, agent, said, target
from velocity_mobility_ros.ros_io.messages.serialized_messages import CoordinateReader

pytestmark = pytest.mark.ros


class FakeHealth:
    """Counts refusals."""

    def __init__(self):
        """Start without any."""
        self.refused: Counter[str] = Counter()
        self.reasons: list[str] = []

    def refuse(self, source, reason, kind=''):
        """Take note of one."""
        self.refused[source] += 1
        self.reasons.append(reason)


@pytest.fixture
def health():
    """Return a counter of refusals."""
    return FakeHealth()


@pytest.fixture
def reader(health):
    """Return a reader of one topic."""
    return StateReader('/swarm/agent_states', health)


def opened(message):
    """Return a message as a reader sees it."""
    return decoded(CoordinateReader().read(serialize_message(message)))


STATES = [agent(3, 7, (1.0, 2.0, 3.0), (0.1, 0.2, 0.3), 0.5), target(4), adversary(9)]


def test_states_there_and_back(reader, health):
    parsed = reader.parse(StateWriter().write(1_500_000_000, STATES))
    assert (parsed.frame, parsed.stamp_ns) == ('map', 1_500_000_000)
    assert list(reader.read(parsed)) == STATES
    assert not health.refused


def test_silence_carries_the_name_and_no_state(reader, health):
    parsed = reader.parse(StateWriter().silence(5, 'uav_2'))
    assert (parsed.frame, parsed.is_silence, parsed.stamp_ns) == ('uav_2', True, 5)
    assert not reader.read(parsed)
    assert not health.refused


def test_a_malformed_message_is_counted(reader, health):
    """What is malformed, the codec says."""
    message = JointState(name=['uav_0/x'], position=[1.0], velocity=[0.0])
    message.header.frame_id = 'map'
    assert not reader.read(opened(message))
    assert health.refused == {'/swarm/agent_states': 1}
    assert health.reasons == ["unknown name 'uav_0/x'"]


@pytest.mark.parametrize('frame', ['', 'uav_3/odom'])
def test_a_place_in_another_frame_is_no_place_in_map(reader, health, frame):
    message = said(0, *STATES)
    message.header.frame_id = frame
    assert not reader.read(opened(message))
    assert health.reasons == [f"header.frame_id = {frame!r} must be 'map'"]


@pytest.mark.parametrize('value', [math.nan, math.inf])
def test_one_bad_member_does_not_spoil_the_others(reader, health, value):
    message = said(0, *STATES)
    message.position[0] = value
    assert list(reader.read(opened(message))) == STATES[1:]
    assert health.refused == {'/swarm/agent_states': 1}


@pytest.mark.parametrize(
    ('age_ns', 'fresh'), [(-1000, True), (1000, True), (1001, False), (-1001, False)]
)
def test_only_what_is_near_the_present_is_read(reader, health, age_ns, fresh):
    message = said(10**9, *STATES)
    assert bool(reader.read_fresh(opened(message), 10**9 + age_ns, 1000)) is fresh
    assert bool(health.refused) is not fresh


@pytest.mark.parametrize('data', [b'', b'nonsense', bytes(20)])
def test_what_is_no_message_is_counted(reader, health, data):
    assert reader.parse(data) is None
    assert reader.take(data, NOW_NS, TOLERANCE_NS) == ()
    assert health.reasons == [f'{len(data)} bytes are no JointState'] * 2


NOW_NS, TOLERANCE_NS = 2_000_000_000, 1_000_000_000
ONE = agent(3, 7, (1.0, 2.0, 3.0), (0.1, 0.2, 0.3), 0.5)
MESSAGES = {
    'one agent': [ONE],
    'an old one': [ONE._replace(age=0.25, prop=(('q', 1.5),))],
    'several members': STATES,
    'one that tells of another': [ONE._replace(silent=(SilentBody(4, *ONE[2:4], 1.0),))],
    'no member of the ring': [ONE._replace(ring_member=False)],
    'the target alone': [target(4)],
    'an agent and a weight': [ONE, target(4)._replace(lambdas=((3, 2.0),))],
    'a number that is too large': [ONE._replace(u=1e10)],
    'no number': [ONE._replace(position=(1.0, math.nan, 0.0))],
    'a negative age': [ONE._replace(age=-0.1)],
    'a negative number': [ONE._replace(seq=-1)],
    'half a number': [ONE._replace(seq=1.5)],
    'a number without end': [ONE._replace(seq=math.inf)],
    'a lost number': [ONE._replace(seq=2.0**53 + 2)],
}


@pytest.mark.parametrize('states', MESSAGES.values(), ids=MESSAGES)
@pytest.mark.parametrize('stamp_ns', [1_500_000_000, 2_100_000_000, 500_000_000])
def test_taken_at_once_is_as_parsed_and_read(states, stamp_ns):
    """From the second message on, states of one agent go a shorter way."""
    data = StateWriter().write(stamp_ns, states)
    for _ in range(3):
        healths = FakeHealth(), FakeHealth()
        short, long = (StateReader('/topic', health) for health in healths)
        wanted = long.read_fresh(long.parse(data), NOW_NS, TOLERANCE_NS)
        assert list(short.take(data, NOW_NS, TOLERANCE_NS)) == wanted
        assert healths[0].reasons == healths[1].reasons


@pytest.mark.parametrize('column', ['velocity', 'effort'])
def test_a_bad_number_in_a_message_of_known_form(reader, health, column):
    message = said(1_900_000_000, ONE)
    message.effort = [0.0] * len(message.name)
    reader.take(serialize_message(message), NOW_NS, TOLERANCE_NS)
    setattr(message, column, [math.nan] * len(message.name))
    found = reader.take(serialize_message(message), NOW_NS, TOLERANCE_NS)
    if column == 'effort':  # it is not used
        assert list(found) == [ONE._replace(age=pytest.approx(0.1))]
    else:
        assert (list(found), health.refused.total()) == ([], 1)


def test_what_is_remembered_is_bounded_in_bytes(reader, health):
    """A stranger's messages of a megabyte, each another one, are not kept all."""
    states = [target(4), ONE._replace(prop=(('f' * 1_000_000, 1.0),))]
    tracemalloc.start()
    for stamp_ns in range(64):
        data = StateWriter().write(stamp_ns, states)
        assert list(reader.read(reader.parse(data))) == states
    del data
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 4 * MAX_BYTES


def test_what_comes_again_is_decoded_once(reader):
    data = StateWriter().write(3, STATES)
    assert reader.parse(data) is reader.parse(bytes(bytearray(data)))
