"""One PX4 over uXRCE-DDS: topics to reports, requests to messages.

What a PX4 publishes is taken as serialized messages.

Fast DDS prints an error for every message that is longer than those of the installed px4_msgs, and
drops it. So a topic without any message is left while px4_msgs is known not to fit.

The first messages are asked whether they make sense with the installed definitions.
"""

import math
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from rclpy.publisher import Publisher
from rclpy.qos import QoSProfile
from rclpy.subscription import Subscription

from velocity_mobility_ros.autopilot.autopilot_requests import PX4, Action, SetpointKind
from velocity_mobility_ros.autopilot.bridge import BridgeOutputs, Known, LinkFacts
from velocity_mobility_ros.autopilot.protocols import px4_reports
from velocity_mobility_ros.autopilot.protocols.px4_reports import (
    mismatch, odometry_faults, position_faults, status_faults
)
from velocity_mobility_ros.autopilot.protocols.px4_requests import (
    MESSAGES_IN, MESSAGES_OUT, NEEDED, Address, Fields, answer, command_fields, heartbeat_fields,
    setpoint_fields, topic_name
)
from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter
from velocity_mobility_ros.core.user_errors import MalformedMessageError
from velocity_mobility_ros.ros_io.autopilot.autopilot_graph import Px4Graph
from velocity_mobility_ros.ros_io.autopilot.autopilot_link import AutopilotLink, stamp_parameter
from velocity_mobility_ros.ros_io.autopilot.px4_types import (
    Px4Formats, Px4Messages, installed_px4_types
)
from velocity_mobility_ros.ros_io.endpoints import (
    AUTOPILOT_ANSWERS, AUTOPILOT_COMMAND, AUTOPILOT_STREAM, make_publisher
)
from velocity_mobility_ros.ros_io.polling import Arrival, PollingNode, arrivals
from velocity_mobility_ros.ros_io.ros_parameters import declare


class Px4Input(NamedTuple):
    """One topic: class of its messages, full name, and quality of service."""

    kind: type
    name: str
    profile: QoSProfile


class Px4Inputs:
    """All topics of one vehicle."""

    def __init__(self, node: PollingNode, inputs: Mapping[str, Px4Input]) -> None:
        """Subscribe to all.

        Args:
            node: The node.
            inputs: What to subscribe to, by topic without namespace and suffix.
        """
        self._node, self._inputs = node, inputs
        self._subscriptions: dict[str, Subscription] = {}
        self._mute = {*inputs}
        self.listen(True)

    def arrived(self) -> Iterator[tuple[str, list[Arrival]]]:
        """Take all messages that have arrived, topic by topic."""
        for topic, subscription in self._subscriptions.items():
            messages = [*arrivals(subscription, self._inputs[topic].kind)]
            if messages:
                self._mute.discard(topic)
                yield topic, messages

    def listen(self, fits: bool) -> None:
        """Subscribe to all topics, or leave those on which nothing has ever arrived.

        Args:
            fits: Whether px4_msgs may belong to the firmware.
        """
        if not fits:
            for topic in self._mute & self._subscriptions.keys():
                self._node.destroy_subscription(self._subscriptions.pop(topic))
            return
        for topic in self._inputs.keys() - self._subscriptions.keys():
            self._subscriptions[topic] = self._node.hidden(*self._inputs[topic])


AUTO = 'auto'


@dataclass(frozen=True)
class Px4LinkParameters(Parameters):
    """Names and numbers of the vehicle's PX4."""

    px4_namespace: str = parameter(
        AUTO, 'namespace of its topics, such as px4_3; auto: px4_k for a node in namespace uav_k; '
        'empty: none, as PX4 on a single vehicle has it',
    )  # fmt: skip
    target_system: int = parameter(
        0, 'MAVLink system id (MAV_SYS_ID) that it must have; 0: any', minimum=0, maximum=254
    )
    source_component: int = parameter(
        191, 'MAVLink component id of this bridge; programs that command one vehicle need '
        'different ones', minimum=2, maximum=250,
    )  # fmt: skip
    heartbeat_rate: float = parameter(
        20.0, 'rate of OffboardControlMode; PX4 needs 2 Hz', unit='Hz', minimum=5.0, maximum=50.0
    )
    odometry_stamp: str = stamp_parameter(
        "; PX4's idea of that clock was seen to be 0.1 to 0.35 s behind"
    )
    allow_unknown_px4_msgs: bool = parameter(
        False, "fly with messages of no known release of PX4, or that are not the firmware's "
        '(with the message translation node of PX4)',
    )  # fmt: skip


CHECKS = {
    'vehicle_status': status_faults,
    'vehicle_odometry': odometry_faults,
    'vehicle_local_position': position_faults,
}

LOOKED_AT = 10
"""Messages of a topic that are looked at."""


class FirstMessages:
    """Looks at the first messages of each topic.

    Attributes:
        fault: What makes no sense; empty: nothing. It stays until the node is restarted.
    """

    def __init__(self) -> None:
        """Look at nothing yet."""
        self.fault = ''
        self._left = dict.fromkeys(CHECKS, LOOKED_AT)

    def look(self, topic: str, message: Any) -> None:
        """Look at a message of a topic."""
        if not self._left.get(topic, 0) or self.fault:
            return
        self._left[topic] -= 1
        self.fault = mismatch([*CHECKS[topic](message)])


ACK, FLAGS, ODOMETRY = 'vehicle_command_ack', 'failsafe_flags', 'vehicle_odometry'

MOST_WAITED_NS = 100_000_000
"""Longest time between arrival and step that is believed: clocks may jump [ns]."""

Read = Callable[[Any, float], Any]

READ: dict[str, tuple[str, Read]] = {
    'vehicle_status': ('status', px4_reports.vehicle_status),
    'vehicle_local_position': ('local', px4_reports.local_position),
    'vehicle_odometry': ('odometry', px4_reports.vehicle_odometry),
    'vehicle_land_detected': ('land', px4_reports.land_state),
    'battery_status': ('battery', px4_reports.battery),
}
"""Field of ``Known`` and reading function by topic; that of FLAGS is another one."""


class Px4Link(AutopilotLink):
    """The topics of one vehicle."""

    kind = 'px4'
    traits = PX4

    def __init__(self, node: PollingNode) -> None:
        """Declare the parameters and open the topics.

        Raises:
            ParameterError: A parameter is refused.
            StartupError: px4_msgs is missing.
        """
        self._settings = declare(node, Px4LinkParameters)
        super().__init__(self._settings.odometry_stamp, ['heartbeats', 'setpoints'])
        self._types, self._known, self._odometry_ns = installed_px4_types(), Known(), 0
        self._messages = Px4Messages(self._types)
        self._namespace = namespace_of(self._settings.px4_namespace, node.get_namespace())
        self._names = {topic: full for topic, _, full in self._reports()}
        self._inputs = Px4Inputs(node, {
            topic: Px4Input(self._types.classes[name], full, _profile(topic))
            for topic, name, full in self._reports()
        })  # fmt: skip
        self._senders = {topic: self._publisher(node, topic) for topic in MESSAGES_IN}
        self._graph = Px4Graph(
            node, self._namespace, self._types.versions, self._types.description,
            [self._senders[topic] for topic in ('trajectory_setpoint', 'offboard_control_mode',
                                                'vehicle_command')],
            [*self._names.values()],
        )  # fmt: skip
        self._is_strict = not self._settings.allow_unknown_px4_msgs
        self._heartbeat: tuple[SetpointKind | None, float] = None, -math.inf
        self._first = FirstMessages()
        self._formats = Px4Formats(node, self._namespace, self._types, {
            **{('in', topic): name for topic, name in MESSAGES_IN.items()},
            **{('out', topic): name for topic, name, _ in self._reports()},
        })  # fmt: skip
        self._missing = {topic: self._names[topic] for topic in NEEDED}

    def take(self, now: float) -> Known:
        """Read the newest message of each topic that has one, and all answers."""
        for topic, received in self._inputs.arrived():
            if topic == ODOMETRY:
                self._odometry_ns = received[-1].received_ns
            try:
                self._take(topic, received if topic == ACK else received[-1:], now)
            except MalformedMessageError as error:
                self._first.fault = self._first.fault or str(error)
        if self._heard > -math.inf and not self._first.fault and self._is_strict:
            self._formats.step()
            self._first.fault = self._formats.check.fault
        return self._known

    def facts(self, now: float) -> LinkFacts:
        """Return the state of the link by the middleware and the first messages."""
        needed = [self._names[topic] for topic in NEEDED]
        facts = self._graph.facts(self._missing.values() if self._is_heard(now) else needed)
        self._inputs.listen(not (self._graph.other_release or self._first.fault))
        fault = facts.fault or self._first.fault or self._wrong_system()
        if not fault and self._is_strict:
            fault = self._types.fault
        absent = facts.absent
        if not absent and not fault and self._is_strict:
            absent = self._formats.check.waits
        return facts._replace(fault=fault, absent=absent)

    def send(self, outputs: BridgeOutputs, now: float) -> None:
        """Send the heartbeat when it is due or changes, then setpoint and request."""
        kind, sent = self._heartbeat
        period = 1.0 / self._settings.heartbeat_rate
        if outputs.heartbeat is not kind or now - sent >= period:
            self._beat(outputs.heartbeat, now)
        if outputs.setpoint is not None:
            self._send('trajectory_setpoint', setpoint_fields(outputs.setpoint), 'setpoints')
        if outputs.engage.send is not None:
            self._request(outputs.engage.send)

    def odometry_stamp_ns(self, now_ns: int) -> int | None:
        """Return the stamp of the last odometry, None if it is not to be believed [ns]."""
        age_ns = min(max(time.time_ns() - self._odometry_ns, 0), MOST_WAITED_NS)
        return self._stamp_ns(self._known.odometry, now_ns, age_ns)

    def values(self) -> dict[str, object]:
        """Return names, numbers and counts."""
        return {
            'px4_namespace': self._namespace or 'none',
            'px4_msgs': '/'.join(self._types.releases) or 'unknown',
            'px4_msgs_compared': self._formats.check.description,
            'stamps': self._stamps,
            **self.counts,
        }

    def _reports(self) -> Iterator[tuple[str, str, str]]:
        """Iterate over topic, message and full name of what the release has and is read."""
        for topic in (*READ, FLAGS, ACK):
            name = MESSAGES_OUT[topic]
            if name in self._types.classes:
                version = self._types.versions[name]
                yield topic, name, topic_name(self._namespace, 'out', topic, version)

    def _publisher(self, node: PollingNode, topic: str) -> Publisher:
        name = MESSAGES_IN[topic]
        full = topic_name(self._namespace, 'in', topic, self._types.versions[name])
        profile = AUTOPILOT_COMMAND if topic == 'vehicle_command' else AUTOPILOT_STREAM
        return make_publisher(node, self._types.classes[name], full, profile)

    def _take(self, topic: str, received: list[Arrival], now: float) -> None:
        for arrival in received:
            message = self._messages.read(topic, arrival.data)
            if topic == ACK:
                acknowledgement = answer(message, self._settings.source_component, now)
                self._answers += [] if acknowledgement is None else [acknowledgement]
            else:
                self._heard = now
                self._missing.pop(topic, None)
                self._first.look(topic, message)
                self._take_report(topic, message, now)

    def _take_report(self, topic: str, message: Any, now: float) -> None:
        if topic == FLAGS:
            report = px4_reports.flags(message, self._types.fields[MESSAGES_OUT[FLAGS]], now)
            self._known = self._known._replace(flags=report)
            return
        field, read = READ[topic]
        report = read(message, now)
        if report is not None:
            self._known = self._known._replace(**{field: report})

    def _wrong_system(self) -> str:
        wanted, status = self._settings.target_system, self._known.status
        if not wanted or status is None or status.system_id == wanted:
            return ''
        return (
            f'target_system = {wanted}, but the vehicle has the system id {status.system_id} '
            f'(MAV_SYS_ID): compare px4_namespace = {self._namespace!r}, or set target_system to 0'
        )

    def _beat(self, kind: SetpointKind | None, now: float) -> None:
        self._heartbeat = kind, now
        if kind is not None:
            names = (*self._types.fields['OffboardControlMode'],)
            self._send('offboard_control_mode', heartbeat_fields(kind, names), 'heartbeats')

    def _request(self, action: Action) -> None:
        status = self._known.status
        if status is None:
            return
        to = Address(status.system_id, status.component_id, self._settings.source_component)
        self._send('vehicle_command', command_fields(action, to), 'requests')

    def _send(self, topic: str, fields: Fields, counted: str) -> None:
        self._senders[topic].publish(self._messages.write(topic, fields))
        self.counts[counted] += 1


def _profile(topic: str) -> QoSProfile:
    return AUTOPILOT_ANSWERS if topic == ACK else AUTOPILOT_STREAM


def namespace_of(given: str, namespace: str) -> str:
    """Return the namespace of a PX4.

    Args:
        given: The parameter.
        namespace: Namespace of the node, such as ``/uav_3``.
    """
    if given != AUTO:
        return given.strip('/')
    number = re.fullmatch(r'uav_(\d+)', namespace.rpartition('/')[2])
    return f'px4_{number[1]}' if number else ''
