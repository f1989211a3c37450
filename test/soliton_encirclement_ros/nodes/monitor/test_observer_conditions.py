"""What recorder and monitor tell people when something is wrong with what they see or write."""

import errno
import time

import pytest
from sensor_msgs.msg import JointState
from soliton_encirclement_ros.nodes.monitor.monitor_node import MonitorNode
from soliton_encirclement_ros.nodes.recorder.recorder_node import RecorderNode
from std_msgs.msg import String
from support.ros.bodies import agent, said, target
from support.ros.told import ERROR, OK, STALE, Told
from velocity_mobility_ros.ros_io.conditions import UNHEARD
from velocity_mobility_ros.ros_io.qos import STATE

pytestmark = pytest.mark.ros

MAX_WAY = 1.0
"""Wall time [s] after which a message counts as lost: states may be."""

RECORDING, METRICS = 'recorder: recording', 'monitor: metrics'


@pytest.fixture
def told(ros):
    """Return what nodes tell, from the beginning."""
    return Told(ros)


@pytest.fixture
def recorder(ros, told, tmp_path):
    """Return a recorder of one topic."""
    return ros.make(RecorderNode, None, bag=str(tmp_path / 'bag'), include='/note.*')


def full_disk(*_):
    """Write to a full disk."""
    raise OSError(errno.ENOSPC, 'No space left on device')


def test_a_recorder_without_anything_to_record_is_stale(ros, recorder, told):
    text = 'nothing recorded yet: waiting for a topic to record'
    ros.until(lambda: told.shows(RECORDING, STALE, text), 'the status')


def test_a_recorder_that_stopped_stays_an_error(ros, recorder, told, monkeypatch):
    voice = ros.voice(String, '/note')
    voice.publish(String(data='kept'))
    ros.until(lambda: told.shows(RECORDING, OK), 'the status ok')
    monkeypatch.setattr(recorder.recording._bag, 'write', full_disk)
    voice.publish(String(data='lost'))
    text = 'No space left on device; recording stopped, everything before is kept'
    ros.until(lambda: told.shows(RECORDING, ERROR, text), 'the status')
    before = len(told.statuses(RECORDING))
    ros.until(lambda: len(told.statuses(RECORDING)) > before + 1, 'two statuses more')
    assert told.shows(RECORDING, ERROR, text)


def test_topics_that_are_not_recorded_stay_in_the_status(ros, recorder, told, monkeypatch):
    monkeypatch.setattr(recorder, 'learn', lambda kind: kind != 'sensor_msgs/msg/JointState')
    ros.tester.create_publisher(JointState, '/note', 10)
    text = '/note: sensor_msgs/msg/JointState has no known definition; not recorded'
    ros.until(lambda: told.shows(RECORDING, STALE, text), 'the status')
    before = len(told.statuses(RECORDING))
    ros.until(lambda: len(told.statuses(RECORDING)) > before + 1, 'two statuses more')
    assert told.shows(RECORDING, STALE, text)


class Swarm:
    """The tester as a swarm in real time."""

    def __init__(self, ros, monitor):
        """Find the monitor."""
        self.ros = ros
        self.monitor = monitor
        self.agents = ros.voice(JointState, '/swarm/agent_states', STATE)
        self.target = ros.voice(JointState, '/swarm/target_state', STATE)
        self.seq = 0

    def speak(self, *seqs):
        """Let agent 1 say messages with these numbers, and the target one."""
        self.seq += 1
        now, before = self.ros.now_ns(), self.monitor.samples
        for seq in seqs or (self.seq,):
            self.agents.publish(said(now, agent(1, seq, (20.0, 0.0, 0.0))))
        self.target.publish(said(now, target(self.seq)))
        self.ros.meanwhile(0.05)
        self.await_sample(before)
        return True

    def await_sample(self, before):
        """Let a slow machine take in what was said, or it grows too old in the queue."""
        deadline = time.monotonic() + MAX_WAY
        while self.monitor.samples == before and time.monotonic() < deadline:
            self.ros.spin()


def test_a_monitor_without_a_target_is_stale(ros, told):
    monitor = ros.make(MonitorNode, None)
    text = 'no metrics yet: no state of the target received on /swarm/target_state'
    ros.until(lambda: told.shows(METRICS, STALE, text), 'the status')
    swarm = Swarm(ros, monitor)
    ros.until(lambda: swarm.speak() and told.shows(METRICS, OK, 'ok'), 'the status ok')


@pytest.mark.parametrize(('world', 'updates'), [(False, UNHEARD), (True, UNHEARD + 3)])
def test_it_is_logged_when_the_members_of_a_world_had_time_to_start(
    ros, monkeypatch, world, updates
):
    monitor = ros.make(MonitorNode, None, world=world, startup_timeout=2.5)
    lines = []
    monkeypatch.setattr(monitor.get_logger(), 'warning', lines.append, raising=False)
    for _ in range(updates - 1):
        monitor.health.publish()
    assert lines == []
    monitor.health.publish()
    assert len(lines) == 1 and lines[0].startswith('no metrics yet')


def test_two_agents_with_one_number_are_an_error(ros, told):
    swarm = Swarm(ros, ros.make(MonitorNode, None))
    ros.until(lambda: swarm.speak() and told.shows(METRICS, OK), 'the status ok')
    text = 'more than one agent publishes as uav_1: give each its own agent_id'
    ros.until(
        lambda: swarm.speak(swarm.seq, 1000 + swarm.seq) and told.shows(METRICS, ERROR, text),
        'the status',
    )
    ros.until(lambda: told.logged('monitor', text), 'the line')


def test_an_agent_that_starts_again_is_no_second_one(ros, told):
    swarm = Swarm(ros, ros.make(MonitorNode, None))
    ros.until(lambda: swarm.speak() and told.shows(METRICS, OK), 'the status ok')
    swarm.seq = 0
    before = len(told.statuses(METRICS))
    ros.until(lambda: swarm.speak() and len(told.statuses(METRICS)) > before + 1, 'two more')
    assert not any('more than one' in one.message for one in told.statuses(METRICS)[before:])


def test_a_monitor_that_cannot_write_stays_an_error(ros, told, tmp_path, monkeypatch):
    node = ros.make(MonitorNode, None, run_folder=str(tmp_path))
    monkeypatch.setattr(node._log._log, 'add_sample', full_disk)
    swarm = Swarm(ros, node)
    text = 'No space left on device; the tables end here, everything before is kept'
    ros.until(lambda: swarm.speak() and told.shows(METRICS, ERROR, text), 'the status')
    before = len(told.statuses(METRICS))
    ros.until(lambda: swarm.speak() and len(told.statuses(METRICS)) > before + 1, 'two more')
    assert told.shows(METRICS, ERROR, text)
