"""Input of the monitor in lockstep: messages are collected by tick."""

from collections.abc import Callable

from sensor_msgs.msg import JointState
from velocity_mobility_ros.core.step_time import step_ns, to_seconds
from velocity_mobility_ros.ros_io.endpoints import LOCKSTEP, make_subscription
from velocity_mobility_ros.ros_io.polling import PollingNode

from soliton_encirclement_ros.core.laws.telemetry import TelemetryRow
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.states import AgentState, Pose, sender_of
from soliton_encirclement_ros.core.states.swarm_topics import (
    ADVERSARY,
    TARGET,
    uav,
)
from soliton_encirclement_ros.nodes.monitor.monitor_input import MonitorInput, Watcher
from soliton_encirclement_ros.nodes.monitor.tick_assembly import TickAssembly, TickMessages
from soliton_encirclement_ros.nodes.state_messages import StateMessage, StateReader
from soliton_encirclement_ros.nodes.world.flow_control import ProgressPublisher

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
        answers = [(sender_of(state), state) for state in reader.read(found)]
        if found.is_silence:
            answers = [(found.frame, None)]
        for name, state in answers:
            if not bucket.add_state(name, state):
                self.watcher.health.refuse(topic, f'{name[:60]!r} is no member, or a duplicate')
                if isinstance(state, AgentState):
                    self.watcher.sequences.step_back(state.agent_id)
        self._evaluate_complete()

    def on_row(self, topic: str, stamp_ns: int, row: TelemetryRow) -> None:
        """Put telemetry into the bucket of its tick."""
        bucket = self._bucket(topic, stamp_ns)
        if bucket is None:
            return
        if not bucket.add_row(row):
            self.watcher.health.refuse(topic, 'a second message for one tick')
        self._evaluate_complete()

    def on_truth(self, topic: str, name: str, stamp_ns: int, pose: Pose) -> None:
        """Put the true motion of a member into the bucket of its tick."""
        bucket = self._bucket(topic, stamp_ns)
        if bucket is None:
            return
        if not bucket.add_truth(name, pose):
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
        self.watcher.see(bucket.stamp_ns, sorted(bucket.rows), bucket.states(), bucket.truth)
