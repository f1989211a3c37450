"""Input of the monitor: messages as they arrive in real time, assembled by tick in lockstep."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import Protocol

from rclpy.node import Node
from rclpy.qos import QoSProfile
from sensor_msgs.msg import JointState
from velocity_mobility_ros.core.time import step_ns, to_ns, to_seconds
from velocity_mobility_ros.ros_io.endpoints import make_subscription
from velocity_mobility_ros.ros_io.messages import time_to_ns
from velocity_mobility_ros.ros_io.node_diagnostics import NodeDiagnostics
from velocity_mobility_ros.ros_io.qos import LOCKSTEP, STATE_INPUT
from velocity_mobility_ros.ros_io.stamp_age import StampError, check_stamp
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME

from soliton_encirclement_ros.core.laws.telemetry import BODY, TelemetryRow, telemetry_row
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.fleet_names import Fleet
from soliton_encirclement_ros.core.states.sender import sender_of
from soliton_encirclement_ros.core.states.states import AgentState, State
from soliton_encirclement_ros.core.states.swarm_topics import (
    ADVERSARY,
    ADVERSARY_STATE,
    AGENT_STATES,
    TARGET,
    TARGET_STATE,
    TELEMETRY,
    uav,
)
from soliton_encirclement_ros.nodes.actors.sequence_watch import SequenceWatch
from soliton_encirclement_ros.nodes.monitor.tick_assembly import TickAssembly, TickMessages
from soliton_encirclement_ros.nodes.state_messages import StateReader, wrong_frame
from soliton_encirclement_ros.nodes.world.flow_control import ProgressPublisher

PATIENCE = 2.0
"""Factor between the monitor's timeout and the world's: messages may have to be resent."""

LOOK_PERIOD = 0.1
"""Wall time [s] between two checks for ticks that have waited long enough."""

STAMP_LIMIT = 'stamp_tolerance'

STATE_TOPICS = (AGENT_STATES, TARGET_STATE, ADVERSARY_STATE)


class Watcher(Protocol):
    """The evaluator of the observed data of a fleet."""

    fleet: Fleet
    health: NodeDiagnostics
    sequences: SequenceWatch

    def see(self, now_ns: int, rows: Sequence[TelemetryRow], states: Sequence[State]) -> None:
        """Evaluate telemetry and states that belong to a time [ns]."""


class MonitorInput(ABC):
    """Subscribes to states and telemetry; subclasses process them."""

    def __init__(
        self,
        node: Node,
        watcher: Watcher,
        agent_ids: Sequence[int],
        names: tuple[str, ...],
        qos: QoSProfile,
    ) -> None:
        """Connect.

        Args:
            node: The node to subscribe with.
            watcher: The evaluator.
            agent_ids: Agents whose telemetry is expected.
            names: Names of the controller's telemetry.
            qos: Quality of service of all topics.
        """
        self.node = node
        self.watcher = watcher
        self.messages = 0
        self._names = [*BODY, *names]
        for topic in map(watcher.fleet.full_name, STATE_TOPICS):
            take = partial(self._on_states, topic, StateReader(topic, watcher.health))
            make_subscription(node, JointState, topic, take, qos)
        for agent_id in agent_ids:
            topic = watcher.fleet.member_topic(uav(agent_id), TELEMETRY)
            take = partial(self._on_telemetry, agent_id, topic)
            make_subscription(node, JointState, topic, take, qos)

    @abstractmethod
    def on_states(self, topic: str, reader: StateReader, message: JointState) -> None:
        """Receive states."""

    @abstractmethod
    def on_row(self, topic: str, stamp_ns: int, row: TelemetryRow) -> None:
        """Receive telemetry."""

    def is_present(self, topic: str, stamp_ns: int) -> bool:
        """Return whether telemetry with a stamp [ns] is up to date, as far as required."""
        return True

    def time(self, stamp_ns: int) -> float:
        """Return the time of the run [s] at a stamp [ns]."""
        return to_seconds(stamp_ns)

    @abstractmethod
    def finish(self) -> None:
        """Evaluate the remaining messages."""

    def _on_states(self, topic: str, reader: StateReader, message: JointState) -> None:
        self.messages += 1
        self.on_states(topic, reader, message)

    def _on_telemetry(self, agent_id: int, topic: str, message: JointState) -> None:
        self.messages += 1
        counts = {len(message.position), len(message.velocity), len(self._names)}
        if message.name != self._names or len(counts) != 1:
            reason = f'names must be {", ".join(self._names)}, each with a value'
            self.watcher.health.refuse(topic, reason)
            return
        if message.header.frame_id != MAP_FRAME:
            self.watcher.health.refuse(topic, wrong_frame(message), 'frame')
            return
        failed = message.position[BODY.index('failed')]
        if failed not in (0.0, 1.0):
            self.watcher.health.refuse(topic, f'failed = {failed:g} must be 0 or 1', 'failed')
            return
        stamp_ns = time_to_ns(message.header.stamp)
        if not self.is_present(topic, stamp_ns):
            return
        row = telemetry_row(agent_id, self.time(stamp_ns), message.position, message.velocity)
        if not row.is_plausible:
            self.watcher.health.refuse(topic, f'{list(message.position)} must be finite, in range')
            return
        self.on_row(topic, stamp_ns, row)


class LiveInput(MonitorInput):
    """Real time: everything is evaluated on arrival; time starts with the first message."""

    def __init__(
        self,
        node: Node,
        watcher: Watcher,
        agent_ids: Sequence[int],
        names: tuple[str, ...],
        tolerance: float,
    ) -> None:
        """Connect; refuse stamps farther than ``tolerance`` [s] from the present."""
        super().__init__(node, watcher, agent_ids, names, STATE_INPUT)
        self._agent_ids = agent_ids
        self._tolerance = tolerance
        self._origin_ns: int | None = None

    def time(self, stamp_ns: int) -> float:
        """Return the time [s] since the first message; earlier messages count as time 0."""
        if self._origin_ns is None:
            self._origin_ns = stamp_ns
        return max(0.0, to_seconds(stamp_ns - self._origin_ns))

    def on_states(self, topic: str, reader: StateReader, message: JointState) -> None:
        """Evaluate states at once."""
        now_ns = self.node.get_clock().now().nanoseconds
        fresh = reader.read_fresh(message, now_ns, to_ns(self._tolerance))
        states = [state for state in fresh if self._is_watched(topic, state)]
        for state in states:
            if isinstance(state, AgentState):
                self.watcher.sequences.see(state)
        if states:
            self.watcher.see(now_ns, [], states)

    def is_present(self, topic: str, stamp_ns: int) -> bool:
        """Refuse telemetry whose stamp is far from the present, as states are."""
        try:
            check_stamp(
                stamp_ns, self.node.get_clock().now().nanoseconds, self._tolerance, STAMP_LIMIT
            )
        except StampError as error:
            self.watcher.health.refuse(topic, str(error), 'stamp')
            return False
        return True

    def on_row(self, topic: str, stamp_ns: int, row: TelemetryRow) -> None:
        """Evaluate telemetry at once."""
        del topic
        self.watcher.see(stamp_ns, [row], [])

    def finish(self) -> None:
        """Do nothing: everything was evaluated on arrival."""

    def _is_watched(self, topic: str, state: State) -> bool:
        """Say whether a state counts; an agent beyond ``num_agents`` would spoil every share."""
        if not isinstance(state, AgentState) or state.agent_id in self._agent_ids:
            return True
        most = len(self._agent_ids)
        reason = f'{uav(state.agent_id)} is not among the {most} agents that are watched'
        self.watcher.health.refuse(topic, f'{reason}: raise num_agents (now {most}) if it belongs')
        return False


class TickInput(MonitorInput):
    """Lockstep: a tick is evaluated when it is complete, in the order of agents.

    Any node may publish; only members of the run count, once for each tick of the run.
    """

    def __init__(
        self,
        node: Node,
        watcher: Watcher,
        scenario: Scenario,
        names: tuple[str, ...],
        adversary: bool,
    ) -> None:
        """Connect; an incomplete tick is handed out after twice the lockstep timeout."""
        self._ticks = scenario.ticks
        self._period = scenario.swarm.control_period
        self._evaluated_ns = 0
        others = [TARGET, ADVERSARY] if adversary else [TARGET]
        agents = [uav(agent_id) for agent_id in scenario.agent_ids]
        patience = PATIENCE * scenario.run.lockstep_timeout
        self._buckets = TickAssembly(agents, others, patience)
        super().__init__(node, watcher, scenario.agent_ids, names, LOCKSTEP)
        self._follower = ProgressPublisher(node, watcher.fleet)
        node.create_timer(LOOK_PERIOD, self._evaluate_complete)

    def on_states(self, topic: str, reader: StateReader, message: JointState) -> None:
        """Add states to their tick."""
        bucket = self._bucket(topic, time_to_ns(message.header.stamp))
        if bucket is None:
            return
        spoken = [(sender_of(state), state) for state in reader.read(message)]
        if not message.name:
            spoken = [(message.header.frame_id, None)]
        for name, state in spoken:
            if not bucket.add_state(name, state):
                self.watcher.health.refuse(topic, f'{name[:60]!r} is no member or spoke before')
                if isinstance(state, AgentState):
                    self.watcher.sequences.step_back(state.agent_id)
        self._evaluate_complete()

    def on_row(self, topic: str, stamp_ns: int, row: TelemetryRow) -> None:
        """Add telemetry to its tick."""
        bucket = self._bucket(topic, stamp_ns)
        if bucket is None:
            return
        if not bucket.add_row(row):
            self.watcher.health.refuse(topic, 'a second message for one tick')
        self._evaluate_complete()

    def finish(self) -> None:
        """Evaluate the ticks that will never be complete."""
        for bucket in self._buckets.take_all():
            self._evaluate(bucket)

    def _bucket(self, topic: str, stamp_ns: int) -> TickMessages | None:
        """Return the tick of a stamp; the startup handshake and foreign stamps have none."""
        if stamp_ns == 0:
            return None
        tick = round(to_seconds(stamp_ns) / self._period)
        known = step_ns(tick, self._period) == stamp_ns and 1 <= tick <= self._ticks
        if not known or stamp_ns <= self._evaluated_ns:
            self.watcher.health.refuse(topic, f'stamp {stamp_ns} ns is no tick to come')
            return None
        self._follower.saw(stamp_ns)
        return self._buckets.of(stamp_ns)

    def _evaluate_complete(self) -> None:
        for bucket in self._buckets.take_complete():
            self._evaluate(bucket)

    def _evaluate(self, bucket: TickMessages) -> None:
        self._evaluated_ns = bucket.stamp_ns
        self.watcher.see(bucket.stamp_ns, sorted(bucket.rows), bucket.states())
