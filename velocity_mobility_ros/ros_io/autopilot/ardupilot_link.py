"""One ArduPilot over its own DDS client: its topics read into reports, and what is sent to it."""

import math
from dataclasses import dataclass
from typing import Any

from geometry_msgs.msg import TwistStamped
from rclpy.publisher import Publisher

from velocity_mobility_ros.autopilot.autopilot_requests import (
    ARDUPILOT, Action, ServiceCall, Setpoint
)
from velocity_mobility_ros.autopilot.bridge import LinkFacts
from velocity_mobility_ros.autopilot.protocols import ap_dds
from velocity_mobility_ros.autopilot.protocols.ap_dds import HOLD_MODES
from velocity_mobility_ros.autopilot.protocols.ardupilot_reports import ArduPilotReports
from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter
from velocity_mobility_ros.ros_io.autopilot.autopilot_link import (
    Names, ServiceLink, load, stamp_parameter
)
from velocity_mobility_ros.ros_io.polling import PolledClient, PollingNode
from velocity_mobility_ros.ros_io.ros_parameters import declare


@dataclass(frozen=True)
class ArduPilotLinkParameters(Parameters):
    """Names on the side of the vehicle's ArduPilot."""

    ap_prefix: str = parameter(
        '/ap', 'prefix of its topics and services; with DDS_USE_NS it is /ap/v and its MAVLink '
        'system id, without it several vehicles need a ROS domain each',
    )  # fmt: skip
    hold_mode: str = parameter(
        'brake', 'its mode that holds: loiter obeys the sticks, brake needs none',
        choices=tuple(HOLD_MODES),
    )  # fmt: skip
    odometry_stamp: str = stamp_parameter()


CHECK_EVERY = 1.0
"""Period in which a vehicle that is not armed is asked whether it would arm [s]."""

NO_STATUS = (
    'no status of the vehicle, which ArduPilot sends on change only: change its mode once, or '
    'restart it'
)


class ArduPilotLink(ServiceLink):
    """The topics and services of one vehicle."""

    kind = 'ardupilot'
    traits = ARDUPILOT

    def __init__(self, node: PollingNode) -> None:
        """Declare the parameters and open topics and services.

        Raises:
            ParameterError: A parameter is refused.
            StartupError: A message package is missing.
        """
        self._settings = declare(node, ArduPilotLinkParameters)
        services, self._reports = load(ap_dds.SERVICES, 'srv'), ArduPilotReports()
        check = services.pop(ap_dds.PREARM_CHECK)
        names = Names(
            'ap_prefix', self._settings.ap_prefix.rstrip('/'), load(ap_dds.MESSAGES_OUT, 'msg'),
            frozenset({ap_dds.STATUS}), services, (ap_dds.COMMAND, TwistStamped),
            (ap_dds.STATUS, 'ardupilot_msgs/msg/Status'),
            'is the micro-XRCE-DDS agent running, and DDS_ENABLE 1?',
        )  # fmt: skip
        super().__init__(
            node, names, self._reports, ap_dds.answer, self._settings.odometry_stamp
        )
        self._prearm = PolledClient(node, check, self._full(ap_dds.PREARM_CHECK))
        self._checked = -math.inf

    def facts(self, now: float) -> LinkFacts:
        """Return the state of the link by the middleware and the messages."""
        facts = super().facts(now)
        if facts.fault or self._reports.known.status is not None or not self._is_heard(now):
            return facts
        return facts._replace(fault=NO_STATUS)

    def _command(self, sender: Publisher, setpoint: Setpoint) -> None:
        message = TwistStamped()
        message.header.frame_id = ap_dds.FRAME
        message.header.stamp = self._node.get_clock().now().to_msg()
        linear, angular = message.twist.linear, message.twist.angular
        linear.x, linear.y, linear.z = setpoint.target
        angular.z = setpoint.yaw_rate
        sender.publish(message)

    def _call_of(self, action: Action, height: float) -> ServiceCall | None:
        return ap_dds.call_of(action, self._settings.hold_mode, height)

    def _inquire(self, now: float) -> None:
        """Ask a vehicle that is not armed whether it would arm."""
        self._prearm.poll()
        status = self._reports.known.status
        if status is None or status.is_armed or now - self._checked < CHECK_EVERY:
            return
        self._checked = now
        if self._prearm.is_ready:
            self._prearm.call({}, self._take_preflight)

    def _take_preflight(self, response: Any) -> None:
        self._reports.take_preflight(bool(response.success))
