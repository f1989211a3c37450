"""Bearings of a camera to an agent node in real time: what counts, how old, what is refused."""

import math

import pytest
from geometry_msgs.msg import Twist, Vector3Stamped
from nav_msgs.msg import Odometry

from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode
from soliton_encirclement_ros.nodes.bearing_messages import bearing_message, read_bearing
from support.ros.bodies import odometry
from support.ros.graph import Ros
from velocity_mobility_ros.core.user_errors import MalformedMessageError
from velocity_mobility_ros.ros_io.endpoints import COMMAND, STATE
from velocity_mobility_ros.ros_io.node_time import ns_to_time

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

PLACE, TARGET = (30.0, 0.0, 0.0), (12.0, 5.0, 0.0)


class Camera:
    """An agent that estimates the target, its odometry and its camera."""

    def __init__(self, ros: Ros, **parameters: object) -> None:
        """Start uav_1."""
        self.ros = ros
        self.node = ros.make(AgentNode, '/uav_1', target_broadcasts=False, **parameters)
        self.commands = ros.listen(Twist, '/uav_1/cmd_vel', COMMAND)
        self.odom = ros.voice(Odometry, '/uav_1/odom', STATE)
        self.camera = ros.voice(Vector3Stamped, '/uav_1/target_bearing', STATE)

    def show(self, late: float = 0.0, frame: str = 'map', scale: float = 1.0) -> None:
        """Publish odometry and a bearing that is a time [s] late; let a moment go by."""
        now = self.ros.now_ns()
        self.odom.publish(odometry(now, PLACE))
        message = Vector3Stamped()
        message.header.stamp, message.header.frame_id = ns_to_time(now - int(late * 1e9)), frame
        v = message.vector
        v.x, v.y, v.z = (scale * (b - a) for a, b in zip(PLACE, TARGET, strict=True))
        self.camera.publish(message)
        self.ros.meanwhile(0.03)

    def until(self, condition, what, **shown):
        """Show bearings until a condition holds."""
        self.ros.until(lambda: (self.show(**shown), condition())[1], what)

    @property
    def estimate(self):
        """Position [m] and age [s] of the target as the agent thinks; no age below 0."""
        values = self.node.actor.estimated
        return values[:3], values[6]

    @property
    def error(self):
        """How far that is from the truth [m]."""
        place, age = self.estimate
        return math.dist(place, TARGET) if age >= 0.0 else math.inf


def test_a_camera_with_ranges_shows_the_target_and_the_agent_flies_to_the_ring(ros):
    camera = Camera(ros, range_noise=0.5)
    camera.until(lambda: camera.error < 1.0, 'an estimate')
    assert camera.node.actor.hears_target(camera.node.actor.now)
    camera.until(lambda: camera.commands and camera.commands.last.linear.x > 0.5, 'a command')


def test_without_ranges_the_length_of_the_vector_does_not_count(ros):
    camera = Camera(ros)
    camera.until(lambda: camera.estimate[1] >= 0.0, 'an estimate', scale=0.01)
    (x, y, _), (tx, ty, _) = camera.estimate[0], TARGET
    assert math.atan2(y, x - PLACE[0]) == pytest.approx(math.atan2(ty, tx - PLACE[0]), abs=0.05)


def test_the_age_of_a_bearing_is_that_of_its_stamp(ros):
    camera = Camera(ros, range_noise=0.5)
    camera.until(lambda: camera.error < 1.0, 'an estimate', late=0.3)
    camera.show(late=0.3)
    assert 0.25 < camera.estimate[1] < 0.5


@pytest.mark.parametrize(('shown', 'reason'), [
    ({'frame': 'camera'}, "frame_id = 'camera' must be 'map': the publisher has to turn the"),
    ({'late': 3.0}, 's old, limit target_state_timeout = 0.5 s'),
    ({'scale': math.nan}, 'vector = nan, nan, nan must be finite'),
])  # fmt: skip
def test_what_is_refused_is_counted_and_named(ros, shown, reason):
    camera = Camera(ros, range_noise=0.5)
    reasons = []
    refuse = camera.node.health.refuse
    camera.node.health.refuse = lambda *told: (reasons.append(told), refuse(*told))
    camera.until(lambda: len(reasons) > 2, 'refusals', **shown)
    assert {told[0] for told in reasons} == {'target_bearing'}
    assert all(reason in told[1] for told in reasons)
    assert camera.estimate[1] == -1.0


@pytest.mark.parametrize('size', [0, 3, 20])
def test_a_bearing_that_is_cut_off_is_refused(size):
    data = bearing_message(5, (1.0, 2.0, 3.0))
    assert read_bearing(data) == (5, (1.0, 2.0, 3.0))
    with pytest.raises(MalformedMessageError, match=f'{size} bytes are no Vector3Stamped'):
        read_bearing(data[:size])


def test_a_target_that_goes_out_of_sight_is_lost_after_its_timeout(ros):
    camera = Camera(ros, range_noise=0.5)
    camera.until(lambda: camera.error < 1.0, 'an estimate')
    actor = camera.node.actor
    camera.until(lambda: not actor.hears_target(actor.now), 'a lost target', frame='camera')
    assert actor.target_age(actor.now) > 0.5
