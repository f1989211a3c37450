"""Watches a swarm: publishes metrics and markers, writes the tables and the summary of a run.

Threading: one thread. In lockstep the messages of a tick are gathered by stamp and evaluated in
the order of agents, so the tables never depend on the order of arrival. In real time they are
evaluated as they come.
"""

import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray
from rclpy.node import Node
from sensor_msgs.msg import JointState
from velocity_mobility_ros.core.errors import MobilityError
from velocity_mobility_ros.core.parameters import Parameters, parameter
from velocity_mobility_ros.core.time import to_ns, to_seconds
from velocity_mobility_ros.ros_io.entry import run_nodes
from velocity_mobility_ros.ros_io.health import Health
from velocity_mobility_ros.ros_io.messages import time_to_ns, values_to_joint_state
from velocity_mobility_ros.ros_io.parameters import declare, refuse_unknown
from velocity_mobility_ros.ros_io.qos import COMMAND, LOCKSTEP, STATE
from visualization_msgs.msg import MarkerArray

from soliton_encirclement_ros.controllers import CONTROLLERS
from soliton_encirclement_ros.core.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.observer import Observer, Sample
from soliton_encirclement_ros.core.parameters import (
    CONTROLLER_NAMES,
    ControlParameters,
    RunParameters,
    SwarmParameters,
)
from soliton_encirclement_ros.core.run_folder import RunLog
from soliton_encirclement_ros.core.scenario import Scenario
from soliton_encirclement_ros.core.states import AdversaryState, AgentState, TargetState
from soliton_encirclement_ros.core.summary import summarise
from soliton_encirclement_ros.core.telemetry import BODY, TelemetryRow, telemetry_row
from soliton_encirclement_ros.core.topics import (
    ADVERSARY_STATE,
    AGENT_STATES,
    DIAGNOSTICS,
    MARKERS,
    METRICS,
    TARGET_STATE,
    TELEMETRY,
    uav,
)
from soliton_encirclement_ros.nodes.markers import swarm_markers
from soliton_encirclement_ros.nodes.state_messages import StateReader
from soliton_encirclement_ros.nodes.tick_buckets import Bucket, TickBuckets

SUMMARY_PERIOD = 2.0
"""Wall time [s] between two summaries on disk, so that a killed run has one."""


@dataclass(frozen=True)
class MonitorParameters(Parameters):
    """What the monitor watches and where it writes."""

    lockstep: bool = parameter(False, 'gather by tick')
    run_folder: str = parameter('', 'where tables and summary go; empty: nowhere')
    scenario_name: str = parameter('default', 'name of the scenario, for the summary')
    controller: str = parameter('soliton_v1', 'law of the agents', choices=CONTROLLER_NAMES)
    adversary_enable: bool = parameter(True, 'whether an adversary takes part')
    marker_period: float = parameter(
        0.2, 'time between two pictures', unit='s', above=0.0
    )
    stamp_tolerance: float = parameter(
        2.0, 'real time: largest distance of a stamp from the present', unit='s', above=0.0
    )


class MonitorNode(Node):
    """The bystander of a swarm."""

    def __init__(self, **options: object) -> None:
        """Declare parameters and begin to watch.

        Args:
            **options: Passed on to ``rclpy.node.Node``.
        """
        super().__init__('monitor', **options)
        run, swarm = declare(self, RunParameters), declare(self, SwarmParameters)
        self.mode = declare(self, MonitorParameters)
        refuse_unknown(self)
        control = ControlParameters(controller=self.mode.controller)
        self.scenario = Scenario(self.mode.scenario_name, run=run, swarm=swarm, control=control)
        self.observer = Observer(swarm)
        self.health = Health(self, self._facts, lambda: self._now_ns)
        self.world_facts: dict[str, str] = {}
        self._names = CONTROLLERS[self.mode.controller].telemetry_names
        self._began = time.monotonic()
        self._now_ns = 0
        self._origin_ns: int | None = 0 if self.mode.lockstep else None
        self._marked_ns = self._summarised = 0
        self._log = self._open_log()
        self._connect()

    def _open_log(self) -> RunLog | None:
        if not self.mode.run_folder:
            return None
        try:
            return RunLog(Path(self.mode.run_folder), self._names)
        except OSError as error:
            raise MobilityError(
                f'run_folder = {self.mode.run_folder!r}: cannot write: {error.strerror}'
            ) from None

    def _connect(self) -> None:
        lockstep = self.mode.lockstep
        qos = LOCKSTEP if lockstep else STATE
        agents = self.scenario.agent_ids
        self._buckets = TickBuckets(
            len(agents), self.mode.adversary_enable, self.scenario.run.lockstep_timeout
        )
        for topic in (AGENT_STATES, TARGET_STATE, ADVERSARY_STATE):
            take = partial(self._on_states, StateReader(topic, self.health))
            self.create_subscription(JointState, topic, take, qos)
        for agent_id in agents:
            topic = f'/{uav(agent_id)}/{TELEMETRY}'
            self.create_subscription(
                JointState, topic, partial(self._on_telemetry, agent_id, topic), qos
            )
        self.create_subscription(DiagnosticArray, DIAGNOSTICS, self._on_diagnostics, COMMAND)
        self._metrics = self.create_publisher(JointState, METRICS, LOCKSTEP if lockstep else STATE)
        self._markers = self.create_publisher(MarkerArray, MARKERS, COMMAND)

    def _facts(self) -> dict[str, Any]:
        return {'samples': len(self.observer.series['time']), 'down': len(self.observer.down)}

    def _time(self, stamp_ns: int) -> float:
        """Return the time of a run [s]; in real time it starts with the first message."""
        if self._origin_ns is None:
            self._origin_ns = stamp_ns
        return to_seconds(stamp_ns - self._origin_ns)

    def _on_states(self, reader: StateReader, message: JointState) -> None:
        stamp_ns = time_to_ns(message.header.stamp)
        if not self.mode.lockstep:
            now_ns = self.get_clock().now().nanoseconds
            states = reader.read_fresh(message, now_ns, to_ns(self.mode.stamp_tolerance))
            self._take_now(now_ns, states)
        elif stamp_ns > 0:
            bucket = self._buckets.of(stamp_ns)
            bucket.add_states(reader.read(message))
            self._evaluate_complete()

    def _on_telemetry(self, agent_id: int, topic: str, message: JointState) -> None:
        names = (*BODY, *self._names)
        stamp_ns = time_to_ns(message.header.stamp)
        if tuple(message.name) != names or not (
            len(message.position) == len(message.velocity) == len(names)
        ):
            self.health.refuse(topic, f'names must be {", ".join(names)}, each with a value')
            return
        row = telemetry_row(agent_id, self._time(stamp_ns), message.position, message.velocity)
        if not self.mode.lockstep:
            self._take_row(row)
        elif stamp_ns > 0:
            self._buckets.of(stamp_ns).rows.append(row)
            self._evaluate_complete()

    def _take_now(self, now_ns: int, states: list[Any]) -> None:
        """Evaluate states as they come; a target's state completes a sample."""
        self._now_ns = now_ns
        for state in states:
            if isinstance(state, AgentState):
                self.observer.see_agents(self._time(now_ns), [state])
            elif isinstance(state, AdversaryState):
                self.observer.adversary = state
            else:
                self._sample(now_ns, state)

    def _evaluate_complete(self) -> None:
        for bucket in self._buckets.take_complete():
            self._evaluate(bucket)

    def _evaluate(self, bucket: Bucket) -> None:
        """Evaluate one tick in the order of agents."""
        self._now_ns = bucket.stamp_ns
        for row in sorted(bucket.rows):
            self._take_row(row)
        self.observer.see_agents(self._time(bucket.stamp_ns), sorted(bucket.agents))
        self.observer.adversary = bucket.adversary or self.observer.adversary
        if bucket.target is not None:
            self._sample(bucket.stamp_ns, bucket.target)

    def _take_row(self, row: TelemetryRow) -> None:
        self.observer.see_telemetry(row)
        if self._log:
            self._log.add_agent(row)

    def _sample(self, stamp_ns: int, target: TargetState) -> None:
        sample = self.observer.see_target(self._time(stamp_ns), target)
        self._publish(stamp_ns, sample)
        if self._log:
            self._log.add_sample(sample)
            if time.monotonic() - self._summarised > SUMMARY_PERIOD:
                self._summarised = time.monotonic()
                self._log.write_summary(self.summary())

    def _publish(self, stamp_ns: int, sample: Sample) -> None:
        names = [*METRIC_NAMES, 'alive', 'min_separation']
        values = [*sample.metrics, float(sample.alive), sample.min_separation]
        self._metrics.publish(values_to_joint_state(stamp_ns, names, values))
        if stamp_ns - self._marked_ns >= to_ns(self.mode.marker_period):
            self._marked_ns = stamp_ns
            self._draw(stamp_ns)

    def _draw(self, stamp_ns: int) -> None:
        radius = self.scenario.swarm.encirclement_radius
        self._markers.publish(swarm_markers(stamp_ns, self.observer, radius))

    def _on_diagnostics(self, message: DiagnosticArray) -> None:
        for status in message.status:
            if status.name == 'world':
                self.world_facts = {pair.key: pair.value for pair in status.values}

    @property
    def pending(self) -> int:
        """Ticks of a lockstep run that are not yet complete."""
        return len(self._buckets)

    def summary(self) -> dict[str, Any]:
        """Return the summary of the run so far."""
        facts = {
            'wall_s': time.monotonic() - self._began,
            'real_time_factor': float(self.world_facts.get('real_time_factor', 'nan')),
            'missed_answers': int(self.world_facts.get('missed_answers', '0')),
        }
        return summarise(self.scenario, self.observer, facts)

    def close(self) -> None:
        """Evaluate what is left and put everything on disk."""
        for bucket in self._buckets.take_all():
            self._evaluate(bucket)
        if self._log:
            self._log.write_summary(self.summary())
            self._log.close()
            self._log = None


def main(args: list[str] | None = None) -> int:
    """Run the node."""
    return run_nodes(lambda: [MonitorNode()], args)
