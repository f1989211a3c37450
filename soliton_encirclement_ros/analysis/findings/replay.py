"""Replays the recorded messages in order to the observer that the live monitor also uses.

Messages with one time come in the order of a lockstep run: telemetry of all agents, their states
by number, the state of the adversary, the state of the target. The last one completes a sample.
"""

import math
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise, repeat
from typing import Any, NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.findings.filtering import is_filtered
from soliton_encirclement_ros.analysis.findings.participants import ObservedBody, Participants
from soliton_encirclement_ros.analysis.recording import Floats, Telemetry
from soliton_encirclement_ros.analysis.resampling import NEVER, SAME, latest
from soliton_encirclement_ros.core.laws.telemetry import (
    FILTER_NAMES,
    UNCHANGED,
    TelemetryRow,
    is_filter_result,
)
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.run.observer import Observer
from soliton_encirclement_ros.core.run.separation.flight_bounds import space_bounds
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.states import AdversaryState, AgentState, TargetState

BLOCK = 128
"""Samples per block; a block is converted to records at once and fits into the cache."""

Progress = Callable[[int, int], None]

NOWHERE = math.nan, math.nan, math.nan
"""Position of an agent that is not seen."""

ROW, AGENT, OTHER, TARGET = range(4)
"""Kinds of records, in the order in which the observer gets those of one time."""


class Replay(NamedTuple):
    """The observer after the replay.

    Attributes:
        observer: With events, trails of those that publish telemetry, and the series.
        separations: (S,) smallest distance of two agents at every sample [m].
        switches: How often each agent changed a neighbour.
    """

    observer: Observer
    separations: Floats
    switches: Mapping[int, int]


class Stream(NamedTuple):
    """Records of one sender: kind, number, times (K,) and a function from slice to records."""

    kind: int
    number: int
    time: Floats
    records: Any


def replay(
    participants: Participants,
    target: ObservedBody,
    scenario: Scenario,
    progress: Progress = lambda *_: None,
) -> Replay:
    """Replay all messages to an observer.

    Args:
        participants: Members with a role.
        target: The target at the times of the samples.
        scenario: Radius, timeout, fence and heights.
        progress: Called regularly with the number of samples replayed, and of all.
    """
    filtered = is_filtered(participants.telemetry.values())
    space = space_bounds(scenario.safety, filtered)
    if participants.is_foreign:
        unheld = scenario.with_changes({'swarm': {'agent_state_timeout': SAME}}, 'replay')
        observer: Observer = _SampledObserver(unheld.swarm, filtered, space)
    else:
        observer = Observer(scenario.swarm, filtered, space)
    switches: Counter[int] = Counter()
    separations = array('d')
    streams = list(_streams(participants, target))
    for begin, end in _blocks(target.time):
        progress(len(separations), len(target.time))
        for kind, time, record in _merged(streams, begin, end):
            if kind == AGENT:
                observer.see_agent(time, record)
            elif kind == ROW:
                before = observer.switches
                observer.see_telemetry(record)
                switches[record.agent_id] += observer.switches - before
            elif kind == OTHER:
                observer.adversary = record
            else:
                separations.append(observer.see_target(time, record).min_separation)
    return Replay(observer, np.array(separations), switches)


class _SampledObserver(Observer):
    """Observes bodies whose places are known at a sample, or not at all."""

    def _separation(self, now: float, states: list[AgentState]) -> float:
        """Leave an encounter as it is while one of its agents is not seen."""
        seen = {state.agent_id for state in states}
        self._places.update((k, NOWHERE) for k in self._places if k not in seen)
        return super()._separation(now, states)


def clear_metrics(observer: Observer, names: Iterable[str] = METRIC_NAMES) -> None:
    """Set metrics to NaN that are undefined without a target or a radius."""
    for name in names:
        observer.series[name] = array('d', [math.nan]) * len(observer.series['time'])


def _streams(participants: Participants, target: ObservedBody) -> Iterator[Stream]:
    for k, telemetry in participants.telemetry.items():
        yield Stream(ROW, k, telemetry.time, _Rows(k, telemetry))
    for k, body in participants.agents.items():
        used = body if body.from_states else _used_samples(body, target.time)
        if participants.is_foreign:
            used = used.some(np.isfinite(used.position).all(axis=1))
        yield Stream(AGENT, k, used.time, _States(k, used))
    if participants.adversary is not None:
        used = _used_samples(participants.adversary, target.time)
        yield Stream(OTHER, 0, used.time, _Others(AdversaryState, used))
    yield Stream(TARGET, 0, target.time, _Others(TargetState, target))


def _used_samples(body: ObservedBody, at: Floats) -> ObservedBody:
    """Drop states that a newer one replaces before the next sample."""
    index = np.unique(latest(body.time, at))
    index = index[index != NEVER]
    return body.some(index)


class _Rows:
    """Rows of telemetry, without the values of the law, which the observer does not use.

    An agent without a filter changes no command.
    """

    def __init__(self, agent_id: int, telemetry: Telemetry) -> None:
        self._agent_id, self._telemetry = agent_id, telemetry
        known = [telemetry.values[name] for name in FILTER_NAMES if name in telemetry.values]
        self._filtered = np.column_stack(known) if len(known) == len(FILTER_NAMES) else None

    def __call__(self, part: slice) -> Iterator[TelemetryRow]:
        telemetry = self._telemetry
        return map(
            TelemetryRow, repeat(self._agent_id), telemetry.time[part].tolist(),
            map(tuple, telemetry.position[part].tolist()),
            map(tuple, telemetry.velocity[part].tolist()),
            telemetry.failed[part].tolist(), self._values(part),
            telemetry.pred[part].tolist(), telemetry.succ[part].tolist(),
        )  # fmt: skip

    def _values(self, part: slice) -> Iterable[tuple[float, ...]]:
        if self._filtered is None:
            return repeat(UNCHANGED)
        rows = map(tuple, self._filtered[part].tolist())
        return (row if is_filter_result(*row[:2]) else UNCHANGED for row in rows)


class _States:
    """States of an agent."""

    def __init__(self, agent_id: int, body: ObservedBody) -> None:
        self._agent_id, self._sight = agent_id, body

    def __call__(self, part: slice) -> Iterator[AgentState]:
        states = map(AgentState, repeat(self._agent_id), *_columns(self._sight, part))
        if self._sight.is_on_ring is None:
            return states
        ring = self._sight.is_on_ring[part].tolist()
        return (state._replace(ring_member=on) for state, on in zip(states, ring, strict=True))


class _Others:
    """States of the target or the adversary, which have no number."""

    def __init__(self, kind: type, body: ObservedBody) -> None:
        self._kind, self._sight = kind, body

    def __call__(self, part: slice) -> Iterator[AdversaryState | TargetState]:
        states = map(self._kind, *_columns(self._sight, part))
        weights = self._sight.weights
        if not weights:
            return states
        rows = zip(*(column[part].tolist() for column in weights.values()), strict=True)
        return (state._replace(lambdas=_known(weights, row))
                for state, row in zip(states, rows, strict=True))  # fmt: skip


def _known(numbers: Iterable[int], weights: Iterable[float]) -> tuple[tuple[int, float], ...]:
    """Return the weights of the arcs that the target names."""
    return tuple((k, weight) for k, weight in zip(numbers, weights, strict=True) if weight > 0.0)


def _columns(body: ObservedBody, part: slice) -> tuple[Iterable[Any], ...]:
    return (
        body.seq[part].astype(int).tolist(),
        map(tuple, body.position[part].tolist()),
        map(tuple, body.velocity[part].tolist()),
    )


def _blocks(times: Floats) -> Iterator[tuple[float, float]]:
    """Iterate over time intervals, begin exclusive, end inclusive, with ``BLOCK`` samples each."""
    edges = [-math.inf, *times[BLOCK - 1 :: BLOCK].tolist(), math.inf]
    yield from pairwise(edges)


def _merged(
    streams: Iterable[Stream], begin: float, end: float
) -> Iterator[tuple[int, float, Any]]:
    """Return kind, time [s] and record of all messages of an interval, in order."""
    times, kinds, numbers, records = [np.empty(0)], [np.empty(0, int)], [np.empty(0, int)], []
    for stream in streams:
        first, last = np.searchsorted(stream.time, (begin, end), 'right')
        times.append(stream.time[first:last])
        kinds.append(np.full(last - first, stream.kind))
        numbers.append(np.full(last - first, stream.number))
        records += stream.records(slice(first, last))
    time, kind, number = map(np.concatenate, (times, kinds, numbers))
    order = np.lexsort((number, kind, time))
    return zip(
        kind[order].tolist(),
        time[order].tolist(),
        map(records.__getitem__, order.tolist()),
        strict=True,
    )
