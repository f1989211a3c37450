"""When a member ticks: by a timer in real time, with the world in lockstep.

Threading: one thread. In real time callbacks store and a timer ticks. In lockstep a tick happens
when both the odometry and what was heard carry its stamp; nobody acts twice on a tick.
"""

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple, Protocol

from nav_msgs.msg import Odometry
from rclpy.node import Node
from sensor_msgs.msg import JointState
from velocity_mobility_ros.core.time import to_ns
from velocity_mobility_ros.ros_io.health import Health
from velocity_mobility_ros.ros_io.messages import (
    MalformedMessageError,
    odometry_to_body,
    time_to_ns,
)
from velocity_mobility_ros.ros_io.qos import LOCKSTEP, STATE
from velocity_mobility_ros.ros_io.topics import ODOM

from soliton_encirclement_ros.core.states import Pose, State
from soliton_encirclement_ros.core.topics import HEARD
from soliton_encirclement_ros.nodes.member_parameters import MemberParameters
from soliton_encirclement_ros.nodes.state_messages import StateReader

ROLL_CALL_NS = 0
"""The stamp of the lockstep's roll call: who hears it answers, and nothing moves."""


class Member(Protocol):
    """Whoever hears and ticks."""

    member: MemberParameters
    health: Health

    def hear(self, now_ns: int, states: Iterable[State]) -> None:
        """Take in what others said."""

    def tick(self, now_ns: int, pose: Pose) -> None:
        """Decide and speak."""

    def answer_roll_call(self) -> None:
        """Say that all connections stand, if they do."""


class Measured(NamedTuple):
    """An odometry: when it was valid, when it came [ns], and the pose."""

    stamp_ns: int
    received_ns: int
    pose: Pose


def measured(message: Odometry, received_ns: int, health: Health) -> Measured | None:
    """Return an odometry that was received at a time [ns], None (and a report) if malformed."""
    try:
        position, velocity, _ = odometry_to_body(message)
    except MalformedMessageError as error:
        health.refuse(ODOM, str(error))
        return None
    return Measured(time_to_ns(message.header.stamp), received_ns, Pose(position, velocity))


class TimerInput:
    """Real time: hears the others, directly or by the radio, and ticks by the node's clock."""

    def __init__(
        self, node: Node, member: Member, topics: Iterable[str], control_period: float
    ) -> None:
        """Listen to some topics and begin to tick.

        Args:
            node: The node to subscribe with.
            member: Who hears and ticks.
            topics: What to listen to.
            control_period: Time between two ticks [s].
        """
        self._node = node
        self._member = member
        self._measured: Measured | None = None
        for topic in topics:
            take = partial(self._on_states, StateReader(topic, member.health))
            node.create_subscription(JointState, topic, take, STATE)
        node.create_subscription(Odometry, ODOM, self._on_odom, STATE)
        node.create_timer(control_period, self._on_timer)

    def now_ns(self) -> int:
        """Return the present [ns]."""
        return self._node.get_clock().now().nanoseconds

    def _on_states(self, reader: StateReader, message: JointState) -> None:
        now_ns = self.now_ns()
        tolerance_ns = to_ns(self._member.member.stamp_tolerance)
        self._member.hear(now_ns, reader.read_fresh(message, now_ns, tolerance_ns))

    def _on_odom(self, message: Odometry) -> None:
        fresh = measured(message, self.now_ns(), self._member.health)
        self._measured = fresh or self._measured

    def _on_timer(self) -> None:
        """Tick, but not on an odometry that has gone stale."""
        now_ns, last = self.now_ns(), self._measured
        timeout_ns = to_ns(self._member.member.odom_timeout)
        if last is not None and now_ns - last.received_ns <= timeout_ns:
            self._member.tick(now_ns, last.pose)


class LockstepInput:
    """Lockstep: ticks with the world, once per stamp."""

    def __init__(self, node: Node, member: Member) -> None:
        """Listen to the world."""
        self._member = member
        self._heard: JointState | None = None
        self._measured: Measured | None = None
        self._answered_ns = ROLL_CALL_NS
        self._reader = StateReader(HEARD, member.health)
        node.create_subscription(JointState, HEARD, self._on_heard, LOCKSTEP)
        node.create_subscription(Odometry, ODOM, self._on_odom, LOCKSTEP)

    def now_ns(self) -> int:
        """Return the stamp of the current tick [ns]."""
        return self._answered_ns

    def _on_heard(self, message: JointState) -> None:
        self._heard = message
        self._try_tick()

    def _on_odom(self, message: Odometry) -> None:
        fresh = measured(message, self._answered_ns, self._member.health)
        self._measured = fresh or self._measured
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
            self._member.answer_roll_call()
        elif stamp_ns > self._answered_ns:
            self._answered_ns = stamp_ns
            self._member.hear(stamp_ns, self._reader.read(heard))
            self._member.tick(stamp_ns, self._measured.pose)
