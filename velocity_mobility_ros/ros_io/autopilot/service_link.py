"""What the links to autopilots with services share; see ``autopilot_link`` for the contract."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from rclpy.publisher import Publisher
from rclpy.serialization import deserialize_message

from velocity_mobility_ros.autopilot.bridge.bridge_records import BridgeOutputs, Known, LinkFacts
from velocity_mobility_ros.autopilot.outputs import Action, Answer, Setpoint
from velocity_mobility_ros.autopilot.service_call import ServiceCall, unsupported
from velocity_mobility_ros.autopilot.traits import Traits
from velocity_mobility_ros.ros_io.autopilot.link_graph import LinkGraph, absence
from velocity_mobility_ros.ros_io.autopilot.odometry_stamps import OdometryStamps
from velocity_mobility_ros.ros_io.autopilot.service_requests import Read, ServiceRequests
from velocity_mobility_ros.ros_io.endpoints import make_publisher
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.qos import AUTOPILOT_STREAM, LATCHED

TIMELY = 0.5
"""Without a message of the vehicle for this time the graph is searched for the reason [s]."""


class Reports(Protocol):
    """Reports that are put together from messages."""

    known: Known
    trouble: str

    def take(self, topic: str, message: Any, received: float) -> None:
        """Take a message of a topic that arrived at a monotonic time [s]."""
        ...


class Names(NamedTuple):
    """What an autopilot has on the wire.

    Attributes:
        parameter: Parameter that names the prefix.
        prefix: What comes before the names of topics and services.
        messages: Class by topic, from it.
        latched: Topics that it publishes reliably, for late subscribers too.
        services: Class by service, to it.
        setpoints: Topic and class of the setpoints.
        status: Topic by which it is known, and its type.
        hint: What to look at if nobody publishes that, as a question.
    """

    parameter: str
    prefix: str
    messages: Mapping[str, type]
    latched: frozenset[str]
    services: Mapping[str, type]
    setpoints: tuple[str, type]
    status: tuple[str, str]
    hint: str


class ServiceLink(ABC):
    """The topics and services of one vehicle.

    Attributes:
        kind: Name of the link.
        traits: What is particular to the autopilot.
        counts: Numbers of messages and calls.
    """

    kind = ''
    traits: Traits

    def __init__(
        self, node: PollingNode, names: Names, reports: Reports, read: Read, stamps: str
    ) -> None:
        """Open topics and services.

        Args:
            node: The node.
            names: Their names and classes.
            reports: Makes reports of the messages.
            read: Reads the responses of the services.
            stamps: Whose stamps the odometry gets, see ``OdometryStamps``.
        """
        self._node, self._names, self._reports = node, names, reports
        self._arrived = {
            topic: node.poll(
                kind, self._full(topic), LATCHED if topic in names.latched else AUTOPILOT_STREAM
            )
            for topic, kind in names.messages.items()
        }
        topic, kind = names.setpoints
        self._sender = make_publisher(node, kind, self._full(topic), AUTOPILOT_STREAM)
        self._requests = ServiceRequests(node, names.prefix, names.services, read)
        services = [*self._requests.clients.values()]
        self._graph = LinkGraph(node, self._sender, services, self._absence)
        self._stamps, self._heard = OdometryStamps(stamps), -math.inf
        self._unsupported: list[Answer] = []
        self.counts = dict.fromkeys(('setpoints', 'requests', 'answers'), 0)

    def take(self, now: float) -> Known:
        """Read the newest message of each topic that has one."""
        for topic, arrived in self._arrived.items():
            messages = [*arrived()]
            if messages:
                self._heard = now
                message = deserialize_message(messages[-1], self._names.messages[topic])
                self._reports.take(topic, message, now)
        self._requests.poll(now)
        self._inquire(now)
        return self._reports.known

    def answers(self) -> list[Answer]:
        """Return the answers since the last call."""
        found = [*self._requests.answers(), *self._unsupported]
        self._unsupported.clear()
        self.counts['answers'] += len(found)
        return found

    def facts(self, now: float) -> LinkFacts:
        """Return what the middleware and the messages tell."""
        facts = self._graph.facts(self._is_heard(now))
        return facts._replace(trouble=facts.trouble or self._reports.trouble)

    def send(self, outputs: BridgeOutputs, now: float) -> None:
        """Send setpoint and request."""
        if outputs.setpoint is not None:
            self._command(self._sender, outputs.setpoint)
            self.counts['setpoints'] += 1
        action = outputs.engage.send
        if action is not None:
            self._ask(action, outputs.takeoff_height, now)

    def odometry_stamp_ns(self, now_ns: int) -> int | None:
        """Return the stamp of the last odometry, None if it is not to be believed [ns]."""
        return self._stamps.stamp_ns(self._reports.known.odometry, now_ns)

    def values(self) -> dict[str, object]:
        """Return names and counts."""
        names = self._names
        return {names.parameter: names.prefix, 'stamps': self._stamps.source, **self.counts}

    @abstractmethod
    def _command(self, sender: Publisher, setpoint: Setpoint) -> None:
        """Publish a setpoint."""

    @abstractmethod
    def _call_of(self, action: Action, height: float) -> ServiceCall | None:
        """Return the call that asks for an action, None if there is none; height of a take-off."""

    @abstractmethod
    def _inquire(self, now: float) -> None:
        """Ask for what the vehicle does not tell by itself."""

    def _is_heard(self, now: float) -> bool:
        return now - self._heard < TIMELY

    def _full(self, name: str) -> str:
        return f'{self._names.prefix}/{name}'

    def _ask(self, action: Action, height: float, now: float) -> None:
        call = self._call_of(action, height)
        self.counts['requests'] += 1
        if call is None:
            self._unsupported.append(unsupported(action, now))
        else:
            self._requests.ask(action, call)

    def _absence(self) -> str:
        topic, kind = self._names.status
        full = self._node.resolve_topic_name(self._full(topic))
        return absence(self._node, full, kind, self._names.parameter, self._names.hint)
