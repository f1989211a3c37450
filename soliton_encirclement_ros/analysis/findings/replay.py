"""The recorded messages in their order, shown to the observer that the live monitor uses.

At one time the telemetry of all agents comes first, then their words by number, then the
adversary's, then the target's, which complete a sample: the order of a lockstep run's monitor.
"""

import math
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise, repeat
from typing import Any, NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.findings.participants import ObservedBody, Participants
from soliton_encirclement_ros.analysis.recording import Floats, Telemetry
from soliton_encirclement_ros.analysis.resampling import NEVER, latest
from soliton_encirclement_ros.core.laws.telemetry import TelemetryRow
from soliton_encirclement_ros.core.parameters.swarm_parameters import SwarmParameters
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.run.observer import Observer
from soliton_encirclement_ros.core.states.states import AdversaryState, AgentState, TargetState

BLOCK = 128
"""Samples between two blocks: so much is turned into records at once, and fits into a cache."""

Progress = Callable[[int, int], None]

ROW, AGENT, OTHER, TARGET = range(4)
"""Kinds of records, in the order in which they are shown at one time."""


class Replay(NamedTuple):
    """The observer after it has seen everything.

    Attributes:
        observer: With events, trails of those that publish telemetry, and the series.
        separations: (S,) smallest distance of two agents at every sample [m].
        switches: How often each agent gave up a neighbour.
    """

    observer: Observer
    separations: Floats
    switches: Mapping[int, int]


class Stream(NamedTuple):
    """Records of one sender: kind, number, times (K,) and what makes records of a slice."""

    kind: int
    number: int
    time: Floats
    records: Any


def replay(
    cast: Participants,
    target: ObservedBody,
    swarm: SwarmParameters,
    progress: Progress = lambda *_: None,
) -> Replay:
    """Show an observer everything.

    Args:
        cast: Who takes part.
        target: The target at the times of the samples.
        swarm: Radius and timeout.
        progress: Called now and then with the number of samples shown, and of all.
    """
    observer = Observer(swarm)
    switches: Counter[int] = Counter()
    separations = array('d')
    streams = list(_streams(cast, target))
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


def forget(observer: Observer, names: Iterable[str] = METRIC_NAMES) -> None:
    """Put NaN for metrics that mean nothing: there is no target, or no radius."""
    for name in names:
        observer.series[name] = array('d', [math.nan]) * len(observer.series['time'])


def _streams(cast: Participants, target: ObservedBody) -> Iterator[Stream]:
    for k, told in cast.telemetry.items():
        yield Stream(ROW, k, told.time, _Rows(k, told))
    for k, sight in cast.agents.items():
        heard = sight if sight.said else _thinned(sight, target.time)
        yield Stream(AGENT, k, heard.time, _States(k, heard))
    if cast.adversary is not None:
        heard = _thinned(cast.adversary, target.time)
        yield Stream(OTHER, 0, heard.time, _Others(AdversaryState, heard))
    yield Stream(TARGET, 0, target.time, _Others(TargetState, target))


def _thinned(sight: ObservedBody, at: Floats) -> ObservedBody:
    """Leave out messages that are replaced before they are used."""
    index = np.unique(latest(sight.time, at))
    index = index[index != NEVER]
    return ObservedBody(*(column[index] for column in sight[:4]), sight.said)


class _Rows:
    """Rows of telemetry; the law's values change nothing here."""

    def __init__(self, agent_id: int, told: Telemetry) -> None:
        self._agent_id, self._told = agent_id, told

    def __call__(self, part: slice) -> Iterator[TelemetryRow]:
        told = self._told
        return map(
            TelemetryRow, repeat(self._agent_id), told.time[part].tolist(),
            map(tuple, told.position[part].tolist()), map(tuple, told.velocity[part].tolist()),
            told.failed[part].tolist(), repeat(()),
            told.pred[part].tolist(), told.succ[part].tolist(),
        )  # fmt: skip


class _States:
    """States of an agent."""

    def __init__(self, agent_id: int, sight: ObservedBody) -> None:
        self._agent_id, self._sight = agent_id, sight

    def __call__(self, part: slice) -> Iterator[AgentState]:
        return map(AgentState, repeat(self._agent_id), *_columns(self._sight, part))


class _Others:
    """States of members without a number."""

    def __init__(self, kind: type, sight: ObservedBody) -> None:
        self._kind, self._sight = kind, sight

    def __call__(self, part: slice) -> Iterator[AdversaryState | TargetState]:
        return map(self._kind, *_columns(self._sight, part))


def _columns(sight: ObservedBody, part: slice) -> tuple[Iterable[Any], ...]:
    return (
        sight.seq[part].astype(int).tolist(),
        map(tuple, sight.position[part].tolist()),
        map(tuple, sight.velocity[part].tolist()),
    )


def _blocks(times: Floats) -> Iterator[tuple[float, float]]:
    """Cut all time into pieces, begin exclusive, end inclusive, that no sample straddles."""
    edges = [-math.inf, *times[BLOCK - 1 :: BLOCK].tolist(), math.inf]
    yield from pairwise(edges)


def _merged(
    streams: Iterable[Stream], begin: float, end: float
) -> Iterator[tuple[int, float, Any]]:
    """Return kind, time [s] and record of everything in a piece of time, in order."""
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
