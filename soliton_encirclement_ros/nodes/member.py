"""What agent, target and adversary nodes share: an actor that hears, decides and speaks."""

import time
from collections.abc import Iterable
from typing import Protocol

from geometry_msgs.msg import Twist, TwistStamped
from rclpy.node import Node
from rclpy.publisher import Publisher
from sensor_msgs.msg import JointState
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.time import to_seconds
from velocity_mobility_ros.ros_io.health import Health
from velocity_mobility_ros.ros_io.messages import command_to_stamped, command_to_twist
from velocity_mobility_ros.ros_io.parameters import declare, refuse_unknown
from velocity_mobility_ros.ros_io.qos import COMMAND, LOCKSTEP, STATE
from velocity_mobility_ros.ros_io.readers import is_read_by
from velocity_mobility_ros.ros_io.topics import CMD_VEL

from soliton_encirclement_ros.core.parameters import SwarmParameters
from soliton_encirclement_ros.core.states import Pose, State
from soliton_encirclement_ros.core.tick_statistics import TickStatistics
from soliton_encirclement_ros.core.topics import HEARD, MONITOR, RECORDER
from soliton_encirclement_ros.nodes.member_input import ROLL_CALL_NS, LockstepInput, TimerInput
from soliton_encirclement_ros.nodes.member_parameters import MemberParameters
from soliton_encirclement_ros.nodes.state_messages import silence, states_to_message

STILL: Vector = (0.0, 0.0, 0.0)


class Decision(Protocol):
    """What an actor decides at a tick; ``state`` is None when it has nothing to say."""

    command: Vector
    state: State | None


class Actor(Protocol):
    """One of the three brains; its time [s] starts with the node, in lockstep with the run."""

    def hear(self, now: float, states: Iterable[State]) -> None:
        """Take in what others said."""

    def decide(self, now: float, pose: Pose) -> Decision:
        """Act at a time [s] and a pose."""


class MemberNode(Node):
    """A node with an actor inside."""

    def __init__(
        self, name: str, speaks_on: str, listens_to: tuple[str, ...], **options: object
    ) -> None:
        """Declare what all members share; subclasses then call ``start``.

        Args:
            name: Node name.
            speaks_on: Topic of the member's own states.
            listens_to: Topics it hears in real time where no radio is simulated.
            **options: Passed on to ``rclpy.node.Node``.
        """
        super().__init__(name, **options)
        self.swarm = declare(self, SwarmParameters)
        self.member = declare(self, MemberParameters)
        self._speaks_on = speaks_on
        self._listens_to = listens_to
        self._origin_ns = 0 if self.member.lockstep else self.get_clock().now().nanoseconds
        self._ticks = TickStatistics()
        self._stamped = self.member.enable_stamped_cmd_vel or self.member.lockstep

    def start(self, actor: Actor) -> None:
        """Connect the actor to the topics; call it once every parameter is declared."""
        refuse_unknown(self)
        self.actor = actor
        self.health = Health(self, self.facts, lambda: self._input.now_ns(), self.concern)
        lockstep = self.member.lockstep
        self._states = self.create_publisher(
            JointState, self._speaks_on, LOCKSTEP if lockstep else STATE
        )
        self._commands = self.create_publisher(
            TwistStamped if self._stamped else Twist, CMD_VEL, LOCKSTEP if lockstep else COMMAND
        )
        if lockstep:
            self._input = LockstepInput(self, self)
        else:
            topics = (HEARD,) if self.member.medium else self._listens_to
            self._input = TimerInput(self, self, topics, self.swarm.control_period)

    def facts(self) -> dict[str, object]:
        """Return key values for the diagnostics."""
        return {
            'ticks': self._ticks.ticks,
            'period_p99_ms': round(self._ticks.percentile(0.99) * 1e3),
            'period_max_ms': round(self._ticks.longest * 1e3, 1),
        }

    def concern(self) -> str:
        """Return what is wrong at present, empty if nothing is."""
        return ''

    def time(self, now_ns: int) -> float:
        """Return the actor's time [s] at a time [ns]."""
        return to_seconds(now_ns - self._origin_ns)

    def hear(self, now_ns: int, states: Iterable[State]) -> None:
        """Hand on what others said."""
        self.actor.hear(self.time(now_ns), states)

    def tick(self, now_ns: int, pose: Pose) -> None:
        """Let the actor decide; speak and command."""
        self._ticks.tick(time.monotonic())
        decision = self.actor.decide(self.time(now_ns), pose)
        if decision.state is not None:
            self._states.publish(states_to_message(now_ns, [decision.state]))
        elif self.member.lockstep:
            self._states.publish(silence(now_ns, self._own_name))
        self.after_tick(now_ns, pose)
        self._command(decision.command, now_ns)

    def after_tick(self, now_ns: int, pose: Pose) -> None:
        """Do what a kind of member does besides at every tick."""

    def answer_roll_call(self) -> None:
        """Answer once the world, recorder and monitor are connected."""
        readers = self._commands.get_subscription_count(), self._states.get_subscription_count()
        if readers[0] < 1 + self.member.recorders or readers[1] < 1 + self.watchers:
            return
        if not self.is_recorded(self._commands) or not self.is_watched():
            return
        self._states.publish(silence(ROLL_CALL_NS, self._own_name))
        self._command(STILL, ROLL_CALL_NS)

    @property
    def watchers(self) -> int:
        """Readers of everything that is said about the member."""
        return self.member.recorders + self.member.monitors

    def is_recorded(self, publisher: Publisher) -> bool:
        """Say whether the run's own recorder reads a publisher."""
        return is_read_by(self, publisher, RECORDER, self.member.recorders)

    def is_observed(self, publisher: Publisher) -> bool:
        """Say whether recorder and monitor of the run read a publisher."""
        watched = is_read_by(self, publisher, MONITOR, self.member.monitors)
        return watched and self.is_recorded(publisher)

    def is_watched(self) -> bool:
        """Say whether what is said about the member has the readers it waits for."""
        return self.is_observed(self._states)

    @property
    def _own_name(self) -> str:
        return self.get_namespace().strip('/')

    def _command(self, velocity: Vector, now_ns: int) -> None:
        if self._stamped:
            self._commands.publish(command_to_stamped(velocity, 0.0, now_ns))
        else:
            self._commands.publish(command_to_twist(velocity, 0.0))
