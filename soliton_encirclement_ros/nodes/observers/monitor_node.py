"""Observes a swarm: publishes metrics and markers, writes the tables and the summary of a run.

It has one thread; ``monitor_input`` decides what is evaluated when.
"""

import math
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray
from sensor_msgs.msg import JointState
from visualization_msgs.msg import MarkerArray

from soliton_encirclement_ros.controllers import recorded_names
from soliton_encirclement_ros.core.flight_statistics.agent_statistics import (
    BEYOND, CHANGE, JERK, NOT_FINITE, space_bounds
)
from soliton_encirclement_ros.core.laws.telemetry import TelemetryRow
from soliton_encirclement_ros.core.parameters.renamed_parameters import renamed_parameters
from soliton_encirclement_ros.core.parameters.run_parameters import (
    RunParameters, SafetyParameters, refuse_pace
)
from soliton_encirclement_ros.core.parameters.swarm_parameters import SwarmParameters
from soliton_encirclement_ros.core.run.finished_run import FIRST, Ending, with_ending
from soliton_encirclement_ros.core.run.observer import (
    SAMPLE_NAMES, UNKNOWN, ObservedSample, Observer, Truth, with_true_motion
)
from soliton_encirclement_ros.core.run.run_folder import SUMMARY, RunLog
from soliton_encirclement_ros.core.run.summary import summarise
from soliton_encirclement_ros.core.scenario.plugin_sections import record_of
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import check_for_nodes
from soliton_encirclement_ros.core.states.states import (
    AdversaryState, AgentState, State, sender_of
)
from soliton_encirclement_ros.core.states.swarm_topics import (
    DIAGNOSTICS, MARKERS, MEASURING, MEMBERS, METRICS, MONITOR, RECORDER, RECORDING, TARGET,
    TARGET_STATE, uav
)
from soliton_encirclement_ros.nodes.actors.identity_watch import SequenceWatch
from soliton_encirclement_ros.nodes.member_services import SwarmStop
from soliton_encirclement_ros.nodes.node_parameters import (
    MonitorParameters, fleet_of_observer, monitor_line
)
from soliton_encirclement_ros.nodes.observers.fleet_diagnostics import (
    ENDED, OUTPUT, ObserverWatch, WorldReport
)
from soliton_encirclement_ros.nodes.observers.health_status import HealthStatus
from soliton_encirclement_ros.nodes.observers.markers import swarm_markers
from soliton_encirclement_ros.nodes.observers.monitor_input import LiveInput, MonitorInput
from soliton_encirclement_ros.nodes.observers.tick_input import TickInput
from soliton_encirclement_ros.nodes.state_messages import Sender, members_text, name_of, sender
from velocity_mobility_ros.core.step_time import to_ns
from velocity_mobility_ros.core.user_errors import StartupError
from velocity_mobility_ros.core.velocity_model import MobilityParameters
from velocity_mobility_ros.ros_io.conditions import UNHEARD
from velocity_mobility_ros.ros_io.endpoints import COMMAND, LOCKSTEP, STATE, make_publisher
from velocity_mobility_ros.ros_io.graph_faults import several_publishers
from velocity_mobility_ros.ros_io.messages.serialized_messages import CoordinateWriter
from velocity_mobility_ros.ros_io.node_diagnostics import Condition, Level, NodeDiagnostics
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.ros_parameters import (
    declare, refuse_unknown, rename_given, warn_of_idle
)

FIRST_WORD = 1.5
"""Wall time [s] after the first message in which a world, if there is one, says how it is."""

HELD_NS = 2_000_000_000
"""Age [ns] of what is kept until it is known whether the run had begun then."""

LAST_WORD = 2.0
"""Wall time [s] after the end of the world's run for the last states to come."""


class MonitorNode(PollingNode):
    """The observer node of a swarm."""

    def __init__(self, **options: object) -> None:
        """Declare parameters and begin to watch.

        Args:
            **options: Passed on to ``rclpy.node.Node``.

        Raises:
            StartupError: The run folder cannot be written.
            ScenarioError: There are more agents than nodes can be.
        """
        super().__init__(MONITOR, **options)
        for section in ('safety', 'target_sensing'):
            rename_given(self, renamed_parameters(section))
        run, swarm = declare(self, RunParameters), declare(self, SwarmParameters)
        safety = declare(self, SafetyParameters)
        self.mode = declare(self, MonitorParameters)
        self.fleet = fleet_of_observer(self, self.mode.lockstep)
        refuse_unknown(self)
        self.claim_role(MONITOR, self.fleet.full_name(MONITOR))
        warn_of_idle(self, self.mode, run)
        self.follow(run, lambda _: None, refuse_pace)
        self._warn_of_duration(run)
        control = record_of('control', self.mode.controller)(controller=self.mode.controller)
        self.scenario = Scenario(
            self.mode.scenario_name, run=run, swarm=swarm, control=control, safety=safety,
            mobility=MobilityParameters(update_rate=swarm.control_period),  # fits any period
            target_sensing=record_of('target_sensing')(
                target_broadcasts=self.mode.target_broadcasts
            ),
        )  # fmt: skip
        check_for_nodes(self.scenario)
        filtered = self.scenario.is_filtered
        settled = None if self.mode.target_broadcasts else run.transient_time
        self.observer = Observer(swarm, filtered, space_bounds(safety, filtered), settled)
        self.sequences = SequenceWatch()
        self._heard: set[Sender] = set()
        self._end_of_tables, self._ended = '', False
        self._begun_ns: int | None = None
        self._first_at = self._last_at = math.inf
        self._held: deque[tuple[int, Sequence[TelemetryRow], Sequence[State], Truth]] = deque()
        self._recorder = ObserverWatch(self.fleet, RECORDER, RECORDING, 'nothing is recorded')
        self.health = NodeDiagnostics(
            self, MEASURING, self._facts, self.conditions, lambda: self._now_ns
        )
        self._world = WorldReport(self.fleet, self.health)
        self._stop = SwarmStop(self, self.fleet, self.health.refuse, self._is_member)
        # While the nodes start, the world says whom it waits for.
        self._patience = UNHEARD + math.ceil(run.startup_timeout if self.mode.world else 0.0)
        self._began = time.monotonic()
        self._now_ns = self._marked_ns = 0
        self.node_time.on_step(self._on_step)
        self._health = HealthStatus(
            self, self.fleet, self.scenario, self.observer, lambda: self.stopped,
            lambda: self._now_ns,
            2.0 * run.lockstep_timeout if self.mode.lockstep else swarm.target_state_timeout,
        )  # fmt: skip
        names = recorded_names(self.mode.controller, filtered, not self.mode.target_broadcasts)
        self._log = self._open_log(names)
        self.get_logger().info(monitor_line(self.scenario, self.mode))
        qos = LOCKSTEP if self.mode.lockstep else STATE
        self._metrics = make_publisher(self, JointState, self.fleet.full_name(METRICS), qos)
        self._metrics_writer = CoordinateWriter()
        self._markers = make_publisher(self, MarkerArray, self.fleet.full_name(MARKERS), COMMAND)
        self.create_subscription(DiagnosticArray, DIAGNOSTICS, self._on_diagnostics, COMMAND)
        self._input = self._make_input(names)

    def _on_diagnostics(self, message: DiagnosticArray) -> None:
        self._world.take(message)
        self._health.take(message)
        self._recorder.take(message)
        if self._begun_ns is None and isinstance(self._input, LiveInput):
            self._begun_ns = self._world.begun_ns
            if self._begun_ns is not None:
                self._input.begin(self._begun_ns)

    def _warn_of_duration(self, run: RunParameters) -> None:
        """Warn of a duration of a run that does not end by it."""
        if not self.mode.world and run.sim_duration != RunParameters().sim_duration:
            self.get_logger().warning(
                f'sim_duration = {run.sim_duration:g} has no effect without world = true: set '
                'watch_duration instead'
            )

    @property
    def samples(self) -> int:
        """How many samples there are."""
        return len(self.observer.series['time'])

    @property
    def faults(self) -> list[str]:
        """What is missing on disk, and why: tables, or the bag of a recorder that has died."""
        lines = (self._end_of_tables, self._recorder.death, self._shortfall())
        return [line for line in lines if line]

    def _shortfall(self) -> str:
        """Return by how much a world's run in real time was longer than what was observed."""
        last = self.observer.last
        if self.mode.lockstep or not (self.mode.world and self._world.finished and last):
            return ''
        missing = self.run_length - last.time
        if missing <= self.scenario.swarm.control_period:
            return ''
        return f'no state of the target in the last {missing:.1f} s of {self.run_length:g} s'

    @property
    def complete(self) -> bool:
        """Whether everything observed is on disk, and the recorder, if one was there, lived."""
        return not self.faults

    @property
    def progress(self) -> int:
        """A number that grows with every message received."""
        return self._input.messages

    @property
    def stopped(self) -> list[str]:
        """Who is stopped by the operator: names of members, ``all`` for everybody."""
        return self._stop.stopped

    @property
    def health_reasons(self) -> Sequence[str]:
        """Why the swarm is not well, as its health says; none before the first sample."""
        return self._health.reasons

    def who_is_missing(self) -> str:
        """Return the members that the world waits for at the start, as text; empty if unknown."""
        return self._world.waiting_for

    @property
    def run_length(self) -> float:
        """How long the run lasts [s], infinite if only a stop ends it, as while no world says."""
        if self.mode.world:
            return self.scenario.run.sim_duration if self._world.is_heard else math.inf
        return self.mode.watch_duration or math.inf

    @property
    def is_over(self) -> bool:
        """Whether the run has ended: the world reports it, or the duration is over.

        In real time the last state comes a moment after the world's report.
        """
        if self.mode.lockstep:
            return self._world.finished
        if self.mode.world and self._world.finished:
            self._last_at = min(self._last_at, time.monotonic())
        return self._is_whole or time.monotonic() - self._last_at > LAST_WORD

    @property
    def _is_whole(self) -> bool:
        """Whether there is a sample at the planned end, or later."""
        last = self.observer.last
        return last is not None and last.time >= self.run_length

    def _is_waiting(self) -> bool:
        """Return whether it is not known yet that the run of a world in real time has begun."""
        if self.mode.lockstep or not self.mode.world or self._begun_ns is not None:
            return False
        if self._world.is_heard:
            return self._world.is_waiting
        self._first_at = min(self._first_at, time.monotonic())
        return time.monotonic() - self._first_at < FIRST_WORD

    def see(
        self, now_ns: int, rows: Sequence[TelemetryRow], states: Sequence[State],
        truth: Truth = UNKNOWN,
    ) -> None:  # fmt: skip
        """Evaluate telemetry and states that belong to a time [ns]; a target state is a sample.

        The observer gets the truth where it is known; tables have the reports of members. A run of
        a world in real time counts by the time of the world.
        """
        self._now_ns = now_ns
        self._heard.update(map(sender, states))
        if self.mode.world and not self.mode.lockstep and self._is_whole:
            return
        self._held.append((now_ns, rows, states, truth))
        if self._is_waiting():
            while self._held[0][0] < now_ns - HELD_NS:
                self._held.popleft()
            return
        while self._held:
            self._evaluate(*self._held.popleft())

    def _evaluate(
        self, now_ns: int, rows: Sequence[TelemetryRow], states: Sequence[State], truth: Truth
    ) -> None:
        """Evaluate telemetry and states; those from before the run only set positions."""
        is_before = self._begun_ns is not None and now_ns < self._begun_ns
        if self._begun_ns is not None:  # the time of rows that were held back was another one
            rows = [row._replace(time=self._input.time(now_ns)) for row in rows]
        for row in () if is_before else rows:
            self.observer.see_telemetry(with_true_motion(row, uav(row.agent_id), truth))
            if self._log is not None:
                self._log.add_agent(row)
        now = self._input.time(now_ns)
        for state in (with_true_motion(sent, sender_of(sent), truth) for sent in states):
            if isinstance(state, AgentState):
                self.observer.see_agent(now, state)
            elif isinstance(state, AdversaryState):
                self.observer.adversary = state
            elif not is_before:
                self._take_sample(now_ns, self.observer.see_target(now, state))

    def summary(self) -> dict[str, Any]:
        """Return the summary of the run so far, as if it were interrupted here."""
        facts = {
            'wall_s': time.monotonic() - self._began,
            'real_time_factor': self._world.counts.get('real_time_factor'),
            'missed_answers': int(self._world.counts.get('missed_answers', 0)),
            **{key: _whole(self._world.counts.get(key)) for key in (BEYOND, NOT_FINITE)},
            **{key: self._world.counts.get(key) for key in (CHANGE, JERK)},
        }
        if self._begun_ns is not None and self.samples:
            facts[FIRST] = self.observer.series['time'][0]
        so_far = summarise(self.scenario, self.observer, facts)
        return with_ending(so_far, Ending(interrupted=True, complete=self.complete))

    def conditions(self) -> list[Condition]:
        """Return all present faults."""
        faults = [*self._stop.conditions(), *self.sequences.conditions()]
        faults += [*self._health.late_members(), *self._recorder.conditions()]
        if self._end_of_tables:
            faults.append(Condition(Level.ERROR, self._end_of_tables))
        if self.observer.last is None:
            topic = self.fleet.full_name(TARGET_STATE)
            reason = f'no metrics yet: no state of the target received on {topic}'
            faults.append(Condition(Level.STALE, reason, patience=self._patience, unheard=topic))
        return [*faults, *several_publishers(self, self.fleet.full_name(METRICS), Level.ERROR)]

    def close(self) -> None:
        """Evaluate the remaining messages and write everything to disk."""
        self._input.finish()
        while self._held and self._begun_ns is not None:
            self._evaluate(*self._held.popleft())
        if self._log is not None:
            self._log.close()
        self._ended = True
        self.health.publish()

    def _open_log(self, names: tuple[str, ...]) -> RunLog | None:
        if not self.mode.run_folder:
            return None
        try:
            folder = Path(self.mode.run_folder).expanduser()
            folder.mkdir(parents=True, exist_ok=True)
            if (folder / SUMMARY).exists():
                raise FileExistsError
            return RunLog(folder, names, self.summary, self._end_log)
        except FileExistsError:
            reason = 'already contains the tables of a run; name another folder'
        except OSError as error:
            reason = f'cannot write: {error.strerror}'
        raise StartupError(f'run_folder = {self.mode.run_folder!r}: {reason}')

    def _make_input(self, names: tuple[str, ...]) -> MonitorInput:
        if self.mode.lockstep:
            others = self.mode.adversary_enable, self.mode.ground_truth
            return TickInput(self, self, self.scenario, names, *others)
        return LiveInput(self, self, self.scenario.agent_ids, names, self.mode.stamp_tolerance)

    def _is_member(self, name: str) -> bool:
        """Return whether somebody of a name belongs to the swarm, or has been heard."""
        return name in {TARGET, *map(uav, self.scenario.agent_ids), *map(name_of, self._heard)}

    def _facts(self) -> dict[str, Any]:
        return {
            'samples': self.samples, 'agents_down': len(self.observer.down),
            MEMBERS: members_text(self._heard), OUTPUT: self.mode.run_folder, ENDED: self._ended,
        }  # fmt: skip

    def _on_step(self, step_ns: int) -> None:
        """Keep times after a step of the clock [ns]."""
        self._marked_ns += step_ns
        if self._begun_ns is not None:
            self._begun_ns += step_ns

    def _take_sample(self, now_ns: int, sample: ObservedSample) -> None:
        self._metrics.publish(self._metrics_writer.write(now_ns, SAMPLE_NAMES, sample.values))
        if now_ns - self._marked_ns >= to_ns(self.mode.marker_period):
            self._marked_ns = now_ns
            observer, radius = self.observer, self.scenario.swarm.encirclement_radius
            agents = {k: (row.position, bool(row.failed)) for k, row in observer.telemetry.items()}
            target = observer.target and observer.target.position
            adversary = observer.adversary and observer.adversary.position
            self._markers.publish(swarm_markers(now_ns, agents, target, adversary, radius))
        if self._log is not None:
            self._log.add_sample(sample)

    def _end_log(self, error: OSError) -> None:
        reason = f'{self.mode.run_folder}: {error.strerror}'
        self._end_of_tables = f'{reason}; the tables end here, everything before is kept'
        self.health.warn(self._end_of_tables)


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)
