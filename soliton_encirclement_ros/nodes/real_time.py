"""The real-time drive of the world: bodies move by the clock.

Members talk directly, unless the world simulates the radio between them.
"""

from functools import partial

from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from rclpy.node import Node
from velocity_mobility_ros.core.time import to_ns, to_seconds
from velocity_mobility_ros.ros_io.health import Health
from velocity_mobility_ros.ros_io.messages import MalformedMessageError
from velocity_mobility_ros.ros_io.qos import COMMAND, STATE
from velocity_mobility_ros.ros_io.topics import CMD_VEL, MAP_FRAME, ODOM

from soliton_encirclement_ros.core.scenario import Scenario
from soliton_encirclement_ros.core.world import World
from soliton_encirclement_ros.nodes.real_time_radio import RealTimeRadio
from soliton_encirclement_ros.nodes.world_messages import command, odometry
from soliton_encirclement_ros.nodes.world_mode import WorldMode

LONGEST_CATCH_UP = 1.0
"""After a longer stall [s] the lost time is dropped instead of made up for."""


class RealTime:
    """Drives a world by the node's clock, once per control period."""

    def __init__(self, node: Node, scenario: Scenario, world: World, mode: WorldMode) -> None:
        """Connect to the vehicles' topics and begin to move."""
        self._node = node
        self._scenario = scenario
        self._world = world
        self._mode = mode
        self._period_ns = to_ns(scenario.mobility.update_rate)
        self.health = Health(node, self.facts)
        self.finished = False
        self._begun_ns = self._start_ns = self._now_ns()
        self._updates = 0
        self._silent = set(self._world.members)
        self._ready_ns: int | None = None
        self._command_ns = dict.fromkeys(self._world.members, self._start_ns)
        self._odometry = {}
        stamped = mode.enable_stamped_cmd_vel
        kind, take = (TwistStamped, self._on_stamped) if stamped else (Twist, self._on_twist)
        for name in self._world.members:
            self._odometry[name] = node.create_publisher(Odometry, f'/{name}/{ODOM}', STATE)
            node.create_subscription(kind, f'/{name}/{CMD_VEL}', partial(take, name), COMMAND)
        node.create_timer(scenario.swarm.control_period, self._on_timer)
        self._radio = RealTimeRadio(node, world, self.health, self.time) if mode.medium else None

    def facts(self) -> dict[str, object]:
        """Return key values for the diagnostics."""
        moved = self._updates * self._period_ns
        elapsed = max(1, self._now_ns() - self._start_ns)
        factor = f'{moved / elapsed:.3f}'
        return {'updates': self._updates, 'real_time_factor': factor, 'missed_answers': 0}

    def time(self, now_ns: int) -> float:
        """Return the time of the run [s] at a time [ns]: 0 until everybody has sent a command."""
        return 0.0 if self._ready_ns is None else to_seconds(now_ns - self._ready_ns)

    def _now_ns(self) -> int:
        return self._node.get_clock().now().nanoseconds

    def _on_stamped(self, name: str, message: TwistStamped) -> None:
        self._take(name, message.twist, message.header.frame_id)

    def _on_twist(self, name: str, message: Twist) -> None:
        self._take(name, message, MAP_FRAME)

    def _take(self, name: str, twist: Twist, frame: str) -> None:
        try:
            command(self._world, name, twist, frame)
        except MalformedMessageError as error:
            self.health.refuse(f'/{name}/{CMD_VEL}', str(error))
            return
        self._command_ns[name] = self._now_ns()
        self._silent.discard(name)

    def _on_timer(self) -> None:
        """Make all updates that are due; time is a count of updates."""
        now_ns = self._now_ns()
        due = (now_ns - self._start_ns) // self._period_ns
        if not 0 <= (due - self._updates) * self._period_ns <= to_ns(LONGEST_CATCH_UP):
            self.health.warn('the clock jumped or the world stalled; the lost time is dropped')
            self._start_ns, self._updates, due = now_ns - self._period_ns, 0, 1
        self._stop_the_silent(now_ns)
        while self._updates < due:
            self._world.move()
            self._updates += 1
        stamp_ns = self._start_ns + self._updates * self._period_ns
        for name, publisher in self._odometry.items():
            publisher.publish(odometry(self._world, name, stamp_ns))
        self.finished = self._is_over(now_ns)

    def _is_over(self, now_ns: int) -> bool:
        """Say whether the run is over; it counts from when everybody has sent a command."""
        run = self._scenario.run
        if self._ready_ns is None:
            late = to_seconds(now_ns - self._begun_ns) > run.startup_timeout
            if self._silent and not late:
                return False
            self._ready_ns = now_ns
            if self._silent:
                self.health.warn(f'{", ".join(sorted(self._silent))} did not appear')
        return to_seconds(now_ns - self._ready_ns) >= run.sim_duration

    def _stop_the_silent(self, now_ns: int) -> None:
        timeout = self._mode.cmd_vel_timeout
        if timeout == 0.0:
            return
        for name, command_ns in self._command_ns.items():
            if now_ns - command_ns > to_ns(timeout):
                self._world.command(name, (0.0, 0.0, 0.0))
