"""Flies a vehicle along a ``path`` with arrival times: ``odom`` in, ``cmd_vel`` out.

Threading: one thread; the timer takes what has arrived, moves the virtual leader and commands.
The node reports on its path: what remains, how late it is, why it was given up.
"""

import math
from dataclasses import dataclass

from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Path

from velocity_mobility_ros.core.parameter_declaration import (
    LARGEST_COORDINATE, Parameters, parameter
)
from velocity_mobility_ros.core.step_time import to_ns, to_seconds
from velocity_mobility_ros.core.trajectory.polyline_records import (
    FollowSettings, PolylineError, SpeedLimits
)
from velocity_mobility_ros.core.trajectory.pursuit import (
    FIXED, TOWARD_POINT, YAW_POLICIES, Guidance, Pursuit
)
from velocity_mobility_ros.core.user_errors import MalformedMessageError
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.endpoints import COMMAND, make_publisher
from velocity_mobility_ros.ros_io.graph_faults import several_publishers, takers_of_other_type
from velocity_mobility_ros.ros_io.messages.message_conversion import waypoints_of
from velocity_mobility_ros.ros_io.messages.serialized_messages import CommandWriter
from velocity_mobility_ros.ros_io.messages.vehicle_input import (
    PATH, MapOdometry, OdometrySample, PathInput
)
from velocity_mobility_ros.ros_io.node_diagnostics import NodeDiagnostics
from velocity_mobility_ros.ros_io.node_time import PeriodWatch, time_to_ns
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.process.node_process import run_nodes
from velocity_mobility_ros.ros_io.ros_parameters import declare, refuse_unknown, warn_of_idle
from velocity_mobility_ros.ros_io.vehicle_topics import CMD_VEL, ODOM
from velocity_mobility_ros.vehicles.vehicle import Due, UpdateClock, due_updates

RULES = ('robust', 'original')
TIME_MODES = ('absolute', 'relative')
PLACE = {'unit': 'm', 'minimum': -LARGEST_COORDINATE, 'maximum': LARGEST_COORDINATE}


@dataclass(frozen=True)
class TrajectoryNodeParameters(Parameters):
    """Limits and rules of the virtual leader, and how the vehicle follows it."""

    step: float = parameter(
        0.05, 'time between two steps of the leader, and two commands', unit='s', minimum=0.005,
        maximum=1.0,
    )  # fmt: skip
    max_speed: float = parameter(
        8.0, 'largest speed along the path', unit='m/s', above=0.0, runtime=True
    )
    cruise_speed: float | None = parameter(
        5.0, 'speed where no timed pose is ahead; none: max_speed', unit='m/s', above=0.0,
        runtime=True,
    )  # fmt: skip
    max_acceleration: float = parameter(
        3.0, 'largest acceleration along the path', unit='m/s^2', above=0.0, runtime=True
    )
    acceleration_rate: float = parameter(
        6.0, 'largest increase of the acceleration', unit='m/s^3', above=0.0, runtime=True
    )
    max_deceleration: float = parameter(
        3.0, 'largest deceleration along the path', unit='m/s^2', above=0.0, runtime=True
    )
    deceleration_rate: float = parameter(
        6.0, 'largest decrease of the acceleration', unit='m/s^3', above=0.0, runtime=True
    )
    rules: str = parameter(RULES[0], 'rules of the speed along the path', choices=RULES)
    strict: bool = parameter(
        False, 'a pose that is missed in time ends the path; false: it is reached late'
    )
    loop: bool = parameter(False, 'the first pose follows the last one')
    time_mode: str = parameter(
        TIME_MODES[0], 'stamps of poses: times, or since the stamp of the path', choices=TIME_MODES
    )
    correction_gain: float = parameter(
        1.0, 'speed per distance from the leader', unit='1/s', minimum=0.0, runtime=True
    )
    leash: float = parameter(
        2.0, 'distance from the leader at which it waits', unit='m', above=0.0, runtime=True
    )
    tau_xy: float | None = parameter(
        None, 'horizontal lag of the vehicle, for which commands make up; none: they do not',
        unit='s', above=0.0, runtime=True,
    )  # fmt: skip
    tau_z: float | None = parameter(
        None, 'vertical lag of the vehicle, for which commands make up; none: they do not',
        unit='s', above=0.0, runtime=True,
    )  # fmt: skip
    yaw_policy: str = parameter(
        YAW_POLICIES[0], 'where the vehicle looks', choices=YAW_POLICIES, runtime=True
    )
    yaw: float = parameter(
        0.0, 'heading', unit='rad', runtime=True, only_with={'yaw_policy': FIXED}
    )
    point_x: float = parameter(
        0.0, 'point to look at', runtime=True, only_with={'yaw_policy': TOWARD_POINT}, **PLACE
    )
    point_y: float = parameter(
        0.0, 'point to look at', runtime=True, only_with={'yaw_policy': TOWARD_POINT}, **PLACE
    )
    yaw_gain: float = parameter(
        1.5, 'yaw rate per difference from the wanted heading', unit='1/s', minimum=0.0,
        runtime=True,
    )  # fmt: skip
    max_yaw_rate: float = parameter(
        1.5, 'largest yaw rate', unit='rad/s', minimum=0.0, runtime=True
    )
    odom_timeout: float = parameter(
        0.5, 'age of the odometry beyond which no command is sent', unit='s', above=0.0,
        maximum=60.0,
    )  # fmt: skip
    enable_stamped_cmd_vel: bool = parameter(False, 'cmd_vel is TwistStamped; false: Twist')

    @property
    def is_absolute(self) -> bool:
        """Whether stamps of poses are times of the clock."""
        return self.time_mode == TIME_MODES[0]

    @property
    def follow_settings(self) -> FollowSettings:
        """How the leader follows a path."""
        limits = SpeedLimits(*(getattr(self, name) for name in SpeedLimits._fields))
        cruise = math.nan if self.cruise_speed is None else self.cruise_speed
        return FollowSettings(limits, cruise, self.step, self.rules == 'original', self.strict)

    @property
    def guidance(self) -> Guidance:
        """How the vehicle follows the leader."""
        return Guidance(
            self.correction_gain, self.leash, self.yaw_policy, self.yaw,
            (self.point_x, self.point_y), self.yaw_gain, self.max_yaw_rate, self.tau_xy,
            self.tau_z,
        )  # fmt: skip


NAME = 'trajectory_node'


class TrajectoryNode(PollingNode):
    """A virtual leader on its own timer, and the commands of the vehicle that follows it."""

    def __init__(self, **options: object) -> None:
        """Declare parameters and wait for odometry and a path.

        Args:
            **options: Passed on to ``rclpy.node.Node``.
        """
        super().__init__(NAME, **options)
        self._settings = declare(self, TrajectoryNodeParameters)
        refuse_unknown(self)
        warn_of_idle(self, self._settings)
        self.follow(self._settings, self._apply)
        settings = self._settings
        self._pursuit = Pursuit(settings.follow_settings, settings.guidance)
        kind = TwistStamped if settings.enable_stamped_cmd_vel else Twist
        self._commands = make_publisher(self, kind, CMD_VEL, COMMAND)
        self._period = PeriodWatch('step', settings.step, self.node_time)
        self._path_count, self._error, self._position = 0, None, None
        self._health = NodeDiagnostics(
            self, 'path', self._values, self._conditions, hardware_id=self.get_namespace()
        )
        self._odometry = MapOdometry(self, self._health, settings.odom_timeout)
        self._paths = PathInput(self)
        self._waiting: Path | None = None
        self._writer = CommandWriter(settings.enable_stamped_cmd_vel)
        self._path_clock = UpdateClock(self._now_ns(), 0)
        self._path_ns = self._path_clock.start_ns
        self.get_logger().info(self._start_line(kind.__name__))
        self.node_time.on_step(self._on_step)
        self.create_timer(settings.step, self._on_timer)

    def _start_line(self, kind: str) -> str:
        how = self._settings
        times = 'times' if how.is_absolute else 'since the stamp of the path'
        return (
            f'paths on {self.resolve_topic_name(PATH)} at {1.0 / how.step:g} Hz by the '
            f'{how.rules} rules, at most {how.max_speed:g} m/s and {how.max_acceleration:g} '
            f'm/s^2; stamps of poses are {times}; {kind} in map on '
            f'{self.resolve_topic_name(CMD_VEL)}'
        )

    def _values(self) -> dict[str, object]:
        """Return numbers for the diagnostics."""
        vertices_left, distance, to_go, late = self._pursuit.leader.status()
        return {
            'paths': self._path_count,
            'vertices_left': vertices_left,
            'distance_m': f'{distance:.3f}',
            'time_to_go_s': f'{to_go:.3f}',
            'lateness_s': f'{late:.3f}',
            'held_s': f'{self._pursuit.leader.held:.3f}',
            'leader_distance_m': f'{self._leader_distance():.3f}',
            'last_error': 'none' if self._error is None else self._error.code,
        }

    def _conditions(self) -> list[Condition]:
        """Return the present faults."""
        return [
            *self._odometry.conditions(self._now_ns()),
            *self._path_conditions(),
            *self._period.conditions(),
            *several_publishers(self, ODOM, Level.ERROR),
            *several_publishers(self, CMD_VEL, Level.WARN),
            *takers_of_other_type(self, self._commands),
        ]

    def _leader_distance(self) -> float:
        return math.nan if self._position is None else self._pursuit.distance(self._position)

    def _path_conditions(self) -> list[Condition]:
        topic, faults = self.resolve_topic_name(PATH), []
        if self._path_count == 0:
            return [Condition(Level.STALE, f'no path received yet on {topic}', unheard=topic)]
        if self._error is not None:
            faults.append(Condition(Level.ERROR, f'path given up: {self._error}', topic))
        if self._position is not None and self._pursuit.is_waiting(self._position):
            reason = (
                f'the leader waits, the vehicle is {self._leader_distance():.1f} m behind '
                f'(leash {self._settings.leash:g} m)'
            )
            faults.append(Condition(Level.WARN, reason, 'leash'))
        late = self._pursuit.leader.status().lateness
        if late > self._settings.step and self._pursuit.leader.is_following:
            faults.append(Condition(Level.WARN, f'{late:.2f} s late on the path', 'lateness'))
        return faults

    def _apply(self, settings: TrajectoryNodeParameters) -> None:
        self._settings = settings
        self._pursuit.leader.settings = settings.follow_settings
        self._pursuit.guidance = settings.guidance

    def _now_ns(self) -> int:
        return self.node_time.now_ns()

    def _on_step(self, step_ns: int) -> None:
        """Keep the leader in place after a step of the clock [ns]; absolute times follow it."""
        start_ns, updates = self._path_clock
        self._path_clock = UpdateClock(start_ns + step_ns, updates)
        leader = self._pursuit.leader
        if self._settings.is_absolute and leader.is_following:
            leader.set_clock(leader.state.time + to_seconds(step_ns))
        else:
            self._path_ns += step_ns

    def _on_timer(self) -> None:
        """Read all messages, make all due steps, publish the command."""
        self._period.tick()
        now_ns = self._now_ns()
        due = due_updates(self._path_clock, now_ns, to_ns(self._settings.step))
        if due.dropped:
            self._health.warn('the clock jumped or the node stalled; missed steps are skipped')
            self._set_clock(now_ns, due)
        self._path_clock = due.clock
        body = self._odometry.update(now_ns)
        self._take_path()
        self._position = None if body is None else body.position
        if body is None:
            self._hold(due.count)
            return
        if self._waiting is not None:
            self._begin(self._waiting, body, now_ns)
            self._waiting = None
        self._step(body, due.count)
        command = self._pursuit.command(body.position, body.yaw)
        if command is not None:
            self._commands.publish(self._writer.write(*command, now_ns))

    def _take_path(self) -> None:
        """Keep the newest path until there is odometry; refuse one with wrong poses."""
        try:
            path = self._paths.take()
            if path is not None:
                waypoints_of(path, 0)
                self._waiting = path
        except MalformedMessageError as error:
            self._refuse(error)

    def _begin(self, path: Path, body: OdometrySample, now_ns: int) -> None:
        """Start to follow a path, or refuse it."""
        settings = self._settings
        from_ns = now_ns if settings.is_absolute else time_to_ns(path.header.stamp)
        try:
            waypoints = waypoints_of(path, from_ns)
            short = self._pursuit.fly(waypoints, body.position, body.velocity, settings.loop)
        except PolylineError as error:
            self._refuse(error)
            return
        self._path_ns = now_ns
        self._path_count, self._error = self._path_count + 1, None
        text = f'path of {len(waypoints)} poses' if waypoints else 'path without poses: braking'
        self.get_logger().info(text)
        if short is not None:
            self.get_logger().warning(f'{PATH}: may be late: {short}')

    def _refuse(self, error: Exception) -> None:
        suffix = '; the path before is kept' if self._pursuit.leader.is_following else ''
        self._health.refuse(PATH, f'{error}{suffix}', type(error).__name__)

    def _step(self, body: OdometrySample, count: int) -> None:
        """Move the leader by some steps."""
        try:
            for _ in range(count):
                self._pursuit.step(body.position)
        except PolylineError as error:
            self._error = error
            self.get_logger().error(f'{PATH}: given up, braking: {error}')

    def _hold(self, count: int) -> None:
        """Let the leader wait for some steps: without odometry the vehicle cannot follow it."""
        if self._pursuit.leader.is_following:
            for _ in range(count):
                self._pursuit.leader.hold()

    def _set_clock(self, now_ns: int, due: Due) -> None:
        """Set the leader's clock after a jump; times since the path's arrival do not jump."""
        leader = self._pursuit.leader
        if not leader.is_following:
            return
        period_ns = to_ns(self._settings.step)
        expected_ns = (
            self._path_clock.start_ns + (self._path_clock.updates + due.count) * period_ns
        )
        if self._settings.is_absolute:
            leader.set_clock(to_seconds(now_ns - self._path_ns) - leader.held)
        elif now_ns > expected_ns:
            leader.held += to_seconds(now_ns - expected_ns)


def main(args: list[str] | None = None) -> int:
    """Run the node."""
    return run_nodes(lambda: [TrajectoryNode()], args)
