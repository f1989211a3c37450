"""Replays the recorded messages in order to the observer that the live monitor also uses.

Messages with one time come in the order of a lockstep run: telemetry of all agents, their states
by number, the state of the adversary, the state of the target. The last one completes a sample.
The metrics are compared with those that the monitor published, and of the commands the effort and
the share that is filtered are computed.
"""

import math
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import pairwise, repeat
from typing import Any, NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.findings.finding_records import (
    FROM_SCENARIO, Agreement, FindingSettings
)
from soliton_encirclement_ros.analysis.findings.participants import ObservedBody, Participants
from soliton_encirclement_ros.analysis.recording import Floats, Telemetry
from soliton_encirclement_ros.analysis.resampling import NEVER, SAME, latest, zero_order_hold
from soliton_encirclement_ros.core.flight_statistics.agent_statistics import (
    BEYOND, CHANGE, JERK, NOT_FINITE, effort_facts, is_broken, is_unlimited, no_effort,
    note_effort, space_bounds
)
from soliton_encirclement_ros.core.laws.filter_codes import NONE
from soliton_encirclement_ros.core.laws.telemetry import (
    FILTER_NAMES, UNCHANGED, TelemetryRow, is_filter_result
)
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.run.flown_scenario import FlownScenario, with_values
from soliton_encirclement_ros.core.run.observer import Observer
from soliton_encirclement_ros.core.states.states import AdversaryState, AgentState, TargetState
from soliton_encirclement_ros.core.states.swarm_topics import TARGET


def filtered_share(telemetry: Mapping[int, Telemetry], at: Floats) -> Floats:
    """Return the share of agents in flight whose last command the filter changed, (S,).

    NaN while no agent flies; all NaN without results of a filter.
    """
    flying, changed = np.zeros(len(at)), np.zeros(len(at))
    for series in telemetry.values():
        reasons = series.values.get(FILTER_NAMES[0])
        if reasons is None:
            continue
        up = zero_order_hold(series.time, series.failed, at) == 0.0
        flying += up
        changed += up & (zero_order_hold(series.time, reasons, at, missing=NONE) != NONE)
    with np.errstate(invalid='ignore'):
        return changed / flying


def command_facts(
    participants: Participants, settings: FindingSettings, period: float
) -> dict[str, float | None]:
    """Return the figures of all commands, as a world node computes them; None where unknown.

    These are numbers of commands beyond the limits and of not finite ones, and their rates of
    change. The period between two commands [s] is NaN if it is not known.
    """
    commands = [
        member.commands.velocity.T
        for member in participants.members.values() if member.commands is not None
    ]  # fmt: skip
    if not commands:
        return dict.fromkeys((BEYOND, NOT_FINITE, CHANGE, JERK))
    most_xy, most_z = settings.max_speed_xy, settings.max_speed_z
    beyond = None
    if most_xy is not None and most_z is not None:
        beyond = sum(
            int(is_unlimited(velocities, most_xy, most_z).sum()) for velocities in commands
        )
    with np.errstate(invalid='ignore'):
        broken = sum(int(is_broken(velocities).sum()) for velocities in commands)
    efforts = effort_facts((_effort(velocities.T) for velocities in commands), period)
    return {BEYOND: beyond, NOT_FINITE: broken, **efforts}


def _effort(commands: Floats) -> list[float]:
    """Return the row of an agent for ``effort_facts``, from its commands (K, 3)."""
    row = no_effort()
    for velocity in commands.tolist():
        note_effort(row, *velocity)
    return row


BLOCK = 128
"""Samples per block; a block is converted to records at once and fits into the cache."""

Progress = Callable[[int, int], None]

NOWHERE = math.nan, math.nan, math.nan
"""Position of an agent that is not received."""

ROW_STREAM, AGENT_STREAM, OTHER_STREAM, TARGET_STREAM = range(4)
"""Kinds of records, in the order in which the observer gets those of one time."""


class Replay(NamedTuple):
    """The observer after the replay, with events, series, and trails of members with telemetry.

    ``separations`` (S,) are the smallest distances of two agents at every sample [m], ``switches``
    how often each agent changed a neighbour.
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
    scenario: FlownScenario,
    progress: Progress = lambda *_: None,
) -> Replay:
    """Replay all messages to an observer, with the target at the times of the samples.

    ``progress`` is called regularly with the number of samples replayed, and of all.
    """
    filtered = any(FILTER_NAMES[0] in series.values for series in participants.telemetry.values())
    space = space_bounds(scenario.safety, filtered)
    if participants.is_foreign:
        unheld = with_values(scenario, swarm={'agent_state_timeout': SAME})
        observer: Observer = _SampledObserver(unheld.swarm, filtered, space)
    else:
        observer = Observer(scenario.swarm, filtered, space)
    switches: Counter[int] = Counter()
    separations = array('d')
    streams = list(_streams(participants, target))
    edges = [-math.inf, *target.time[BLOCK - 1 :: BLOCK].tolist(), math.inf]
    for begin, end in pairwise(edges):
        progress(len(separations), len(target.time))
        for kind, time, record in _merge_streams(streams, begin, end):
            if kind == AGENT_STREAM:
                observer.see_agent(time, record)
            elif kind == ROW_STREAM:
                before = observer.switches
                observer.see_telemetry(record)
                switches[record.agent_id] += observer.switches - before
            elif kind == OTHER_STREAM:
                observer.adversary = record
            else:
                separations.append(observer.see_target(time, record).min_separation)
    return Replay(observer, np.array(separations), switches)


class _SampledObserver(Observer):
    """Observes bodies whose positions are only known at samples."""

    def _separation(self, now: float, present: set[int]) -> float:
        """Keep an encounter as it is while one of its agents is not received."""
        self._places.update((k, NOWHERE) for k in self._places if k not in present)
        return super()._separation(now, present)


def clear_metrics(observer: Observer, names: Iterable[str] = METRIC_NAMES) -> None:
    """Set metrics to NaN that are undefined without a target or a radius."""
    for name in names:
        observer.series[name] = array('d', [math.nan]) * len(observer.series['time'])


def _streams(participants: Participants, target: ObservedBody) -> Iterator[Stream]:
    for k, telemetry in participants.telemetry.items():
        yield Stream(ROW_STREAM, k, telemetry.time, _rows(k, telemetry))
    for k, body in participants.agents.items():
        used = body if body.from_states else _used_samples(body, target.time)
        if participants.is_foreign:
            used = used.select(np.isfinite(used.position).all(axis=1))
        yield Stream(AGENT_STREAM, k, used.time, partial(_agent_states, k, used))
    if participants.adversary is not None:
        used = _used_samples(participants.adversary, target.time)
        yield Stream(OTHER_STREAM, 0, used.time, partial(_states, AdversaryState, used))
    yield Stream(TARGET_STREAM, 0, target.time, partial(_target_states, target))


def _used_samples(body: ObservedBody, at: Floats) -> ObservedBody:
    """Drop states that a newer one replaces before the next sample."""
    index = np.unique(latest(body.time, at))
    index = index[index != NEVER]
    return body.select(index)


def _rows(agent_id: int, telemetry: Telemetry) -> Callable[[slice], Iterator[TelemetryRow]]:
    """Return a function that gives rows without values of the law, which the observer ignores.

    An agent without a filter changes no command.
    """
    known = [telemetry.values[name] for name in FILTER_NAMES if name in telemetry.values]
    filtered = np.column_stack(known) if len(known) == len(FILTER_NAMES) else None

    def rows(selected: slice) -> Iterator[TelemetryRow]:
        values: Iterable[tuple[float, ...]] = repeat(UNCHANGED)
        if filtered is not None:
            results = map(tuple, filtered[selected].tolist())
            values = (row if is_filter_result(*row[:2]) else UNCHANGED for row in results)
        return map(
            TelemetryRow, repeat(agent_id), telemetry.time[selected].tolist(),
            map(tuple, telemetry.position[selected].tolist()),
            map(tuple, telemetry.velocity[selected].tolist()),
            telemetry.failed[selected].tolist(), values,
            telemetry.pred[selected].tolist(), telemetry.succ[selected].tolist(),
        )  # fmt: skip

    return rows


def _agent_states(agent_id: int, body: ObservedBody, selected: slice) -> Iterator[AgentState]:
    states = map(AgentState, repeat(agent_id), *_columns(body, selected))
    if body.is_on_ring is None:
        return states
    ring = body.is_on_ring[selected].tolist()
    return (state._replace(ring_member=on) for state, on in zip(states, ring, strict=True))


def _states(kind: type, body: ObservedBody, selected: slice) -> Iterator[Any]:
    return map(kind, *_columns(body, selected))


def _target_states(body: ObservedBody, selected: slice) -> Iterator[TargetState]:
    states = _states(TargetState, body, selected)
    if not body.weights:
        return states
    rows = zip(*(column[selected].tolist() for column in body.weights.values()), strict=True)
    return (
        state._replace(lambdas=tuple(  # of the arcs that the target names
            (k, weight) for k, weight in zip(body.weights, row, strict=True) if weight > 0.0
        ))
        for state, row in zip(states, rows, strict=True)
    )  # fmt: skip


def _columns(body: ObservedBody, selected: slice) -> tuple[Iterable[Any], ...]:
    return (
        body.seq[selected].astype(int).tolist(),
        map(tuple, body.position[selected].tolist()),
        map(tuple, body.velocity[selected].tolist()),
    )


def _merge_streams(
    streams: Iterable[Stream], begin: float, end: float
) -> Iterator[tuple[int, float, Any]]:
    """Return kind, time [s] and record of all messages of an interval, in order.

    Its begin does not belong to it, its end does.
    """
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


SAME_TIME = 1e-6
"""Times that differ by less than this [s] are the same."""


def agreement(
    series: Mapping[str, Floats], settings: FindingSettings, live: Mapping[str, Floats] | None
) -> Agreement | None:
    """Return the largest differences from live metrics at common times; None if there are none.

    Samples without agents have no metrics and are skipped. With another target nothing is
    compared; with another radius all but ``E_r``.
    """
    if live is None or settings.target != TARGET:
        return None
    if not len(live['time']) or not len(series['time']):
        return None
    same_radius = settings.radius_from == FROM_SCENARIO
    names = [name for name in METRIC_NAMES if name in live and (same_radius or name != 'E_r')]
    after = np.searchsorted(series['time'], live['time'] - SAME_TIME)
    index = np.minimum(after, len(series['time']) - 1)
    same = np.abs(series['time'][index] - live['time']) <= SAME_TIME
    apart = {name: np.abs(series[name][index] - live[name]) for name in names}
    for differences in apart.values():
        same &= ~np.isnan(differences)
    if not same.any() or not names:
        return None
    largest = {name: float(differences[same].max()) for name, differences in apart.items()}
    return Agreement(int(same.sum()), largest)
