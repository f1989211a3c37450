"""A flight of the engine as a ROS node: the whole swarm in one.

Threading: one thread. The flight calls ``take`` at every tick, and ``serve`` until the next one.
"""

import time
from collections.abc import Collection
from functools import partial
from typing import Any

import numpy as np
from rclpy.executors import Executor
from velocity_mobility_ros.core.time import to_ns, to_seconds
from velocity_mobility_ros.ros_io.conditions import Condition
from velocity_mobility_ros.ros_io.endpoints import make_publisher
from velocity_mobility_ros.ros_io.node_diagnostics import NodeDiagnostics
from velocity_mobility_ros.ros_io.period_watch import PeriodWatch
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.qos import COMMAND
from visualization_msgs.msg import MarkerArray

from soliton_encirclement_ros.cli.publishing.external_input import ExternalInput
from soliton_encirclement_ros.cli.publishing.state_batches import StateBatches
from soliton_encirclement_ros.cli.publishing.topic_outputs import TopicOutputs
from soliton_encirclement_ros.core.rosbag.message_definitions import known_types
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import (
    ENGINE,
    MARKERS,
    SIMULATION,
    Fleet,
    uav,
)
from soliton_encirclement_ros.nodes.failure_services import offer_failures
from soliton_encirclement_ros.nodes.monitor.markers import Scene, SeenAgent, swarm_markers
from soliton_encirclement_ros.sim.chunk import AGENT_COLUMNS, Chunk
from soliton_encirclement_ros.sim.engine import Engine
from soliton_encirclement_ros.sim.sinks.chunk_messages import ChunkMessages

MARKER_PERIOD = 0.2
"""Time [s] between two messages with markers."""

SPARE = 0.015
"""Time [s] before a tick in which nothing more is made."""

FAILED = AGENT_COLUMNS.index('failed')


class FlightNode(PollingNode):
    """Publishes a flight, and takes requests to its agents.

    Attributes:
        engine: What flies; set before the first tick.
    """

    engine: Engine

    def __init__(
        self, scenario: Scenario, fleet: Fleet, external: Collection[str] = ()
    ) -> None:
        """Make the topics of the swarm.

        Args:
            scenario: What is flown.
            fleet: Names of the swarm.
            external: Members that fly elsewhere.
        """
        super().__init__(ENGINE, namespace=fleet.namespace or None)
        self._scenario, self._fleet = scenario, fleet
        self._watch = PeriodWatch(
            'period of the engine', scenario.swarm.control_period, self.node_time
        )
        self._health = NodeDiagnostics(self, SIMULATION, self._facts, self._conditions)
        self._external = ExternalInput(self, fleet, self._health, external)
        self._messages = ChunkMessages(scenario, known_types())
        self._states = StateBatches(self, fleet, scenario.agent_ids, external)
        self._markers = make_publisher(self, MarkerArray, fleet.full_name(MARKERS), COMMAND)
        self._marked_ns = 0
        self._begun_ns: int | None = None
        self._down = 0
        self.node_time.on_step(self._on_step)
        self._outputs = TopicOutputs(self, fleet, self._messages.sources, external)
        for agent_id in scenario.agent_ids:
            if uav(agent_id) not in external:
                self._outputs.later(partial(self._offer, agent_id))

    def take(self, chunk: Chunk) -> None:
        """Publish some samples, the last of which is of now."""
        self._watch.tick()
        now_ns = self.node_time.now_ns()
        self._begun_ns = begun_ns = now_ns - to_ns(float(chunk.times[-1]))
        self._down = int(np.count_nonzero(chunk.agents[-1, :, FAILED]))
        self._states.publish(chunk, begun_ns)
        for printed in self._messages.print(chunk, begun_ns, self._outputs.wanted()):
            self._outputs.publish(printed)
        if now_ns - self._marked_ns >= to_ns(MARKER_PERIOD):
            self._marked_ns = now_ns
            self._mark(now_ns, chunk)

    def serve(self, executor: Executor, seconds: float) -> None:
        """Answer requests for a time [s], and make topics and services that are still missing.

        At its end what external members have said is passed on.
        """
        until, left = time.monotonic() + seconds, seconds
        executor.spin_once(timeout_sec=0.0)  # also where no time is left
        while left > 0.0:
            if self._outputs.waiting and left > SPARE:
                self._outputs.make_next()
                executor.spin_once(timeout_sec=0.0)
            else:
                executor.spin_once(timeout_sec=left)
            left = until - time.monotonic()
        now_ns = self.node_time.now_ns()
        self._external.take(now_ns, self._flight_time(now_ns), self.engine.hear)

    def _flight_time(self, now_ns: int) -> float:
        """Return the present [ns] as time of the flight [s].

        It is that of the next tick at the latest, also where the flight is behind the clock: a
        state of the present must not lie in the future of the tick that uses it.
        """
        next_tick = (self.engine.ticks + 1) * self._scenario.swarm.control_period
        if self._begun_ns is None:
            return 0.0
        return min(to_seconds(now_ns - self._begun_ns), next_tick)

    def _on_step(self, step_ns: int) -> None:
        """Go on evenly after a step of the clock [ns]."""
        self._marked_ns += step_ns
        if self._begun_ns is not None:
            self._begun_ns += step_ns

    def _offer(self, agent_id: int) -> None:
        agent = self._fleet.full_name(uav(agent_id))
        offer_failures(
            self, agent, lambda: self.engine.fail(agent_id),
            lambda: self.engine.recover(agent_id),
        )  # fmt: skip

    def _mark(self, now_ns: int, chunk: Chunk) -> None:
        if self._markers.get_subscription_count() == 0:
            return
        bodies = chunk.agents[-1][:, [0, 1, 2, FAILED]].tolist()
        agents = {
            k: SeenAgent((x, y, z), failed != 0.0)
            for k, (x, y, z, failed) in zip(self._scenario.agent_ids, bodies, strict=True)
        }
        others = [
            tuple(table[-1, :3].tolist()) if len(table) else None
            for table in (chunk.target, chunk.adversary)
        ]
        radius = self._scenario.swarm.encirclement_radius
        self._markers.publish(swarm_markers(now_ns, Scene(agents, *others), radius))

    def _facts(self) -> dict[str, Any]:
        return {'agents_down': self._down, 'topics_to_make': self._outputs.waiting}

    def _conditions(self) -> list[Condition]:
        return [*self._watch.conditions(), *self._external.conditions()]
