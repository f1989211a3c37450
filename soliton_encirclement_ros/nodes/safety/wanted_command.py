"""The last command that somebody wants, until its timeout; and the way back into its frame."""

import math

from geometry_msgs.msg import Twist, TwistStamped
from velocity_mobility_ros.core.coordinate_frames import rotate_z
from velocity_mobility_ros.core.step_time import is_overdue, lasting, to_seconds
from velocity_mobility_ros.core.twist_smoothing import STILL
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.messages.vehicle_input import CommandInput, Refuse
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.vehicle_topics import CMD_VEL_RAW, MAP_FRAME

from soliton_encirclement_ros.nodes.safety.safety_node_parameters import SafetyNodeParameters


class WantedCommand:
    """The commands of ``cmd_vel_raw``, one by one.

    Attributes:
        timeout: Time [s] after which a command no longer counts.
        timeouts: How often there was none after one.
        motion: The command that counts; zero if there is none.
        is_present: Whether one counts.
    """

    def __init__(
        self, node: PollingNode, settings: SafetyNodeParameters, is_stamped: bool, body: str
    ) -> None:
        """Subscribe, and begin without a command.

        Args:
            node: The node to subscribe with.
            settings: Timeout, and the frame of the commands.
            is_stamped: Whether they are TwistStamped; else Twist.
            body: Frame of the body.
        """
        self._in_body = settings.cmd_vel_frame != MAP_FRAME
        kind = TwistStamped if is_stamped else Twist
        self._commands = CommandInput(node, kind, body, self._in_body)
        self._topic = node.resolve_topic_name(CMD_VEL_RAW)
        self.timeout, self.timeouts = settings.cmd_vel_timeout, 0
        self.motion, self.is_present = STILL, False
        self._received_ns: int | None = None
        self._count = 0
        node.node_time.on_step(self._move)

    def update(self, now_ns: int, refuse: Refuse) -> None:
        """Take what has arrived until a time [ns], and forget a command that is too old.

        Simulated time that has gone back makes no command younger.
        """
        for motion in self._commands.take(now_ns, self.timeout, refuse):
            self.motion, self.is_present, self._received_ns = motion, True, now_ns
            self._count += 1
        if not self.is_present:
            return
        self._received_ns = min(self._received_ns, now_ns)
        if is_overdue(self._received_ns, now_ns, self.timeout):
            self.timeouts += 1
            self.forget()

    def _move(self, step_ns: int) -> None:
        """Keep the age of the last command after a step of the clock [ns]."""
        if self._received_ns is not None:
            self._received_ns += step_ns

    def forget(self) -> None:
        """Wait for the next command."""
        self.motion, self.is_present = STILL, False

    @property
    def frame(self) -> str:
        """Frame of the commands, in the spelling of the last one."""
        return self._commands.frame

    def in_map(self, yaw: float) -> Vector | None:
        """Return the velocity [m/s] that is wanted with a heading [rad], None if there is none."""
        if not self.is_present:
            return None
        return self._turned(self.motion.velocity, yaw)

    def in_frame(self, velocity: Vector, yaw: float) -> Vector:
        """Return a velocity [m/s, map] in the frame of the commands."""
        return self._turned(velocity, -yaw)

    def _turned(self, velocity: Vector, yaw: float) -> Vector:
        x, y, z = velocity
        return (*rotate_z(x, y, yaw), z) if self._in_body else velocity

    def take_count(self) -> int:
        """Return how many commands have come since the last call."""
        count, self._count = self._count, 0
        return count

    def age(self, now_ns: int) -> float:
        """Return how long ago [s] the last command came, infinite before the first."""
        if self._received_ns is None:
            return math.inf
        return to_seconds(now_ns - self._received_ns)

    def conditions(self, now_ns: int) -> list[Condition]:
        """Return the fault if there is no command."""
        if self.is_present:
            return []
        if self._received_ns is None:
            reason = f'no command received yet on {self._topic}'
            return [Condition(Level.WARN, reason, unheard=self._topic)]
        reason = (
            f'no command on {self._topic} for {lasting(self.age(now_ns))}: stopped '
            f'(cmd_vel_timeout {self.timeout:g} s)'
        )
        return [Condition(Level.WARN, reason, self._topic)]
