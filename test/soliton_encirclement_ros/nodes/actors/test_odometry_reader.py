"""Which odometry an agent takes, over real topics: frames, stamps, order, and what it says."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState
from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode
from support.ros.bodies import odometry, said, target
from support.ros.cockpit import Cockpit
from support.ros.external_vehicle import ExternalVehicle
from support.ros.graph import Ros
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.ros_io.qos import STATE

pytestmark = pytest.mark.ros

PLACE = (30.0, 0.0, 5.0)


class Listener:
    """An agent uav_1, its odometry played by the tester."""

    def __init__(self, ros: Ros, namespace: str = '/uav_1', **parameters: Any) -> None:
        """Start the agent."""
        self.ros = ros
        self.node = ros.make(AgentNode, namespace, **parameters)
        self.states = ros.listen(JointState, '/swarm/agent_states', STATE)
        self.odom = ros.voice(Odometry, f'{namespace}/odom', STATE)

    def publish(
        self, frame: str = 'map', child: str = 'base_link', age_ns: int = 0,
        place: Vector = PLACE, velocity: Vector = (0.0, 0.0, 0.0),
    ) -> Odometry:  # fmt: skip
        """Publish one odometry."""
        message = odometry(self.ros.now_ns() - age_ns, place, velocity, child)
        message.header.frame_id = frame
        self.odom.publish(message)
        self.ros.meanwhile(0.02)
        return message

    def refusals(self, count: int = 5, **told: Any) -> str:
        """Publish until some are refused; return the reason."""

        def refused() -> bool:
            self.publish(**told)
            return self.node.health.refused['odom'] >= count

        self.ros.until(refused, 'refusals')
        assert self.states == []
        return self.reasons()

    def reasons(self) -> str:
        """Return everything that is wrong with the agent."""
        return '; '.join(condition.reason for condition in self.node.health.conditions())

    def until_it_speaks(self, **told: Any) -> JointState:
        """Publish until the agent says where it is."""
        self.ros.until(lambda: (self.publish(**told), self.states)[1], 'its state')
        return self.states.last


@pytest.mark.parametrize('child', ['uav_1/base_link', 'base_link'])
def test_odometry_of_the_own_body_in_map_counts(ros, child):
    said_state = Listener(ros).until_it_speaks(child=child)
    assert list(said_state.position[:3]) == list(PLACE)


@pytest.mark.parametrize('child', ['fleet/uav_1/base_link', 'uav_1/base_link', 'base_link'])
def test_in_a_fleet_the_body_may_be_named_with_its_prefix(ros, child):
    node = ros.make(AgentNode, '/fleet/uav_1')
    telemetry = ros.listen(JointState, '/fleet/uav_1/telemetry', STATE)
    odom = ros.voice(Odometry, '/fleet/uav_1/odom', STATE)

    def heard() -> bool:
        odom.publish(odometry(ros.now_ns(), PLACE, body=child))
        return bool(telemetry)

    ros.until(heard, 'telemetry')
    assert node.health.refused['odom'] == 0


@pytest.mark.parametrize(
    ('child', 'text'),
    [
        ('uav_2/base_link', "child_frame_id = 'uav_2/base_link' must be "
                            "'uav_1/base_link' or 'base_link'; use the odom topic of this "
                            "vehicle, or set odom_child_frame to 'uav_2/base_link'"),
        ('', 'child_frame_id is empty, so the frame of the twist is unknown'),
        ('map', "child_frame_id = 'map' must be "),
    ],
)  # fmt: skip
def test_odometry_of_another_body_is_refused_with_what_to_set(ros, child, text):
    assert text in Listener(ros).refusals(child=child)


def test_the_child_frame_can_be_named(ros):
    listener = Listener(ros, odom_child_frame='x500_0/base_footprint')
    assert "must be 'x500_0/base_footprint'" in listener.refusals(child='base_link')
    listener.until_it_speaks(child='x500_0/base_footprint')


@pytest.mark.parametrize('frame', ['odom', 'uav_2/odom', 'Map', '/map'])
def test_odometry_in_an_unknown_frame_is_refused_with_what_to_set(ros, frame):
    reason = Listener(ros).refusals(frame=frame)
    assert f"header.frame_id = '{frame}' must be 'map'" in reason
    assert f"set odom_frame to '{frame}' and odom_origin_x, odom_origin_y, odom_origin_z" in reason
    assert f'the transform map -> {frame}' in reason


def test_odometry_without_a_frame_is_refused(ros):
    assert "header.frame_id is empty, must be 'map'" in Listener(ros).refusals(frame='')


@pytest.mark.parametrize('frame', ['uav_1/odom', 'odom', 'map'])
def test_a_frame_of_its_own_is_placed_by_parameters(ros, frame):
    listener = Listener(
        ros, odom_frame=frame, odom_origin_x=100.0, odom_origin_y=20.0, odom_origin_z=-3.0,
        odom_origin_yaw=math.pi / 2.0,
    )  # fmt: skip
    state = listener.until_it_speaks(frame=frame, place=(5.0, 0.0, 1.0), velocity=(2.0, 1.0, 0.5))
    assert list(state.position[:3]) == pytest.approx([100.0, 25.0, -2.0])
    assert list(state.velocity[:3]) == pytest.approx([-1.0, 2.0, 0.5])
    assert state.header.frame_id == 'map'


def test_a_placed_frame_leaves_map_as_it_is(ros):
    listener = Listener(ros, odom_frame='odom', odom_origin_x=100.0)
    assert list(listener.until_it_speaks(frame='map').position[:3]) == list(PLACE)


@pytest.mark.parametrize(
    ('age_ns', 'text'),
    [
        (3_000_000_000, 's old, limit odom_timeout = 0.5 s; are the clocks of all computers'),
        (-3_000_000_000, 's in the future, limit odom_timeout = 0.5 s; are the clocks'),
    ],
)
def test_odometry_from_another_time_does_not_count(ros, age_ns, text):
    assert text in Listener(ros).refusals(age_ns=age_ns)


def test_odometry_without_a_stamp_does_not_count(ros):
    listener = Listener(ros)
    told = odometry(0, PLACE)
    refused = listener.node.health.refused
    ros.until(lambda: (listener.odom.publish(told), refused['odom'])[1], 'the refusal')
    assert 'stamp is 0, so it was never set' in listener.reasons()


def test_an_older_odometry_does_not_replace_a_newer_one(ros):
    listener = Listener(ros, odom_timeout=5.0)
    listener.until_it_speaks()
    before = listener.node.health.refused['odom']
    for age_ns in (1_000_000_000, 2_000_000_000):
        listener.publish(age_ns=age_ns, place=(99.0, 0.0, 0.0))
    ros.until(lambda: listener.node.health.refused['odom'] == before + 2, 'two refusals')
    ros.meanwhile(0.2)
    assert all(state.position[0] == PLACE[0] for state in listener.states)
    assert 'messages out of order' in listener.reasons()
    listener.publish(place=(31.0, 0.0, 5.0))
    ros.until(lambda: listener.states.last.position[0] == 31.0, 'the newer one')


def test_the_same_odometry_once_more_is_nothing_new_and_nothing_wrong(ros):
    """Drivers repeat what they have measured; a timer that catches up does, too."""
    listener = Listener(ros, odom_timeout=5.0)
    listener.until_it_speaks()
    before = listener.node.health.refused['odom']
    again = listener.publish()
    for _ in range(10):
        listener.odom.publish(again)
        ros.meanwhile(0.02)
    assert listener.node.health.refused['odom'] == before


def test_late_odometry_stops_the_commands_by_its_stamp_not_by_its_arrival(ros):
    cockpit = Cockpit(ros, odom_timeout=0.4)
    cockpit.until(lambda: len(cockpit.commands) > 5, 'commands')
    late = ros.now_ns() + 200_000_000
    ros.meanwhile(0.2)
    for _ in range(60):  # arrives all the time, and says the same stamp
        cockpit.odom.publish(odometry(late, PLACE))
        ros.meanwhile(0.02)
    count = len(cockpit.commands)
    for _ in range(20):
        cockpit.odom.publish(odometry(late, PLACE))
        ros.meanwhile(0.02)
    assert len(cockpit.commands) == count


def test_every_kind_of_refusal_is_logged_once(ros, capfd):
    listener = Listener(ros)
    for _ in range(3):
        listener.refusals(frame='odom')
        listener.refusals(age_ns=3_000_000_000)
        listener.publish(place=(math.nan, 0.0, 0.0))
    lines = [line for line in capfd.readouterr().err.splitlines() if 'odom: refused' in line]
    assert len(lines) == 3
    assert len({line.partition('refused: ')[2][:20] for line in lines}) == 3


PITCH = math.radians(25.0)
ORIGIN = {'origin_x': 100.0, 'origin_y': 20.0, 'origin_z': 2.0, 'origin_yaw': 0.7}


def test_a_tilted_vehicle_with_its_own_origin_flies_to_the_ring(ros):
    """Over real topics: it ends on the ring round a target, and says where it is."""
    vehicle = ros.make(
        ExternalVehicle, '/uav_1', odom_frame='uav_1/odom', pitch=PITCH, yaw=-1.1, x=45.0, y=8.0,
        z=1.0, **ORIGIN,
    )  # fmt: skip
    known = {f'odom_{name}': value for name, value in ORIGIN.items()}
    agent = ros.make(AgentNode, '/uav_1', odom_frame='uav_1/odom', **known)
    states = ros.listen(JointState, '/swarm/agent_states', STATE)
    voice = ros.voice(JointState, '/swarm/target_state', STATE)
    seq = itertools.count(1)

    def on_the_ring() -> bool:
        voice.publish(said(ros.now_ns(), target(next(seq), (60.0, 10.0, 0.0))))
        ros.meanwhile(0.02)
        x, y, z = vehicle.body.motion.position
        return abs(math.hypot(x - 60.0, y - 10.0) - 20.0) < 0.5 and abs(z) < 0.3

    ros.until(on_the_ring, 'the ring', 40.0)
    assert agent.health.refused['odom'] == 0
    track = np.array(vehicle.track).reshape(-1, 6)
    for state in states:
        told = [*state.position[:3], *state.velocity[:3]]
        assert np.abs(track - told).max(axis=1).min() < 1e-9
