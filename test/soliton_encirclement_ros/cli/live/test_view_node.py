"""The node behind the live page, beside publishers that play a swarm."""

import math

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.cli.live.swarm_picture import SafetyBounds
from soliton_encirclement_ros.cli.live.view_node import VehicleHealth, ViewNode
from soliton_encirclement_ros.core.laws.telemetry import BODY
from soliton_encirclement_ros.core.states.swarm_topics import MAX_MEMBERS, STOPPED, Fleet
from support.ros.bodies import odometry, said, target
from support.ros.cockpit import Cockpit
from support.ros.sent_messages import values_to_joint_state
from velocity_mobility_ros.ros_io.autopilot.fleet_topics import FLEET_INPUT
from velocity_mobility_ros.ros_io.endpoints import COMMAND, STATE

pytestmark = pytest.mark.ros

NS = 1_000_000_000


class Swarm:
    """Two vehicles and a target, and somebody who looks."""

    def __init__(self, ros, namespace='', **more):
        self.ros, self.now_ns = ros, 5 * NS
        self.node = ros.add(ViewNode(Fleet(namespace), **more))
        self.odometry = {
            name: ros.voice(Odometry, f'{namespace}/{name}/odom', STATE, readers=0)
            for name in ('uav_1', 'uav_2')
        }
        self.telemetry = ros.voice(JointState, f'{namespace}/uav_1/telemetry', STATE, readers=0)
        self.target = ros.voice(JointState, f'{namespace}/swarm/target_state', STATE)
        self.diagnostics = ros.voice(DiagnosticArray, '/diagnostics', COMMAND)
        self.begun = 0

    def live(self, frame='map', down=0.0):
        """Say where everybody is, a moment later."""
        self.now_ns += 50_000_000
        for k, voice in enumerate(self.odometry.values()):
            message = odometry(self.now_ns, (10.0 + k, 0.0, 5.0), (1.0, 0.0, 0.0))
            message.header.frame_id = frame
            voice.publish(message)
        values = dict.fromkeys(BODY, 0.0) | {'x': 30.0, 'failed': down, 'pred': 2, 'succ': 2}
        lists = list(values), list(values.values()), [0.0] * len(values)
        self.telemetry.publish(values_to_joint_state(self.now_ns, *lists))
        self.target.publish(said(self.now_ns, target(1, (0.0, 0.0, 0.0))))
        self.ros.meanwhile(0.02)
        self.begun += self.node.update()

    def until(self, condition, what, **how):
        """Live until something holds."""
        self.ros.until(lambda: (self.live(**how), condition())[1], what)

    def row(self, name):
        """Return the last columns of a body."""
        picture = self.node.picture
        picture.look()
        return picture.history.values[-1, picture.names.index(name)]


def test_everybody_of_the_fleet_is_seen_where_he_is(ros):
    swarm = Swarm(ros, '/alpha')
    swarm.until(lambda: len(swarm.node.picture.names) == 3, 'all')
    assert sorted(swarm.node.picture.names) == ['target', 'uav_1', 'uav_2']
    assert swarm.row('uav_1')[:5].tolist() == [10.0, 0.0, 5.0, 1.0, 0.0]
    swarm.until(lambda: swarm.row('uav_1')[5] == 1.0, 'the failure', down=1.0)
    places = [swarm.node.picture.names.index('uav_2')] * 2
    assert swarm.row('uav_1')[6:8].tolist() == places
    assert swarm.row('uav_2')[5] == 0.0


def test_in_another_frame_the_agent_says_where_its_vehicle_is(ros):
    swarm = Swarm(ros)
    swarm.until(lambda: len(swarm.node.picture.names) == 2, 'agent and target', frame='odom')
    assert sorted(swarm.node.picture.names) == ['target', 'uav_1']
    assert swarm.row('uav_1')[0] == 30.0


def test_a_swarm_that_begins_anew_has_a_new_picture(ros):
    swarm = Swarm(ros)
    swarm.until(lambda: swarm.node.picture.now > 0.3, 'some time')
    swarm.now_ns, swarm.begun = 1 * NS, 0
    swarm.until(lambda: swarm.begun, 'the begin')
    assert swarm.node.picture.now < 0.3


def test_a_swarm_whose_time_begins_at_zero_begins_once(ros):
    swarm = Swarm(ros)
    swarm.now_ns = -50_000_000
    swarm.live()
    swarm.until(lambda: len(swarm.node.picture.names) == 3, 'all')
    assert swarm.begun == 1


def test_the_ring_is_as_wide_as_an_agent_says_also_of_a_swarm_that_begins_anew(ros):
    Cockpit(ros)
    swarm = Swarm(ros)
    assert math.isnan(swarm.node.picture.radius)
    for _ in range(2):
        swarm.until(lambda: swarm.node.picture.radius == 20.0, 'the radius')
        assert swarm.node.picture.bounds == SafetyBounds(2.0, [])
        swarm.now_ns, swarm.begun = swarm.now_ns - 2 * NS, 0
        swarm.until(lambda: swarm.begun, 'the begin')


def test_the_ring_of_agents_that_cannot_be_asked_is_as_wide_as_the_operator_says(ros):
    swarm = Swarm(ros, radius=12.0)
    swarm.until(lambda: len(swarm.node.picture.names) == 3, 'all')
    assert swarm.node.picture.radius == 12.0


def test_the_table_has_what_nodes_report(ros):
    swarm = Swarm(ros)
    numbers = {STOPPED: 'true', 'filter_share': '0.25', 'period_p99_ms': '51'}
    status = DiagnosticStatus(
        level=DiagnosticStatus.ERROR, name='uav_2/agent: x', hardware_id='uav_2',
        message='odometry lost',
        values=[KeyValue(key=key, value=value) for key, value in numbers.items()],
    )  # fmt: skip

    def table():
        swarm.diagnostics.publish(DiagnosticArray(status=[status]))
        return {vehicle['name']: vehicle for vehicle in swarm.node.vehicles()}

    swarm.until(lambda: table().get('uav_2', {}).get('state') == 'stopped', 'the report')
    assert table()['uav_2']['health'] == 'odometry lost' and table()['uav_2']['bad']
    assert (table()['uav_2']['filtered'], swarm.node.health.period_ms) == (0.25, 51.0)
    assert table()['uav_1']['filtered'] is None
    assert table()['uav_1']['health'] == 'no report' and table()['uav_1']['age'] < 60.0
    assert swarm.node.picture.stopped == {'uav_2'}
    assert swarm.node.vehicles()[0]['name'] == 'uav_2'  # who is in trouble comes first


def test_alarms_and_what_a_bridge_does_are_events_once(ros):
    swarm = Swarm(ros)
    bridges = ros.voice(DiagnosticStatus, '/swarm/bridge_states', FLEET_INPUT)
    values = [KeyValue(key='state', value='TRACK')]
    alarm = DiagnosticStatus(
        level=DiagnosticStatus.ERROR, name='uav_2/agent: x', hardware_id='uav_2',
        message='odometry lost',
    )  # fmt: skip
    told = []

    def speak():
        bridges.publish(DiagnosticStatus(hardware_id='/uav_1', message='ordered', values=values))
        swarm.diagnostics.publish(DiagnosticArray(status=[alarm]))
        swarm.node.update()
        found = swarm.node.picture.look()
        told.extend(found.events if found else ())
        return len(told) >= 3

    swarm.until(lambda: len(swarm.node.picture.names) == 3, 'all')
    ros.until(lambda: (speak(), len(told) >= 2)[1], 'both events')
    values[0].value = 'LINK_LOST'
    ros.until(speak, 'the lost link')
    heard = [one for one in told if 'bridge' in one.text or 'lost' in one.text]
    assert sorted((message.name, message.text, message.is_bad) for message in heard) == [
        ('uav_1', 'bridge: lost the autopilot (ordered)', True),
        ('uav_1', 'bridge: tracks (ordered)', False), ('uav_2', 'odometry lost', True),
    ]  # fmt: skip


def test_of_a_simulated_vehicle_that_does_not_turn_the_agent_alone_is_heard(ros):
    swarm = Swarm(ros)
    world = DiagnosticStatus(name='world: simulation', hardware_id='world')
    swarm.until(lambda: len(swarm.node.picture.names) == 3, 'all')
    readers = lambda name: ros.tester.count_subscribers(f'/{name}/odom')  # noqa: E731
    assert readers('uav_1') == readers('uav_2') == 1

    def is_left():
        swarm.diagnostics.publish(DiagnosticArray(status=[world]))
        return readers('uav_1') == 0

    swarm.until(is_left, 'the end of its odometry')
    swarm.until(lambda: swarm.row('uav_1')[0] == 30.0, 'what its agent says')
    assert readers('uav_2') == 1  # no agent speaks for it


def test_a_stranger_with_ever_new_names_does_not_fill_the_table():
    health = VehicleHealth(Fleet())
    values = [KeyValue(key=STOPPED, value='true')]
    names = [f'uav_{k}' for k in range(MAX_MEMBERS + 50)]
    health.take(DiagnosticStatus(name='x', hardware_id=name, values=values) for name in names)
    assert health.stopped == {*names[:MAX_MEMBERS]}
    health.take(DiagnosticStatus(name='x', hardware_id=name) for name in names)
    assert not health.stopped


@pytest.mark.parametrize('name', ['u' * 81, 'uav 1', 'uav_1\n'])
def test_who_has_no_name_of_a_vehicle_is_not_in_the_table(name):
    health = VehicleHealth(Fleet())
    values = [KeyValue(key=STOPPED, value='true')]
    health.take([DiagnosticStatus(name='x', hardware_id=name, values=values)])
    health.take_bridge(DiagnosticStatus(name='x', hardware_id=name))
    assert not health.stopped and not health.take_news()
