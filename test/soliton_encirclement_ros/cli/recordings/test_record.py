"""``swarm record`` as a process of its own, with real publishers."""

import json
import re
import signal
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from builtin_interfaces.msg import Time
from nav_msgs.msg import Odometry
from rosgraph_msgs.msg import Clock
from std_msgs.msg import String
from visualization_msgs.msg import Marker

from soliton_encirclement_ros.cli.recordings import record_verb
from support.cli import SWARM, Process, start_swarm, wait_until
from support.here import swarm_here
from support.recorded.run_folder import read_bag_with_mcap, read_bag_with_rosbags, stream_log_times
from velocity_mobility_ros.ros_io.endpoints import STATE

__all__ = ['swarm_here']

pytestmark = pytest.mark.ros


def recorder(ros, tmp_path, *arguments, is_killed=False):
    words = ('record', '--out', 'bag', *arguments)
    return start_swarm(*words, domain=ros.domain, folder=tmp_path, is_killed=is_killed)


def lines_of(process):
    return [line for line in process.out.splitlines() if line.strip()]


def until_on_disk(ros, folder, count):
    """Wait until a bag that is still written to holds so many messages."""

    def are_there():
        return sum(len(stream_log_times(path)) for path in (folder / 'bag').glob('*.mcap'))

    ros.until(lambda: are_there() >= count, f'{count} messages on disk')


def test_it_waits_for_the_drones_records_them_and_ctrl_c_closes_the_bag(ros, tmp_path):
    with recorder(ros, tmp_path, '/uav_.*', '/note', '--exclude', '/uav_2/.*') as process:
        wait_until(lambda: 'waiting for a topic to record' in process.out, 'the waiting')
        odom = ros.voice(Odometry, '/uav_1/odom', STATE)
        note = ros.voice(String, '/note')
        for topic in ('/uav_2/odom', '/other'):
            ros.tester.create_publisher(String, topic, 10).publish(String())
        for _ in range(20):
            odom.publish(Odometry())
            ros.meanwhile(0.02)
        note.publish(String(data='x'))
        until_on_disk(ros, tmp_path, 21)
        process.interrupt()
        assert process.end() == 0
    head, *_, foot = lines_of(process)
    assert head == (
        f'recording /uav_.*, /note to bag (ROS domain {ros.domain}, discovery LOCALHOST); '
        'ctrl-C ends it'
    )
    assert re.fullmatch(r'21 messages, \d\.\d MB: bag', foot)
    row = next(line for line in lines_of(process) if '/uav_1/odom' in line).split()
    assert row[1:3] == ['nav_msgs/msg/Odometry', '20']
    for read in (read_bag_with_mcap, read_bag_with_rosbags):
        bag = read(tmp_path / 'bag')
        assert {topic: len(said) for topic, said in bag.items()} == {'/uav_1/odom': 20, '/note': 1}
        logged = [message.logged_ns for message in bag['/uav_1/odom']]
        assert float(row[3]) == pytest.approx(19e9 / (logged[-1] - logged[0]), abs=0.051)
    assert process.err == ''


def speak_until_killed(ros, process, path):
    """Speak at 200 Hz until a while after the first chunk; return when each word was sent [ns]."""
    voice, sent = ros.voice(String, '/note'), []
    begun = time.monotonic()
    while time.monotonic() - begun < 2.0 or not path.exists():
        sent.append(time.time_ns())
        voice.publish(String(data=str(len(sent) - 1)))
        ros.meanwhile(0.005)
    process.popen.send_signal(signal.SIGKILL)
    return sent, time.time_ns()


@pytest.mark.nightly
def test_a_kill_costs_the_last_second_at_most(ros, tmp_path):
    path = tmp_path / 'bag' / 'bag.mcap'
    with recorder(ros, tmp_path, '/note', is_killed=True) as process:
        sent, killed_ns = speak_until_killed(ros, process, path)
        assert process.end() == -signal.SIGKILL
    must = [at for at in sent if at < killed_ns - 10**9]
    logged = stream_log_times(path)
    assert len(logged) >= len(must) > 20
    assert logged == sorted(logged) and killed_ns - logged[-1] < 10**9


@pytest.mark.nightly
def test_a_kill_in_silence_costs_nothing(ros, tmp_path):
    path = tmp_path / 'bag' / 'bag.mcap'
    with recorder(ros, tmp_path, '/note', is_killed=True) as process:
        ros.voice(String, '/note').publish(String(data='only once'))
        until_on_disk(ros, tmp_path, 1)
        process.popen.send_signal(signal.SIGKILL)
        process.end()
    assert len(stream_log_times(path)) == 1


@pytest.mark.nightly
def test_a_full_disk_is_one_line_and_everything_before_is_kept(ros, tmp_path):
    command = ('sh', '-c', 'ulimit -f 4000; exec "$@"', 'sh', *SWARM, 'record', '--out', 'bag')
    with Process((*command, '/note'), ros.domain, tmp_path) as process:
        voice = ros.voice(String, '/note')
        message = String(data='x' * 50_000)
        ros.until(lambda: (voice.publish(message), process.popen.poll())[1] is not None, 'its end')
        assert process.end() == 1
    assert process.err == (
        'error: bag: File too large; recording stopped, everything before is kept\n'
    )
    found = read_bag_with_rosbags(tmp_path / 'bag')['/note']
    assert len(found) > 10 and lines_of(process)[-1].startswith(f'{len(found)} messages, ')


def test_files_have_a_largest_size_and_json_is_all_that_is_printed(ros, tmp_path):
    with recorder(ros, tmp_path, '--json', '--max-size', '0.01') as process:
        voice, second = ros.voice(String, '/note'), tmp_path / 'bag' / 'bag_1.mcap'
        ros.until(
            lambda: (voice.publish(String(data='x' * 10_000)), second.exists())[1], 'a second file'
        )
        process.interrupt()
        assert process.end() == 0
    found = json.loads(process.out)
    (topic,) = [topic for topic in found['topics'] if topic['name'] == '/note']
    assert found['complete'] and topic['type'] == 'std_msgs/msg/String' and topic['lost'] == 0
    assert len(found['files']) > 1 and 'bag_0.mcap' in found['files']
    assert len(read_bag_with_rosbags(tmp_path / 'bag')['/note']) == topic['messages']


def test_it_ends_after_its_duration(ros, tmp_path):
    with recorder(ros, tmp_path, '/note', '--duration', '0.2') as process:
        ros.voice(String, '/note').publish(String(data='x'))
        assert process.end() == 0
    assert lines_of(process)[-1].startswith('1 messages, ')


def test_a_duration_counts_from_the_first_message():
    def is_over(begun, duration=1.0, complete=True):
        state = SimpleNamespace(complete=complete, recording=SimpleNamespace(begun=begun))
        return record_verb._is_over(state, duration)

    now = time.monotonic()
    assert not is_over(None) and not is_over(now, 1000.0) and not is_over(now - 9.0, None)
    assert is_over(now - 1.0) and is_over(None, complete=False)


@pytest.mark.nightly
def test_a_type_that_is_not_installed_is_named_once(ros, tmp_path):
    inside, reason = 'class Marker: pass', r'is installed but cannot be used \(\w+\)'
    missing = tmp_path / 'lacks' / 'visualization_msgs'
    (missing / 'msg').mkdir(parents=True)
    (missing / '__init__.py').write_text('', encoding='utf-8')
    (missing / 'msg' / '__init__.py').write_text(inside, encoding='utf-8')
    code = 'import sys, runpy; sys.path.insert(0, sys.argv.pop(1)); '
    code += 'runpy.run_module("soliton_encirclement_ros.cli.main", run_name="__main__")'
    command = (SWARM[0], '-c', code, str(missing.parent), 'record', '--out', 'bag')
    with Process(command, ros.domain, tmp_path) as process:
        for topic in ('/arrow', '/ball'):
            ros.tester.create_publisher(Marker, topic, 10)
        ros.voice(String, '/note').publish(String())
        wait_until(lambda: 'not recorded' in process.out, 'the report')
        ros.voice(String, '/late')  # by then it has looked at all topics again
        process.interrupt()
        assert process.end() == 0
    (line,) = [line for line in lines_of(process) if 'not recorded' in line]
    assert re.fullmatch(
        rf'/(arrow|ball): visualization_msgs/msg/Marker {reason}; not recorded', line
    )


def test_nothing_recorded_is_said_and_is_no_success(ros, tmp_path):
    with recorder(ros, tmp_path, '/nobody') as process:
        wait_until(lambda: 'waiting' in process.out, 'the waiting')
        process.interrupt()
        assert process.end() == 1
    assert lines_of(process)[-1] == (
        'nothing was recorded (waiting for a topic to record); bag is empty'
    )


@pytest.mark.parametrize(
    ('arguments', 'expected'),
    [
        (('/a', '('), "TOPIC_REGEX = '(' is no regular expression"),
        (('--exclude', 'a{99999999999}'), "--exclude = 'a{99999999999}' is no regular expression"),
        (('--exclude', '/\udcff'), r"--exclude = '/\udcff' is no regular expression: not UTF-8"),
        (('--exclude', '(' * 2000), "--exclude = '((("),
        (('--duration', '0'), "'--duration': 0.0 is not in the range x>0.0"),
        (('--max-size', '1e-7'), "'--max-size': 1e-07 is not in the range 0.001<=x"),
        (('--max-size', '1e305'), "'--max-size': 1e+305 is not in the range 0.001<=x"),
        (('--out', 'x/a.MCAP'), '--out x/a.MCAP: name the folder of the bag, without .mcap'),
        (('--out', 'x/.db3'), '--out x/.db3: name the folder of the bag, without .db3'),
    ],
    ids=lambda value: value[-1][:20] if isinstance(value, tuple) else '',
)
def test_bad_usage_is_refused_in_one_line(swarm_here, tmp_path, arguments, expected):
    done = swarm_here('record', *arguments)
    assert (done.code, done.out, done.err.count('\n')) == (2, '', 1)
    assert done.err.startswith('error: ') and expected in done.err
    assert not [*tmp_path.iterdir()]


def test_without_ros_one_line_says_what_to_install(domain, tmp_path):
    (tmp_path / 'rclpy.py').write_text('raise ImportError("No module named rclpy")\n', 'utf-8')
    code = 'import sys, runpy; sys.path.insert(0, "."); '
    code += 'runpy.run_module("soliton_encirclement_ros.cli.main", run_name="__main__")'
    with Process((SWARM[0], '-c', code, 'record'), domain, tmp_path) as process:
        assert process.end() == 2
    assert process.out == '' and process.err.count('\n') == 1
    assert 'rclpy cannot be imported (No module named rclpy): source a ROS 2' in process.err
    assert not Path(tmp_path, 'recordings').exists()


@pytest.mark.nightly
def test_a_fleet_is_recorded_without_those_beside_it(ros, tmp_path):
    with recorder(ros, tmp_path, '--namespace', 'fleet', '--use-sim-time') as process:
        wait_until(lambda: 'waiting for simulated time on /fleet/clock' in process.out, 'waiting')
        clock = ros.voice(Clock, '/fleet/clock')
        ros.tester.create_publisher(Clock, '/clock', 10)
        notes = [ros.tester.create_publisher(String, name, 10)
                 for name in ('/fleet/note', '/fleet_2/note', '/note', '/tf_static')]  # fmt: skip
        ros.until(lambda: all(notes[k].get_subscription_count() for k in (0, 3)), 'the recorder')
        for stamp_s in range(100, 104):
            clock.publish(Clock(clock=Time(sec=stamp_s)))
            for note in notes:
                note.publish(String(data='x'))
        until_on_disk(ros, tmp_path, 12)
        process.interrupt()
        assert process.end() == 0
    assert 'recording all topics of /fleet to bag' in process.out
    bag = read_bag_with_mcap(tmp_path / 'bag')
    assert set(bag) == {'/fleet/clock', '/fleet/note', '/tf_static'}
    assert all(100e9 <= message.logged_ns < 104e9 for message in bag['/fleet/note'])


FLOOD = """
import time, rclpy
from rclpy.qos import QoSProfile, ReliabilityPolicy
from std_msgs.msg import String
rclpy.init()
node = rclpy.create_node('flood')
lossy = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
voices = [node.create_publisher(String, f'flood_{k}', lossy) for k in range(5)]
message, end = String(data='x' * 2000), time.monotonic() + 60.0
while time.monotonic() < end:
    for voice in voices * 50:
        voice.publish(message)
    time.sleep(0.0005)
"""
"""Publishes faster than anybody can read."""


@pytest.mark.nightly
def test_lost_messages_do_not_stop_it(ros, tmp_path):
    """The middleware's own event for lost messages did, for ever, also at ctrl-C."""
    with recorder(ros, tmp_path, '/flood_.*', '/note') as process:
        note = ros.voice(String, '/note')
        with Process((SWARM[0], '-c', FLOOD), ros.domain, tmp_path, 'flood') as flood:
            wait_until(lambda: process.out.count('messages/s') > 1, 'two lines of progress')
            assert flood.popen.poll() is None
        note.publish(String(data='still here'))
        assert note.wait_for_all_acked()
        process.interrupt()
        assert process.end() == 0
    assert '/note' in process.out
    (row,) = [line.split() for line in lines_of(process) if line.split()[0] == '/note']
    assert row[2] == '1'
