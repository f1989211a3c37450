"""The monitor says in one word how the swarm is."""

import math

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from sensor_msgs.msg import JointState
from soliton_encirclement_ros.nodes.monitor.monitor_node import MonitorNode
from support.ros.bodies import agent, said, target
from support.ros.told import ERROR, OK, WARN, Told
from velocity_mobility_ros.ros_io.qos import COMMAND, STATE

pytestmark = pytest.mark.ros

HEALTH = 'monitor: health'


class Swarm:
    """The tester as three agents and a target in real time."""

    def __init__(self, ros):
        """Begin in silence."""
        self._ros, self._seq = ros, 0
        self._agents = ros.voice(JointState, '/swarm/agent_states', STATE)
        self._target = ros.voice(JointState, '/swarm/target_state', STATE)

    def speak(self, *bearings):
        """Let agents at these bearings [rad] on a ring of 20 m say something, and the target."""
        self._seq += 1
        now = self._ros.now_ns()
        for k, bearing in enumerate(bearings, 1):
            place = (20.0 * math.cos(bearing), 20.0 * math.sin(bearing), 0.0)
            self._agents.publish(said(now, agent(k, self._seq, place)))
        self._target.publish(said(now, target(self._seq)))
        self._ros.meanwhile(0.05)
        return True


def test_the_state_follows_what_happens(ros):
    told = Told(ros)
    ros.make(MonitorNode, None, num_agents=3)
    text = 'no state of the target received yet'
    ros.until(lambda: told.shows(HEALTH, ERROR, text), 'the beginning')
    swarm = Swarm(ros)
    ros.until(lambda: swarm.speak(0.0, 2.0, 4.0) and told.shows(HEALTH, OK, 'ok'), 'ok')
    (status,) = told.statuses(HEALTH)[-1:]
    assert {pair.key: pair.value for pair in status.values} == {'state': 'OK', 'reasons': '0'}
    ros.until(
        lambda: swarm.speak(0.0, 2.0) and told.shows(HEALTH, WARN, 'silent: uav_3'), 'silence'
    )
    ros.until(
        lambda: swarm.speak(0.0) and told.shows(HEALTH, ERROR, '1 of 3 agents received'), 'failure'
    )
    near = 'two agents nearer than 1 m'
    ros.until(
        lambda: swarm.speak(0.0, 0.01, 4.0) and told.shows(HEALTH, WARN, near), 'a near miss'
    )
    ros.until(lambda: told.shows(HEALTH, ERROR, 'target lost: last received '), 'the loss')


def test_a_member_that_has_stopped_itself_is_named(ros):
    """No order is on its way, so its own word counts; that of its limiter does not undo it."""
    told = Told(ros)
    ros.make(MonitorNode, None, num_agents=3)
    swarm, voice = Swarm(ros), ros.voice(DiagnosticArray, '/diagnostics', COMMAND)

    def say(stopped):
        statuses = [
            DiagnosticStatus(name=f'uav_2/{node}', hardware_id='uav_2', values=[
                KeyValue(key='emergency_stop', value=value)
            ])
            for node, value in (('agent: control', stopped), ('twist_limiter: smoothing', 'false'))
        ]  # fmt: skip
        voice.publish(DiagnosticArray(status=statuses))
        return swarm.speak(0.0, 2.0, 4.0)

    ros.until(lambda: say('true') and told.shows(HEALTH, WARN, 'stopped: uav_2'), 'the stop')
    ros.until(lambda: say('false') and told.shows(HEALTH, OK, 'ok'), 'the release')


def test_the_monitor_names_all_that_it_has_heard(ros):
    told = Told(ros)
    ros.make(MonitorNode, None, num_agents=3)
    swarm = Swarm(ros)

    def named():
        said = told.statuses('monitor: metrics')
        return {pair.key: pair.value for pair in said[-1].values}['members'] if said else ''

    ros.until(lambda: swarm.speak(0.0, 2.0, 4.0) and named() == 'uav_1,uav_2,uav_3,target', 'all')
    ros.until(
        lambda: swarm.speak(0.0) and told.shows(HEALTH, ERROR, 'silent: uav_2, uav_3'), 'silence'
    )
    assert named() == 'uav_1,uav_2,uav_3,target'
