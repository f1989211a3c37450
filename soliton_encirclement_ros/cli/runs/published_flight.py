"""``swarm simulate --publish``: a flight of the engine in real time, as one ROS node.

ROS is started before the flight, and ended after it. The states of all agents go in as few
messages as there may be.
Threading: one thread. The flight calls ``take`` at every tick, and ``serve`` until the next one.
"""

import copy
import math
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import rclpy
from rclpy.executors import Executor
from rclpy.logging import LoggingSeverity, set_logger_level
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from sensor_msgs.msg import JointState
from visualization_msgs.msg import MarkerArray

from soliton_encirclement_ros.cli.operator.ros_context import refuse_neighbours
from soliton_encirclement_ros.cli.runs.flight_topics import ExternalInput, TopicOutputs
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import (
    AGENT_STATES, ENGINE, MARKERS, SIMULATION, Fleet, uav
)
from soliton_encirclement_ros.nodes.member_services import offer_failures
from soliton_encirclement_ros.nodes.observers.markers import swarm_markers
from soliton_encirclement_ros.nodes.state_messages import MAX_BATCH, StateWriter
from soliton_encirclement_ros.sim.chunk import AGENT_COLUMNS, Chunk, RealTimePace
from soliton_encirclement_ros.sim.engine import Engine
from soliton_encirclement_ros.sim.sinks.chunk_messages import ChunkMessages, SentStates
from velocity_mobility_ros.core.step_time import to_ns, to_seconds
from velocity_mobility_ros.ros_io.conditions import Condition
from velocity_mobility_ros.ros_io.endpoints import COMMAND, STATE, make_publisher
from velocity_mobility_ros.ros_io.node_diagnostics import NodeDiagnostics
from velocity_mobility_ros.ros_io.node_time import PeriodWatch
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.process.clock_watch import watch_clock
from velocity_mobility_ros.ros_io.process.node_process import keep_for_good, make_executor, release
from velocity_mobility_ros.ros_io.process.start_errors import one_line_errors
from velocity_mobility_ros.ros_io.process.teardown import destroy, end_if_stuck, shut_down


class StateBatches:
    """Publishes the states of agents, many to a message."""

    def __init__(
        self, node: Node, fleet: Fleet, agent_ids: Sequence[int], external: Collection[str] = ()
    ) -> None:
        """Begin.

        Args:
            node: The node that publishes.
            fleet: Names of the swarm.
            agent_ids: Numbers of the agents, in order.
            external: Members that nodes of their own fly, which publish for them.
        """
        profile = copy.copy(STATE)
        profile.depth *= math.ceil(max(1, len(agent_ids)) / MAX_BATCH)
        topic = fleet.full_name(AGENT_STATES)
        self._publisher = make_publisher(node, JointState, topic, profile)
        self._external = frozenset(external)
        self._sent, self._writer = SentStates(agent_ids), StateWriter()

    def publish(self, chunk: Chunk, begun_ns: int) -> None:
        """Publish the states of some samples.

        Args:
            chunk: The samples.
            begun_ns: When the time of the flight begins [ns].
        """
        for moment, sent in zip(chunk.times.tolist(), self._sent.see(chunk), strict=True):
            stamp_ns, states = begun_ns + to_ns(moment), sent
            if self._external:
                states = [state for state in sent if uav(state.agent_id) not in self._external]
            for message in self._writer.batches(stamp_ns, states):
                self._publisher.publish(message)


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
            external: Members that other processes fly.
        """
        super().__init__(ENGINE, namespace=fleet.namespace or None)
        self._scenario, self._fleet = scenario, fleet
        self._watch = PeriodWatch(
            'period of the engine', scenario.swarm.control_period, self.node_time
        )
        self._health = NodeDiagnostics(self, SIMULATION, self._facts, self._conditions)
        self._external = ExternalInput(self, fleet, self._health, external)
        self._messages = ChunkMessages(scenario)
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
        for messages in self._messages.serialize(chunk, begun_ns, self._outputs.wanted()):
            self._outputs.publish(messages)
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
            k: ((x, y, z), failed != 0.0)
            for k, (x, y, z, failed) in zip(self._scenario.agent_ids, bodies, strict=True)
        }
        target, adversary = (
            tuple(table[-1, :3].tolist()) if len(table) else None
            for table in (chunk.target, chunk.adversary)
        )
        radius = self._scenario.swarm.encirclement_radius
        self._markers.publish(swarm_markers(now_ns, agents, target, adversary, radius))

    def _facts(self) -> dict[str, Any]:
        return {'agents_down': self._down, 'topics_to_make': self._outputs.waiting}

    def _conditions(self) -> list[Condition]:
        return [*self._watch.conditions(), *self._external.conditions()]


@contextmanager
def published(
    scenario: Scenario, fleet: Fleet, external: Collection[str] = ()
) -> Iterator[tuple[FlightNode, RealTimePace]]:
    """Yield the node of a flight and its pace; shut down ROS afterwards.

    Args:
        scenario: What is flown.
        fleet: Names of the swarm.
        external: Members that other processes fly.

    Raises:
        RunError: Another swarm uses the same namespace of the same domain.
        StartupError: ROS, or the node, cannot start.
    """
    executor, nodes = None, list[FlightNode]()
    try:
        with one_line_errors():
            rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
            set_logger_level('', LoggingSeverity.WARN)  # the display shows the rest
            refuse_neighbours(fleet, external)
            executor = make_executor()
            nodes.append(FlightNode(scenario, fleet, external))
            executor.add_node(nodes[0])
            keep_for_good()
        serve = partial(nodes[0].serve, executor)
        with watch_clock(executor):
            yield nodes[0], RealTimePace(scenario.swarm.control_period, serve)
    finally:
        with end_if_stuck(2 * scenario.run.num_agents):  # services
            if executor is not None:
                release(executor, nodes)
            destroy(nodes)
            set_logger_level('', LoggingSeverity.INFO)
            shut_down()
