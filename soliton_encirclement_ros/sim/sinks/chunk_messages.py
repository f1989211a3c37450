"""The messages of a chunk, as the members of a swarm publish them, by topics and columns.

Where members do not measure exactly, ``odom`` has what they measure, once and with the time of the
measurement, ``ground_truth`` the truth, and states have the age of what they are made of.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.controllers import recorded_names
from soliton_encirclement_ros.core.run.observer import SAMPLE_NAMES
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.states import AgentState
from soliton_encirclement_ros.core.states.swarm_topics import (
    ADVERSARY, ADVERSARY_STATE, AGENT_STATES, CLOCK, METRICS, TARGET, TARGET_STATE, TELEMETRY, uav
)
from soliton_encirclement_ros.sim.allocation import has_attitudes
from soliton_encirclement_ros.sim.chunk import (
    ADVERSARY_COLUMNS, AGENT_COLUMNS, TARGET_COLUMNS, Chunk, Floats
)
from soliton_encirclement_ros.sim.kernel.observation import (
    GOSSIP_AGE, GOSSIP_ID, MEASURED_AGE, TRUE_ATTITUDE
)
from soliton_encirclement_ros.sim.sinks import bag_messages
from soliton_encirclement_ros.sim.sinks.bag_messages import (
    GroupTemplates, MessageTemplate, MessageType, Values, agent_state
)
from soliton_encirclement_ros.swarm.memory import ATTITUDE_COLUMNS
from velocity_mobility_ros.ros_io.vehicle_topics import CMD_VEL, GROUND_TRUTH, ODOM

Numbers = Callable[[Chunk], Floats]

PLACE, BODY = 3, 6
"""Every table of a chunk begins with position and velocity."""

STATE_COLUMNS = (*range(BODY), *map(AGENT_COLUMNS.index, ('seq', 'u', 'u_ss')))
COMMAND_COLUMNS = tuple(map(AGENT_COLUMNS.index, ('cmd_vx', 'cmd_vy', 'cmd_vz')))
GOSSIP_VALUES = (*range(BODY), GOSSIP_AGE)
WEIGHT = AGENT_COLUMNS.index('weight')
TELEMETRY_COLUMNS = (*range(BODY), *map(AGENT_COLUMNS.index, ('failed', 'pred', 'succ')))


class TopicSource(NamedTuple):
    """One sender on one topic.

    Attributes:
        topic: Name of the topic within the namespace of the fleet.
        kind: Type of its messages.
        template: Serializes them.
        numbers: Returns their numbers for every sample of a chunk, (S, ...).
        agent: Index of the agent that sends the state; None for messages at every sample.
        measured: Index of the member whose measurement it is; None for what has the sample's time.
    """

    topic: str
    kind: str
    template: MessageTemplate | GroupTemplates
    numbers: Numbers
    agent: int | None = None
    measured: int | None = None


def topic_sources(scenario: Scenario) -> Iterator[TopicSource]:
    """Iterate over all sources of a run, in the order of a tick."""
    agent_ids, adversary = scenario.agent_ids, scenario.adversary.adversary_enable
    tilts, sensed = has_attitudes(scenario), scenario.is_sensed
    values = recorded_names(
        scenario.control.controller, scenario.is_filtered, scenario.is_estimated
    )
    yield _source(
        CLOCK, bag_messages.CLOCK, bag_messages.nothing, 0, lambda chunk: chunk.metrics[:, :0]
    )
    bodies = [(uav(k), partial(_agent, i, range(BODY))) for i, k in enumerate(agent_ids)]
    bodies.append((TARGET, lambda chunk: chunk.target[:, :BODY]))
    if adversary:
        bodies.append((ADVERSARY, lambda chunk: chunk.adversary[:, :BODY]))
    for member, (name, motion) in enumerate(bodies):
        gossip = partial(_tilted, member, motion) if tilts else motion
        source = _odometry(f'{name}/{ODOM}', name, tilts, gossip)
        yield source._replace(measured=member if sensed else None)
        if sensed:
            true = range(TRUE_ATTITUDE, TRUE_ATTITUDE + ATTITUDE_COLUMNS) if tilts else ()
            columns = [*range(PLACE if tilts else BODY), *true]
            truth = partial(_true, member, columns)
            yield _odometry(f'{name}/{GROUND_TRUTH}', name, tilts, truth)
    law = range(len(AGENT_COLUMNS), len(AGENT_COLUMNS) + len(values))
    columns, inner = (*TELEMETRY_COLUMNS, *law), bag_messages.telemetry(values)
    for i, k in enumerate(agent_ids):
        yield _source(
            f'{uav(k)}/{CMD_VEL}', bag_messages.COMMAND, bag_messages.command,
            len(COMMAND_COLUMNS), partial(_agent, i, COMMAND_COLUMNS),
        )  # fmt: skip
        yield _state(i, agent_ids, scenario.is_filtered, sensed)
        yield _joints(f'{uav(k)}/{TELEMETRY}', inner, len(columns), partial(_agent, i, columns))
    weighed = GroupTemplates(
        bag_messages.JOINT_STATE,
        lambda named: bag_messages.target([agent_ids[i] for i in named], sensed),
        len(TARGET_COLUMNS) + sensed, 1,
    )  # fmt: skip
    kind = bag_messages.JOINT_STATE.name
    yield TopicSource(TARGET_STATE, kind, weighed, partial(_target, sensed))
    if adversary:
        spoken = partial(_aged, -1, sensed, lambda chunk: chunk.adversary)
        count = len(ADVERSARY_COLUMNS) + sensed
        yield _joints(ADVERSARY_STATE, bag_messages.adversary(sensed), count, spoken)
    yield _joints(METRICS, bag_messages.metrics, len(SAMPLE_NAMES), _sample)


def _source(
    topic: str, kind: MessageType, values: Values, count: int, numbers: Numbers
) -> TopicSource:
    return TopicSource(topic, kind.name, MessageTemplate(kind, values, count), numbers)


def _joints(topic: str, values: Values, count: int, numbers: Numbers) -> TopicSource:
    return _source(topic, bag_messages.JOINT_STATE, values, count, numbers)


def _odometry(topic: str, name: str, tilts: bool, numbers: Numbers) -> TopicSource:
    values = bag_messages.odometry(name, tilts)
    count = PLACE + ATTITUDE_COLUMNS if tilts else BODY
    return _source(topic, bag_messages.ODOMETRY, values, count, numbers)


def _state(i: int, agent_ids: Sequence[int], tells: bool, sensed: bool) -> TopicSource:
    count = len(STATE_COLUMNS) + sensed
    motion = partial(_aged, i, sensed, partial(_agent, i, STATE_COLUMNS))
    if not tells:
        values = bag_messages.agent(agent_ids[i], (), sensed)
        return _joints(AGENT_STATES, values, count, motion)._replace(agent=i)
    kind, templates = bag_messages.JOINT_STATE, GroupTemplates(
        bag_messages.JOINT_STATE,
        lambda named: bag_messages.agent(agent_ids[i], [agent_ids[j] for j in named], sensed),
        count, len(GOSSIP_VALUES),
    )  # fmt: skip
    return TopicSource(AGENT_STATES, kind.name, templates, partial(_telling, i, motion), i)


def _telling(index: int, motion: Numbers, chunk: Chunk) -> Floats:
    gossip = chunk.gossip[:, index][:, :, [*GOSSIP_VALUES, GOSSIP_ID]]
    return np.hstack([motion(chunk), gossip.reshape(len(gossip), -1)])


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
    """Return the numbers of the target's state; agents without a weight are not named."""
    motion = _aged(chunk.agents.shape[1], sensed, lambda one: one.target, chunk)
    weights = chunk.agents[:, :, WEIGHT]
    named = np.where(np.isnan(weights), -1, np.arange(weights.shape[1]))
    return np.hstack([motion, np.stack([weights, named], axis=2).reshape(len(weights), -1)])


def _sample(chunk: Chunk) -> Floats:
    return np.column_stack([chunk.metrics, chunk.alive, chunk.separation])


FAILED, SEQ = AGENT_COLUMNS.index('failed'), AGENT_COLUMNS.index('seq')


class Senders:
    """Which agents sent a state at which sample."""

    def __init__(self, agents: int) -> None:
        """Nobody has sent anything yet."""
        self._seq = np.zeros((1, agents))

    def see(self, chunk: Chunk) -> NDArray[np.bool_]:
        """Return at which samples each agent sent a state, (S, N).

        One that came back at this very tick is up, but has not sent yet: its state is an old one.
        """
        seq = np.vstack([self._seq, chunk.agents[:, :, SEQ]])
        self._seq = seq[-1:]
        return (chunk.agents[:, :, FAILED] == 0.0) & (seq[1:] != seq[:-1])


class SentStates:
    """Reads states from chunks, in order of time."""

    def __init__(self, agent_ids: Sequence[int]) -> None:
        """Begin; ``agent_ids`` are the numbers of the agents, in order."""
        self._ids = agent_ids
        self._senders = Senders(len(agent_ids))

    def see(self, chunk: Chunk) -> Iterator[list[AgentState]]:
        """Iterate over the samples: the states that agents sent at each."""
        sends = self._senders.see(chunk)
        for s in range(len(chunk.times)):
            yield self._states(chunk, s, np.flatnonzero(sends[s]))

    def _states(self, chunk: Chunk, s: int, senders: NDArray[np.intp]) -> list[AgentState]:
        numbers, aged = chunk.agents[s][np.ix_(senders, STATE_COLUMNS)], len(chunk.truth) > 0
        if aged:
            numbers = np.hstack([numbers, chunk.truth[s, senders, MEASURED_AGE, np.newaxis]])
        silent = self._silent(chunk, s, senders)
        return [
            agent_state(self._ids[i], [*row, *values], named, aged)
            for i, row, (named, values) in zip(
                senders.tolist(), numbers.tolist(), silent, strict=True
            )
        ]

    def _silent(
        self, chunk: Chunk, s: int, senders: NDArray[np.intp]
    ) -> list[tuple[list[int], list[float]]]:
        """Return whom each sender tells of, and their numbers, one after the other."""
        if not len(chunk.gossip):
            return [([], [])] * len(senders)
        gossip = chunk.gossip[s, senders]
        found = []
        for rows, named in zip(gossip, gossip[:, :, GOSSIP_ID].astype(int), strict=True):
            there = named >= 0
            if not there.any():
                found.append(([], []))
                continue
            ids = [self._ids[j] for j in named[there].tolist()]
            found.append((ids, rows[there][:, GOSSIP_VALUES].ravel().tolist()))
        return found


NEVER = -1
"""Time [ns] before all measurements."""


class SourceMessages(NamedTuple):
    """The messages of one source, a message per sample.

    Attributes:
        source: Index of the source.
        stamps_ns: Their stamps [ns].
        messages: The messages, serialized.
        sent: Which of them are sent.
    """

    source: int
    stamps_ns: list[int]
    messages: list[bytes]
    sent: list[bool]


class ChunkMessages:
    """Serializes the messages of chunks, in order of time."""

    def __init__(self, scenario: Scenario) -> None:
        """Find the sources of a scenario."""
        self.sources = [*topic_sources(scenario)]
        self._scenario = scenario
        self._measured_ns = np.full(len(scenario.members), NEVER)
        self._senders = Senders(len(scenario.agent_ids))

    def serialize(
        self, chunk: Chunk, begun_ns: int = 0, wanted: Iterable[int] | None = None
    ) -> list[SourceMessages]:
        """Return the messages of some samples.

        Args:
            chunk: The samples, of which none has been serialized before.
            begun_ns: When the time of the flight begins [ns].
            wanted: Indices of the sources; None: all of them.
        """
        stamps = np.rint(chunk.times * 1e9).astype(np.int64)
        sends, always = self._senders.see(chunk), [True] * len(stamps)
        found = []
        for index in range(len(self.sources)) if wanted is None else wanted:
            source, when, sent = self.sources[index], stamps, always
            if source.agent is not None:
                sent = sends[:, source.agent].tolist()
            elif source.measured is not None:
                when, sent = self._measured(chunk, source.measured)
            when = when + begun_ns
            messages = source.template.serialize(when, source.numbers(chunk))
            found.append(SourceMessages(index, when.tolist(), messages, sent))
        return found

    def _measured(self, chunk: Chunk, member: int) -> tuple[NDArray[np.int64], list[bool]]:
        """Return when a member measured what it knows at some samples [ns], and if it is new."""
        flown = self._scenario
        ticks = np.rint(chunk.times / flown.swarm.control_period)
        ages = np.rint(chunk.truth[:, member, MEASURED_AGE] / flown.mobility.update_rate)
        updates = (ticks * flown.substeps - ages).astype(np.int64)
        when = np.array([*map(flown.update_ns, updates.tolist())], np.int64)
        known = np.concatenate([self._measured_ns[member : member + 1], when])
        self._measured_ns[member] = known[-1]
        return when, (np.diff(known) != 0).tolist()
