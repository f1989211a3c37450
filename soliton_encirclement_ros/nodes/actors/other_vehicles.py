"""Vehicles that publish odometry and no agent states, as the separation filter takes them.

How often the filter changes commands, whom it kept clear of, and the last change are listed in the
diagnostics.
"""

import math
import time
from collections.abc import Sequence

from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.flight_statistics.filter_tally import body_name
from soliton_encirclement_ros.core.laws.filter_codes import NONE, OTHER_ID, REASONS
from soliton_encirclement_ros.core.states.states import AgentState
from soliton_encirclement_ros.core.states.swarm_topics import LARGEST_ID, Fleet, uav, uav_id
from soliton_encirclement_ros.members.guarded_vehicle import GuardedVehicle
from soliton_encirclement_ros.nodes.actors.actor_node import ActorNode
from soliton_encirclement_ros.swarm.memory_rows import FilterResult
from velocity_mobility_ros.core.step_time import lasting, to_seconds
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.messages.vehicle_input import MapOdometry
from velocity_mobility_ros.ros_io.node_diagnostics import NodeDiagnostics
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.vehicle_topics import ODOM


def odometry_topics(node: PollingNode, fleet: Fleet, text: str) -> list[str]:
    """Return the full names of topics; names without a first slash are in the fleet.

    Args:
        node: The node that will subscribe.
        fleet: Its fleet.
        text: The names, separated by commas.

    Raises:
        ParameterError: A name is empty, given twice, or that of the own odometry.
    """
    topics: list[str] = []
    for entry in text.split(',') if text.strip() else []:
        name = entry.strip()
        topic = name if name.startswith('/') else fleet.full_name(name)
        if not name:
            raise ParameterError(f'odometry_topics = {text!r} has an empty name')
        if topic in topics:
            raise ParameterError(f'odometry_topics = {text!r} names {topic} twice')
        if topic == node.resolve_topic_name(ODOM):
            raise ParameterError(
                f'odometry_topics = {text!r} must not name {topic}, the odometry of this vehicle'
            )
        topics.append(topic)
    return topics


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
        self._odometry = MapOdometry(node, health, timeout, topic)
        self._seq = 0
        self._stamp_ns: int | None = None
        self._received_ns = 0
        node.node_time.on_step(self._move)

    def take(self, now_ns: int) -> list[AgentState]:
        """Return its state as that of an agent, if there is a new one at a time [ns]."""
        last = self._odometry.update(now_ns)
        if last is None or last.stamp_ns == self._stamp_ns:
            return []
        self._stamp_ns, self._received_ns = last.stamp_ns, now_ns
        self._seq += 1
        age = max(0.0, to_seconds(now_ns - last.stamp_ns))
        return [AgentState(self.number, self._seq, last.position, last.velocity, age=age)]

    def _move(self, step_ns: int) -> None:
        """Keep all ages after a step of the clock [ns]."""
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
    """All vehicles outside of the swarm."""

    def __init__(
        self, node: ActorNode, topics: list[str], health: NodeDiagnostics, timeout: float
    ) -> None:
        """Subscribe to topics; other arguments as for ``OtherVehicle``."""
        self._fleet = node.fleet
        self._vehicles = [
            OtherVehicle(node, topic, LARGEST_ID + i, health, timeout)
            for i, topic in enumerate(topics, start=1)
        ]

    def take(self, now_ns: int) -> list[AgentState]:
        """Return the states that have arrived until a time [ns]."""
        return [state for other in self._vehicles for state in other.take(now_ns)]

    def topic_of(self, number: int) -> str | None:
        """Return the topic of the vehicle with a number, None if there is none."""
        return next((other.topic for other in self._vehicles if other.number == number), None)

    def telemetry_number(self, number: int) -> int:
        """Return the number in telemetry of a body with a number here.

        That of ``uav_k`` if its odometry is in the fleet, OTHER_ID for any other of them.
        """
        topic = self.topic_of(number)
        if topic is None:
            return number
        name, _, topic_name = topic.removeprefix(self._fleet.full_name('')).partition('/')
        member = uav_id(name) if topic_name == ODOM else None
        return member or OTHER_ID

    def conditions(self, now_ns: int, timeout: float) -> list[Condition]:
        """Return the vehicles that are not heard at a time [ns], after a timeout [s]."""
        faults = []
        for other in self._vehicles:
            silence = other.silence(now_ns)
            if math.isinf(silence):
                reason = f'no odometry received yet on {other.topic}: this vehicle is not avoided'
                faults.append(Condition(Level.STALE, reason, unheard=other.topic))
            elif silence > timeout:
                reason = (
                    f'no odometry on {other.topic} for {lasting(silence)}: '
                    'the vehicle counts as one that has stopped'
                )
                faults.append(Condition(Level.WARN, reason, other.topic))
            faults += other.twist_conditions()
        return faults


class FilterRates:
    """The results of the filter of one vehicle, and rates since the last status."""

    def __init__(self) -> None:
        """Begin without results."""
        self._results = self._changed = 0
        self._total = 0
        self._last = 'none'
        self._pusher = 'none'
        self._since = time.monotonic()

    def add(self, result: FilterResult, others: OtherVehicles) -> None:
        """Count a result; others are those that its numbers may stand for."""
        self._results += 1
        if result.reason == NONE:
            return
        self._changed += 1
        self._total += 1
        self._last = REASONS[result.reason]
        name = others.topic_of(result.pusher) or body_name(result.pusher)
        self._pusher = name or 'none'

    def take(self, commands: int) -> dict[str, object]:
        """Return the values since the last call.

        Args:
            commands: Commands received since then.
        """
        now = time.monotonic()
        span, self._since = now - self._since, now
        share = self._changed / self._results if self._results else 0.0
        self._results = self._changed = 0
        return {
            'command_rate_hz': f'{commands / span:.1f}' if span > 0.0 else '0.0',
            'changed_share': f'{share:.3f}',
            'changed_commands': self._total,
            'last_change_reason': self._last,
            'last_change_by': self._pusher,
        }


def telemetry_result(filtered: Sequence[float], others: OtherVehicles) -> tuple[float, ...]:
    """Return the values of ``telemetry.FILTER_NAMES``, with numbers valid in the whole fleet.

    Args:
        filtered: The values with the numbers of this node; none without a filter.
        others: Vehicles that have a number in this node only.
    """
    if not filtered:
        return ()
    reason, pusher, change = filtered
    return reason, float(others.telemetry_number(int(pusher))), change


def filter_conditions(vehicle: GuardedVehicle, now: float) -> list[Condition]:
    """Return what the filter of a vehicle does not do, or only assumes, at a time [s]."""
    if not vehicle.is_filtered:
        return [Condition(Level.WARN, 'separation_filter = false: commands are only limited')]
    silent = vehicle.silent(now)
    if not silent:
        return []
    names = named([uav(k) for k in silent])
    return [Condition(Level.WARN, f'silent: {names}; counted as stopped', 'silent vehicles')]
