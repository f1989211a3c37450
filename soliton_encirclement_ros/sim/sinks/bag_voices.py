"""Who says what in the bag of a run, and from which numbers of a chunk."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from velocity_mobility_ros.ros_io.topics import CMD_VEL, ODOM

from soliton_encirclement_ros.core.observer import SAMPLE_NAMES
from soliton_encirclement_ros.core.topics import (
    ADVERSARY,
    ADVERSARY_STATE,
    AGENT_STATES,
    CLOCK,
    METRICS,
    TARGET,
    TARGET_STATE,
    TELEMETRY,
    uav,
)
from soliton_encirclement_ros.sim.chunk import (
    ADVERSARY_COLUMNS,
    AGENT_COLUMNS,
    TARGET_COLUMNS,
    Chunk,
    Floats,
)
from soliton_encirclement_ros.sim.sinks.bag_messages import (
    CLOCK_TYPE,
    COMMAND_TYPE,
    JOINT_STATE_TYPE,
    ODOMETRY_TYPE,
    BagMessages,
    Draw,
)

BODY = 6
"""Every table of a chunk begins with position and velocity."""

SAID = (*range(BODY), *map(AGENT_COLUMNS.index, ('seq', 'u', 'u_ss')))
ASKED = tuple(map(AGENT_COLUMNS.index, ('cmd_vx', 'cmd_vy', 'cmd_vz')))
TOLD = (*range(BODY), *map(AGENT_COLUMNS.index, ('failed', 'pred', 'succ')))


class Voice(NamedTuple):
    """One sender on one topic.

    Attributes:
        topic: Name of the topic.
        kind: Type of its messages.
        draw: Serializes ``count`` numbers.
        count: How many.
        numbers: Returns them for every sample of a chunk, (S, count).
        agent: Index of the agent whose words these are; None for what is said at every sample.
    """

    topic: str
    kind: str
    draw: Draw
    count: int
    numbers: Callable[[Chunk], Floats]
    agent: int | None = None


def voices(
    messages: BagMessages, agent_ids: Sequence[int], values: Sequence[str], adversary: bool
) -> Iterator[Voice]:
    """Iterate over all voices of a run, in the order of a tick.

    Args:
        messages: Draws them.
        agent_ids: Numbers of the agents, in order.
        values: Names of the law's telemetry.
        adversary: Whether there is one.
    """
    joint = JOINT_STATE_TYPE
    yield Voice(CLOCK, CLOCK_TYPE, messages.clock(), 0, lambda chunk: chunk.metrics[:, :0])
    for i, k in enumerate(agent_ids):
        yield _odometry(messages, uav(k), partial(_agent, i, range(BODY)))
    yield _odometry(messages, TARGET, lambda chunk: chunk.target[:, :BODY])
    if adversary:
        yield _odometry(messages, ADVERSARY, lambda chunk: chunk.adversary[:, :BODY])
    told = (*TOLD, *range(len(AGENT_COLUMNS), len(AGENT_COLUMNS) + len(values)))
    for i, k in enumerate(agent_ids):
        draw, numbers = messages.command(), partial(_agent, i, ASKED)
        yield Voice(f'/{uav(k)}/{CMD_VEL}', COMMAND_TYPE, draw, len(ASKED), numbers)
        draw, numbers = messages.agent(k), partial(_agent, i, SAID)
        yield Voice(AGENT_STATES, joint, draw, len(SAID), numbers, i)
        draw, numbers = messages.telemetry(values), partial(_agent, i, told)
        yield Voice(f'/{uav(k)}/{TELEMETRY}', joint, draw, len(told), numbers)
    count = len(TARGET_COLUMNS)
    yield Voice(TARGET_STATE, joint, messages.target(), count, lambda chunk: chunk.target)
    if adversary:
        draw, count = messages.adversary(), len(ADVERSARY_COLUMNS)
        yield Voice(ADVERSARY_STATE, joint, draw, count, lambda chunk: chunk.adversary)
    yield Voice(METRICS, joint, messages.metrics(), len(SAMPLE_NAMES), _sample)


def _odometry(messages: BagMessages, name: str, numbers: Callable[[Chunk], Floats]) -> Voice:
    return Voice(f'/{name}/{ODOM}', ODOMETRY_TYPE, messages.odometry(name), BODY, numbers)


def _agent(index: int, columns: Sequence[int], chunk: Chunk) -> Floats:
    return chunk.agents[:, index, list(columns)]


def _sample(chunk: Chunk) -> Floats:
    return np.column_stack([chunk.metrics, chunk.alive, chunk.separation])
