"""What a trajectory node tells of its path: what remains, how late it is, why it was given up."""

import math

from rclpy.publisher import Publisher

from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.polyline.errors import PolylineError
from velocity_mobility_ros.core.trajectory.pursuit import Pursuit
from velocity_mobility_ros.nodes.trajectory_node_parameters import TrajectoryNodeParameters
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.live_parameters import TunableNode
from velocity_mobility_ros.ros_io.paths.path_input import PATH
from velocity_mobility_ros.ros_io.period_watch import PeriodWatch
from velocity_mobility_ros.ros_io.process.several_publishers import (
    several_publishers,
    takers_of_other_type,
)
from velocity_mobility_ros.ros_io.vehicle_topics import CMD_VEL, ODOM


class TrajectoryWatch:
    """Values and conditions for the diagnostics.

    Attributes:
        period: The ticks of the node.
        position: Position of the vehicle [m], None without odometry.
        settings: Parameters of the node.
    """

    def __init__(
        self,
        node: TunableNode,
        commands: Publisher,
        pursuit: Pursuit,
        settings: TrajectoryNodeParameters,
    ) -> None:
        """Begin without a path.

        Args:
            node: The node.
            commands: Its commands.
            pursuit: What it flies.
            settings: Its parameters.
        """
        self._node, self._commands = node, commands
        self._pursuit = pursuit
        self._paths = 0
        self._error: PolylineError | None = None
        self.settings = settings
        self.period = PeriodWatch('step', settings.step, node.node_time)
        self.position: Vector | None = None

    def begin(self, poses: int) -> None:
        """Take note of a path of some poses; none: the vehicle stops."""
        self._paths += 1
        self._error = None
        what = f'path of {poses} poses' if poses else 'path without poses: braking'
        self._node.get_logger().info(what)

    def give_up(self, error: PolylineError) -> None:
        """Take note of a path that cannot be followed."""
        self._error = error
        self._node.get_logger().error(f'{PATH}: given up, braking: {error}')

    def values(self) -> dict[str, object]:
        """Return numbers for the diagnostics."""
        left, way, to_go, late = self._pursuit.leader.status()
        return {
            'paths': self._paths,
            'vertices_left': left,
            'distance_m': f'{way:.3f}',
            'time_to_go_s': f'{to_go:.3f}',
            'lateness_s': f'{late:.3f}',
            'held_s': f'{self._pursuit.leader.held:.3f}',
            'leader_distance_m': f'{self._leader_distance():.3f}',
            'last_error': 'none' if self._error is None else self._error.code,
        }

    def conditions(self) -> list[Condition]:
        """Return the present faults, apart from those of the odometry."""
        return [
            *self._path_conditions(),
            *self.period.conditions(),
            *several_publishers(self._node, ODOM, Level.ERROR),
            *several_publishers(self._node, CMD_VEL, Level.WARN),
            *takers_of_other_type(self._node, self._commands),
        ]

    def _leader_distance(self) -> float:
        return math.nan if self.position is None else self._pursuit.distance(self.position)

    def _path_conditions(self) -> list[Condition]:
        topic, found = self._node.resolve_topic_name(PATH), []
        if self._paths == 0:
            return [Condition(Level.STALE, f'no path received yet on {topic}', unheard=topic)]
        if self._error is not None:
            found.append(Condition(Level.ERROR, f'path given up: {self._error}', topic))
        if self.position is not None and self._pursuit.is_waiting(self.position):
            reason = (
                f'the leader waits, the vehicle is {self._leader_distance():.1f} m behind '
                f'(leash {self.settings.leash:g} m)'
            )
            found.append(Condition(Level.WARN, reason, 'leash'))
        late = self._pursuit.leader.status().lateness
        if late > self.settings.step and self._pursuit.leader.is_following:
            found.append(Condition(Level.WARN, f'{late:.2f} s late on the path', 'lateness'))
        return found
