"""The recorder as a real node: what is said ends up in the bag, byte by byte."""

import errno
import itertools
import math
import sys
import time

import pytest
import rclpy
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rcl_interfaces.msg import Log
from rclpy.parameter import Parameter
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rclpy.serialization import serialize_message
from rosbags.rosbag2 import Reader
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from soliton_encirclement_ros.core.states.swarm_topics import ROOT
from soliton_encirclement_ros.nodes.observers import (
    fleet_diagnostics, recorder_node, topic_discovery
)
from soliton_encirclement_ros.nodes.observers.fleet_diagnostics import (
    ENDED, MISSED, OUTPUT, ObserverWatch
)
from soliton_encirclement_ros.nodes.observers.monitor_node import MonitorNode
from soliton_encirclement_ros.nodes.observers.recorder_node import RecorderNode
from support.cli import Process
from support.recorded.run_folder import read_bag_with_mcap, read_bag_with_rosbags, stream_log_times
from support.ros.bodies import agent, odometry, said
from support.ros.sent_messages import command_to_twist
from support.ros.told import ERROR, OK, STALE, Told
from velocity_mobility_ros.core.user_errors import StartupError
from velocity_mobility_ros.ros_io.conditions import Level
from velocity_mobility_ros.ros_io.endpoints import COMMAND, LATCHED, LOCKSTEP, STATE
from velocity_mobility_ros.ros_io.node_time import ns_to_time

pytestmark = pytest.mark.ros

STATUS = 'recorder: recording'


@pytest.fixture
def record(ros, tmp_path):
    """Return a maker of recorders that write into the test's folder."""
    return lambda **parameters: ros.make(
        RecorderNode, None, run_folder=str(tmp_path), **parameters
    )


def test_messages_are_recorded_as_they_were(ros, tmp_path, record):
    node = record()
    voices = {
        kind: ros.voice(kind, topic, qos)
        for kind, topic, qos in (
            (Twist, '/uav_1/cmd_vel', COMMAND),
            (Odometry, '/uav_1/odom', STATE),
            (String, '/note', COMMAND),
            (JointState, '/swarm/agent_states', LOCKSTEP),
        )
    }
    sent = [
        command_to_twist((1.0, 2.0, 3.0), 0.4),
        odometry(5, (1.5, 2.5, 3.5), (0.1, 0.2, 0.3)),
        String(data='grüezi'),
        said(7, agent(1, 1, (1.0, 2.0, 3.0))),
    ]
    before = time.time_ns()
    for message in sent:
        voices[type(message)].publish(message)
    ros.until(lambda: node.diagnostic_values()['messages'] >= 4, 'four messages')
    node.close()
    bag = read_bag_with_mcap(tmp_path / 'bag')
    found = bag['/uav_1/cmd_vel'][0].message.linear
    assert (found.x, found.y, found.z) == (1.0, 2.0, 3.0)
    assert bag['/uav_1/odom'][0].message.pose.pose.position.x == 1.5
    assert bag['/note'][0].message.data == 'grüezi'
    assert list(bag['/swarm/agent_states'][0].message.name) == list(sent[3].name)
    for topic in ('/uav_1/cmd_vel', '/note'):
        assert before <= bag[topic][0].logged_ns <= time.time_ns()
    assert set(read_bag_with_rosbags(tmp_path / 'bag')) == set(bag)


def test_streams_are_recorded_without_repetition_if_asked_for(ros, tmp_path, record):
    """The bag still says what was offered; what comes once is repeated if it gets lost."""
    node = record(stream_reliability='best_effort')
    kinds = {'/a/odom': Odometry, '/a/cmd_vel': Twist, '/a/telemetry': JointState, '/note': String}
    for topic, kind in kinds.items():
        ros.voice(kind, topic, COMMAND).publish(kind())
    ros.until(lambda: node.diagnostic_values()['messages'] >= len(kinds), 'all messages')
    asked = {
        topic: node.get_subscriptions_info_by_topic(topic)[0].qos_profile.reliability.name
        for topic in kinds
    }
    streams = dict.fromkeys(kinds, 'BEST_EFFORT')
    assert asked == {**streams, '/note': 'RELIABLE'}
    node.close()
    with Reader(tmp_path / 'bag') as reader:
        offered = {c.topic: c.ext.offered_qos_profiles[0] for c in reader.connections}
    assert {offered[topic].reliability.name for topic in kinds} == {'RELIABLE'}


def test_the_offered_quality_of_service_is_kept(ros, tmp_path, record):
    node = record()
    ros.voice(Odometry, '/a/odom', LOSSY).publish(Odometry())
    ros.voice(Twist, '/a/cmd_vel', COMMAND).publish(Twist())
    ros.until(lambda: node.diagnostic_values()['messages'] >= 2, 'two messages')
    node.close()
    with Reader(tmp_path / 'bag') as reader:
        offered = {c.topic: c.ext.offered_qos_profiles[0] for c in reader.connections}
    assert offered['/a/odom'].reliability.name == 'BEST_EFFORT'
    assert offered['/a/cmd_vel'].reliability.name == 'RELIABLE'


def test_topics_can_be_chosen(ros, tmp_path, record):
    node = record(include='/keep.*', exclude='/keep/not')
    kept = ros.voice(String, '/keep/this')
    others = [ros.tester.create_publisher(String, topic, COMMAND)
              for topic in ('/other', '/keep/not')]  # fmt: skip
    known = lambda: {topic for topic, _ in node.get_topic_names_and_types()}  # noqa: E731
    ros.until(lambda: known() >= {'/other', '/keep/not'}, 'all topics')
    node.search()
    assert [other.get_subscription_count() for other in others] == [0, 0]
    for voice in (*others, kept):
        voice.publish(String(data='x'))
    ros.until(lambda: node.messages >= 1, 'the message')
    node.close()
    assert set(read_bag_with_mcap(tmp_path / 'bag')) == {'/keep/this'}


def test_the_log_of_ros_is_left_out_and_changed_parameters_are_not(ros, tmp_path, record):
    node = record()
    ros.tester.create_publisher(Log, '/rosout', COMMAND).publish(Log(msg='hello'))
    ros.tester.declare_parameter('gain', 0)
    gains = itertools.count(1)

    def change():
        ros.tester.set_parameters([Parameter('gain', value=next(gains))])
        return node.messages >= 1

    ros.until(change, 'a change on record')
    node.close()
    bag = read_bag_with_mcap(tmp_path / 'bag')
    assert set(bag) == {'/parameter_events'}
    changed = [[p.name for p in m.message.changed_parameters] for m in bag['/parameter_events']]
    assert ['gain'] in changed


@pytest.mark.usefixtures('simulated')
def test_in_lockstep_messages_are_logged_at_the_time_of_their_stamp(ros, tmp_path, record):
    node = record(lockstep=True)
    clock = ros.voice(Clock, '/clock', LOCKSTEP)
    odom = ros.voice(Odometry, '/uav_1/odom', LOCKSTEP)
    note = ros.voice(String, '/note', LOCKSTEP)
    for stamp_ns in (50_000_000, 100_000_000):
        clock.publish(Clock(clock=ns_to_time(stamp_ns)))
        odom.publish(odometry(stamp_ns, (0.0, 0.0, 0.0)))
        ros.meanwhile(0.05)
        note.publish(String())
        ros.meanwhile(0.05)
    assert node.messages == 6
    node.close()
    bag = read_bag_with_mcap(tmp_path / 'bag')
    for topic in ('/clock', '/uav_1/odom', '/note'):
        assert [m.logged_ns for m in bag[topic]] == [50_000_000, 100_000_000], topic


@pytest.mark.usefixtures('simulated')
def test_what_is_recorded_is_on_disk_within_seconds(ros, tmp_path, record):
    node = record()
    ros.voice(String, '/note').publish(String(data='x' * 100))
    ros.meanwhile(5.0)
    assert len(stream_log_times(tmp_path / 'bag' / 'bag.mcap')) == node.messages == 1
    node.close()


@pytest.mark.usefixtures('simulated')
def test_what_has_arrived_when_the_recorder_ends_is_in_the_bag(ros, tmp_path, record):
    node, voice = record(), ros.voice(String, '/note', readers=0)
    ros.until(lambda: '/note' in node.tallies, 'the topic')
    voice.publish(String(data='last'))
    node.close()
    assert [m.message.data for m in read_bag_with_mcap(tmp_path / 'bag')['/note']] == ['last']


@pytest.mark.parametrize('is_asked_again', [False, True])
def test_who_is_asked_to_end_records_what_bridges_say_until_they_have_left(
    ros, tmp_path, record, monkeypatch, is_asked_again
):
    monkeypatch.setattr(recorder_node, 'FIRST_BRIDGE', math.inf)
    monkeypatch.setattr(recorder_node, 'LAST_BRIDGE', math.inf)
    node = record(include='.*/bridge_state')
    voice = ros.voice(DiagnosticStatus, '/uav_1/bridge_state', LATCHED)
    begun = []

    def at_once():
        if not begun:
            begun.append(voice.publish(DiagnosticStatus(message='hands over')))
        is_taken = bool(node.messages)
        if is_taken and not is_asked_again and voice in ros.tester.publishers:
            ros.tester.destroy_publisher(voice)
        ros.spin()  # the executor lets go of what is destroyed
        return is_taken and is_asked_again

    node.hand_over(at_once)
    node.close()
    assert node.count_publishers('/uav_1/bridge_state') == int(is_asked_again)
    assert len(read_bag_with_rosbags(tmp_path / 'bag')['/uav_1/bridge_state']) == 1


def test_who_ends_alone_waits_for_no_bridge_for_long(ros, record, monkeypatch):
    monkeypatch.setattr(recorder_node, 'FIRST_BRIDGE', 0.0)
    node = record(include='.*/bridge_state')
    ros.voice(DiagnosticStatus, '/uav_1/bridge_state', LATCHED)
    node.hand_over(lambda: False)
    assert node.count_publishers('/uav_1/bridge_state') == 1


@pytest.mark.usefixtures('simulated')
def test_a_full_disk_ends_the_recording_and_keeps_what_there_was(
    ros, tmp_path, record, monkeypatch
):
    node, told = record(), Told(ros)
    voice = ros.voice(String, '/note')
    voice.publish(String(data='kept'))
    ros.until(lambda: told.shows(STATUS, OK), 'the message')

    def refuse(*_):
        raise OSError(errno.ENOSPC, 'No space left on device')

    monkeypatch.setattr(node.recording._bag, 'write', refuse)
    for text in ('lost', 'lost, too'):
        voice.publish(String(data=text))
        ros.meanwhile(2.5)
        assert not node.complete
        reason = 'No space left on device; recording stopped, everything before is kept'
        assert told.shows(STATUS, ERROR, reason)
    node.close()
    found = read_bag_with_rosbags(tmp_path / 'bag')['/note']
    assert [m.message.data for m in found] == ['kept']


@pytest.mark.usefixtures('simulated')
def test_a_topic_that_cannot_be_recorded_stays_in_the_status(ros, record, monkeypatch):
    node, told = record(), Told(ros)
    monkeypatch.setattr(node, 'learn', lambda kind: kind != 'sensor_msgs/msg/JointState')
    ros.tester.create_publisher(JointState, '/note', 10)
    ros.meanwhile(3.5)
    text = '/note: sensor_msgs/msg/JointState has no known definition; not recorded'
    assert len(told.statuses(STATUS)) > 2 and told.shows(STATUS, STALE, text)


@pytest.fixture
def stranger(ros):
    """Return a node with a participant of its own, which may use another type for a topic."""
    context = rclpy.Context()
    rclpy.init(args=[], context=context, domain_id=ros.domain)
    node = rclpy.create_node('stranger', context=context)
    yield node
    node.destroy_node()
    context.shutdown()


def test_the_type_is_that_of_the_publishers_whatever_others_subscribe(
    ros, tmp_path, record, stranger
):
    stranger.create_subscription(Twist, '/note', print, COMMAND)
    publisher = ros.tester.create_publisher(String, '/note', COMMAND)
    types = lambda: dict(ros.tester.get_topic_names_and_types())['/note']  # noqa: E731
    ros.until(lambda: len(types()) == 2, 'both types')
    node = record()
    ros.until(lambda: publisher.get_subscription_count() == 1, 'the recorder')
    publisher.publish(String(data='heard'))
    ros.until(lambda: node.messages >= 1, 'the message')
    assert node.reports == []
    stranger.create_publisher(Twist, '/note', COMMAND)
    ros.until(lambda: node.reports, 'a warning')
    line = '/note: also published as geometry_msgs/msg/Twist; only std_msgs/msg/String is recorded'
    assert node.reports == [line]
    assert (Level.WARN, line) in [condition[:2] for condition in node.conditions()]
    node.close()
    assert [m.message.data for m in read_bag_with_mcap(tmp_path / 'bag')['/note']] == ['heard']


def test_an_existing_bag_is_not_overwritten_and_the_parameter_is_named(ros, tmp_path):
    with pytest.raises(StartupError, match=r"bag = '.*' exists already: name a new folder, or "):
        ros.make(RecorderNode, None, bag=str(tmp_path))


def test_one_that_is_restarted_adds_a_bag_to_those_that_are_there(ros, tmp_path, record):
    for name in ('bag', 'bag_2', 'bag_3'):
        node = record()
        assert node.folder == tmp_path / name
        ros.remove(node)
        assert (tmp_path / name / 'metadata.yaml').is_file()


def test_a_folder_that_cannot_be_written_is_named(ros):
    with pytest.raises(StartupError, match='/proc/no/bag: cannot create the bag'):
        ros.make(RecorderNode, None, run_folder='/proc/no')


LATCHED_NOTES = QoSProfile(
    depth=100,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
)
LOSSY = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)


def test_a_publisher_that_comes_later_and_offers_less_is_heard_and_nobody_twice(
    ros, tmp_path, monkeypatch
):
    monkeypatch.setattr(topic_discovery, 'HANDOVER', 0.5)
    lines: list[str] = []
    settings = parameters_of({'run_folder': str(tmp_path)})
    node = ros.add(RecorderNode(lines.append, parameter_overrides=settings))
    first = ros.voice(String, '/note', LATCHED_NOTES)
    first.publish(String(data='0'))
    ros.until(lambda: node.messages >= 1, 'the first')
    second = ros.tester.create_publisher(String, '/note', LOSSY)
    sent, numbers = ['0'], itertools.count(1)

    def speak():
        number = next(numbers)
        sent.append(f'first {number}')
        first.publish(String(data=sent[-1]))
        second.publish(String(data=f'second {number}'))

    def handed_over():
        speak()
        heard = node.messages - len(sent) > 30  # the second one is heard as well
        return heard and node._hearing._subscriptions['/note']._old is None

    ros.until(handed_over, 'the weaker subscription alone')
    sent.append('last')
    written, write = [], node.recording.write
    monkeypatch.setattr(
        node.recording, 'write', lambda *said: (written.append(said[-1]), write(*said))
    )
    first.publish(String(data='last'))
    ros.until(lambda: any(b'last' in data for data in written), 'the last')
    node.close()
    found = [m.message.data for m in read_bag_with_mcap(tmp_path / 'bag')['/note']]
    assert len(found) == len(set(found))
    strong = [data for data in found if not data.startswith('second')]
    assert sorted(strong) == sorted(sent)
    assert lines == ['/note: a new publisher offers less; now subscribed as best effort']


@pytest.mark.usefixtures('simulated')
def test_who_joins_a_simulation_waits_for_its_clock_and_loses_nothing(ros, tmp_path):
    names = {'run_folder': str(tmp_path), 'lockstep': True, 'join': True, 'exclude': '/clock'}
    lines: list[str] = []
    node = ros.add(RecorderNode(lines.append, parameter_overrides=parameters_of(names)))
    latched = ros.voice(String, '/map', LATCHED_NOTES)
    odom = ros.voice(Odometry, '/uav_1/odom', COMMAND)
    latched.publish(String(data='the map'))
    odom.publish(odometry(7_199_000_000_000, (0.0, 0.0, 0.0)))
    ros.meanwhile(0.3)
    assert node.messages == 0 and node.waiting_for == 'waiting for simulated time on /clock'
    clock = ros.voice(Clock, '/clock', COMMAND)
    clock.publish(Clock(clock=ns_to_time(7_200_000_000_000)))
    ros.until(lambda: node.messages == 2, 'what was said before')
    odom.publish(odometry(7_200_500_000_000, (0.0, 0.0, 0.0)))
    ros.until(lambda: node.messages == 3, 'the odometry')
    clock.publish(Clock(clock=ns_to_time(1_000_000_000)))
    ros.until(lambda: lines, 'the report')
    node.close()
    bag = read_bag_with_mcap(tmp_path / 'bag')
    assert {topic: [m.logged_ns for m in messages] for topic, messages in bag.items()} == {
        '/map': [7_200_000_000_000],
        '/uav_1/odom': [7_199_000_000_000, 7_200_500_000_000],
    }
    assert lines == ['simulated time went back by 7199 s']


@pytest.mark.usefixtures('simulated')
def test_its_own_words_are_nothing_to_record(ros, record):
    node = record()
    ros.meanwhile(1.3)
    assert (node.messages, node.waiting_for) == (0, 'waiting for a topic to record')
    ros.voice(String, '/note')
    assert node.waiting_for == 'waiting for the first message on 1 topics'
    node.close()


def test_diagnostics_that_are_damaged_are_recorded_as_they_are(record):
    node = record()
    status = DiagnosticStatus(name='monitor: metrics', hardware_id='monitor')
    data = serialize_message(DiagnosticArray(status=[status]))
    for size in (len(data), len(data) - 5):
        node.take('/diagnostics', 'diagnostic_msgs/msg/DiagnosticArray', data[:size])
    assert node.recording.is_open


def test_the_death_of_the_monitor_is_told_and_its_return(ros, record, monkeypatch):
    monkeypatch.setattr(fleet_diagnostics, 'MISSED', 1)
    node, told = record(), Told(ros)
    monitor = ros.make(MonitorNode)
    line = 'the monitor has died (no word of it for 1 s): no metrics and no tables are written'
    ros.until(lambda: node.tallies.get('/diagnostics'), 'diagnostics')
    ros.until(lambda: told.shows('monitor: metrics', STALE), 'its first word')
    ros.meanwhile(1.5)
    monitor.close = lambda: None  # it is killed: there are no last words
    ros.remove(monitor)
    ros.until(lambda: told.shows(STATUS, ERROR, line), 'the news')
    ros.until(lambda: told.logged('recorder', line), 'the news in the log')
    ros.remove(ros.make(MonitorNode))
    ros.until(lambda: told.logged('recorder', 'monitor: ok again'), 'the return')
    ros.meanwhile(2.5)
    assert not told.shows(STATUS, ERROR, line)
    ros.make(MonitorNode)
    ros.until(lambda: told.shows('monitor: metrics', STALE), 'one more')
    ros.meanwhile(1.5)
    node.recording.close()  # as when the disk is full: it hears nobody any more
    ros.meanwhile(2.5)
    assert not told.shows(STATUS, ERROR, line)


@pytest.mark.parametrize(
    ('words', 'death'),
    [
        ([('False', 'bag'), ('', ''), ('False', 'bag')], ''),
        ([('False', 'bag'), ('', '')], 'the recorder has died, and was not started again'),
        ([('False', 'bag'), ('False', 'bag_2')], 'the recorder had died, and was started again'),
        ([('False', 'bag'), ('True', 'bag'), ('', '')], ''),
        ([('True', 'bag'), ('False', 'bag_2')], ''),
        ([('', '')], ''),
    ],
    ids=('stuck', 'dead', 'replaced', 'ended', 'ended and begun', 'never there'),
)
def test_who_ends_as_asked_or_is_stuck_is_not_dead(words, death, monkeypatch):
    monkeypatch.setattr(fleet_diagnostics, 'LEAST_LOOK', 0.0)
    watch = ObserverWatch(ROOT, 'recorder', 'recording', '')
    for ended, output in words:
        values = [KeyValue(key=ENDED, value=ended), KeyValue(key=OUTPUT, value=output)]
        status = DiagnosticStatus(name=STATUS, values=values)
        if ended:
            watch.take(DiagnosticArray(status=[status]))
        else:
            assert sum(len([*watch.conditions()]) for _ in range(9)) in (0, 9 - MISSED)
    assert watch.death == death


def parameters_of(values):
    return [Parameter(name, value=value) for name, value in values.items()]


@pytest.mark.nightly
def test_a_process_whose_bag_is_not_complete_ends_with_1(ros, tmp_path):
    program = 'from soliton_encirclement_ros.cli.executables import recorder_node as r; exit(r())'
    limited = ('sh', '-c', 'ulimit -f 4000; exec "$@"', 'sh', sys.executable, '-c', program)
    parameters = ('--ros-args', '-p', 'bag:=bag', '-p', 'include:=/note')
    with Process((*limited, *parameters), ros.domain, tmp_path) as process:
        voice = ros.voice(String, '/note')
        large = String(data='x' * 50_000)
        ros.until(lambda: (voice.publish(large), 'recording stopped' in process.err)[1], 'the end')
        process.interrupt()
        assert process.end() == 1
    assert read_bag_with_rosbags(tmp_path / 'bag')['/note']
