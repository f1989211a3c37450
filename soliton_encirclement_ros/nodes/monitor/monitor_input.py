"""Input of the monitor in both modes: subscriptions and refusals."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Protocol

from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState
from velocity_mobility_ros.core.step_time import to_seconds
from velocity_mobility_ros.ros_io.messages.message_conversion import MalformedMessageError
from velocity_mobility_ros.ros_io.messages.serialized_messages import (
    CoordinateReader,
    SerializedOdometry,
)
from velocity_mobility_ros.ros_io.node_diagnostics import NodeDiagnostics
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.vehicle_topics import GROUND_TRUTH, MAP_FRAME

from soliton_encirclement_ros.core.laws.telemetry import (
    BODY,
    FILTER_NAMES,
    TelemetryRow,
    filtered_as,
    is_filter_result,
    telemetry_row,
)
from soliton_encirclement_ros.core.run.observer import UNKNOWN, Truth
from soliton_encirclement_ros.core.states.states import Pose, State
from soliton_encirclement_ros.core.states.swarm_topics import (
    ADVERSARY_STATE,
    AGENT_STATES,
    TARGET_STATE,
    TELEMETRY,
    Fleet,
    uav,
)
from soliton_encirclement_ros.nodes.actors.odometry_reader import measured
from soliton_encirclement_ros.nodes.actors.sequence_watch import SequenceWatch
from soliton_encirclement_ros.nodes.state_messages import StateMessage, StateReader, wrong_frame

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
    def on_states(self, topic: str, reader: StateReader, found: StateMessage) -> None:
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
        found = reader.parse(data)
        if found is not None:
            self.on_states(topic, reader, found)

    def _on_truth(self, name: str, topic: str, reader: SerializedOdometry, data: bytes) -> None:
        self.messages += 1
        try:
            found = reader.read(data)
            pose = measured(found, found.stamp_ns).pose
        except MalformedMessageError as error:
            self.watcher.health.refuse(topic, str(error))
            return
        if found.frame != MAP_FRAME:
            self.watcher.health.refuse(topic, wrong_frame(found.frame), 'frame')
        elif self.is_present(topic, found.stamp_ns):
            self.on_truth(topic, name, found.stamp_ns, pose)

    def _on_telemetry(
        self, agent_id: int, topic: str, reader: CoordinateReader, data: bytes
    ) -> None:
        self.messages += 1
        try:
            found = reader.read(data)
        except MalformedMessageError as error:
            self.watcher.health.refuse(topic, str(error), 'bytes')
            return
        counts = {len(found.positions), len(found.velocities), len(found.names)}
        values = filtered_as(found.positions, found.names, self._names)
        if values is None or len(counts) != 1:
            reason = f'names must be {", ".join(self._names)}, each with a value'
            self.watcher.health.refuse(topic, reason)
            return
        if found.frame != MAP_FRAME:
            self.watcher.health.refuse(topic, wrong_frame(found.frame), 'frame')
            return
        failed = found.positions[BODY.index('failed')]
        if failed not in (0.0, 1.0):
            self.watcher.health.refuse(topic, f'failed = {failed:g} must be 0 or 1', 'failed')
            return
        if not self.is_present(topic, found.stamp_ns):
            return
        if self._names[-1] == FILTER_NAMES[-1] and not is_filter_result(*values[-3:-1]):
            reason = f'filter_reason = {values[-3]:g} or filter_pusher = {values[-2]:g} is unknown'
            self.watcher.health.refuse(topic, reason, 'filter')
            return
        time = self.time(found.stamp_ns)
        row = telemetry_row(agent_id, time, values, found.velocities)
        if not row.is_plausible:
            self.watcher.health.refuse(topic, f'{list(found.positions)} must be finite, in range')
            return
        self.on_row(topic, found.stamp_ns, row)
