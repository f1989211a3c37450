"""Which topics a run publishes in its bag, and from which columns of a chunk.

Where members do not measure exactly, ``odom`` has what they measure, once and with the time of the
measurement, ``ground_truth`` the truth, and states have the age of what they are made of.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from velocity_mobility_ros.ros_io.vehicle_topics import CMD_VEL, GROUND_TRUTH, ODOM

from soliton_encirclement_ros.core.run.observer import SAMPLE_NAMES
from soliton_encirclement_ros.core.states.swarm_topics import (
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
from soliton_encirclement_ros.sim.kernel.observation import (
    MEASURED_AGE,
    TOLD_AGE,
    TOLD_ID,
    TRUE_ATTITUDE,
)
from soliton_encirclement_ros.sim.sinks.bag_messages import (
    CLOCK_TYPE,
    COMMAND_TYPE,
    JOINT_STATE_TYPE,
    ODOMETRY_TYPE,
    BagMessages,
)
from soliton_encirclement_ros.sim.sinks.message_template import (
    GroupTemplates,
    MessageTemplate,
    MessageTemplates,
)
from soliton_encirclement_ros.swarm.memory import ATTITUDE_COLUMNS

Numbers = Callable[[Chunk], Floats]

PLACE, BODY = 3, 6
"""Every table of a chunk begins with position and velocity."""

STATE_COLUMNS = (*range(BODY), *map(AGENT_COLUMNS.index, ('seq', 'u', 'u_ss')))
COMMAND_COLUMNS = tuple(map(AGENT_COLUMNS.index, ('cmd_vx', 'cmd_vy', 'cmd_vz')))
OF_SILENT = (*range(BODY), TOLD_AGE)
WEIGHT = AGENT_COLUMNS.index('weight')
TELEMETRY_COLUMNS = (*range(BODY), *map(AGENT_COLUMNS.index, ('failed', 'pred', 'succ')))


class TopicSource(NamedTuple):
    """One sender on one topic.

    Attributes:
        topic: Name of the topic within the namespace of the fleet.
        kind: Type of its messages.
        stencil: Prints them.
        numbers: Returns their numbers for every sample of a chunk, (S, ...).
        agent: Index of the agent that sends the state; None for messages at every sample.
        measured: Index of the member whose measurement it is; None for what has the sample's time.
    """

    topic: str
    kind: str
    stencil: MessageTemplate | MessageTemplates | GroupTemplates
    numbers: Callable[[Chunk], Floats]
    agent: int | None = None
    measured: int | None = None


def topic_sources(
    messages: BagMessages,
    agent_ids: Sequence[int],
    values: Sequence[str],
    adversary: bool,
    tilts: bool,
    tells: bool = False,
    sensed: bool = False,
) -> Iterator[TopicSource]:
    """Iterate over all voices of a run, in the order of a tick.

    Args:
        messages: Draws them.
        agent_ids: Numbers of the agents, in order.
        values: Names of the law's telemetry.
        adversary: Whether there is one.
        tilts: Whether chunks have attitudes.
        tells: Whether states tell of silent agents.
        sensed: Whether members do not measure exactly, so that chunks have the truth.
    """
    joint = JOINT_STATE_TYPE
    yield TopicSource(
        CLOCK, CLOCK_TYPE, MessageTemplate(messages.clock(), 0), lambda chunk: chunk.metrics[:, :0]
    )
    bodies = [(uav(k), partial(_agent, i, range(BODY))) for i, k in enumerate(agent_ids)]
    bodies.append((TARGET, lambda chunk: chunk.target[:, :BODY]))
    if adversary:
        bodies.append((ADVERSARY, lambda chunk: chunk.adversary[:, :BODY]))
    for member, (name, motion) in enumerate(bodies):
        tilted = partial(_tilted, member, motion) if tilts else None
        odometry = _odometry(messages, name, motion, tilted)
        yield odometry._replace(measured=member if sensed else None)
        if sensed:
            yield _truth(messages, name, member, tilts)
    telemetry_columns = (
        *TELEMETRY_COLUMNS,
        *range(len(AGENT_COLUMNS), len(AGENT_COLUMNS) + len(values)),
    )
    for i, k in enumerate(agent_ids):
        stencil = MessageTemplate(messages.command(), len(COMMAND_COLUMNS))
        yield TopicSource(
            f'{uav(k)}/{CMD_VEL}', COMMAND_TYPE, stencil, partial(_agent, i, COMMAND_COLUMNS)
        )
        yield _state(messages, i, agent_ids, tells, sensed)
        stencil = MessageTemplate(messages.telemetry(values), len(telemetry_columns))
        yield TopicSource(
            f'{uav(k)}/{TELEMETRY}', joint, stencil, partial(_agent, i, telemetry_columns)
        )
    aged = int(sensed)
    weighed = MessageTemplates(
        lambda weighted: messages.target([agent_ids[i] for i in weighted], sensed),
        len(TARGET_COLUMNS) + aged,
    )
    yield TopicSource(TARGET_STATE, joint, weighed, partial(_target, sensed))
    if adversary:
        stencil = MessageTemplate(messages.adversary(sensed), len(ADVERSARY_COLUMNS) + aged)
        spoken = partial(_aged, -1, sensed, lambda chunk: chunk.adversary)
        yield TopicSource(ADVERSARY_STATE, joint, stencil, spoken)
    yield TopicSource(
        METRICS, joint, MessageTemplate(messages.metrics(), len(SAMPLE_NAMES)), _sample
    )


def _state(
    messages: BagMessages, i: int, agent_ids: Sequence[int], tells: bool, sensed: bool
) -> TopicSource:
    count = len(STATE_COLUMNS) + sensed
    motion = partial(_aged, i, sensed, partial(_agent, i, STATE_COLUMNS))
    if not tells:
        stencil = MessageTemplate(messages.agent(agent_ids[i], (), sensed), count)
        return TopicSource(AGENT_STATES, JOINT_STATE_TYPE, stencil, motion, i)
    stencils = GroupTemplates(
        lambda named: messages.agent(agent_ids[i], [agent_ids[j] for j in named], sensed),
        count, len(OF_SILENT),
    )  # fmt: skip
    return TopicSource(AGENT_STATES, JOINT_STATE_TYPE, stencils, partial(_telling, i, motion), i)


def _telling(index: int, motion: Numbers, chunk: Chunk) -> Floats:
    told = chunk.told[:, index][:, :, [*OF_SILENT, TOLD_ID]]
    return np.hstack([motion(chunk), told.reshape(len(told), -1)])


def _odometry(
    messages: BagMessages, name: str, motion: Numbers, tilted: Numbers | None
) -> TopicSource:
    if tilted is None:
        stencil = MessageTemplate(messages.odometry(name), BODY)
        return TopicSource(f'{name}/{ODOM}', ODOMETRY_TYPE, stencil, motion)
    stencil = MessageTemplate(messages.tilted_odometry(name), PLACE + ATTITUDE_COLUMNS)
    return TopicSource(f'{name}/{ODOM}', ODOMETRY_TYPE, stencil, tilted)


def _truth(messages: BagMessages, name: str, member: int, tilts: bool) -> TopicSource:
    columns, draw = [*range(BODY)], messages.odometry(name)
    if tilts:
        columns = [*range(PLACE), *range(TRUE_ATTITUDE, TRUE_ATTITUDE + ATTITUDE_COLUMNS)]
        draw = messages.tilted_odometry(name)
    stencil = MessageTemplate(draw, len(columns))
    numbers = partial(_true, member, columns)
    return TopicSource(f'{name}/{GROUND_TRUTH}', ODOMETRY_TYPE, stencil, numbers)


def _true(member: int, columns: Sequence[int], chunk: Chunk) -> Floats:
    return chunk.truth[:, member, columns]


def _aged(member: int, sensed: bool, numbers: Numbers, chunk: Chunk) -> Floats:
    """Return the numbers of a state, and the age of the pose where members have one."""
    if not sensed:
        return numbers(chunk)
    return np.hstack([numbers(chunk), chunk.truth[:, member, MEASURED_AGE, np.newaxis]])


def _tilted(member: int, motion: Numbers, chunk: Chunk) -> Floats:
    return np.hstack([motion(chunk)[:, :PLACE], chunk.attitudes[:, member]])


def _agent(index: int, columns: Sequence[int], chunk: Chunk) -> Floats:
    return chunk.agents[:, index, list(columns)]


def _target(sensed: bool, chunk: Chunk) -> Floats:
    motion = _aged(chunk.agents.shape[1], sensed, lambda one: one.target, chunk)
    return np.hstack([motion, chunk.agents[:, :, WEIGHT]])


def _sample(chunk: Chunk) -> Floats:
    return np.column_stack([chunk.metrics, chunk.alive, chunk.separation])
