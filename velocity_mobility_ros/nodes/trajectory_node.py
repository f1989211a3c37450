"""Flies a vehicle along a ``path`` with arrival times: ``odom`` in, ``cmd_vel`` out.

Threading: one thread; the timer takes what has arrived, moves the virtual leader and commands.
"""

from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry, Path

from velocity_mobility_ros.core.polyline.errors import PolylineError
from velocity_mobility_ros.core.time import to_ns, to_seconds
from velocity_mobility_ros.core.trajectory.pursuit import Pursuit
from velocity_mobility_ros.nodes.trajectory_node_parameters import TrajectoryNodeParameters
from velocity_mobility_ros.nodes.trajectory_watch import TrajectoryWatch
from velocity_mobility_ros.ros_io.endpoints import make_publisher
from velocity_mobility_ros.ros_io.messages import MalformedMessageError, time_to_ns
from velocity_mobility_ros.ros_io.node_diagnostics import NodeDiagnostics
from velocity_mobility_ros.ros_io.paths.map_odometry import MapOdometry, Measured
from velocity_mobility_ros.ros_io.paths.path_input import PATH, PathInput
from velocity_mobility_ros.ros_io.paths.path_message import waypoints_of
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.process.entry import run_nodes
from velocity_mobility_ros.ros_io.qos import COMMAND, POLLED_INPUT
from velocity_mobility_ros.ros_io.ros_parameters import declare, refuse_unknown, warn_of_idle
from velocity_mobility_ros.ros_io.serialized.command import CommandWriter
from velocity_mobility_ros.ros_io.vehicle_topics import CMD_VEL, ODOM
from velocity_mobility_ros.vehicles.update_clock import Due, UpdateClock, due_updates

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
        self._watch = TrajectoryWatch(self, self._commands, self._pursuit, settings)
        self._health = NodeDiagnostics(
            self,
            'path',
            lambda: self._watch.values(),
            lambda: [*self._odometry.conditions(self._now_ns()), *self._watch.conditions()],
            hardware_id=self.get_namespace(),
        )
        topic = self.resolve_topic_name(ODOM)
        self._odometry = MapOdometry(self._health, topic, settings.odom_timeout)
        self._take_odometry = self.poll(Odometry, ODOM, POLLED_INPUT)
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

    def _apply(self, settings: TrajectoryNodeParameters) -> None:
        self._settings = self._watch.settings = settings
        self._pursuit.leader.settings = settings.follow_settings
        self._pursuit.guidance = settings.guidance

    def _now_ns(self) -> int:
        return self.node_time.now_ns()

    def _on_step(self, step_ns: int) -> None:
        """Go on where the leader is after the clock was set [ns]; absolute times are by it."""
        start_ns, updates = self._path_clock
        self._path_clock = UpdateClock(start_ns + step_ns, updates)
        self._odometry.move(step_ns)
        leader = self._pursuit.leader
        if self._settings.is_absolute and leader.is_following:
            leader.set_clock(leader.state.time + to_seconds(step_ns))
        else:
            self._path_ns += step_ns

    def _on_timer(self) -> None:
        """Take what has arrived, make all due steps, command."""
        self._watch.period.tick()
        now_ns = self._now_ns()
        due = due_updates(self._path_clock, now_ns, to_ns(self._settings.step))
        if due.dropped:
            self._health.warn('the clock jumped or the node stalled; missed steps are skipped')
            self._set_clock(now_ns, due)
        self._path_clock = due.clock
        for data in self._take_odometry():
            self._odometry.take(data, now_ns)
        self._take_path()
        body = self._odometry.current(now_ns)
        self._watch.position = None if body is None else body.position
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

    def _begin(self, path: Path, body: Measured, now_ns: int) -> None:
        """Follow a path from now on; one that cannot be followed is refused."""
        how = self._settings
        from_ns = now_ns if how.is_absolute else time_to_ns(path.header.stamp)
        try:
            waypoints = waypoints_of(path, from_ns)
            short = self._pursuit.fly(waypoints, body.position, body.velocity, how.loop)
        except PolylineError as error:
            self._refuse(error)
            return
        self._path_ns = now_ns
        self._watch.begin(len(waypoints))
        if short is not None:
            self.get_logger().warning(f'{PATH}: may be late: {short}')

    def _refuse(self, error: Exception) -> None:
        kept = '; the path before is kept' if self._pursuit.leader.is_following else ''
        self._health.refuse(PATH, f'{error}{kept}', type(error).__name__)

    def _step(self, body: Measured, count: int) -> None:
        """Move the leader by some steps."""
        try:
            for _ in range(count):
                self._pursuit.step(body.position)
        except PolylineError as error:
            self._watch.give_up(error)

    def _hold(self, count: int) -> None:
        """Let the leader wait for some steps: without odometry nobody follows it."""
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
    return run_nodes(lambda: [TrajectoryNode()], args, name=NAME)
