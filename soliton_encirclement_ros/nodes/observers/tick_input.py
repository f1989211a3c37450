"""Input of the monitor in lockstep: messages are collected by tick.

Ticks are delivered complete and in order.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from sensor_msgs.msg import JointState

from soliton_encirclement_ros.core.laws.telemetry import TelemetryRow
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.states import AgentState, Pose, State
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav
from soliton_encirclement_ros.nodes.observers.monitor_input import MonitorInput, Watcher
from soliton_encirclement_ros.nodes.state_messages import StateMessage, StateReader
from soliton_encirclement_ros.nodes.world.flow_control import ProgressPublisher
from velocity_mobility_ros.core.step_time import step_ns, to_seconds
from velocity_mobility_ros.ros_io.endpoints import LOCKSTEP, make_subscription
from velocity_mobility_ros.ros_io.polling import PollingNode

MAX_LOOK = 0.5
"""Time [s] between two checks beyond which the process must have been suspended."""

ROW, STATE, TRUTH = 'row', 'state', 'truth'
"""What is expected of members at a tick."""


@dataclass
class TickMessages:
    """All messages with one stamp; ``answers`` are those received, by kind and member."""

    stamp_ns: int
    members: frozenset[str]
    opened: float = 0.0
    answers: dict[tuple[str, str], Any] = field(default_factory=dict)

    def add(self, kind: str, name: str, value: Any) -> bool:
        """Add what a member says, None for a state that it has not; return whether it counts."""
        if name not in self.members or (kind, name) in self.answers:
            return False
        self.answers[kind, name] = value
        return True

    def said(self, kind: str) -> dict[str, Any]:
        """Return what has been said of a kind, by member."""
        return {name: value for (spoken, name), value in self.answers.items() if spoken == kind}

    def states(self) -> list[State]:
        """Return the states: agents by number, then the adversary, the target last."""
        states = self.said(STATE)
        agents = [state for state in states.values() if isinstance(state, AgentState)]
        others = [states[name] for name in (ADVERSARY, TARGET) if states.get(name) is not None]
        return [*sorted(agents), *others]


class TickAssembly:
    """The ticks that are not yet complete."""

    def __init__(
        self, agents: Iterable[str], others: Iterable[str], timeout: float, truth: bool = False
    ) -> None:
        """Expect a state and telemetry from every agent, a state from all others.

        Args:
            agents: Names of the agents.
            others: Names of the target and, if there is one, the adversary.
            timeout: Time awake [s] after which an incomplete tick is delivered as it is. Members
                missing then have died (messages may be late in lockstep, but are never lost) and
                are not waited for again. Time without checks does not count: a process
                without CPU time must not treat the others as dead.
            truth: Whether to expect the true motion of all.
        """
        agents = list(agents)
        self._members = frozenset([*agents, *others])
        self._expected = {(STATE, name) for name in self._members}
        self._expected |= {(ROW, name) for name in agents}
        self._expected |= {(TRUTH, name) for name in (self._members if truth else ())}
        self._timeout = timeout
        self._open: dict[int, TickMessages] = {}
        self._looked = time.monotonic()
        self._awake = 0.0

    def __len__(self) -> int:
        """Count the ticks that are not yet complete."""
        return len(self._open)

    def of(self, stamp_ns: int) -> TickMessages:
        """Return the tick of a stamp [ns]."""
        if stamp_ns not in self._open:
            self._open[stamp_ns] = TickMessages(stamp_ns, self._members, opened=self._awake)
        return self._open[stamp_ns]

    def take_complete(self) -> Iterator[TickMessages]:
        """Deliver the oldest ticks as long as they are complete (or too old)."""
        self._look()
        while self._open:
            stamp_ns = min(self._open)
            bucket = self._open[stamp_ns]
            missing = self._expected - bucket.answers.keys()
            if missing and self._awake - bucket.opened < self._timeout:
                return
            self._expected -= missing
            yield self._open.pop(stamp_ns)

    def _look(self) -> None:
        now = time.monotonic()
        self._awake += min(now - self._looked, MAX_LOOK)
        self._looked = now

    def take_all(self) -> Iterator[TickMessages]:
        """Deliver all remaining ticks, in order."""
        for stamp_ns in sorted(self._open):
            yield self._open.pop(stamp_ns)


TIMEOUT_FACTOR = 2.0
"""Timeout of the monitor as a multiple of the world's: messages may be resent."""

CHECK_PERIOD = 0.1
"""Wall time [s] between two checks for ticks that have timed out."""


class TickInput(MonitorInput):
    """Lockstep: a tick is evaluated when it is complete, in the order of agents.

    Only members of the run count, once per tick; messages of other nodes are refused.
    """

    def __init__(
        self,
        node: PollingNode,
        watcher: Watcher,
        scenario: Scenario,
        names: tuple[str, ...],
        adversary: bool,
        truth: bool = False,
    ) -> None:
        """Connect; an incomplete tick is delivered after twice the lockstep timeout.

        With ``truth`` the true motion of all members is evaluated, not what they say.
        """
        self._ticks = scenario.ticks
        self._period = scenario.swarm.control_period
        self._evaluated_ns = 0
        others = [TARGET, ADVERSARY] if adversary else [TARGET]
        agents = [uav(agent_id) for agent_id in scenario.agent_ids]
        timeout = TIMEOUT_FACTOR * scenario.run.lockstep_timeout
        self._buckets = TickAssembly(agents, others, timeout, truth)
        simulated = (*agents, *others) if truth else ()
        super().__init__(node, watcher, scenario.agent_ids, names, simulated)
        self._follower = ProgressPublisher(node, watcher.fleet)
        node.create_timer(CHECK_PERIOD, self._evaluate_complete)

    def subscribe(
        self, topic: str, take: Callable[[bytes], None], kind: type = JointState
    ) -> None:
        """Subscribe to a topic; its messages are taken as they arrive."""
        make_subscription(self.node, kind, topic, take, LOCKSTEP, raw=True)

    def on_states(self, topic: str, reader: StateReader, found: StateMessage) -> None:
        """Put states into the bucket of their tick."""
        bucket = self._bucket(topic, found.stamp_ns)
        if bucket is None:
            return
        for name, state in reader.spoken(found):
            if not bucket.add(STATE, name, state):
                self.watcher.health.refuse(topic, f'{name[:60]!r} is no member, or a duplicate')
                if isinstance(state, AgentState):
                    self.watcher.sequences.step_back(state.agent_id)
        self._evaluate_complete()

    def on_row(self, topic: str, stamp_ns: int, row: TelemetryRow) -> None:
        """Put telemetry into the bucket of its tick."""
        self._put(topic, stamp_ns, ROW, uav(row.agent_id), row)

    def on_truth(self, topic: str, name: str, stamp_ns: int, pose: Pose) -> None:
        """Put the true motion of a member into the bucket of its tick."""
        self._put(topic, stamp_ns, TRUTH, name, pose)

    def _put(self, topic: str, stamp_ns: int, kind: str, name: str, value: Any) -> None:
        bucket = self._bucket(topic, stamp_ns)
        if bucket is None:
            return
        if not bucket.add(kind, name, value):
            self.watcher.health.refuse(topic, 'a second message for one tick')
        self._evaluate_complete()

    def finish(self) -> None:
        """Evaluate the ticks that will never be complete."""
        for bucket in self._buckets.take_all():
            self._evaluate(bucket)

    def _bucket(self, topic: str, stamp_ns: int) -> TickMessages | None:
        """Return the bucket of a stamp; the startup handshake and foreign stamps have none."""
        if stamp_ns == 0:
            return None
        tick = round(to_seconds(stamp_ns) / self._period)
        known = step_ns(tick, self._period) == stamp_ns and 1 <= tick <= self._ticks
        if not known or stamp_ns <= self._evaluated_ns:
            self.watcher.health.refuse(topic, f'stamp {stamp_ns} ns is not that of a future tick')
            return None
        self._follower.saw(stamp_ns)
        return self._buckets.of(stamp_ns)

    def _evaluate_complete(self) -> None:
        for bucket in self._buckets.take_complete():
            self._evaluate(bucket)

    def _evaluate(self, bucket: TickMessages) -> None:
        self._evaluated_ns = bucket.stamp_ns
        rows = sorted(bucket.said(ROW).values())
        self.watcher.see(bucket.stamp_ns, rows, bucket.states(), bucket.said(TRUTH))
