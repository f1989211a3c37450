"""The frames of a simulated vehicle (REP-105): map to base_link, or map to odom to base_link.

The odometry frame has its origin at the initial pose, as on a vehicle with a local origin.
"""

from typing import NamedTuple

from geometry_msgs.msg import TransformStamped

from velocity_mobility_ros.core.frames import (
    Transform,
    multiply,
    quaternion_from_yaw,
    rotate_z,
    wrap_pi,
)
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.motion import Attitude, VehicleMotion
from velocity_mobility_ros.ros_io.messages import OdometryValues, level_odometry
from velocity_mobility_ros.ros_io.tf import to_message
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME


class VehicleFrames(NamedTuple):
    """Names of the frames, and the pose of the odometry frame.

    Attributes:
        body: Body frame.
        fixed: Fixed frame.
        odom: Odometry frame; empty: the fixed frame.
        origin: Origin of ``odom`` [m] in the fixed frame.
        heading: Heading of ``odom`` [rad] in the fixed frame.
    """

    body: str
    fixed: str = MAP_FRAME
    odom: str = ''
    origin: Vector = (0.0, 0.0, 0.0)
    heading: float = 0.0

    def odometry(
        self, stamp_ns: int, motion: VehicleMotion, attitude: Attitude | None = None
    ) -> OdometryValues:
        """Return the odometry of a body.

        Args:
            stamp_ns: Time of validity [ns].
            motion: Its motion in the fixed frame.
            attitude: Its attitude in the fixed frame; None: it is level.
        """
        if attitude is not None:
            return self._tilted(stamp_ns, motion.position, attitude)
        position, yaw, velocity, yaw_rate = motion
        frame = self.fixed
        if self.odom:
            frame, yaw = self.odom, wrap_pi(yaw - self.heading)
            position = self._point_in_odom(position)
            velocity = self._to_odom(velocity)
        return level_odometry(stamp_ns, self.body, position, yaw, velocity, yaw_rate, frame)

    def true_odometry(
        self, stamp_ns: int, motion: VehicleMotion, attitude: Attitude | None = None
    ) -> OdometryValues:
        """Return the same in the fixed frame, for whoever compares bodies."""
        return self._replace(odom='').odometry(stamp_ns, motion, attitude)

    def _tilted(self, stamp_ns: int, position: Vector, attitude: Attitude) -> OdometryValues:
        """Return the odometry of a body that rolls and pitches; its twist is in its own frame."""
        frame, rotation = self.fixed, attitude.rotation
        if self.odom:
            frame, position = self.odom, self._point_in_odom(position)
            rotation = multiply(quaternion_from_yaw(-self.heading), rotation)
        return OdometryValues(
            stamp_ns, frame, self.body, position, rotation, attitude.linear, attitude.angular
        )

    def _point_in_odom(self, position: Vector) -> Vector:
        x, y, z = self.origin
        return self._to_odom((position[0] - x, position[1] - y, position[2] - z))

    def origin_message(self, stamp_ns: int) -> TransformStamped | None:
        """Return the transform from the fixed frame to ``odom``; None without ``odom``."""
        if not self.odom:
            return None
        transform = Transform(self.origin, quaternion_from_yaw(self.heading))
        return to_message(stamp_ns, self.fixed, self.odom, transform)

    def _to_odom(self, vector: Vector) -> Vector:
        return (*rotate_z(vector[0], vector[1], -self.heading), vector[2])
