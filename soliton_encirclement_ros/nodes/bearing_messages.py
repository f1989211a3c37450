"""Bearings of the target as messages, from and to bytes: geometry_msgs/Vector3Stamped.

A vector in map from the agent to the target. Without ``range_noise`` only its direction counts;
with it its length is the measured range [m]. A vector of zeros: the target is not in sight.

An agent takes what its camera publishes at a tick. In real time the newest one since the last tick
counts, with its age by its stamp. In lockstep the world, whose simulated cameras measure them,
publishes one for every tick, and the tick waits for it.
"""

import math
from collections.abc import Callable, Mapping

from geometry_msgs.msg import Vector3Stamped
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.qos import QoSProfile
from rclpy.serialization import serialize_message

from soliton_encirclement_ros.core.estimation.bearing_sensor import UNSEEN
from soliton_encirclement_ros.core.run.world import World
from soliton_encirclement_ros.core.states.swarm_topics import TARGET_BEARING, Fleet
from soliton_encirclement_ros.members.own_agent import Agent
from velocity_mobility_ros.core.step_time import to_seconds
from velocity_mobility_ros.core.user_errors import MalformedMessageError
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.ros_io.endpoints import LOCKSTEP, POLLED_INPUT, make_subscription
from velocity_mobility_ros.ros_io.messages.message_conversion import check_stamp
from velocity_mobility_ros.ros_io.node_diagnostics import NodeDiagnostics
from velocity_mobility_ros.ros_io.node_time import ns_to_time, time_to_ns
from velocity_mobility_ros.ros_io.polling import PollingNode, deserialized
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME


def bearing_message(stamp_ns: int, vector: Vector) -> bytes:
    """Return a measured vector of a time [ns] as a serialized message."""
    message = Vector3Stamped()
    message.header.stamp, message.header.frame_id = ns_to_time(stamp_ns), MAP_FRAME
    message.vector.x, message.vector.y, message.vector.z = vector
    return serialize_message(message)


def read_bearing(data: bytes) -> tuple[int, Vector]:
    """Return the stamp [ns] and the vector of a serialized message.

    Raises:
        MalformedMessageError: It is damaged or not in map, or a number is not finite.
    """
    message = deserialized(data, Vector3Stamped)
    frame, v = message.header.frame_id, message.vector
    if frame != MAP_FRAME:
        raise MalformedMessageError(
            f"frame_id = '{frame}' must be '{MAP_FRAME}': the publisher has to turn the bearing"
        )
    if not (math.isfinite(v.x) and math.isfinite(v.y) and math.isfinite(v.z)):
        raise MalformedMessageError(f'vector = {v.x}, {v.y}, {v.z} must be finite')
    return time_to_ns(message.header.stamp), (v.x, v.y, v.z)


class PolledBearings:
    """Real time: the newest bearing since the last tick."""

    def __init__(self, node: PollingNode, health: NodeDiagnostics, timeout: float) -> None:
        """Subscribe.

        Args:
            node: The node to subscribe with.
            health: Counts what is refused.
            timeout: Age [s] from which a bearing is not accepted.
        """
        self._take = node.poll(Vector3Stamped, TARGET_BEARING, POLLED_INPUT)
        self._health = health
        self._timeout = timeout
        self._last_ns = 0
        node.node_time.on_step(self._move)

    def _move(self, step_ns: int) -> None:
        """Keep the age of the last bearing after a step of the clock [ns]."""
        self._last_ns += step_ns

    def show(self, agent: Agent, now_ns: int) -> None:
        """Pass the newest bearing until now [ns] to an agent, none if there is no new one."""
        vector, age_ns = UNSEEN, 0
        for data in self._take():
            try:
                stamp_ns, bearing = read_bearing(data)
                check_stamp(stamp_ns, now_ns, self._timeout, 'target_state_timeout')
            except MalformedMessageError as error:
                self._health.refuse(TARGET_BEARING, str(error), type(error).__name__)
                continue
            if stamp_ns > self._last_ns:
                self._last_ns, vector, age_ns = stamp_ns, bearing, max(0, now_ns - stamp_ns)
        agent.see(vector, to_seconds(age_ns))


class LockstepBearings:
    """Lockstep: the bearing of the tick."""

    def __init__(
        self, node: PollingNode, health: NodeDiagnostics, arrived: Callable[[], None]
    ) -> None:
        """Subscribe.

        Args:
            node: The node to subscribe with.
            health: Counts what is refused.
            arrived: Called after a bearing has arrived.
        """
        self._health = health
        self._arrived = arrived
        self._stamp_ns, self._vector = -1, UNSEEN
        make_subscription(node, Vector3Stamped, TARGET_BEARING, self._on_data, LOCKSTEP, raw=True)

    def has(self, stamp_ns: int) -> bool:
        """Return whether the bearing of a tick [ns] has arrived."""
        return self._stamp_ns == stamp_ns

    def show(self, agent: Agent, now_ns: int) -> None:
        """Pass the bearing of the tick [ns] to an agent."""
        agent.see(self._vector if self.has(now_ns) else UNSEEN)

    def _on_data(self, data: bytes) -> None:
        try:
            self._stamp_ns, self._vector = read_bearing(data)
        except MalformedMessageError as error:
            self._health.refuse(TARGET_BEARING, str(error), type(error).__name__)
        self._arrived()


class BearingOutput:
    """Publishers of bearings, one for every agent with a camera.

    Attributes:
        publishers: By name of the agent; none if the target broadcasts its state.
    """

    publishers: Mapping[str, Publisher]

    def __init__(self, node: Node, fleet: Fleet, world: World, profile: QoSProfile) -> None:
        """Create the publishers.

        Args:
            node: The world's node.
            fleet: Its fleet.
            world: The bodies with their cameras.
            profile: Quality of service.
        """
        self._world = world
        self.publishers = {
            name: node.create_publisher(
                Vector3Stamped, fleet.member_topic(name, TARGET_BEARING), profile
            )
            for name in world.cameras
        }

    def publish(self, stamp_ns: int, tick: int, also_unseen: bool = False) -> None:
        """Publish what the cameras see at a tick; on demand zeros where one sees nothing."""
        for name, publisher in self.publishers.items():
            vector = self._world.seen(name, tick)
            if also_unseen or vector != UNSEEN:
                publisher.publish(bearing_message(stamp_ns, vector))
