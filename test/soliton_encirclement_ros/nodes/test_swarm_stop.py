"""The emergency stop of a whole swarm of real nodes: everybody, in lockstep and in real time."""

import itertools

import pytest
from geometry_msgs.msg import Twist, TwistStamped

from soliton_encirclement_ros.cli.runs.node_host import make_node
from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions
from soliton_encirclement_ros.core.states.swarm_topics import WORLD
from support.recorded.run_folder import read_bag_with_rosbags
from support.ros.graph import PATIENCE
from support.ros.stopping import Operator, call_stop, is_zero, moving_after
from support.ros.swarm import Swarm, scenario
from support.ros.told import ERROR, Told
from velocity_mobility_ros.ros_io.endpoints import COMMAND, LOCKSTEP
from velocity_mobility_ros.ros_io.node_time import time_to_ns

pytestmark = pytest.mark.ros

MEMBERS = ('uav_1', 'uav_2', 'uav_3', 'target', 'adversary')
SERVICE = '/swarm/emergency_stop'
MANY = 10
QUIET = {'failure_enable': False}


def lively(**run):
    """Return three agents, a target and an adversary that all move."""
    return scenario(
        run={'num_agents': 3, 'sim_duration': 600.0, **run},
        failure=QUIET,
        adversary={'adversary_enable': True},
    )


def listen(ros, kind, qos):
    """Collect the commands of all members."""
    return {name: ros.listen(kind, f'/{name}/cmd_vel', qos) for name in MEMBERS}


def until_all_move(ros, commands):
    """Wait until everybody has commanded motion since now."""
    before = {name: len(heard) for name, heard in commands.items()}
    ros.until(
        lambda: all(
            sum(not is_zero(one) for one in heard[before[name] :]) > MANY
            for name, heard in commands.items()
        ),
        'motion of all',
    )


def until_all_hover(ros, commands):
    """Wait until the last commands of everybody are many zeros."""
    ros.until(
        lambda: all(
            len(heard) >= MANY and all(map(is_zero, heard[-MANY:])) for heard in commands.values()
        ),
        'zero commands of all',
    )


def test_in_lockstep_all_commands_are_zero_from_the_second_tick_after_an_order(ros):
    swarm = Swarm(ros, lively(), PlanOptions(True, record=False))
    commands = listen(ros, TwistStamped, LOCKSTEP)
    operator = Operator(ros, readers=6)
    until_all_move(ros, commands)
    before_ns = swarm[WORLD].world.time_ns
    operator.order(True)
    until_all_hover(ros, commands)
    period_ns = round(swarm.scenario.swarm.control_period * 1e9)
    end_ns = before_ns + 2 * MANY * period_ns
    ros.until(
        lambda: all(time_to_ns(heard.last.header.stamp) >= end_ns for heard in commands.values()),
        'the run to go on',
    )
    for heard in commands.values():
        assert _last_motion_ns(heard) < before_ns + 2 * period_ns


def test_the_service_stops_a_run_in_lockstep_which_goes_on_after_the_release(ros, tmp_path):
    """Members and monitor show it, and the orders are in the bag, at the time of the run."""
    told = Told(ros)
    swarm = Swarm(ros, lively(), PlanOptions(True, str(tmp_path), record=True))
    commands = listen(ros, TwistStamped, LOCKSTEP)
    until_all_move(ros, commands)
    assert call_stop(ros, SERVICE, True).success
    until_all_hover(ros, commands)
    ros.until(lambda: told.shows('uav_1/agent: control', ERROR, 'stopped by the'), 'the status')
    ros.until(
        lambda: told.shows('monitor: metrics', ERROR, 'emergency stop of all'), 'the monitor'
    )
    assert swarm['monitor_node'].stopped == ['all']
    tick = swarm[WORLD].world.tick
    ros.until(lambda: swarm[WORLD].world.tick > tick + 100, 'the run to go on')
    assert call_stop(ros, SERVICE, False).success
    until_all_move(ros, commands)
    swarm['monitor_node'].close()
    swarm['recorder_node'].close()
    orders = read_bag_with_rosbags(tmp_path / 'bag')['/swarm/stop']
    assert [one.message.status[0].message for one in orders][-1] == 'release everybody'
    assert 0 < orders[0].logged_ns < orders[-1].logged_ns <= swarm[WORLD].world.time_ns


def _last_motion_ns(heard):
    """Return the stamp [ns] of the last command before the zeros."""
    return max(time_to_ns(one.header.stamp) for one in heard if not is_zero(one))


@pytest.mark.usefixtures('simulated')
def test_in_real_time_all_commands_are_zero_within_two_periods_and_without_the_world(ros):
    swarm = Swarm(ros, lively(), PlanOptions(False, record=False))
    commands = listen(ros, Twist, COMMAND)
    until_all_move(ros, commands)
    operator = Operator(ros, readers=6)
    counts = {name: len(heard) for name, heard in commands.items()}
    operator.order(True)
    until_all_hover(ros, commands)
    assert all(moving_after(heard, counts[name]) <= 2 for name, heard in commands.items())
    ros.remove(swarm[WORLD])
    operator.leave()
    counts = {name: len(heard) for name, heard in commands.items()}
    ros.until(
        lambda: all(len(heard) > counts[name] + 5 * MANY for name, heard in commands.items()),
        'commands without a world', PATIENCE,
    )  # fmt: skip
    until_all_hover(ros, commands)
    assert all(moving_after(heard, counts[name]) == 0 for name, heard in commands.items())


@pytest.mark.usefixtures('simulated')
def test_an_order_for_a_name_that_nobody_has_is_not_shown_as_a_stop(ros):
    told = Told(ros)
    monitor = Swarm(ros, lively(), PlanOptions(False, record=False))['monitor_node']
    operator = Operator(ros, readers=6)
    operator.order(True, 'uav_33')
    operator.order(True, 'adversary')
    ros.until(lambda: monitor.stopped == ['adversary'], 'the order for the adversary')
    ros.until(
        lambda: told.shows('monitor: metrics', ERROR, 'emergency stop of adversary by'), 'its text'
    )


@pytest.mark.nightly
def test_a_run_in_lockstep_that_begins_during_a_stop_does_not_move(ros):
    """The stop is there before the nodes are; whoever starts hears it before the first tick."""
    operator = Operator(ros, readers=0)
    operator.order(True)
    swarm = Swarm(ros, lively(), PlanOptions(True, record=False))
    commands = listen(ros, TwistStamped, LOCKSTEP)
    ros.until(lambda: swarm[WORLD].world.tick > 2 * MANY, 'ticks')
    assert all(map(is_zero, itertools.chain(*commands.values())))


@pytest.mark.usefixtures('simulated')
def test_a_member_that_is_started_again_in_lockstep_stays_stopped(ros):
    swarm = Swarm(ros, lively(lockstep_timeout=1.0), PlanOptions(True, record=False))
    commands = listen(ros, TwistStamped, LOCKSTEP)
    until_all_move(ros, commands)
    call_stop(ros, SERVICE, True)
    until_all_hover(ros, commands)
    ros.remove(swarm['uav_2'])
    count = len(commands['uav_2'])
    ros.add(make_node(swarm.plan['uav_2']))
    ros.until(lambda: len(commands['uav_2']) > count + 2 * MANY, 'commands of uav_2')
    until_all_hover(ros, commands)
    assert moving_after(commands['uav_2'], count) == 0


@pytest.mark.usefixtures('simulated')
def test_a_missing_heartbeat_becomes_an_order_to_all(ros):
    swarm = Swarm(ros, lively(), PlanOptions(False, record=False))
    commands = listen(ros, Twist, COMMAND)
    until_all_move(ros, commands)
    operator = Operator(ros, readers=6)
    for _ in range(10):
        operator.beat(2.0)
        ros.meanwhile(0.1)
    operator.leave()
    until_all_hover(ros, commands)
    ros.until(lambda: swarm['monitor_node'].stopped == ['all'], 'the order')
    call_stop(ros, SERVICE, False)
    until_all_move(ros, commands)
