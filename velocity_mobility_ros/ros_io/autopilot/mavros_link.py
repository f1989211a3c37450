"""One vehicle behind MAVROS: its topics read into reports, and what is sent to it.

The parameters say which MAVROS a bridge belongs to, and which autopilot is behind it.
"""

import math
from dataclasses import dataclass

from rclpy.publisher import Publisher

from velocity_mobility_ros.autopilot.autopilot_requests import Action, ServiceCall, Setpoint
from velocity_mobility_ros.autopilot.protocols import mavros
from velocity_mobility_ros.autopilot.protocols.ap_dds import HOLD_MODES
from velocity_mobility_ros.autopilot.protocols.mavros import MavrosReports
from velocity_mobility_ros.autopilot.swarm_frame import AMSL
from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.ros_io.autopilot.autopilot_link import (
    Names, ServiceLink, load, stamp_parameter
)
from velocity_mobility_ros.ros_io.polling import PolledClient, PollingNode
from velocity_mobility_ros.ros_io.ros_parameters import declare
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME

PX4, ARDUPILOT = 'px4', 'ardupilot'


@dataclass(frozen=True)
class MavrosLinkParameters(Parameters):
    """Names on the side of MAVROS."""

    mavros_namespace: str = parameter(
        'mavros', 'namespace of its topics and services; a relative one is below that of the node'
    )
    autopilot: str = parameter(
        PX4, 'the autopilot behind it; the names of modes differ', choices=(PX4, ARDUPILOT)
    )
    hold_mode: str = parameter(
        'brake', 'mode of an ArduPilot that holds: loiter obeys the sticks, brake needs none',
        choices=tuple(HOLD_MODES), only_with={'autopilot': ARDUPILOT},
    )  # fmt: skip
    odometry_stamp: str = stamp_parameter()


ORIGIN_EVERY = 2.0
"""Period in which the origin of the estimator is asked for until it is known [s]."""


class MavrosLink(ServiceLink):
    """The topics and services of one MAVROS."""

    kind = 'mavros'

    def __init__(self, node: PollingNode) -> None:
        """Declare the parameters and open topics and services.

        Raises:
            ParameterError: A parameter is refused.
            StartupError: A message package is missing.
        """
        settings = declare(node, MavrosLinkParameters)
        _refuse_altitudes(node)
        is_px4 = settings.autopilot == PX4
        self._dialect = mavros.PX4 if is_px4 else mavros.ardupilot(settings.hold_mode)
        self.traits, self._behind = self._dialect.traits, settings.autopilot
        self._reports, services = MavrosReports(self._dialect), load(mavros.SERVICES, 'srv')
        target = {mavros.SETPOINT: ('mavros_msgs', 'PositionTarget')}
        self._target = load(target, 'msg')[mavros.SETPOINT]
        names = Names(
            'mavros_namespace', settings.mavros_namespace.rstrip('/'),
            load(mavros.MESSAGES_OUT, 'msg'), mavros.LATCHED, services,
            (mavros.SETPOINT, self._target),
            (mavros.STATE, 'mavros_msgs/msg/State'), 'is MAVROS running, in this namespace?',
        )  # fmt: skip
        super().__init__(node, names, self._reports, mavros.answer, settings.odometry_stamp)
        self._origin = PolledClient(node, services[mavros.COMMAND], self._full(mavros.COMMAND))
        self._origin_asked = -math.inf

    def values(self) -> dict[str, object]:
        """Return names and counts."""
        return {'autopilot_behind': self._behind, **super().values()}

    def _command(self, sender: Publisher, setpoint: Setpoint) -> None:
        message = self._target()
        message.header.frame_id = MAP_FRAME
        message.header.stamp = self._node.get_clock().now().to_msg()
        mavros.fill(message, setpoint)
        sender.publish(message)

    def _call_of(self, action: Action, height: float) -> ServiceCall:
        return mavros.call_of(action, self._dialect, height)

    def _inquire(self, now: float) -> None:
        """Ask for the origin of the estimator until it is known."""
        self._origin.poll()
        has_vehicle = self._reports.known.status is not None
        if self._reports.has_origin or not has_vehicle or now - self._origin_asked < ORIGIN_EVERY:
            return
        self._origin_asked = now
        if self._origin.is_ready:
            self._origin.call(mavros.ORIGIN_REQUEST.fields, lambda response: None)


def _refuse_altitudes(node: PollingNode) -> None:
    """Refuse altitudes as heights.

    Raises:
        ParameterError: They are asked for.
    """
    if node.get_parameter('z_offset_mode').value == AMSL:
        raise ParameterError(
            f'z_offset_mode = {AMSL!r} must be takeoff_relative behind MAVROS, which tells '
            'altitudes above the ellipsoid instead of mean sea level'
        )
