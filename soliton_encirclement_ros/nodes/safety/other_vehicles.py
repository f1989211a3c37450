"""Vehicles that publish odometry and no agent states, as the separation filter takes them."""

import math

from nav_msgs.msg import Odometry
from velocity_mobility_ros.core.step_time import lasting, to_seconds
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.endpoints import POLLED_INPUT
from velocity_mobility_ros.ros_io.messages.vehicle_input import MapOdometry
from velocity_mobility_ros.ros_io.node_diagnostics import NodeDiagnostics
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.vehicle_topics import ODOM

from soliton_encirclement_ros.core.laws.filter_codes import OTHER_ID
from soliton_encirclement_ros.core.states.states import AgentState
from soliton_encirclement_ros.core.states.swarm_topics import LARGEST_ID, Fleet, uav_id
from soliton_encirclement_ros.nodes.actors.actor_node import ActorNode


def odometry_topics(node: PollingNode, fleet: Fleet, text: str) -> list[str]:
    """Return the full names of topics; names without a first slash are in the fleet.

    Args:
        node: The node that will subscribe.
        fleet: Its fleet.
        text: The names, separated by commas.

    Raises:
        ParameterError: A name is empty, given twice, or that of the own odometry.
    """
    found: list[str] = []
    for name in text.split(',') if text.strip() else []:
        given = name.strip()
        topic = given if given.startswith('/') else fleet.full_name(given)
        if not given:
            raise ParameterError(f'odometry_topics = {text!r} has an empty name')
        if topic in found:
            raise ParameterError(f'odometry_topics = {text!r} names {topic} twice')
        if topic == node.resolve_topic_name(ODOM):
            raise ParameterError(
                f'odometry_topics = {text!r} must not name {topic}, the odometry of this vehicle'
            )
        found.append(topic)
    return found


class OtherVehicle:
    """One of them, with a number beyond those of agents."""

    def __init__(
        self, node: PollingNode, topic: str, number: int, health: NodeDiagnostics, timeout: float
    ) -> None:
        """Subscribe.

        Args:
            node: The node to subscribe with.
            topic: Full name of its odometry.
            number: What stands for it among the known bodies.
            health: Counts what is refused.
            timeout: Age [s] from which an odometry is refused.
        """
        self.topic, self.number = topic, number
        self._arrived = node.poll(Odometry, topic, POLLED_INPUT)
        self._odometry = MapOdometry(health, topic, timeout, topic)
        self._seq = 0
        self._stamp_ns: int | None = None
        self._received_ns = 0
        node.node_time.on_step(self._move)

    def take(self, now_ns: int) -> list[AgentState]:
        """Return its state as that of an agent, if there is a new one at a time [ns]."""
        for data in self._arrived():
            self._odometry.take(data, now_ns)
        last = self._odometry.current(now_ns)
        if last is None or last.stamp_ns == self._stamp_ns:
            return []
        self._stamp_ns, self._received_ns = last.stamp_ns, now_ns
        self._seq += 1
        age = max(0.0, to_seconds(now_ns - last.stamp_ns))
        return [AgentState(self.number, self._seq, last.position, last.velocity, age=age)]

    def _move(self, step_ns: int) -> None:
        """Keep all ages after a step of the clock [ns]."""
        self._odometry.move(step_ns)
        self._received_ns += step_ns
        if self._stamp_ns is not None:
            self._stamp_ns += step_ns

    def twist_conditions(self) -> list[Condition]:
        """Return the fault that its twist is in another frame."""
        return self._odometry.twist_conditions()

    def silence(self, now_ns: int) -> float:
        """Return how long ago [s] its last state came, infinite before the first."""
        if self._stamp_ns is None:
            return math.inf
        return to_seconds(now_ns - self._received_ns)


class OtherVehicles:
    """All of them."""

    def __init__(
        self, node: ActorNode, topics: list[str], health: NodeDiagnostics, timeout: float
    ) -> None:
        """Subscribe to topics; the rest as for ``OtherVehicle``."""
        self._fleet = node.fleet
        self._vehicles = [
            OtherVehicle(node, topic, LARGEST_ID + i, health, timeout)
            for i, topic in enumerate(topics, start=1)
        ]

    def take(self, now_ns: int) -> list[AgentState]:
        """Return the states that have arrived until a time [ns]."""
        return [state for one in self._vehicles for state in one.take(now_ns)]

    def topic_of(self, number: int) -> str | None:
        """Return the topic of the vehicle with a number, None if there is none."""
        return next((one.topic for one in self._vehicles if one.number == number), None)

    def told_as(self, number: int) -> int:
        """Return the number by which telemetry tells of a body with a number here.

        That of ``uav_k`` if its odometry is in the fleet, OTHER_ID for any other of them.
        """
        topic = self.topic_of(number)
        if topic is None:
            return number
        name, _, rest = topic.removeprefix(self._fleet.full_name('')).partition('/')
        member = uav_id(name) if rest == ODOM else None
        return member or OTHER_ID

    def conditions(self, now_ns: int, timeout: float) -> list[Condition]:
        """Return the vehicles that are not heard at a time [ns], after a timeout [s]."""
        found = []
        for one in self._vehicles:
            silence = one.silence(now_ns)
            if math.isinf(silence):
                reason = f'no odometry received yet on {one.topic}: this vehicle is not avoided'
                found.append(Condition(Level.STALE, reason, unheard=one.topic))
            elif silence > timeout:
                reason = (
                    f'no odometry on {one.topic} for {lasting(silence)}: '
                    'the vehicle counts as one that has stopped'
                )
                found.append(Condition(Level.WARN, reason, one.topic))
            found += one.twist_conditions()
        return found
