"""The bridge of one vehicle: ``cmd_vel`` in, ``odom`` out, and an operator's services.

Threading: one thread. A command is passed on when it arrives; the timer does the rest. Nothing is
sent by another thread, so that a bridge which stands still sends no heartbeat either.

On the topics of its fleet a bridge takes the orders of operators and hears other bridges.
"""

import contextlib
import math
import os
import platform
import time
from collections.abc import Callable, Mapping
from functools import partial

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from geometry_msgs.msg import Twist, TwistStamped
from rclpy.node import Node
from std_srvs.srv import Trigger

from velocity_mobility_ros.autopilot.bridge import (
    ALONE, Bridge, BridgeOutputs, BridgeParameters, LinkFacts, OperatorFacts
)
from velocity_mobility_ros.autopilot.engage.engage_records import (
    EngageParameters, Outputs, Request, State
)
from velocity_mobility_ros.autopilot.engage.prechecks import NOT_OPERATED
from velocity_mobility_ros.autopilot.fleet_member import Ask, FleetMember
from velocity_mobility_ros.autopilot.setpoint_limits import GuidanceParameters
from velocity_mobility_ros.autopilot.swarm_frame import FrameParameters
from velocity_mobility_ros.core.environment.ros_environment import security_gap
from velocity_mobility_ros.core.twist_smoothing import Motion
from velocity_mobility_ros.core.user_errors import MalformedMessageError
from velocity_mobility_ros.nodes.autopilot.bridge_odometry import (
    BridgeNodeParameters, BridgeOdometry
)
from velocity_mobility_ros.nodes.autopilot.bridge_report import (
    BridgeReport, StateLog, vehicle_values
)
from velocity_mobility_ros.nodes.autopilot.ground_file import GroundFile, ground_path
from velocity_mobility_ros.ros_io.autopilot.autopilot_link import AutopilotLink
from velocity_mobility_ros.ros_io.autopilot.fleet_topics import (
    BRIDGE_STATES, FLEET_INPUT, FLY_ORDERS, fleet_topic, read_orders
)
from velocity_mobility_ros.ros_io.endpoints import (
    COMMAND_INPUT, LATCHED, make_publisher, make_subscription
)
from velocity_mobility_ros.ros_io.graph_faults import senders_of_other_type, several_publishers
from velocity_mobility_ros.ros_io.messages.vehicle_input import VehicleCommandReader
from velocity_mobility_ros.ros_io.node_diagnostics import Condition, Level, NodeDiagnostics
from velocity_mobility_ros.ros_io.node_time import PeriodWatch
from velocity_mobility_ros.ros_io.polling import PollingNode, deserialized
from velocity_mobility_ros.ros_io.ros_parameters import declare, refuse_unknown, warn_of_idle
from velocity_mobility_ros.ros_io.vehicle_topics import CMD_VEL, ODOM, body_frame


class BridgeFleet:
    """The topics of the fleet, for one vehicle.

    Attributes:
        member: Its memory.
        publisher: Publishes on the topic of all bridges.
    """

    def __init__(
        self, node: PollingNode, stated: str, ask: Ask, refuse: Callable[[str, str], None]
    ) -> None:
        """Open the topics.

        Args:
            node: The bridge's node.
            stated: Names of all vehicles of the fleet, separated by commas; empty: not known.
            ask: Makes a step of the bridge with a request.
            refuse: Takes topic and reason of a refused message.
        """
        space, self._refuse = node.get_namespace(), refuse
        member_id = f'{os.getpid()}@{platform.node()[:60]}'
        self.member = FleetMember(space.rpartition('/')[2], member_id, stated, ask)
        self._orders_topic, self._states_topic = (
            fleet_topic(space, name) for name in (FLY_ORDERS, BRIDGE_STATES)
        )
        self.publisher = make_publisher(node, DiagnosticStatus, self._states_topic, LATCHED)
        self._take_states = node.poll(DiagnosticStatus, self._states_topic, FLEET_INPUT)
        make_subscription(
            node, DiagnosticArray, self._orders_topic, self._on_orders, FLEET_INPUT, raw=True
        )

    def values(self) -> Mapping[str, str]:
        """Return the vehicles heard, and the last order with its outcome."""
        now = time.monotonic()
        for data in self._take_states():
            try:
                status = deserialized(data, DiagnosticStatus)
            except MalformedMessageError as error:
                self._refuse(self._states_topic, str(error))
                continue
            values = {pair.key: pair.value for pair in status.values}
            self.member.hear(status.hardware_id.rpartition('/')[2], values, now)
        return self.member.values(now)

    def _on_orders(self, data: bytes) -> None:
        orders, reasons = read_orders(data)
        for reason in reasons:
            self._refuse(self._orders_topic, reason)
        self.member.take(orders, time.monotonic(), time.time_ns())


NOT_SERVED = (Request.RELEASE, Request.CANCEL, Request.GO)
"""The end of the process is a signal; the others belong to a take-off of several vehicles."""

REQUESTS = tuple(request for request in Request if request not in NOT_SERVED)
"""What can be asked for."""


def serve(node: Node, step: Callable[[Request], Outputs]) -> None:
    """Open the services, named as the requests; they answer at once whether they are accepted.

    Args:
        node: The node.
        step: Makes a step of the bridge with a request.
    """
    for request in REQUESTS:
        node.create_service(Trigger, request.value, partial(_answer, step, request))


def _answer(
    step: Callable[[Request], Outputs], request: Request, _: object, response: Trigger.Response
) -> Trigger.Response:
    out = step(request)
    response.success, response.message = not out.refused, out.reason
    return response


HAND_OVER_TIME = 15.0
"""Longest time for which a bridge that ends waits for its autopilot [s]."""

MIN_STEP_SHARE, MAX_STEP_SHARE = 0.5, 1.5
"""The timer skips a step if the last one is younger than this share of its period; the second one
after a step for a command that came as soon: a controller at the same rate makes all steps."""

MAX_DECISION_AGE = 0.5
"""Age from which on a decision is not sent any more [s]."""

COMMAND_COALESCE_SHARE = 0.25
"""A command that comes sooner after a step, as a share of that period, waits for the timer."""


class BridgeNode(PollingNode):
    """One vehicle with an autopilot."""

    def __init__(
        self, name: str, make_link: Callable[[PollingNode], AutopilotLink], **options: object
    ) -> None:
        """Declare the parameters and start; nothing is sent before the first report.

        Args:
            name: Name of the node.
            make_link: Declares the parameters of the autopilot's side and opens its topics.
            **options: Passed on to ``rclpy.node.Node``.

        Raises:
            MobilityError: A parameter is refused, or a message package is missing.
        """
        super().__init__(name, **options)
        self._settings = declare(self, BridgeNodeParameters)
        records = [declare(self, record) for record in (EngageParameters, GuidanceParameters,
                                                        FrameParameters)]  # fmt: skip
        self._link = make_link(self)
        refuse_unknown(self)
        warn_of_idle(self, self._settings, *records)
        self._bridge = Bridge(BridgeParameters(*records), self._link.traits)
        self._ground = GroundFile(
            ground_path(self.get_namespace(), self._link.kind), self.get_logger()
        )
        self._bridge.stored_ground = self._ground.stored
        self._body = self._settings.child_frame_id or body_frame(self.get_namespace())
        self._outputs: BridgeOutputs | None = None
        self._facts = LinkFacts()
        self._time = self.node_time.steady
        self._stepped, self._commanded, self._is_commanded = self._time(), -math.inf, False
        self._state_log = StateLog(self.get_logger())
        self._fleet = BridgeFleet(self, self._settings.fleet, self._handle_request, self._refuse)
        self._report = BridgeReport(
            self, self._link.kind, self._fleet.publisher, self._fleet.values
        )
        self._odometry = BridgeOdometry(self, self._settings, self._body)
        period = 1.0 / self._settings.tick_rate
        self._period = PeriodWatch('tick period', period, self.node_time)
        self._health = NodeDiagnostics(
            self, 'autopilot', self._values, self._conditions, hardware_id=self.get_namespace()
        )
        self._listen()
        serve(self, self._handle_request)
        self.create_timer(period, self._on_timer)
        for line in filter(None, (self._start_line(), security_gap())):
            self.get_logger().info(line)

    @property
    def may_start_again(self) -> bool:
        """Whether its process may start again: it flies nothing, and has had no order."""
        is_idle = self._bridge.memory.state in (State.WAIT_LINK, State.READY)
        return is_idle and not self._fleet.member.has_orders

    def hand_over(self, at_once: Callable[[], bool]) -> None:
        """Hand control to the autopilot before the process ends, and wait until it has it.

        Args:
            at_once: Returns whether not to wait any longer.
        """
        start, is_hurried = time.monotonic(), False
        self._time = _going_on(self._time())
        self._leave(Request.RELEASE)
        while self._bridge.memory.state is not State.RELEASED:
            if not is_hurried and (at_once() or time.monotonic() - start > HAND_OVER_TIME):
                is_hurried = True
                self._leave(Request.RELEASE)
            time.sleep(1.0 / self._settings.tick_rate)
            self._leave()
        if self._bridge.memory.has_failed:
            self.get_logger().error(f'not handed over: {self._bridge.memory.reason}')

    def _leave(self, request: Request | None = None) -> None:
        """Make a step in which publishing may fail: perhaps that has ended the process."""
        now = self._time()
        out = self._act(now, request)
        with contextlib.suppress(Exception):  # the hand-over counts
            self._tell(out.engage, now)
        self._stepped = now

    def _listen(self) -> None:
        settings = self._settings
        is_stamped = settings.enable_stamped_cmd_vel
        timeout = self._bridge.parameters.engage.command_timeout
        self._reader = VehicleCommandReader(
            is_stamped, settings.cmd_vel_frame, self._body, timeout
        )
        kind = TwistStamped if is_stamped else Twist
        make_subscription(self, kind, CMD_VEL, self._take, COMMAND_INPUT, raw=True)

    def _take(self, data: bytes) -> None:
        """Pass a command on at once."""
        try:
            velocity, yaw_rate, in_body = self._reader.read(data, self.node_time.now_ns())
        except MalformedMessageError as error:
            self._health.refuse(CMD_VEL, str(error), type(error).__name__)
            return
        now = self._time()
        self._bridge.command(Motion(velocity, yaw_rate), in_body, now)
        rate = self._settings.tick_rate
        is_due = now - self._stepped > COMMAND_COALESCE_SHARE / rate
        self._is_commanded = is_due and now - self._commanded <= MAX_STEP_SHARE / rate
        self._commanded = now
        if is_due:
            self._step()

    def _on_timer(self) -> None:
        self._period.tick()
        age = self._time() - self._stepped
        wanted = MAX_STEP_SHARE if self._is_commanded else MIN_STEP_SHARE
        if not 0.0 <= age <= wanted / self._settings.tick_rate:
            self._is_commanded = False
            self._step()

    def _refuse(self, topic: str, reason: str) -> None:
        self._health.refuse(topic, reason, 'order')

    def _handle_request(self, request: Request, operator: OperatorFacts = ALONE) -> Outputs:
        out = self._step(request, operator).engage
        self._report.hasten()
        verdict = 'refused' if out.refused else 'accepted'
        self.get_logger().info(f'{request.value}: {verdict}: {out.reason}')
        return out

    def _step(
        self, request: Request | None = None, operator: OperatorFacts | None = None
    ) -> BridgeOutputs:
        """Read the inputs, decide, send, and publish the state."""
        now, before = self._time(), self._bridge.known.odometry
        out = self._act(now, request, operator)
        if self._bridge.known.odometry is not before:
            self._publish_odometry(now)
        self._ground.follow(self._bridge.known.status, self._bridge.ground_memory)
        self._tell(out.engage, now)
        self._outputs, self._stepped = out, now
        return out

    def _act(
        self, now: float, request: Request | None = None, operator: OperatorFacts | None = None
    ) -> BridgeOutputs:
        """Read the inputs, decide, send."""
        self._bridge.known = self._link.take(now)
        for answer in self._link.answers():
            self._bridge.answer(answer)
        self._facts = self._link.facts(now)
        member = self._fleet.member
        operator = member.operator(time.monotonic()) if operator is None else operator
        out = self._bridge.step(now, self._facts, request, operator)
        status = self._bridge.known.status
        member.armed(status is not None and status.is_armed, time.monotonic())
        if self._time() - now < MAX_DECISION_AGE:  # else the process stood still meanwhile
            self._link.send(out, now)
        return out

    def _publish_odometry(self, now: float) -> None:
        now_ns = self.node_time.now_ns()
        stamp_ns, pose = self._link.odometry_stamp_ns(now_ns), self._bridge.pose
        if stamp_ns is not None and pose is not None:
            self._odometry.publish(pose, stamp_ns, now_ns, now)

    def _tell(self, out: Outputs, now: float) -> None:
        self._report.update(
            self._bridge, out, self._facts, now, now - self._stepped, self._odometry.offset
        )
        level = self._report.level(out, self._facts)
        self._state_log.tell(out.state, self._report.reason(out), level, time.monotonic())

    def _values(self) -> dict[str, object]:
        if self._outputs is None:
            return self._link.values()
        return {
            **vehicle_values(self._bridge, self._outputs.engage, self._time()),
            **self._link.values(),
        }

    def _conditions(self) -> list[Condition]:
        faults = several_publishers(self, ODOM, Level.ERROR)
        faults += self._period.conditions()
        faults += several_publishers(self, CMD_VEL, Level.WARN)
        if self._time() - self._commanded > self._bridge.parameters.engage.command_timeout:
            faults += senders_of_other_type(self, CMD_VEL)
        if self._outputs is not None:
            faults += self._own_condition(self._outputs.engage)
        return faults

    def _own_condition(self, out: Outputs) -> list[Condition]:
        """Return the condition of a waiting bridge; without a key, since it has its own log."""
        level = Level(self._report.level(out, self._facts)[0])
        if level is Level.OK:
            return []
        return [Condition(level, f'{out.state.name}: {self._report.reason(out)}')]

    def _start_line(self) -> str:
        guidance = self._bridge.parameters.guidance
        return (
            f'bridge to {self._link.kind}: {self.resolve_topic_name(CMD_VEL)} within '
            f'{guidance.max_speed_xy:g} m/s, {guidance.max_acc_xy:g} m/s^2, vertical mode '
            f'{guidance.vertical_mode}; odometry on {self.resolve_topic_name(ODOM)}'
            f'{"" if self._bridge.parameters.engage.operate else f"; {NOT_OPERATED}"}'
        )


def _going_on(now: float) -> Callable[[], float]:
    """Return a time that goes on from ``now`` [s], since no executor takes simulated time."""
    start = time.monotonic()
    return lambda: now + time.monotonic() - start
