"""Input of the monitor: subscriptions and refusals in both modes, and evaluation in real time.

In real time what has arrived is evaluated fifty times a second.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from operator import itemgetter
from typing import Protocol

from nav_msgs.msg import Odometry
from rclpy.clock import Clock, ClockType
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.core.laws.telemetry import (
    BODY, FILTER_NAMES, TelemetryRow, filtered_as, is_filter_result, telemetry_row
)
from soliton_encirclement_ros.core.run.observer import UNKNOWN, Truth
from soliton_encirclement_ros.core.states.states import AgentState, MotionState, Pose, State, moved
from soliton_encirclement_ros.core.states.swarm_topics import (
    ADVERSARY, ADVERSARY_STATE, AGENT_STATES, TARGET, TARGET_STATE, TELEMETRY, Fleet, uav
)
from soliton_encirclement_ros.nodes.actors.identity_watch import SequenceWatch
from soliton_encirclement_ros.nodes.odometry_reader import measured
from soliton_encirclement_ros.nodes.state_messages import (
    StateMessage, StateReader, leading_stamp_ns, wrong_frame
)
from velocity_mobility_ros.core.step_time import to_ns, to_seconds
from velocity_mobility_ros.core.user_errors import MalformedMessageError
from velocity_mobility_ros.ros_io.endpoints import POLLED_INPUT
from velocity_mobility_ros.ros_io.messages.message_conversion import StampError, check_stamp
from velocity_mobility_ros.ros_io.messages.serialized_messages import (
    CoordinateReader, SerializedOdometry
)
from velocity_mobility_ros.ros_io.node_diagnostics import NodeDiagnostics
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.vehicle_topics import GROUND_TRUTH, MAP_FRAME

STATE_TOPICS = (AGENT_STATES, ADVERSARY_STATE, TARGET_STATE)
"""The target last: its state completes a sample."""


class Watcher(Protocol):
    """The evaluator of the observed data of a fleet."""

    fleet: Fleet
    health: NodeDiagnostics
    sequences: SequenceWatch

    def see(
        self,
        now_ns: int,
        rows: Sequence[TelemetryRow],
        states: Sequence[State],
        truth: Truth = UNKNOWN,
    ) -> None:
        """Evaluate telemetry and states that belong to a time [ns], by the truth where known."""


class MonitorInput(ABC):
    """Subscribes to states and telemetry; subclasses process them."""

    def __init__(
        self,
        node: PollingNode,
        watcher: Watcher,
        agent_ids: Sequence[int],
        names: tuple[str, ...],
        simulated: Iterable[str] = (),
    ) -> None:
        """Connect.

        Args:
            node: The node to subscribe with.
            watcher: The evaluator.
            agent_ids: Agents whose telemetry is expected.
            names: Names of the values of law and filter in the telemetry.
            simulated: Members whose true motion may be published.
        """
        self.node = node
        self.watcher = watcher
        self.messages = 0
        self._names = (*BODY, *names)
        for name in simulated:
            self._learn_truth_of(name)
        for agent_id in agent_ids:
            self.listen_to(agent_id)
        for topic in map(watcher.fleet.full_name, STATE_TOPICS):
            self.subscribe(
                topic, partial(self._on_states, topic, StateReader(topic, watcher.health))
            )

    def _learn_truth_of(self, name: str) -> None:
        topic = self.watcher.fleet.member_topic(name, GROUND_TRUTH)
        take = partial(self._on_truth, name, topic, SerializedOdometry())
        self.subscribe(topic, take, Odometry)

    def listen_to(self, agent_id: int) -> None:
        """Subscribe to the telemetry of an agent."""
        topic = self.watcher.fleet.member_topic(uav(agent_id), TELEMETRY)
        self.subscribe(topic, partial(self._on_telemetry, agent_id, topic, CoordinateReader()))

    @abstractmethod
    def subscribe(
        self, topic: str, take: Callable[[bytes], None], kind: type = JointState
    ) -> None:
        """Subscribe to a topic; ``take`` gets the serialized messages."""

    @abstractmethod
    def on_states(self, topic: str, reader: StateReader, message: StateMessage) -> None:
        """Receive states."""

    @abstractmethod
    def on_row(self, topic: str, stamp_ns: int, row: TelemetryRow) -> None:
        """Receive telemetry."""

    @abstractmethod
    def on_truth(self, topic: str, name: str, stamp_ns: int, pose: Pose) -> None:
        """Receive the true motion of a member at a time [ns]."""

    def is_present(self, topic: str, stamp_ns: int) -> bool:
        """Return whether telemetry with a stamp [ns] is up to date, as far as required."""
        return True

    def time(self, stamp_ns: int) -> float:
        """Return the time of the run [s] at a stamp [ns]."""
        return to_seconds(stamp_ns)

    @abstractmethod
    def finish(self) -> None:
        """Evaluate the remaining messages."""

    def _on_states(self, topic: str, reader: StateReader, data: bytes) -> None:
        self.messages += 1
        message = reader.parse(data)
        if message is not None:
            self.on_states(topic, reader, message)

    def _on_truth(self, name: str, topic: str, reader: SerializedOdometry, data: bytes) -> None:
        self.messages += 1
        try:
            odometry = reader.read(data)
            pose = measured(odometry, odometry.stamp_ns).pose
        except MalformedMessageError as error:
            self.watcher.health.refuse(topic, str(error))
            return
        if odometry.frame != MAP_FRAME:
            self.watcher.health.refuse(topic, wrong_frame(odometry.frame), 'frame')
        elif self.is_present(topic, odometry.stamp_ns):
            self.on_truth(topic, name, odometry.stamp_ns, pose)

    def _on_telemetry(
        self, agent_id: int, topic: str, reader: CoordinateReader, data: bytes
    ) -> None:
        self.messages += 1
        try:
            sample = reader.read(data)
        except MalformedMessageError as error:
            self.watcher.health.refuse(topic, str(error), 'bytes')
            return
        counts = {len(sample.positions), len(sample.velocities), len(sample.names)}
        values = filtered_as(sample.positions, sample.names, self._names)
        if values is None or len(counts) != 1:
            reason = f'names must be {", ".join(self._names)}, each with a value'
            self.watcher.health.refuse(topic, reason)
            return
        if sample.frame != MAP_FRAME:
            self.watcher.health.refuse(topic, wrong_frame(sample.frame), 'frame')
            return
        failed = sample.positions[BODY.index('failed')]
        if failed not in (0.0, 1.0):
            self.watcher.health.refuse(topic, f'failed = {failed:g} must be 0 or 1', 'failed')
            return
        if not self.is_present(topic, sample.stamp_ns):
            return
        if self._names[-1] == FILTER_NAMES[-1] and not is_filter_result(*values[-3:-1]):
            reason = f'filter_reason = {values[-3]:g} or filter_pusher = {values[-2]:g} is unknown'
            self.watcher.health.refuse(topic, reason, 'filter')
            return
        time = self.time(sample.stamp_ns)
        row = telemetry_row(agent_id, time, values, sample.velocities)
        if not row.is_plausible:
            self.watcher.health.refuse(topic, f'{list(sample.positions)} must be finite, in range')
            return
        self.on_row(topic, sample.stamp_ns, row)


PERIOD = 0.02
"""Time [s] between two evaluations."""

MOST_BESIDE = 100
"""Vehicles that are no members of the ring, at most; senders are not trusted with the memory."""

STAMP_LIMIT = 'stamp_tolerance'


class LiveInput(MonitorInput):
    """Real time: no message wakes the node; time starts with the first message, or the world."""

    def __init__(
        self,
        node: PollingNode,
        watcher: Watcher,
        agent_ids: Sequence[int],
        names: tuple[str, ...],
        tolerance: float,
    ) -> None:
        """Connect; refuse stamps farther than ``tolerance`` [s] from the present."""
        self._topics: list[tuple[Callable[[], Iterable[bytes]], Callable[[bytes], None]]] = []
        self._truth: dict[str, tuple[int, Pose]] = {}
        simulated = (*map(uav, agent_ids), TARGET, ADVERSARY)  # perhaps: others publish no truth
        super().__init__(node, watcher, agent_ids, names, simulated)
        steady = Clock(clock_type=ClockType.STEADY_TIME)  # also while simulated time is paused
        node.create_timer(PERIOD, self._evaluate, clock=steady)
        self._agent_ids = agent_ids
        self._beside: set[int] = set()
        self._tolerance = tolerance
        self._origin_ns: int | None = None
        node.node_time.on_step(self._on_step)

    def begin(self, begun_ns: int) -> None:
        """Let time start when the world says that the run has begun [ns]."""
        self._origin_ns = begun_ns

    def _on_step(self, step_ns: int) -> None:
        """Let the time of the run go on evenly after a step of the clock [ns]."""
        if self._origin_ns is not None:
            self._origin_ns += step_ns
        self._truth = {name: (at + step_ns, pose) for name, (at, pose) in self._truth.items()}

    def subscribe(
        self, topic: str, take: Callable[[bytes], None], kind: type = JointState
    ) -> None:
        """Subscribe to a topic; its messages wait for the next evaluation."""
        self._topics.append((self.node.poll(kind, topic, POLLED_INPUT), take))

    def _evaluate(self) -> None:
        """Evaluate what has arrived in the order in which it was said.

        After a stall that is a second's worth. Topic by topic all samples would have everybody's
        newest place, and no place in between.
        """
        self.node.node_time.now_ns()  # a step of the clock comes before what is said after it
        waiting = [
            (leading_stamp_ns(data) or 0, take, data)
            for arrived, take in self._topics
            for data in arrived()
        ]
        waiting.sort(key=itemgetter(0))  # of one stamp the topics in their order, the target last
        for _, take, data in waiting:
            take(data)

    def time(self, stamp_ns: int) -> float:
        """Return the time [s] since the first message; earlier stamps count as 0."""
        if self._origin_ns is None:
            self._origin_ns = stamp_ns
        return max(0.0, to_seconds(stamp_ns - self._origin_ns))

    def on_states(self, topic: str, reader: StateReader, message: StateMessage) -> None:
        """Evaluate states at once."""
        now_ns = self.node.node_time.now_ns()
        fresh = reader.read_fresh(message, now_ns, to_ns(self._tolerance))
        states = [state for state in fresh if self._is_watched(topic, state)]
        for state in states:
            if isinstance(state, AgentState):
                self.watcher.sequences.see(state)
        if states:
            self.watcher.see(now_ns, [], states, self._fresh_truth(now_ns))

    def is_present(self, topic: str, stamp_ns: int) -> bool:
        """Refuse telemetry whose stamp is far from the present, as states are."""
        try:
            now_ns = self.node.node_time.now_ns()
            check_stamp(stamp_ns, now_ns, self._tolerance, STAMP_LIMIT)
        except StampError as error:
            self.watcher.health.refuse(topic, str(error), 'stamp')
            return False
        return True

    def on_row(self, topic: str, stamp_ns: int, row: TelemetryRow) -> None:
        """Evaluate telemetry at once."""
        del topic
        self.watcher.see(stamp_ns, [row], [], self._fresh_truth(stamp_ns))

    def on_truth(self, topic: str, name: str, stamp_ns: int, pose: Pose) -> None:
        """Store the last true motion of a member."""
        del topic
        self._truth[name] = stamp_ns, pose

    def _fresh_truth(self, now_ns: int) -> Truth:
        """Return the true motion at a time [ns], reckoned on, of all for whom it still comes."""
        limit_ns = to_ns(self._tolerance)
        return {
            name: Pose(*moved(MotionState(*pose, (0.0, 0.0)), to_seconds(now_ns - stamp_ns))[:2])
            for name, (stamp_ns, pose) in self._truth.items()
            if abs(now_ns - stamp_ns) <= limit_ns
        }

    def finish(self) -> None:
        """Evaluate what has arrived."""
        self._evaluate()

    def _is_watched(self, topic: str, state: State) -> bool:
        """Return whether a state counts; members of the ring beyond ``num_agents`` do not."""
        if not isinstance(state, AgentState) or state.agent_id in self._agent_ids:
            return True
        if not state.ring_member:
            return self._is_known_beside(topic, state.agent_id)
        most = len(self._agent_ids)
        reason = f'{uav(state.agent_id)} must be at most num_agents = {most}'
        self.watcher.health.refuse(topic, f'{reason}; raise it if the agent takes part')
        return False

    def _is_known_beside(self, topic: str, number: int) -> bool:
        """Return whether a vehicle that is no member of the ring counts; they are not too many."""
        if number in self._beside:
            return True
        if len(self._beside) >= MOST_BESIDE:
            reason = f'{uav(number)}: at most {MOST_BESIDE} vehicles beside the ring are watched'
            self.watcher.health.refuse(topic, reason, 'beside')
            return False
        self._beside.add(number)
        self.listen_to(number)
        return True
