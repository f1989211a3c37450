"""One vehicle behind MAVROS: its topics read into reports, and what is sent to it."""

import math

from rclpy.publisher import Publisher

from velocity_mobility_ros.autopilot.geodesy.frame_parameters import AMSL
from velocity_mobility_ros.autopilot.mavros import dialects, requests, topics
from velocity_mobility_ros.autopilot.mavros.collector import MavrosReports
from velocity_mobility_ros.autopilot.mavros.writing import LOCAL_FRAME, target
from velocity_mobility_ros.autopilot.outputs import Action, Setpoint
from velocity_mobility_ros.autopilot.service_call import ServiceCall
from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.ros_io.autopilot.mavros_link_parameters import (
    PX4,
    MavrosLinkParameters,
)
from velocity_mobility_ros.ros_io.autopilot.message_packages import load
from velocity_mobility_ros.ros_io.autopilot.service_link import Names, ServiceLink
from velocity_mobility_ros.ros_io.polled_client import PolledClient
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.ros_parameters import declare
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME

ORIGIN_EVERY = 2.0
"""Period in which the origin of the estimator is asked for until it is told [s]."""


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
        self._dialect = dialects.PX4 if is_px4 else dialects.ardupilot(settings.hold_mode)
        self.traits, self._behind = self._dialect.traits, settings.autopilot
        self._reports, services = MavrosReports(self._dialect), load(topics.SERVICES, 'srv')
        self._target = load({topics.SETPOINT: ('mavros_msgs', 'PositionTarget')}, 'msg')
        names = Names(
            'mavros_namespace', settings.mavros_namespace.rstrip('/'),
            load(topics.MESSAGES_OUT, 'msg'), topics.LATCHED, services,
            (topics.SETPOINT, self._target[topics.SETPOINT]),
            (topics.STATE, 'mavros_msgs/msg/State'), 'is MAVROS running, in this namespace?',
        )  # fmt: skip
        super().__init__(node, names, self._reports, requests.answer, settings.odometry_stamp)
        self._origin = PolledClient(node, services[topics.COMMAND], self._full(topics.COMMAND))
        self._origin_asked = -math.inf

    def values(self) -> dict[str, object]:
        """Return names and counts."""
        return {'autopilot_behind': self._behind, **super().values()}

    def _command(self, sender: Publisher, setpoint: Setpoint) -> None:
        fields = target(setpoint)
        message = self._target[topics.SETPOINT](
            coordinate_frame=LOCAL_FRAME, type_mask=fields.type_mask, yaw=fields.yaw,
            yaw_rate=fields.yaw_rate,
        )  # fmt: skip
        message.header.frame_id = MAP_FRAME
        message.header.stamp = self._node.get_clock().now().to_msg()
        position, velocity = message.position, message.velocity
        acceleration = message.acceleration_or_force
        position.x, position.y, position.z = fields.position
        velocity.x, velocity.y, velocity.z = fields.velocity
        acceleration.x, acceleration.y, acceleration.z = fields.acceleration
        sender.publish(message)

    def _call_of(self, action: Action, height: float) -> ServiceCall:
        return requests.call_of(action, self._dialect, height)

    def _inquire(self, now: float) -> None:
        """Ask for the origin of the estimator until it is told."""
        self._origin.poll()
        has_vehicle = self._reports.known.status is not None
        if self._reports.has_origin or not has_vehicle or now - self._origin_asked < ORIGIN_EVERY:
            return
        self._origin_asked = now
        if self._origin.is_ready:
            self._origin.call(requests.ORIGIN_REQUEST.fields, lambda response: None)


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
