"""One PX4 over uXRCE-DDS: its topics read into reports, and what is sent to it."""

import math
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

from rclpy.publisher import Publisher
from rclpy.qos import QoSProfile

from velocity_mobility_ros.autopilot.bridge.bridge_records import BridgeOutputs, Known, LinkFacts
from velocity_mobility_ros.autopilot.outputs import Action, Answer, SetpointKind
from velocity_mobility_ros.autopilot.px4 import reading
from velocity_mobility_ros.autopilot.px4.commands import Address, answer, command_fields
from velocity_mobility_ros.autopilot.px4.topics import (
    MESSAGES_IN,
    MESSAGES_OUT,
    NEEDED,
    topic_name,
)
from velocity_mobility_ros.autopilot.px4.writing import Fields, heartbeat_fields, setpoint_fields
from velocity_mobility_ros.autopilot.traits import PX4
from velocity_mobility_ros.ros_io.autopilot.odometry_stamps import OdometryStamps
from velocity_mobility_ros.ros_io.autopilot.px4_formats import Px4Formats
from velocity_mobility_ros.ros_io.autopilot.px4_graph import Px4Graph
from velocity_mobility_ros.ros_io.autopilot.px4_inputs import Px4Input, Px4Inputs
from velocity_mobility_ros.ros_io.autopilot.px4_link_parameters import (
    AUTO,
    Px4LinkParameters,
)
from velocity_mobility_ros.ros_io.autopilot.px4_messages import Px4Messages
from velocity_mobility_ros.ros_io.autopilot.px4_plausibility import FirstMessages
from velocity_mobility_ros.ros_io.autopilot.px4_types import installed_px4_types
from velocity_mobility_ros.ros_io.endpoints import make_publisher
from velocity_mobility_ros.ros_io.messages import MalformedMessageError
from velocity_mobility_ros.ros_io.polling import Arrival, PollingNode
from velocity_mobility_ros.ros_io.qos import AUTOPILOT_ANSWERS, AUTOPILOT_COMMAND, AUTOPILOT_STREAM
from velocity_mobility_ros.ros_io.ros_parameters import declare

ACK, FLAGS, ODOMETRY = 'vehicle_command_ack', 'failsafe_flags', 'vehicle_odometry'

MOST_WAITED_NS = 100_000_000
"""Longest time between arrival and step that is believed: clocks may jump [ns]."""

Read = Callable[[Any, float], Any]

READ: dict[str, tuple[str, Read]] = {
    'vehicle_status': ('status', reading.vehicle_status),
    'vehicle_local_position': ('local', reading.local_position),
    'vehicle_odometry': ('odometry', reading.vehicle_odometry),
    'vehicle_land_detected': ('land', reading.land_state),
    'battery_status': ('battery', reading.battery),
}
"""Field of ``Known`` and reading function by topic; that of FLAGS is another one."""

TIMELY = 0.5
"""Without a message of the vehicle for this time the graph is searched for the reason [s]."""


class Px4Link:
    """The topics of one vehicle.

    Attributes:
        kind: Name of the autopilot.
        traits: What is particular to it.
    """

    kind = 'px4'
    traits = PX4

    def __init__(self, node: PollingNode) -> None:
        """Declare the parameters and open the topics.

        Raises:
            ParameterError: A parameter is refused.
            StartupError: px4_msgs is missing.
        """
        self._settings = declare(node, Px4LinkParameters)
        self._types, self._known, self._answers = installed_px4_types(), Known(), []
        self._messages = Px4Messages(self._types)
        self._namespace = namespace_of(self._settings.px4_namespace, node.get_namespace())
        self._names = {topic: full for topic, _, full in self._reports()}
        self._inputs = Px4Inputs(node, {
            topic: Px4Input(self._types.classes[name], full, _profile(topic))
            for topic, name, full in self._reports()
        })  # fmt: skip
        self._senders = {topic: self._publisher(node, topic) for topic in MESSAGES_IN}
        self._graph = Px4Graph(
            node, self._namespace, self._types.versions, self._types.in_words,
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
        self._stamps, self._odometry_ns = OdometryStamps(self._settings.odometry_stamp), 0
        self._heard, self._missing = -math.inf, {topic: self._names[topic] for topic in NEEDED}
        self.counts = dict.fromkeys(('heartbeats', 'setpoints', 'requests', 'answers'), 0)

    def take(self, now: float) -> Known:
        """Read the newest message of each topic that has one, and all answers."""
        for topic, found in self._inputs.arrived():
            if topic == ODOMETRY:
                self._odometry_ns = found[-1].received_ns
            try:
                self._take(topic, found if topic == ACK else found[-1:], now)
            except MalformedMessageError as error:
                self._first.trouble = self._first.trouble or str(error)
        if self._heard > -math.inf and not self._first.trouble and self._is_strict:
            self._formats.step()
            self._first.trouble = self._formats.trouble
        return self._known

    def answers(self) -> list[Answer]:
        """Return the answers for this bridge since the last call."""
        found, self._answers = self._answers, []
        self.counts['answers'] += len(found)
        return found

    def facts(self, now: float) -> LinkFacts:
        """Return what the middleware and the first messages tell."""
        is_silent = now - self._heard >= TIMELY
        missing = [self._names[topic] for topic in NEEDED] if is_silent else self._missing.values()
        facts = self._graph.facts(missing)
        self._inputs.listen(not (self._graph.other_release or self._first.trouble))
        trouble = facts.trouble or self._first.trouble or self._wrong_system()
        if not trouble and self._is_strict:
            trouble = self._types.trouble
        absent = facts.absent
        if not absent and not trouble and self._is_strict:
            absent = self._formats.waits
        return facts._replace(trouble=trouble, absent=absent)

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
        return self._stamps.stamp_ns(self._known.odometry, now_ns, age_ns)

    def values(self) -> dict[str, object]:
        """Return names, numbers and counts."""
        return {
            'px4_namespace': self._namespace or 'none',
            'px4_msgs': '/'.join(self._types.releases) or 'unknown',
            'px4_msgs_compared': self._formats.in_words,
            'stamps': self._stamps.source,
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

    def _take(self, topic: str, found: list[Arrival], now: float) -> None:
        for arrival in found:
            message = self._messages.read(topic, arrival.data)
            if topic == ACK:
                told = answer(message, self._settings.source_component, now)
                self._answers += [] if told is None else [told]
            else:
                self._heard = now
                self._missing.pop(topic, None)
                self._first.look(topic, message)
                self._take_report(topic, message, now)

    def _take_report(self, topic: str, message: Any, now: float) -> None:
        if topic == FLAGS:
            report = reading.flags(message, self._types.fields[MESSAGES_OUT[FLAGS]], now)
            self._known = self._known._replace(flags=report)
            return
        field, read = READ[topic]
        found = read(message, now)
        if found is not None:
            self._known = self._known._replace(**{field: found})

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
