"""The simulated world as a real node, by the clock; lockstep has a file of its own."""

import itertools
import math
import sys

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.core.scenario.placement import initial_positions
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.nodes.world.world_node import WorldNode
from support.cli import Process
from support.ros.bodies import odometry_to_body
from support.ros.sent_messages import command_to_stamped, command_to_twist
from velocity_mobility_ros.core.user_errors import MobilityError
from velocity_mobility_ros.ros_io.endpoints import COMMAND, LOCKSTEP, STATE
from velocity_mobility_ros.ros_io.node_time import time_to_ns

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

REAL_TIME = {'lockstep': False, 'num_agents': 2, 'sim_duration': 600.0}
MEMBERS = ('uav_1', 'uav_2', 'target', 'adversary')


class Scene:
    """A world that moves by the clock, and ears for every odometry."""

    def __init__(self, ros, kind=Twist, **parameters):
        """Start the world."""
        self.ros = ros
        self.odometry = {n: ros.listen(Odometry, f'/{n}/odom', STATE) for n in MEMBERS}
        self.node = ros.make(WorldNode, None, **{**REAL_TIME, **parameters})
        self.voice = ros.voice(kind, '/uav_1/cmd_vel')
        ros.until(lambda: all(self.odometry.values()), 'every odometry')

    def velocity(self, name='uav_1'):
        """Return the newest velocity."""
        return odometry_to_body(self.odometry[name].last)[1]


def test_every_body_starts_where_the_scenario_says_and_is_fully_stamped(ros):
    scene = Scene(ros, seed=4)
    places = initial_positions(Scenario().with_changes(
        {'run': {'num_agents': 2, 'seed': 4}}, 'test'))  # fmt: skip
    expected = {f'uav_{k}': place for k, place in places.items()}
    expected |= {'target': (0.0, 0.0, 0.0), 'adversary': (40.0, 40.0, 0.0)}
    for name, heard in scene.odometry.items():
        message = heard[0]
        assert odometry_to_body(message)[0] == expected[name]
        assert (message.header.frame_id, message.child_frame_id) == ('map', f'{name}/base_link')
        assert abs(time_to_ns(message.header.stamp) - ros.now_ns()) < 5e9


def test_odometry_can_begin_where_each_body_starts(ros):
    scene = Scene(ros, odom_frame='odom', cmd_vel_timeout=0.0, tau_xy=0.1)
    for name, heard in scene.odometry.items():
        header, child = heard[0].header, heard[0].child_frame_id
        assert (header.frame_id, child) == (f'{name}/odom', f'{name}/base_link')
        assert odometry_to_body(heard[0])[0] == (0.0, 0.0, 0.0)
    scene.voice.publish(command_to_twist((3.0, -1.0, 0.5), 0.0))
    ros.until(lambda: math.dist(scene.velocity(), (3.0, -1.0, 0.5)) < 0.05, 'the velocity')
    moved = odometry_to_body(scene.odometry['uav_1'].last)[0]
    assert moved[0] > 0.0 > moved[1]
    assert scene.velocity('uav_2') == (0.0, 0.0, 0.0)


def test_in_a_fleet_the_frames_have_its_prefix(ros):
    heard = ros.listen(Odometry, '/fleet/uav_1/odom', STATE)
    ros.make(WorldNode, '/fleet', **REAL_TIME, odom_frame='odom')
    ros.until(lambda: heard, 'odometry')
    assert heard[0].header.frame_id == 'fleet/uav_1/odom'
    assert heard[0].child_frame_id == 'fleet/uav_1/base_link'


def test_odometry_comes_once_per_control_period(ros):
    scene = Scene(ros)
    heard = scene.odometry['target']
    ros.until(lambda: len(heard) >= 20, 'twenty odometries')
    stamps = [time_to_ns(message.header.stamp) for message in heard]
    steps = [b - a for a, b in itertools.pairwise(stamps)]
    assert set(steps) == {50_000_000}


def test_a_stamped_command_is_taken_in_the_frame_of_its_header(ros):
    scene = Scene(ros, TwistStamped, enable_stamped_cmd_vel=True, cmd_vel_timeout=0.0, tau_xy=0.1)
    message = command_to_stamped((1.0, 0.0, 0.0), 0.0, ros.now_ns())
    for frame in ('odom', 'uav_2/base_link'):
        message.header.frame_id = frame
        scene.voice.publish(message)
    refused = scene.node.drive.health.refused
    ros.until(lambda: refused['/uav_1/cmd_vel'] == 2, 'two refusals')
    assert scene.velocity() == (0.0, 0.0, 0.0)
    message.header.frame_id = 'uav_1/base_link'
    scene.voice.publish(message)
    ros.until(lambda: scene.velocity()[0] > 0.9, 'the velocity')


@pytest.mark.parametrize('age_ns', [3_000_000_000, -3_000_000_000])
def test_a_stamped_command_from_another_time_is_refused(ros, age_ns):
    scene = Scene(ros, TwistStamped, enable_stamped_cmd_vel=True, tau_xy=0.1)
    scene.voice.publish(command_to_stamped((1.0, 0.0, 0.0), 0.0, ros.now_ns() - age_ns))
    health = scene.node.drive.health
    ros.until(lambda: health.refused['/uav_1/cmd_vel'], 'the refusal')
    text = 'limit cmd_vel_timeout = 0.5 s'
    assert any(text in condition.reason for condition in health.conditions())
    assert scene.velocity() == (0.0, 0.0, 0.0)


def test_silence_slows_a_body_to_a_stop_within_its_limits(ros):
    scene = Scene(ros, cmd_vel_timeout=0.3, tau_xy=0.1, max_acc_xy=10.0)

    def drive():
        scene.voice.publish(command_to_twist((4.0, 0.0, 0.0), 0.0))
        return scene.velocity()[0] > 3.9

    ros.until(drive, 'the speed')
    ros.until(lambda: scene.velocity()[0] < 0.01, 'the stop')
    track = [(time_to_ns(m.header.stamp), odometry_to_body(m)[1][0])
             for m in scene.odometry['uav_1']]  # fmt: skip
    for (t0, v), (t1, w) in itertools.pairwise(track):
        assert abs(w - v) <= 10.0 * (t1 - t0) / 1e9 * (1 + 1e-9)
    assert any(0.5 < speed < 3.5 for _, speed in track[-10:])


@pytest.mark.parametrize('value', [math.nan, math.inf])
def test_a_command_that_is_no_number_is_refused(ros, value):
    scene = Scene(ros)
    scene.voice.publish(command_to_twist((value, 0.0, 0.0), 0.0))
    refused = scene.node.drive.health.refused
    ros.until(lambda: refused['/uav_1/cmd_vel'] == 1, 'the refusal')
    assert scene.velocity() == (0.0, 0.0, 0.0)


def test_by_the_clock_the_world_publishes_no_clock(ros):
    clock = ros.listen(Clock, '/clock', LOCKSTEP)
    Scene(ros)
    ros.meanwhile(2.0)
    assert clock == []


def test_it_is_finished_when_the_time_is_over(ros):
    scene = Scene(ros, sim_duration=0.5, startup_timeout=0.5)
    ros.meanwhile(0.8)
    assert not scene.node.finished
    ros.meanwhile(0.4)
    assert scene.node.finished


def test_one_that_is_asked_to_end_goes_on_until_then(ros):
    """So that nobody misses its odometry at the end of a run."""
    diagnostics = ros.listen(DiagnosticArray, '/diagnostics', COMMAND)
    scene = Scene(ros, sim_duration=0.2, startup_timeout=0.1, stay=True)

    def values():
        return {pair.key: pair.value for pair in diagnostics.last.status[0].values}

    ros.until(lambda: diagnostics and values()['finished'] == 'True', 'the end')
    assert int(values()['begun_ns']) > 0
    count = len(scene.odometry['uav_1'])
    ros.until(lambda: len(scene.odometry['uav_1']) > count + 20, 'more odometry')
    assert not scene.node.finished


def test_a_run_without_anybody_ends_with_1(domain, tmp_path):
    """Whoever has started it and looks at the exit code alone."""
    code = 'from soliton_encirclement_ros.cli.executables import world_node; exit(world_node())'
    given = ('recorders:=3', 'startup_timeout:=0.5', 'num_agents:=1')
    arguments = (part for one in given for part in ('-p', one))
    command = (sys.executable, '-c', code, '--ros-args', *arguments)
    with Process(command, domain, tmp_path) as process:
        assert process.end(60.0) == 1
        assert 'did not appear; nobody is left, the run ends' in process.err
        assert 'the run begins' not in process.err


def test_a_timer_that_catches_up_says_nothing_twice(ros):
    """After a stall a timer may be called twice at once; the world has moved once."""
    truth = ros.listen(Odometry, '/uav_1/ground_truth', STATE)
    scene = Scene(ros, position_noise_xy=0.01)
    for _ in range(5):
        scene.node.drive._on_timer()
    ros.meanwhile(0.3)
    for heard in (scene.odometry['uav_1'], truth):
        stamps = [time_to_ns(message.header.stamp) for message in heard]
        assert len(stamps) > 3
        assert stamps == sorted(set(stamps))


def test_diagnostics_tell_the_real_time_factor(ros):
    diagnostics = ros.listen(DiagnosticArray, '/diagnostics', COMMAND)
    Scene(ros)
    ros.until(lambda: len(diagnostics) >= 2, 'diagnostics')
    (status,) = diagnostics.last.status
    facts = {pair.key: pair.value for pair in status.values}
    assert status.name == 'world: simulation'
    assert float(facts['real_time_factor']) == pytest.approx(1.0, abs=0.1)


def test_in_lockstep_the_handshake_waits_until_everybody_is_there(ros):
    heard = ros.listen(JointState, '/uav_1/received_states', LOCKSTEP)
    clock = ros.listen(Clock, '/clock', LOCKSTEP)
    node = ros.make(WorldNode, None, num_agents=1)
    ros.until(lambda: len(heard) >= 5, 'the startup handshake')
    assert {time_to_ns(message.header.stamp) for message in heard} == {0}
    assert (node.world.tick, clock) == (0, [])


@pytest.mark.parametrize(
    ('parameters', 'text'),
    [
        ({'tau_xy': 0.0}, '/world: tau_xy = 0.0 must be above 0 s'),
        ({'odom_frame': 'odom'}, "/world: odom_frame = 'odom' must be empty in lockstep"),
        ({'num_agent': 3}, "/world: unknown parameter 'num_agent'; did you mean 'num_agents'?"),
        ({'partitions': '1..2: 3'}, "radio.partitions: '3' names no member"),
        ({'rng': 'reference'}, 'use `swarm simulate`'),
        ({'control_period': 0.055}, 'must be a whole multiple'),
    ],
)
def test_a_bad_parameter_stops_the_start(ros, parameters, text):
    with pytest.raises(MobilityError, match=text):
        ros.make(WorldNode, None, **{'num_agents': 2, **parameters})
