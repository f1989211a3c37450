"""The last messages of a run: spins until the observers have received what is expected."""

import time
from collections.abc import Callable, Sequence

from rclpy.executors import Executor
from velocity_mobility_ros.core.time import step_ns

from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import messages_per_tick
from soliton_encirclement_ros.core.states.swarm_topics import Fleet
from soliton_encirclement_ros.nodes.monitor.monitor_node import MonitorNode
from soliton_encirclement_ros.nodes.recorder.recorder_node import RecorderNode

DRAIN_LIMIT = 12.0
"""Wall time [s] without messages after which expected ones are given up: a writer resends what
a reader has missed within three seconds, and the monitor gives up before that."""

MAX_DRAIN = 60.0
"""Wall time [s] after which it ends in any case: other nodes may publish forever."""

IDLE_TURNS = 25
"""Idle turns of the executor after which no more messages are expected. Turns, not time:
a starved process handles nothing for a while although messages are waiting."""

SPIN_TIMEOUT = 0.02

Observers = Sequence[MonitorNode | RecorderNode]


def drain(
    executor: Executor,
    observers: Observers,
    missing: Callable[[], list[str]],
    stop: Callable[[], bool],
) -> list[str]:
    """Spin until all expected messages have arrived and no more arrive; return what is missing.

    Args:
        executor: Spins the observers.
        observers: Monitor and recorders.
        missing: Returns what has not arrived yet, as text.
        stop: Returns whether the user does not want to wait for it.
    """
    idle, seen, begun = 0, None, time.monotonic()
    changed = begun
    while idle < IDLE_TURNS or (missing() and not stop()):
        executor.spin_once(timeout_sec=SPIN_TIMEOUT)
        progress = [node.progress for node in observers]
        idle = idle + 1 if progress == seen else 0
        if progress != seen:
            seen, changed = progress, time.monotonic()
        given_up = idle >= IDLE_TURNS and time.monotonic() - changed > DRAIN_LIMIT
        if given_up or time.monotonic() - begun > MAX_DRAIN:
            return missing()
    return []


def missing_at_the_end(
    scenario: Scenario, fleet: Fleet, observers: Observers, agent_processes: int | None = None
) -> list[str]:
    """Return what observers of a finished lockstep run have not received yet, as text.

    Args:
        scenario: The scenario of the run.
        fleet: The fleet that flew.
        observers: Monitor and recorders.
        agent_processes: How many processes the agents share; None: each has its own.
    """
    lines = []
    last_ns = step_ns(scenario.ticks, scenario.swarm.control_period)
    for node in observers:
        if isinstance(node, MonitorNode):
            ticks = scenario.ticks - node.samples
            lines += [f'{ticks} ticks never reached the monitor'] if ticks > 0 else []
            continue
        promised = messages_per_tick(scenario, fleet, agent_processes).items()
        short = [topic for topic, n in promised if node.count_at(topic, last_ns) < n]
        if short and node.complete:
            lines.append(f'the bag lacks the end of {", ".join(short)}')
    return lines
