"""How the monitor takes messages in: as they come in real time, gathered by tick in lockstep."""

from collections.abc import Sequence
from functools import partial
from typing import Protocol

from rclpy.node import Node
from rclpy.qos import QoSProfile
from sensor_msgs.msg import JointState
from velocity_mobility_ros.core.time import to_ns, to_seconds
from velocity_mobility_ros.ros_io.health import Health
from velocity_mobility_ros.ros_io.messages import time_to_ns
from velocity_mobility_ros.ros_io.qos import LOCKSTEP, STATE

from soliton_encirclement_ros.core.states import State
from soliton_encirclement_ros.core.telemetry import BODY, TelemetryRow, telemetry_row
from soliton_encirclement_ros.core.topics import (
    ADVERSARY,
    ADVERSARY_STATE,
    AGENT_STATES,
    TARGET,
    TARGET_STATE,
    TELEMETRY,
    uav,
)
from soliton_encirclement_ros.nodes.state_messages import StateReader
from soliton_encirclement_ros.nodes.tick_buckets import Bucket, TickBuckets

STATE_TOPICS = (AGENT_STATES, TARGET_STATE, ADVERSARY_STATE)


class Watcher(Protocol):
    """Whoever evaluates what was seen."""

    health: Health

    def see(self, now_ns: int, rows: Sequence[TelemetryRow], states: Sequence[State]) -> None:
        """Evaluate telemetry and states that belong to a time [ns]."""


class MonitorInput:
    """Subscribes to states and telemetry; subclasses say what to do with them."""

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
            watcher: Who evaluates.
            agent_ids: Whose telemetry to expect.
            names: Names of the controller's telemetry.
            qos: Quality of service of all topics.
        """
        self.node = node
        self.watcher = watcher
        self._names = [*BODY, *names]
        for topic in STATE_TOPICS:
            take = partial(self.on_states, StateReader(topic, watcher.health))
            node.create_subscription(JointState, topic, take, qos)
        for agent_id in agent_ids:
            topic = f'/{uav(agent_id)}/{TELEMETRY}'
            take = partial(self._on_telemetry, agent_id, topic)
            node.create_subscription(JointState, topic, take, qos)

    pending = 0
    """Ticks of a lockstep run that are not yet complete."""

    def on_states(self, reader: StateReader, message: JointState) -> None:
        """Take states in."""
        raise NotImplementedError

    def on_row(self, stamp_ns: int, row: TelemetryRow) -> None:
        """Take telemetry in."""
        raise NotImplementedError

    def time(self, stamp_ns: int) -> float:
        """Return the time of the run [s] at a stamp [ns]."""
        return to_seconds(stamp_ns)

    def finish(self) -> None:
        """Evaluate what is left."""

    def _on_telemetry(self, agent_id: int, topic: str, message: JointState) -> None:
        counts = {len(message.position), len(message.velocity), len(self._names)}
        if message.name != self._names or len(counts) != 1:
            reason = f'names must be {", ".join(self._names)}, each with a value'
            self.watcher.health.refuse(topic, reason)
            return
        stamp_ns = time_to_ns(message.header.stamp)
        row = telemetry_row(agent_id, self.time(stamp_ns), message.position, message.velocity)
        if not row.is_finite:
            self.watcher.health.refuse(topic, f'{list(message.position)} must be finite')
            return
        self.on_row(stamp_ns, row)


class LiveInput(MonitorInput):
    """Real time: everything is evaluated as it comes; time starts with the first message."""

    def __init__(
        self,
        node: Node,
        watcher: Watcher,
        agent_ids: Sequence[int],
        names: tuple[str, ...],
        tolerance: float,
    ) -> None:
        """Connect; refuse stamps farther than ``tolerance`` [s] from the present."""
        super().__init__(node, watcher, agent_ids, names, STATE)
        self._tolerance_ns = to_ns(tolerance)
        self._origin_ns: int | None = None

    def time(self, stamp_ns: int) -> float:
        """Return the time [s] since the first message."""
        if self._origin_ns is None:
            self._origin_ns = stamp_ns
        return to_seconds(stamp_ns - self._origin_ns)

    def on_states(self, reader: StateReader, message: JointState) -> None:
        """Evaluate states at once."""
        now_ns = self.node.get_clock().now().nanoseconds
        states = reader.read_fresh(message, now_ns, self._tolerance_ns)
        if states:
            self.watcher.see(now_ns, [], states)

    def on_row(self, stamp_ns: int, row: TelemetryRow) -> None:
        """Evaluate telemetry at once."""
        self.watcher.see(stamp_ns, [row], [])


class TickInput(MonitorInput):
    """Lockstep: a tick is evaluated when it is complete, in the order of agents."""

    def __init__(
        self,
        node: Node,
        watcher: Watcher,
        agent_ids: Sequence[int],
        names: tuple[str, ...],
        adversary: bool,
        patience: float,
    ) -> None:
        """Connect; hand out incomplete ticks after ``patience`` [s] of wall time."""
        others = [TARGET, ADVERSARY] if adversary else [TARGET]
        self._buckets = TickBuckets(map(uav, agent_ids), others, patience)
        super().__init__(node, watcher, agent_ids, names, LOCKSTEP)

    @property
    def pending(self) -> int:
        """Ticks that are not yet complete."""
        return len(self._buckets)

    def on_states(self, reader: StateReader, message: JointState) -> None:
        """Put states into the bucket of their tick; the roll call has none."""
        stamp_ns = time_to_ns(message.header.stamp)
        if stamp_ns > 0:
            bucket = self._buckets.of(stamp_ns)
            if message.name:
                bucket.add_states(reader.read(message))
            else:
                bucket.add_silence(message.header.frame_id)
            self._evaluate_complete()

    def on_row(self, stamp_ns: int, row: TelemetryRow) -> None:
        """Put telemetry into the bucket of its tick."""
        if stamp_ns > 0:
            self._buckets.of(stamp_ns).add_row(row)
            self._evaluate_complete()

    def finish(self) -> None:
        """Evaluate the ticks that will never be complete."""
        for bucket in self._buckets.take_all():
            self._evaluate(bucket)

    def _evaluate_complete(self) -> None:
        for bucket in self._buckets.take_complete():
            self._evaluate(bucket)

    def _evaluate(self, bucket: Bucket) -> None:
        said = [*sorted(bucket.agents), bucket.adversary, bucket.target]
        states = [state for state in said if state is not None]
        self.watcher.see(bucket.stamp_ns, sorted(bucket.rows), states)
