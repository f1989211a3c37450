"""What agent, target and adversary nodes share: hearing, the tick, and speaking.

Threading: one thread. In real time callbacks store and a timer ticks. In lockstep a tick happens
when both the odometry and what was heard carry its stamp; nobody acts twice on a tick.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from rclpy.node import Node
from sensor_msgs.msg import JointState
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.parameters import Parameters, parameter
from velocity_mobility_ros.core.time import to_ns, to_seconds
from velocity_mobility_ros.ros_io.health import Health
from velocity_mobility_ros.ros_io.messages import (
    MalformedMessageError,
    command_to_stamped,
    command_to_twist,
    odometry_to_body,
    time_to_ns,
)
from velocity_mobility_ros.ros_io.parameters import declare, refuse_unknown
from velocity_mobility_ros.ros_io.qos import COMMAND, LOCKSTEP, STATE
from velocity_mobility_ros.ros_io.topics import CMD_VEL, ODOM

from soliton_encirclement_ros.core.parameters import LARGEST_SEED, SwarmParameters
from soliton_encirclement_ros.core.states import Pose, State
from soliton_encirclement_ros.core.tick_statistics import TickStatistics
from soliton_encirclement_ros.core.topics import HEARD
from soliton_encirclement_ros.nodes.state_messages import (
    StateReader,
    silence,
    states_to_message,
)

ROLL_CALL_NS = 0
"""The stamp of the lockstep's roll call: who hears it answers, and nothing moves."""


@dataclass(frozen=True)
class MemberParameters(Parameters):
    """How a member of the swarm takes part."""

    seed: int = parameter(0, 'seed of the run', minimum=0, maximum=LARGEST_SEED)
    lockstep: bool = parameter(False, 'tick with the world instead of a timer')
    recorders: int = parameter(0, 'recorders to wait for before a lockstep run', minimum=0)
    monitors: int = parameter(0, 'monitors to wait for before a lockstep run', minimum=0)
    enable_stamped_cmd_vel: bool = parameter(False, 'command by TwistStamped instead of Twist')
    odom_timeout: float = parameter(
        0.5, 'age of the odometry at which commands stop', unit='s', above=0.0
    )
    stamp_tolerance: float = parameter(
        2.0, 'largest distance of a stamp from the present', unit='s', above=0.0
    )


class Decision(Protocol):
    """What an actor decides at a tick; ``state`` is None when it has nothing to say."""

    command: Vector
    state: State | None


class Actor(Protocol):
    """One of the three brains."""

    def hear(self, now: float, states: Iterable[State]) -> None:
        """Take in what others said."""

    def decide(self, now: float, pose: Pose) -> Decision:
        """Act at a time [s] and a pose."""


class Measured(NamedTuple):
    """The latest odometry: when it was valid, when it came [ns], and the pose."""

    stamp_ns: int
    received_ns: int
    pose: Pose


class MemberNode(Node):
    """A node with an actor inside."""

    def __init__(
        self, name: str, speaks_on: str, listens_to: tuple[str, ...], **options: object
    ) -> None:
        """Declare what all members share and connect; subclasses call ``start``.

        Args:
            name: Node name.
            speaks_on: Topic of the member's own states.
            listens_to: Topics it hears in real time.
            **options: Passed on to ``rclpy.node.Node``.
        """
        super().__init__(name, **options)
        self.swarm = declare(self, SwarmParameters)
        self.member = declare(self, MemberParameters)
        self._speaks_on = speaks_on
        self._listens_to = listens_to
        self._measured: Measured | None = None
        self._answered_ns = ROLL_CALL_NS
        self._ticks = 0
        self._periods = TickStatistics()

    @property
    def start_time(self) -> float:
        """Time [s] at which the member's life begins: zero in lockstep."""
        return 0.0 if self.member.lockstep else to_seconds(self.now_ns())

    def now_ns(self) -> int:
        """Return the present [ns]: the current tick's stamp in lockstep."""
        if self.member.lockstep:
            return self._answered_ns
        return self.get_clock().now().nanoseconds

    def facts(self) -> dict[str, object]:
        """Return key values for the diagnostics."""
        return {
            'ticks': self._ticks,
            'period_p99_ms': round(self._periods.percentile(0.99) * 1e3),
            'period_max_ms': round(self._periods.longest * 1e3, 1),
        }

    def start(self, actor: Actor) -> None:
        """Connect the actor to the topics; call it once every parameter is declared."""
        refuse_unknown(self)
        self.actor = actor
        self.health = Health(self, self.facts, self.now_ns)
        lockstep = self.member.lockstep
        self._states = self.create_publisher(
            JointState, self._speaks_on, LOCKSTEP if lockstep else STATE
        )
        stamped = self.member.enable_stamped_cmd_vel or lockstep
        self._commands = self.create_publisher(
            TwistStamped if stamped else Twist, CMD_VEL, LOCKSTEP if lockstep else COMMAND
        )
        self._stamped = stamped
        if lockstep:
            self._start_lockstep()
        else:
            self._start_real_time()

    def _start_real_time(self) -> None:
        for topic in self._listens_to:
            reader = StateReader(topic, self.health)
            self.create_subscription(
                JointState, topic, lambda message, reader=reader: self._hear(message, reader),
                STATE
            )
        self.create_subscription(Odometry, ODOM, self._on_odom, STATE)
        self.create_timer(self.swarm.control_period, self._on_timer)

    def _hear(self, message: JointState, reader: StateReader) -> None:
        now_ns = self.now_ns()
        tolerance_ns = to_ns(self.member.stamp_tolerance)
        states = reader.read_fresh(message, now_ns, tolerance_ns)
        self.actor.hear(to_seconds(now_ns), states)

    def _on_odom(self, message: Odometry) -> None:
        try:
            position, velocity, _ = odometry_to_body(message)
        except MalformedMessageError as error:
            self.health.refuse(ODOM, str(error))
            return
        stamp_ns = time_to_ns(message.header.stamp)
        self._measured = Measured(stamp_ns, self.now_ns(), Pose(position, velocity))

    def _on_timer(self) -> None:
        now_ns = self.now_ns()
        measured = self._measured
        if measured is None or now_ns - measured.received_ns > to_ns(self.member.odom_timeout):
            return
        self._tick(now_ns, measured.pose)

    def _start_lockstep(self) -> None:
        self._heard: JointState | None = None
        self._reader = StateReader(HEARD, self.health)
        self.create_subscription(JointState, HEARD, self._on_heard, LOCKSTEP)
        self.create_subscription(Odometry, ODOM, self._on_lockstep_odom, LOCKSTEP)

    def _on_heard(self, message: JointState) -> None:
        self._heard = message
        self._try_tick()

    def _on_lockstep_odom(self, message: Odometry) -> None:
        self._on_odom(message)
        self._try_tick()

    def _try_tick(self) -> None:
        """Tick if both inputs of a new tick are there."""
        if self._heard is None or self._measured is None:
            return
        stamp_ns = time_to_ns(self._heard.header.stamp)
        if stamp_ns != self._measured.stamp_ns:
            return
        heard, self._heard = self._heard, None
        if stamp_ns == ROLL_CALL_NS:
            self._answer_roll_call()
        elif stamp_ns > self._answered_ns:
            self._answered_ns = stamp_ns
            self.actor.hear(to_seconds(stamp_ns), self._reader.read(heard))
            self._tick(stamp_ns, self._measured.pose)

    def _answer_roll_call(self) -> None:
        """Answer once the world, recorder and monitor are connected."""
        recorders, watchers = self.member.recorders, self.watchers
        if self._commands.get_subscription_count() < 1 + recorders:
            return
        if self._states.get_subscription_count() < 1 + watchers or not self.is_watched():
            return
        self._states.publish(silence(ROLL_CALL_NS, self.get_namespace().strip('/')))
        self._commands.publish(command_to_stamped((0.0, 0.0, 0.0), 0.0, ROLL_CALL_NS))

    @property
    def watchers(self) -> int:
        """Readers of everything that is said about the member."""
        return self.member.recorders + self.member.monitors

    def is_watched(self) -> bool:
        """Say whether further publishers have the readers they wait for."""
        return True

    def _tick(self, now_ns: int, pose: Pose) -> None:
        decision = self.actor.decide(to_seconds(now_ns), pose)
        self._ticks += 1
        self._periods.tick(time.monotonic())
        if decision.state is not None:
            self._states.publish(states_to_message(now_ns, [decision.state]))
        elif self.member.lockstep:
            self._states.publish(silence(now_ns, self.get_namespace().strip('/')))
        self.after_tick(now_ns, pose)
        if self._stamped:
            self._commands.publish(command_to_stamped(decision.command, 0.0, now_ns))
        else:
            self._commands.publish(command_to_twist(decision.command, 0.0))

    def after_tick(self, now_ns: int, pose: Pose) -> None:
        """Do what a kind of member does besides at every tick."""
