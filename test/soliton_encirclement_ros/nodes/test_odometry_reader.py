"""Which odometry an agent takes: frames, stamps, order, and what it says."""

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
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.ros_io.endpoints import STATE

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

PLACE = (30.0, 0.0, 5.0)
SECOND = 1_000_000_000


class Listener:
    """An agent uav_1, its odometry played by the tester."""

    def __init__(self, ros: Ros, fleet: str = '', **parameters: Any) -> None:
        """Start the agent."""
        self.ros = ros
        self.node = ros.make(AgentNode, f'{fleet}/uav_1', **parameters)
        self.states = ros.listen(JointState, f'{fleet}/swarm/agent_states', STATE)
        self.odom = ros.voice(Odometry, f'{fleet}/uav_1/odom', STATE)

    def publish(
        self, frame: str = 'map', child: str = 'base_link', age_ns: int = 0,
        place: Vector = PLACE, velocity: Vector = (0.0, 0.0, 0.0), stamp_ns: int | None = None,
    ) -> Odometry:  # fmt: skip
        """Publish one odometry, and let the agent tick."""
        stamp_ns = self.ros.now_ns() - age_ns if stamp_ns is None else stamp_ns
        message = odometry(stamp_ns, place, velocity, child)
        message.header.frame_id = frame
        self.odom.publish(message)
        self.ros.meanwhile(0.06)
        return message

    @property
    def refused(self) -> int:
        """How many were refused."""
        return self.node.health.refused['odom']

    def refusal(self, **told: Any) -> str:
        """Publish until one is refused, and none taken; return all reasons."""
        before, count = self.refused, len(self.states)
        self.ros.until(lambda: (self.publish(**told), self.refused > before)[1], 'a refusal')
        assert len(self.states) == count
        return self.reasons()

    def reasons(self) -> str:
        """Return everything that is wrong with the agent."""
        return '; '.join(condition.reason for condition in self.node.health.conditions())

    def until_it_speaks(self, **told: Any) -> JointState:
        """Publish until the agent says where it is."""
        self.ros.until(lambda: (self.publish(**told), self.states)[1], 'its state')
        return self.states.last


@pytest.mark.parametrize('child', ['fleet/uav_1/base_link', 'uav_1/base_link', 'base_link'])
def test_odometry_of_the_own_body_in_map_counts_with_and_without_its_prefix(
    ros: Ros, child: str
) -> None:
    listener = Listener(ros, '/fleet')
    assert list(listener.until_it_speaks(child=child).position[:3]) == list(PLACE)
    assert listener.refused == 0


@pytest.mark.parametrize(
    ('told', 'text'),
    [
        ({'child': 'uav_2/base_link'},
         "child_frame_id = 'uav_2/base_link' must be 'uav_1/base_link' or 'base_link'; use the "
         "odom topic of this vehicle, or set odom_child_frame to 'uav_2/base_link'"),
        ({'child': ''}, 'child_frame_id is empty, so the frame of the twist is unknown'),
        ({'child': 'map'}, "child_frame_id is 'map', as of the pose, so the frame of the"),
        ({'frame': '/map'}, "header.frame_id = '/map' must be 'map'"),
        ({'frame': 'uav_2/odom'}, "set odom_frame to 'uav_2/odom' and odom_origin_x, "),
        ({'frame': ''}, "header.frame_id is empty, must be 'map'"),
        ({'age_ns': 3 * SECOND},
         's old, limit odom_timeout = 0.5 s; are the clocks of all computers'),
        ({'age_ns': -3 * SECOND}, 's in the future, limit odom_timeout = 0.5 s; are the clocks'),
        ({'stamp_ns': 0}, 'stamp is 0, so it was never set'),
        ({'place': (math.nan, 0.0, 0.0)}, 'must be finite'),
    ],
)  # fmt: skip
def test_what_is_no_present_odometry_of_the_own_body_is_refused_with_what_to_do(
    ros: Ros, told: dict[str, Any], text: str
) -> None:
    assert text in Listener(ros).refusal(**told)


def test_the_child_frame_can_be_named(ros: Ros) -> None:
    listener = Listener(ros, odom_child_frame='x500_0/base_footprint')
    assert "must be 'x500_0/base_footprint'" in listener.refusal(child='base_link')
    listener.until_it_speaks(child='x500_0/base_footprint')


@pytest.mark.parametrize('frame', ['odom', 'map'])
def test_a_frame_of_its_own_is_placed_by_parameters(ros: Ros, frame: str) -> None:
    listener = Listener(
        ros, odom_frame=frame, odom_origin_x=100.0, odom_origin_y=20.0, odom_origin_z=-3.0,
        odom_origin_yaw=math.pi / 2.0,
    )  # fmt: skip
    state = listener.until_it_speaks(frame=frame, place=(5.0, 0.0, 1.0), velocity=(2.0, 1.0, 0.5))
    assert list(state.position[:3]) == pytest.approx([100.0, 25.0, -2.0])
    assert list(state.velocity[:3]) == pytest.approx([-1.0, 2.0, 0.5])
    assert state.header.frame_id == 'map'


def test_an_older_odometry_does_not_replace_a_newer_one(ros: Ros) -> None:
    listener = Listener(ros, odom_timeout=5.0)
    listener.until_it_speaks()
    for age_ns in (SECOND, 2 * SECOND):
        listener.publish(age_ns=age_ns, place=(99.0, 0.0, 0.0))
    assert listener.refused == 2
    assert all(state.position[0] == PLACE[0] for state in listener.states)
    assert 'messages out of order' in listener.reasons()
    listener.publish(place=(31.0, 0.0, 5.0))
    assert listener.states.last.position[0] == 31.0


def test_two_vehicles_on_one_topic_are_flown_by_neither(ros: Ros) -> None:
    listener = Listener(ros)
    listener.until_it_speaks()
    for k in range(40):
        listener.publish(place=(30.0 * (k % 2), 0.0, 5.0))
    spoken = len(listener.states)
    for k in range(10):
        listener.publish(place=(30.0 * (k % 2), 0.0, 5.0))
    assert len(listener.states) == spoken
    assert 'positions jump by 30.0 m there and back: of two vehicles' in listener.reasons()


def test_an_estimator_that_is_stuck_is_no_odometry(ros: Ros) -> None:
    """Its stamps go on, but not its numbers, although it says that it moves."""
    listener = Listener(ros)
    listener.until_it_speaks()
    stuck = {'velocity': (5.0, 0.0, 0.0)}
    for _ in range(20):
        listener.publish(**stuck)
    assert 'are the same to the bit for ' in listener.refusal(**stuck)


def test_the_same_odometry_once_more_is_nothing_new_and_nothing_wrong(ros: Ros) -> None:
    """Drivers repeat what they have measured; a timer that catches up does, too."""
    listener = Listener(ros, odom_timeout=5.0)
    listener.until_it_speaks()
    again = listener.publish()
    for _ in range(10):
        listener.odom.publish(again)
        ros.meanwhile(0.02)
    assert listener.refused == 0


@pytest.mark.parametrize(('age', 'ticks'), [(0.3, (0, 2)), (-0.3, (6, 9))])
def test_odometry_counts_until_its_timeout_by_its_stamp_and_by_its_arrival(
    ros: Ros, age: float, ticks: tuple[int, int]
) -> None:
    """It is repeated all the time, which makes it no younger."""
    cockpit = Cockpit(ros, odom_timeout=0.4)
    cockpit.until(lambda: len(cockpit.commands) > 5, 'commands')
    ros.meanwhile(0.4)
    last = odometry(ros.now_ns() - round(age * SECOND), PLACE)
    cockpit.odom.publish(last)
    count = len(cockpit.commands)
    ros.meanwhile(2.0, lambda: cockpit.odom.publish(last))
    assert ticks[0] <= len(cockpit.commands) - count <= ticks[1]


def test_every_kind_of_refusal_is_logged_once(ros: Ros, capfd: pytest.CaptureFixture) -> None:
    listener = Listener(ros)
    for _ in range(3):
        listener.publish(frame='odom')
        listener.publish(age_ns=3_000_000_000)
        listener.publish(place=(math.nan, 0.0, 0.0))
    lines = [line for line in capfd.readouterr().err.splitlines() if 'odom: refused' in line]
    assert len(lines) == len({line.partition('refused: ')[2][:20] for line in lines}) == 3


ORIGIN = {'origin_x': 100.0, 'origin_y': 20.0, 'origin_z': 2.0, 'origin_yaw': 0.7}


def test_a_tilted_vehicle_with_its_own_origin_flies_to_the_ring(ros: Ros) -> None:
    """It ends on the ring round a target, and says where it is."""
    vehicle = ros.make(
        ExternalVehicle, '/uav_1', odom_frame='uav_1/odom', pitch=math.radians(25.0), yaw=-1.1,
        x=45.0, y=8.0, z=1.0, **ORIGIN,
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

    ros.until(on_the_ring, 'the ring')
    assert agent.health.refused['odom'] == 0
    track = np.array(vehicle.track).reshape(-1, 6)
    for state in states:
        told = [*state.position[:3], *state.velocity[:3]]
        assert np.abs(track - told).max(axis=1).min() < 1e-9
