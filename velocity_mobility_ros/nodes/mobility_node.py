"""A simulated vehicle: takes ``cmd_vel``, moves within its limits, publishes ``odom``.

Threading: one thread; a callback stores the command, the timer moves the body.
"""

from dataclasses import dataclass

from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from rclpy.node import Node

from velocity_mobility_ros.core.model import MobilityParameters
from velocity_mobility_ros.core.parameters import Parameters, parameter
from velocity_mobility_ros.core.time import to_ns
from velocity_mobility_ros.ros_io.entry import run_nodes
from velocity_mobility_ros.ros_io.health import Health
from velocity_mobility_ros.ros_io.messages import (
    MalformedMessageError,
    body_to_odometry,
    is_body_frame,
    time_to_ns,
    twist_to_command,
)
from velocity_mobility_ros.ros_io.parameters import declare, follow, refuse_unknown
from velocity_mobility_ros.ros_io.qos import COMMAND, STATE
from velocity_mobility_ros.ros_io.tf import TransformPublisher
from velocity_mobility_ros.ros_io.topics import CMD_VEL, MAP_FRAME, ODOM, body_frame
from velocity_mobility_ros.vehicles import KinematicVehicle

LONGEST_CATCH_UP = 1.0
"""After a longer stall [s] the lost time is dropped instead of made up for."""


@dataclass(frozen=True)
class MobilityNodeParameters(Parameters):
    """How the node talks and where the body starts."""

    cmd_vel_frame: str = parameter(
        MAP_FRAME, 'frame of a Twist command', choices=('map', 'base_link')
    )
    enable_stamped_cmd_vel: bool = parameter(False, 'take TwistStamped instead of Twist')
    cmd_vel_timeout: float = parameter(
        0.5, 'silence after which the body slows to a stop; 0: commands persist',
        unit='s', minimum=0.0,
    )  # fmt: skip
    publish_tf: bool = parameter(True, 'publish map -> base_link where tf2_msgs is there')
    frame_id: str = parameter(MAP_FRAME, 'fixed frame of the odometry')
    child_frame_id: str = parameter('', 'frame of the body; empty: NAMESPACE/base_link')
    initial_x: float = parameter(0.0, 'initial position', unit='m')
    initial_y: float = parameter(0.0, 'initial position', unit='m')
    initial_z: float = parameter(0.0, 'initial position', unit='m')
    initial_yaw: float = parameter(0.0, 'initial heading', unit='rad')


class MobilityNode(Node):
    """One kinematic vehicle on its own timer."""

    def __init__(self, **options: object) -> None:
        """Declare parameters and begin to move.

        Args:
            **options: Passed on to ``rclpy.node.Node``.
        """
        super().__init__('mobility_node', **options)
        self._mobility = declare(self, MobilityParameters)
        self._settings = declare(self, MobilityNodeParameters)
        refuse_unknown(self)
        follow(self, self._mobility, self._apply)
        self._body = self._settings.child_frame_id or body_frame(self.get_namespace())
        start = (
            self._settings.initial_x, self._settings.initial_y, self._settings.initial_z,
        )  # fmt: skip
        self._vehicle = KinematicVehicle(self._mobility, start, self._settings.initial_yaw)
        self._health = Health(self, lambda: {'updates': self._updates})
        self._start_ns = self._command_ns = self._now_ns()
        self._updates = 0
        self._odometry = self.create_publisher(Odometry, ODOM, STATE)
        self._transforms = TransformPublisher(self, self._settings.publish_tf)
        if self._settings.enable_stamped_cmd_vel:
            self.create_subscription(TwistStamped, CMD_VEL, self._on_stamped, COMMAND)
        else:
            self.create_subscription(Twist, CMD_VEL, self._on_twist, COMMAND)
        self.create_timer(self._mobility.update_rate, self._on_timer)

    def _now_ns(self) -> int:
        return self.get_clock().now().nanoseconds

    def _apply(self, mobility: MobilityParameters) -> None:
        self._mobility = mobility
        self._vehicle.parameters = mobility

    def _on_twist(self, message: Twist) -> None:
        self._take(message, self._settings.cmd_vel_frame)

    def _on_stamped(self, message: TwistStamped) -> None:
        age_ns = self._now_ns() - time_to_ns(message.header.stamp)
        timeout = self._settings.cmd_vel_timeout
        if timeout > 0.0 and abs(age_ns) > to_ns(timeout):
            self._health.refuse(CMD_VEL, f'stamp is {age_ns / 1e9:.3f} s old, limit {timeout} s')
            return
        self._take(message.twist, message.header.frame_id)

    def _take(self, twist: Twist, frame: str) -> None:
        try:
            velocity, yaw_rate = twist_to_command(twist)
            in_body = is_body_frame(frame, self._body)
        except MalformedMessageError as error:
            self._health.refuse(CMD_VEL, str(error))
            return
        self._vehicle.command(velocity, yaw_rate, in_body)
        self._command_ns = self._now_ns()

    def _on_timer(self) -> None:
        """Make all updates that are due by the clock; time is a count of updates."""
        now_ns = self._now_ns()
        period_ns = to_ns(self._mobility.update_rate)
        due = (now_ns - self._start_ns) // period_ns
        longest_ns = max(to_ns(LONGEST_CATCH_UP), 2 * period_ns)
        if not 0 <= (due - self._updates) * period_ns <= longest_ns:
            self._health.warn('the clock jumped or the node stalled; the lost time is dropped')
            self._start_ns, self._updates, due = now_ns - period_ns, 0, 1
        self._stop_when_silent(now_ns)
        while self._updates < due:
            self._vehicle.step()
            self._updates += 1
            if self._updates % self._mobility.telemetry_decimation == 0:
                self._publish(self._start_ns + self._updates * period_ns)

    def _stop_when_silent(self, now_ns: int) -> None:
        timeout = self._settings.cmd_vel_timeout
        if timeout > 0.0 and now_ns - self._command_ns > to_ns(timeout):
            self._vehicle.command((0.0, 0.0, 0.0), 0.0)

    def _publish(self, stamp_ns: int) -> None:
        vehicle = self._vehicle
        message = body_to_odometry(
            stamp_ns, self._body, vehicle.position, vehicle.yaw, vehicle.velocity,
            vehicle.yaw_rate, self._settings.frame_id,
        )  # fmt: skip
        self._odometry.publish(message)
        self._transforms.publish(message)


def main(args: list[str] | None = None) -> int:
    """Run the node."""
    return run_nodes(lambda: [MobilityNode()], args)
