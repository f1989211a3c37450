"""A simulated vehicle: takes ``cmd_vel``, moves within its limits, publishes ``odom``.

Threading: one thread; a callback stores the command, the timer moves the body.
"""

import math
from dataclasses import dataclass

from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry

from velocity_mobility_ros.core.coordinate_frames import (
    check_distinct, check_frame_name, check_odom_frame
)
from velocity_mobility_ros.core.parameter_declaration import (
    LARGEST_COORDINATE, Parameters, parameter
)
from velocity_mobility_ros.core.random_numbers import LARGEST_SEED, named_seed
from velocity_mobility_ros.core.step_time import is_overdue, short_timeout, to_ns, to_seconds
from velocity_mobility_ros.core.user_errors import MalformedMessageError, ParameterError
from velocity_mobility_ros.core.velocity_model import (
    VEHICLE_NAMES, MobilityParameters, Vector, zero_limits
)
from velocity_mobility_ros.ros_io.endpoints import (
    COMMAND, STATE, make_publisher, make_subscription
)
from velocity_mobility_ros.ros_io.graph_faults import several_publishers
from velocity_mobility_ros.ros_io.live_parameters import TunableNode
from velocity_mobility_ros.ros_io.messages.serialized_messages import OdometryWriter
from velocity_mobility_ros.ros_io.messages.tf import TransformPublisher, VehicleFrames
from velocity_mobility_ros.ros_io.messages.vehicle_input import (
    VehicleCommandReader, missing_command
)
from velocity_mobility_ros.ros_io.node_diagnostics import Condition, Level, NodeDiagnostics
from velocity_mobility_ros.ros_io.node_time import PeriodWatch
from velocity_mobility_ros.ros_io.process.node_names import warn_without_namespace
from velocity_mobility_ros.ros_io.process.node_process import run_nodes
from velocity_mobility_ros.ros_io.ros_parameters import (
    declare, given, refuse_unknown, warn_of_idle
)
from velocity_mobility_ros.ros_io.vehicle_topics import (
    CMD_VEL, GROUND_TRUTH, MAP_FRAME, ODOM, body_frame
)
from velocity_mobility_ros.vehicles.odometry_sensor import sensor_coefficients
from velocity_mobility_ros.vehicles.simulated_body import Body, Instruments
from velocity_mobility_ros.vehicles.vehicle import UpdateClock, due_updates, parameters_of

PLACE = {'unit': 'm', 'minimum': -LARGEST_COORDINATE, 'maximum': LARGEST_COORDINATE}
"""Unit and bounds of an initial coordinate; receivers refuse positions beyond."""


@dataclass(frozen=True)
class MobilityNodeParameters(Parameters):
    """Interface of the node, and the initial pose of the body."""

    cmd_vel_frame: str = parameter(
        MAP_FRAME, 'frame of Twist commands', choices=('map', 'base_link'),
        only_with={'enable_stamped_cmd_vel': False},
    )  # fmt: skip
    enable_stamped_cmd_vel: bool = parameter(False, 'cmd_vel is TwistStamped; false: Twist')
    cmd_vel_timeout: float = parameter(
        0.5, 'time without a command after which the body stops; 0: never',
        unit='s', minimum=0.0,
    )  # fmt: skip
    publish_tf: bool = parameter(True, 'publish transforms, if tf2_msgs is installed')
    frame_id: str = parameter(MAP_FRAME, 'fixed frame, also of the initial position')
    odom_frame: str = parameter(
        '', 'odometry frame, with its origin at the start; odom: NAMESPACE/odom; empty: frame_id'
    )
    child_frame_id: str = parameter('', 'body frame; empty: NAMESPACE/base_link')
    initial_x: float = parameter(0.0, 'initial position', **PLACE)
    initial_y: float = parameter(0.0, 'initial position', **PLACE)
    initial_z: float = parameter(0.0, 'initial position', **PLACE)
    initial_yaw: float = parameter(0.0, 'initial heading', unit='rad')
    sensor_seed: int = parameter(
        0, 'seed of the noise, drift and dropouts of the odometry', minimum=0,
        maximum=LARGEST_SEED,
    )  # fmt: skip

    def __post_init__(self) -> None:
        """Refuse invalid frame names."""
        super().__post_init__()
        if not self.frame_id:
            raise ParameterError(f"frame_id = '' must name a frame, such as {MAP_FRAME}")
        for name in ('frame_id', 'odom_frame', 'child_frame_id'):
            check_frame_name(name, getattr(self, name))
        check_odom_frame(self.odom_frame, self.frame_id)


NAME = 'mobility_node'


class MobilityNode(TunableNode):
    """One simulated vehicle on its own timer."""

    def __init__(self, **options: object) -> None:
        """Declare parameters and start the simulation.

        Args:
            **options: Passed on to ``rclpy.node.Node``.
        """
        super().__init__(NAME, **options)
        self._mobility = declare(self, parameters_of(given(self, 'vehicle', VEHICLE_NAMES[0])))
        self._settings = declare(self, MobilityNodeParameters)
        refuse_unknown(self)
        warn_of_idle(self, self._settings)
        self.follow(self._mobility, self._apply)
        settings = self._settings
        start = settings.initial_x, settings.initial_y, settings.initial_z
        self._body = Body(
            self._mobility, start, settings.initial_yaw, instruments=self._instruments()
        )
        self._frames = self._name_frames(start)
        self._health = NodeDiagnostics(
            self,
            'motion',
            self._diagnostic_values,
            self._conditions,
            hardware_id=self.get_namespace(),
        )
        self.get_logger().info(self._start_line())
        self.look_at_doubts()
        warn_without_namespace(self, '/uav_1', (CMD_VEL, ODOM))
        self._command_ns = self._now_ns()
        self._body_clock = UpdateClock(self._command_ns, 0)
        self._is_commanded = False
        self._period = PeriodWatch(
            'update period', self._mobility.update_rate, self.node_time
        )
        self._odometry = make_publisher(self, Odometry, ODOM, STATE)
        self._truth = None
        if not self._mobility.is_perfect:
            self._truth = make_publisher(self, Odometry, GROUND_TRUTH, STATE)
        self._measured_ns = -1
        self._transforms = TransformPublisher(self, settings.publish_tf)
        origin = self._frames.origin_message(self._body_clock.start_ns)
        self._transforms.publish_static([origin] if origin else [])
        is_stamped = self._settings.enable_stamped_cmd_vel
        kind = TwistStamped if is_stamped else Twist
        self._reader = VehicleCommandReader(
            is_stamped, settings.cmd_vel_frame, self._frames.body, settings.cmd_vel_timeout
        )
        self._writer, self._truth_writer = OdometryWriter(), OdometryWriter()
        make_subscription(self, kind, CMD_VEL, self._take, COMMAND, raw=True)
        self.node_time.on_step(self._on_step)
        self.create_timer(self._mobility.update_rate, self._on_timer)

    def _instruments(self) -> Instruments | None:
        """Return the sensor and the command link of the body; None for perfect ones."""
        mobility = self._mobility
        if mobility.is_perfect:
            return None
        period = mobility.telemetry_decimation * mobility.update_rate
        seed = named_seed(f'{self._settings.sensor_seed}/sensors{self.get_namespace()}')
        return Instruments(sensor_coefficients(mobility, mobility.update_rate, period), seed)

    def _name_frames(self, start: Vector) -> VehicleFrames:
        """Return the frames of a body that starts at a position [m].

        Raises:
            ParameterError: Two frames have the same name.
        """
        settings, namespace = self._settings, self.get_namespace()
        body = settings.child_frame_id or body_frame(namespace)
        odom = settings.odom_frame and body_frame(namespace, settings.odom_frame)
        try:
            check_distinct(
                {'frame_id': settings.frame_id, 'odom_frame': odom, 'child_frame_id': body}
            )
        except ParameterError as error:
            raise ParameterError(f'{self.get_fully_qualified_name()}: {error}') from None
        return VehicleFrames(body, settings.frame_id, odom, start, settings.initial_yaw)

    def _start_line(self) -> str:
        body, mode = self._mobility, self._settings
        kind = 'TwistStamped' if mode.enable_stamped_cmd_vel else f'Twist in {mode.cmd_vel_frame}'
        taus = ('none' if tau is None else f'{tau:g} s' for tau in (body.lag_xy, body.lag_z))
        return (
            f'vehicle at {1.0 / body.update_rate:g} Hz, lag {" and ".join(taus)}, '
            f'limits {body.max_speed_xy:g} m/s, {body.max_acc_xy:g} m/s^2 horizontal and '
            f'{body.max_speed_z:g} m/s, {body.max_acc_z:g} m/s^2 vertical; {kind} on '
            f'{self.resolve_topic_name(CMD_VEL)} (timeout {mode.cmd_vel_timeout:g} s), odometry '
            f'on {self.resolve_topic_name(ODOM)} in {self._frames.odom or self._frames.fixed}'
        )

    def _diagnostic_values(self) -> dict[str, object]:
        return {
            'updates': self._body_clock.updates,
            'speed_m_per_s': f'{math.hypot(*self._body.motion.velocity):.3f}',
            'command_age_s': f'{self._command_age():.3f}',
        }

    def _conditions(self) -> list[Condition]:
        return [
            *self._command_conditions(),
            *self._period.conditions(),
            *several_publishers(self, ODOM, Level.ERROR),
            *several_publishers(self, CMD_VEL, Level.WARN),
        ]

    def _command_conditions(self) -> list[Condition]:
        age, timeout = self._command_age(), self._settings.cmd_vel_timeout
        if self._is_commanded and age <= (timeout or math.inf):
            return []
        return missing_command(self, self.resolve_topic_name(CMD_VEL), age, timeout)

    def _command_age(self) -> float:
        """Return the age [s] of the last command, infinite without one."""
        if not self._is_commanded:
            return math.inf
        return to_seconds(self._now_ns() - self._command_ns)

    def _now_ns(self) -> int:
        return self.node_time.now_ns()

    def _on_step(self, step_ns: int) -> None:
        """Keep the times of the body after a step of the clock [ns]."""
        start_ns, updates = self._body_clock
        self._body_clock = UpdateClock(start_ns + step_ns, updates)
        self._command_ns += step_ns
        self._measured_ns += step_ns

    def _apply(self, mobility: MobilityParameters) -> None:
        self._mobility = mobility
        self._body.parameters = mobility

    def doubts(self) -> list[str]:
        """Return which limits let the vehicle not move, and a timeout that is too short."""
        timeout, period = self._settings.cmd_vel_timeout, self._mobility.update_rate
        effect = 'the body stops between two updates'
        short = short_timeout('cmd_vel_timeout', timeout, 'update_rate', period, effect)
        return [*zero_limits(self._mobility), *([short] if short else [])]

    def _take(self, data: bytes) -> None:
        try:
            command = self._reader.read(data, self._now_ns())
        except MalformedMessageError as error:
            self._health.refuse(CMD_VEL, str(error), type(error).__name__)
            return
        self._body.command(*command)
        self._command_ns, self._is_commanded = self._now_ns(), True

    def _on_timer(self) -> None:
        """Make all due updates; time is a count of updates."""
        self._period.tick()
        now_ns = self._now_ns()
        period_ns = to_ns(self._mobility.update_rate)
        due = due_updates(self._body_clock, now_ns, period_ns)
        if due.dropped:
            self._health.warn('the clock jumped or the node stalled; missed updates are skipped')
        if is_overdue(self._command_ns, now_ns, self._settings.cmd_vel_timeout):
            self._body.command((0.0, 0.0, 0.0), 0.0)
        self._body_clock = due.clock
        for update in range(due.clock.updates - due.count + 1, due.clock.updates + 1):
            self._body.step()
            if update % self._mobility.telemetry_decimation == 0:
                self._publish(due.clock.start_ns + update * period_ns)

    def _publish(self, stamp_ns: int) -> None:
        """Publish the last measurement, unless it is old news, and the truth if it differs."""
        motion, attitude, _, updates = self._body.measured
        measured_ns = stamp_ns - updates * to_ns(self._mobility.update_rate)
        if measured_ns != self._measured_ns:
            self._measured_ns = measured_ns
            odometry = self._frames.odometry(measured_ns, motion, attitude)
            self._odometry.publish(self._writer.write(odometry))
            self._transforms.publish([odometry])
        if self._truth is not None:
            true = self._frames.true_odometry(stamp_ns, self._body.motion, self._body.attitude)
            self._truth.publish(self._truth_writer.write(true))


def main(args: list[str] | None = None) -> int:
    """Run the node."""
    return run_nodes(lambda: [MobilityNode()], args)
