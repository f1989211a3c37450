"""Input of the monitor in real time: what has arrived is evaluated fifty times a second."""

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter

from rclpy.clock import Clock, ClockType
from sensor_msgs.msg import JointState
from velocity_mobility_ros.core.step_time import to_ns, to_seconds
from velocity_mobility_ros.ros_io.endpoints import POLLED_INPUT
from velocity_mobility_ros.ros_io.messages.message_conversion import StampError, check_stamp
from velocity_mobility_ros.ros_io.polling import PollingNode

from soliton_encirclement_ros.core.laws.telemetry import TelemetryRow
from soliton_encirclement_ros.core.run.observer import Truth
from soliton_encirclement_ros.core.states.states import AgentState, Motion, Pose, State, moved
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav
from soliton_encirclement_ros.nodes.monitor.monitor_input import MonitorInput, Watcher
from soliton_encirclement_ros.nodes.raw_stamp import leading_stamp_ns
from soliton_encirclement_ros.nodes.state_messages import StateMessage, StateReader

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

    def on_states(self, topic: str, reader: StateReader, found: StateMessage) -> None:
        """Evaluate states at once."""
        now_ns = self.node.node_time.now_ns()
        fresh = reader.read_fresh(found, now_ns, to_ns(self._tolerance))
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
            name: Pose(*moved(Motion(*pose, (0.0, 0.0)), to_seconds(now_ns - stamp_ns))[:2])
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
