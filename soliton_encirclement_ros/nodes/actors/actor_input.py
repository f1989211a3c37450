"""Input and ticks of a member: by a timer in real time, with the world in lockstep.

Threading: one thread. In real time a timer ticks and takes what has arrived; no message wakes
the node. In lockstep a tick happens when the received states of a new stamp have arrived and the
odometry whose age they say, and only once per stamp.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from nav_msgs.msg import Odometry
from rclpy.node import Node
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.core.states.states import Pose, State
from soliton_encirclement_ros.core.states.swarm_topics import ODOM_TWIST, RECEIVED_STATES
from soliton_encirclement_ros.nodes.actors.state_source import StateSource
from soliton_encirclement_ros.nodes.node_parameters import ActorParameters, OdometryParameters
from soliton_encirclement_ros.nodes.odometry_reader import (
    MeasuredState, OdometryReader, OdometryWatch, measured
)
from soliton_encirclement_ros.nodes.state_messages import StateMessage, StateReader
from velocity_mobility_ros.core.step_time import to_ns, to_seconds
from velocity_mobility_ros.core.user_errors import MalformedMessageError
from velocity_mobility_ros.ros_io.endpoints import LOCKSTEP, POLLED_INPUT, make_subscription
from velocity_mobility_ros.ros_io.messages.serialized_messages import SerializedOdometry
from velocity_mobility_ros.ros_io.node_diagnostics import Condition, Level, NodeDiagnostics
from velocity_mobility_ros.ros_io.node_time import SLOW, LoadWatch, NodeTime
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.vehicle_topics import ODOM

SAME_NS = 1_000
"""Difference of times [ns] by which a stamp and an age may be rounded."""

HANDSHAKE_NS = 0
"""The stamp of the lockstep's startup handshake: members answer it, and nothing moves."""


def nothing() -> None:
    """Publish nothing."""


def control_watch(control_period: float, time: NodeTime) -> LoadWatch:
    """Return a watch of a timer with a control period [s]."""
    return LoadWatch('control period', control_period, time)


class TickedActor(Protocol):
    """The owner of an input: receives states and ticks."""

    member: ActorParameters
    odometry: OdometryParameters
    health: NodeDiagnostics
    without_odometry: str
    clock_error: float

    def see_pose(self, now_ns: int, pose: Pose) -> None:
        """Store the pose of a tick, which the states of the tick are checked against."""

    def receive(self, now_ns: int, states: Sequence[State]) -> None:
        """Store received states of others."""

    def stretch_timeouts(self, longest_period: float) -> None:
        """Let the timeouts suit the longest of the last control periods [s]."""

    def tick(self, now_ns: int, pose: Pose) -> Callable[[], None]:
        """Compute and command; return what publishes everything else."""

    def tick_without_pose(self, now_ns: int) -> None:
        """Publish what needs no odometry."""

    @property
    def is_waiting(self) -> bool:
        """Whether to wait with the first tick."""

    def answer_handshake(self) -> None:
        """Answer the handshake if all connections are established."""


class TimerInput:
    """Real time: receives the others, directly or by the radio, and ticks by the node's clock.

    Attributes:
        control_period: Time between two ticks [s].
        measured: The odometry of the last tick, None if there was none.
    """

    def __init__(
        self, node: PollingNode, member: TickedActor, control_period: float, load: LoadWatch
    ) -> None:
        """Subscribe to the odometry, and to the radio if it is simulated.

        Args:
            node: The node to subscribe with.
            member: The owner of the input.
            control_period: Time between two ticks [s].
            load: The ticks of the member's timer.
        """
        self._node = node
        self._member = member
        self.control_period = control_period
        self._odometry = OdometryReader(
            node, member.odometry, member.member.odom_timeout, member.health
        )
        self._watch = OdometryWatch(
            node.get_logger(),
            node.resolve_topic_name(ODOM),
            member.member.odom_timeout,
            member.without_odometry,
        )
        self.measured: MeasuredState | None = None
        self._load = load
        self._was_late = False
        self._source: StateSource | None = None
        self._radio = self.source_of([RECEIVED_STATES]) if member.member.medium else None
        self._take_odometry = node.poll(Odometry, ODOM, POLLED_INPUT)
        node.node_time.on_step(self._on_step)

    def source_of(self, topics: Iterable[str]) -> StateSource:
        """Subscribe to the states of some topics."""
        tolerance = self._member.member.stamp_tolerance
        self._source = StateSource(self._node, self._member.health, topics, tolerance)
        return self._source

    def tick_alone(self, topics: Iterable[str]) -> None:
        """Begin to tick, with the states of some topics."""
        source = self.source_of(topics)

        def on_timer() -> None:
            self._load.tick()
            now_ns = self.now_ns()
            self.tick(now_ns, source.take(now_ns), source.longest_gap)()

        self._node.create_timer(self.control_period, on_timer)

    def now_ns(self) -> int:
        """Return the present [ns]."""
        return self._node.node_time.now_ns()

    def _on_step(self, step_ns: int) -> None:
        """Keep all ages after a step of the clock [ns], and drop messages from before it."""
        self._take_odometry()
        self._odometry.move(step_ns)
        self._watch.move(step_ns)
        if self.measured is not None:
            self.measured = self.measured.moved(step_ns)

    def diagnostic_values(self) -> dict[str, object]:
        """Return key values for the diagnostics."""
        return {ODOM_TWIST: self._odometry.twist.reading.value}

    def conditions(self) -> list[Condition]:
        """Return all faults of the inputs and of the control period."""
        return [
            *self._watch.conditions(self.now_ns()),
            *self._odometry.twist.conditions(),
            *self._load.conditions(),
            *self._of_radio(),
            *self._of_clocks(),
        ]

    def _of_clocks(self) -> list[Condition]:
        """Return faults of clocks that differ; none with simulated time or a simulated radio."""
        if self._source is None or self._radio is not None or self._node.node_time.is_simulated:
            return []
        latest = max(self.control_period, self._load.longest)
        return self._source.clock_conditions(self._member.clock_error, latest)

    def _of_radio(self) -> list[Condition]:
        topic = self._node.resolve_topic_name(RECEIVED_STATES)
        if self._radio is None or self._node.count_publishers(topic) > 0:
            return []
        reason = (
            f'{RECEIVED_STATES}: no publisher of {topic}, but medium = true; set medium to '
            'false, or start a world with medium = true'
        )
        return [Condition(Level.ERROR, reason, topic)]

    def tick(
        self, now_ns: int, states: tuple[State, ...], longest_gap: float
    ) -> Callable[[], None]:
        """Read the messages since the last tick, and tick, unless the odometry is outdated.

        Args:
            now_ns: The present [ns].
            states: States of other members, besides those by the radio.
            longest_gap: Longest time [s] between two messages of one member.

        Returns:
            A function that publishes all but the command.
        """
        for data in self._take_odometry():
            self._odometry.take(data, now_ns)
        if self._radio is not None:
            states += self._radio.take(now_ns)
            longest_gap = self._radio.longest_gap
        self._keep_up(max(self._load.longest, longest_gap))
        last = self.measured = self._odometry.current(now_ns)
        if last is not None:
            self._member.see_pose(now_ns, last.pose)
        if states:
            self._member.receive(now_ns, states)
        self._watch.update(now_ns, last)
        if last is None:
            self._member.tick_without_pose(now_ns)
        elif not self._member.is_waiting:
            return self._member.tick(now_ns, last.pose)
        return nothing

    def pose_age(self, now_ns: int) -> float:
        """Return the age [s] of the pose of the last tick at a time [ns]."""
        return max(0.0, to_seconds(now_ns - self.measured.stamp_ns))

    def _keep_up(self, longest: float) -> None:
        """Let the timeouts follow the longest period that is really reached, if it is too long."""
        is_late = longest > SLOW * self.control_period
        if is_late or self._was_late:
            self._member.stretch_timeouts(longest if is_late else 0.0)
        self._was_late = is_late


class LockstepInput:
    """Lockstep: ticks with the world, once per stamp."""

    def __init__(self, node: Node, member: TickedActor) -> None:
        """Subscribe to the world."""
        self._member = member
        self._received: StateMessage | None = None
        self._measured: MeasuredState | None = None
        self._answered_ns = HANDSHAKE_NS
        self._pose_age = 0.0
        self._is_complete: Callable[[int], bool] = lambda stamp_ns: True
        self._reader = StateReader(RECEIVED_STATES, member.health)
        self._odometry = SerializedOdometry()
        make_subscription(node, JointState, RECEIVED_STATES, self._on_states, LOCKSTEP, raw=True)
        make_subscription(node, Odometry, ODOM, self._on_odom, LOCKSTEP, raw=True)

    def also_needs(self, is_complete: Callable[[int], bool]) -> None:
        """Tick only when a further input of the tick has arrived.

        Args:
            is_complete: Returns whether it has, for a stamp [ns].
        """
        self._is_complete = is_complete

    def now_ns(self) -> int:
        """Return the stamp of the current tick [ns]."""
        return self._answered_ns

    def pose_age(self, now_ns: int) -> float:
        """Return the age [s] of the pose of a tick, as reported by the world."""
        del now_ns
        return self._pose_age

    def diagnostic_values(self) -> dict[str, object]:
        """Return key values for the diagnostics: none, the world's odometry is unchecked."""
        return {}

    def conditions(self) -> list[Condition]:
        """Return the faults while the world has not begun."""
        if self._answered_ns > HANDSHAKE_NS:
            return []
        return [Condition(Level.STALE, 'no tick of the world yet (lockstep)')]

    def _on_states(self, data: bytes) -> None:
        self._received = self._reader.parse(data) or self._received
        self.try_tick()

    def _on_odom(self, data: bytes) -> None:
        try:
            self._measured = measured(self._odometry.read(data), self._answered_ns)
        except MalformedMessageError as error:
            self._member.health.refuse(ODOM, str(error))
        self.try_tick()

    def try_tick(self) -> None:
        """Tick if all inputs of a new tick have arrived."""
        if self._received is None or self._measured is None:
            return
        stamp_ns = self._received.stamp_ns
        measured_ns = stamp_ns - to_ns(self._received.odom_age)
        is_measured = abs(measured_ns - self._measured.stamp_ns) <= SAME_NS
        if not is_measured or not self._is_complete(stamp_ns):
            return
        received, self._received = self._received, None
        if stamp_ns == HANDSHAKE_NS:
            self._member.answer_handshake()
        elif stamp_ns > self._answered_ns and not self._member.is_waiting:
            self._answered_ns, self._pose_age = stamp_ns, received.odom_age
            self._member.see_pose(stamp_ns, self._measured.pose)
            self._member.receive(stamp_ns, self._reader.read(received))
            self._member.tick(stamp_ns, self._measured.pose)()
