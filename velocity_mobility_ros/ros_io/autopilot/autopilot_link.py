"""The link of a bridge to its autopilot: the interface, and the shared part of links by services.

``AutopilotLink`` is the contract. The odometry of a vehicle gets a stamp in the clock of this
computer. Message packages that belong to an autopilot and are not part of ROS are loaded when they
are needed.
"""

import importlib
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from rclpy.publisher import Publisher

from velocity_mobility_ros.autopilot.autopilot_reports import VehicleOdometry
from velocity_mobility_ros.autopilot.autopilot_requests import (
    Action, Answer, ServiceCall, Setpoint, Traits, unsupported
)
from velocity_mobility_ros.autopilot.bridge import BridgeOutputs, Known, LinkFacts
from velocity_mobility_ros.autopilot.protocols.ardupilot_reports import PartReports
from velocity_mobility_ros.autopilot.protocols.px4_reports import SampleClock, stamped
from velocity_mobility_ros.core.parameter_declaration import parameter
from velocity_mobility_ros.core.user_errors import MalformedMessageError, StartupError
from velocity_mobility_ros.ros_io.autopilot.autopilot_graph import ServiceGraph
from velocity_mobility_ros.ros_io.endpoints import AUTOPILOT_STREAM, LATCHED, make_publisher
from velocity_mobility_ros.ros_io.polling import PolledClient, PollingNode, deserialized

SAMPLE, ARRIVAL = 'sample', 'arrival'


def stamp_parameter(further: str = '') -> Any:
    """Return the parameter ``odometry_stamp``, with something further about it."""
    return parameter(
        ARRIVAL, 'stamp of odom: the time of arrival, or that of the sample while it differs by '
        f"less than 0.5 s from this computer's clock{further}", choices=(ARRIVAL, SAMPLE),
    )  # fmt: skip


TIMELY = 0.5
"""Without a message of the vehicle for this time the graph is searched for the reason [s]."""


class AutopilotLink(ABC):
    """The topics and services of one autopilot; times are monotonic [s].

    Attributes:
        kind: Name of the autopilot, such as ``px4``.
        traits: What is particular to it.
        counts: Numbers of messages and calls.
    """

    kind = ''
    traits: Traits

    def __init__(self, stamps: str, counted: Iterable[str]) -> None:
        """Start without messages.

        Args:
            stamps: Whose stamps the odometry gets: ARRIVAL, or SAMPLE while they are believed.
            counted: What is counted, beside answers.
        """
        self._has_own_stamps, self._clock = stamps == SAMPLE, SampleClock()
        self._heard, self._answers = -math.inf, []
        self.counts = dict.fromkeys((*counted, 'requests', 'answers'), 0)

    @abstractmethod
    def take(self, now: float) -> Known:
        """Read all messages; return the last report of each kind."""

    def answers(self) -> list[Answer]:
        """Return the answers to requests since the last call."""
        answers, self._answers = self._answers, []
        self.counts['answers'] += len(answers)
        return answers

    @abstractmethod
    def facts(self, now: float) -> LinkFacts:
        """Return the state of the link: subscribers, other senders, mismatches."""

    @abstractmethod
    def send(self, outputs: BridgeOutputs, now: float) -> None:
        """Send heartbeat, setpoint and request."""

    @abstractmethod
    def odometry_stamp_ns(self, now_ns: int) -> int | None:
        """Return the stamp of the last odometry in the clock of this computer [ns].

        None: that message is not to be passed on.

        Args:
            now_ns: Time of this computer [ns].
        """

    @abstractmethod
    def values(self) -> dict[str, object]:
        """Return the values for diagnostics."""

    @property
    def _stamps(self) -> str:
        """Whose stamps are used, in words."""
        return 'of the vehicle' if self._clock.is_synchronised else 'of arrival'

    def _stamp_ns(
        self, odometry: VehicleOdometry | None, now_ns: int, age_ns: int = 0
    ) -> int | None:
        """Return the stamp of an odometry that came some time ago, None: not believed [ns]."""
        if odometry is None or not self._has_own_stamps:
            return now_ns - age_ns
        self._clock, stamp_ns = stamped(self._clock, odometry.sampled_us, now_ns)
        return stamp_ns

    def _is_heard(self, now: float) -> bool:
        return now - self._heard < TIMELY


SOURCES = {
    'ardupilot_msgs': 'build Tools/ros2/ardupilot_msgs of github.com/ArduPilot/ardupilot',
    'geographic_msgs': 'install it (ros-DISTRO-geographic-msgs)',
    'mavros_msgs': 'install it (ros-DISTRO-mavros-msgs)',
}
"""How to get a package, by its name."""


def load(kinds: Mapping[str, tuple[str, str]], part: str) -> dict[str, type]:
    """Return classes of messages or services.

    Args:
        kinds: Package and name by topic or service.
        part: ``msg`` or ``srv``.

    Raises:
        StartupError: A package is missing, or has no such message.
    """
    return {key: _class(package, part, name) for key, (package, name) in kinds.items()}


def _class(package: str, part: str, name: str) -> type:
    try:
        module = importlib.import_module(f'{package}.{part}')
    except ImportError as error:
        remedy = SOURCES.get(package, 'install it')
        raise StartupError(
            f'{package} is not installed ({error}): {remedy}, and source its workspace'
        ) from None
    kind = getattr(module, name, None)
    if not isinstance(kind, type):
        raise StartupError(f'{package} has no {part}/{name}; install a newer one')
    return kind


Read = Callable[[Action, Any, float], Answer | None]
"""Reads a response to a request for an action, which came at a time [s]."""


class Names(NamedTuple):
    """Names of the topics and services of an autopilot.

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


class ServiceLink(AutopilotLink):
    """The topics and services of one vehicle whose autopilot has services."""

    def __init__(
        self, node: PollingNode, names: Names, reports: PartReports, read: Read, stamps: str
    ) -> None:
        """Open topics and services.

        Args:
            node: The node.
            names: Their names and classes.
            reports: Makes reports of the messages.
            read: Reads the responses of the services.
            stamps: Whose stamps the odometry gets: SAMPLE or ARRIVAL.
        """
        super().__init__(stamps, ['setpoints'])
        self._node, self._names, self._reports, self._read = node, names, reports, read
        self._arrived = {
            topic: node.poll(
                kind, self._full(topic), LATCHED if topic in names.latched else AUTOPILOT_STREAM
            )
            for topic, kind in names.messages.items()
        }
        topic, kind = names.setpoints
        self._sender = make_publisher(node, kind, self._full(topic), AUTOPILOT_STREAM)
        self._clients = {
            service: PolledClient(node, kind, self._full(service))
            for service, kind in names.services.items()
        }
        status, kind_name = names.status
        self._status = node.resolve_topic_name(self._full(status))
        self._graph = ServiceGraph(
            node, self._sender, [*self._clients.values()], kind_name, names.parameter, names.hint
        )
        self._now = 0.0

    def take(self, now: float) -> Known:
        """Read the newest message of each topic that has one, and the responses."""
        for topic, arrived in self._arrived.items():
            messages = [*arrived()]
            if not messages:
                continue
            try:
                message = deserialized(messages[-1], self._names.messages[topic])
            except MalformedMessageError:
                continue  # as if it had been lost
            self._heard = now
            self._reports.take(topic, message, now)
        self._now = now
        for client in self._clients.values():
            client.poll()
        self._inquire(now)
        return self._reports.known

    def facts(self, now: float) -> LinkFacts:
        """Return the state of the link by the middleware and the messages."""
        facts = self._graph.facts([] if self._is_heard(now) else [self._status])
        return facts._replace(fault=facts.fault or self._reports.fault)

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
        return self._stamp_ns(self._reports.known.odometry, now_ns)

    def values(self) -> dict[str, object]:
        """Return names and counts."""
        names = self._names
        return {names.parameter: names.prefix, 'stamps': self._stamps, **self.counts}

    @abstractmethod
    def _command(self, sender: Publisher, setpoint: Setpoint) -> None:
        """Publish a setpoint."""

    @abstractmethod
    def _call_of(self, action: Action, height: float) -> ServiceCall | None:
        """Return the call that asks for an action, None if there is none; height of a take-off."""

    @abstractmethod
    def _inquire(self, now: float) -> None:
        """Request what the vehicle does not publish by itself."""

    def _full(self, name: str) -> str:
        return f'{self._names.prefix}/{name}'

    def _ask(self, action: Action, height: float, now: float) -> None:
        call = self._call_of(action, height)
        self.counts['requests'] += 1
        if call is None:
            self._answers.append(unsupported(action, now))
            return

        def done(response: Any) -> None:
            answer = self._read(action, response, self._now)
            if answer is not None:
                self._answers.append(answer)

        self._clients[call.service].call(call.fields, done)
