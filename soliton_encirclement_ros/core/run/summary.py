"""Summary of a run: the numbers of ``summary.json`` and the verdict.

Runs are compared by figures: their keys in a summary, and which value is better (``FIGURES``).
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.flight_statistics.agent_statistics import (
    CHANGE, JERK, OUTSIDE, error_facts
)
from soliton_encirclement_ros.core.flight_statistics.filter_tally import SHARE, filter_summary
from soliton_encirclement_ros.core.flight_statistics.gap_recovery import (
    STEADY, Series, closing_summary, closings, steady_summary
)
from soliton_encirclement_ros.core.flight_statistics.near_misses import RATES, THRESHOLDS
from soliton_encirclement_ros.core.flight_statistics.sample_statistics import is_better
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES, METRIC_UNITS
from soliton_encirclement_ros.core.run.observer import ClosestPair, RunRecord
from soliton_encirclement_ros.core.scenario.random_streams import REFERENCE
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.stability.agent_loop import total
from soliton_encirclement_ros.core.states.swarm_topics import uav

NAMED = 'named_agents'
"""Key of the agents that others named as ones whose states cannot be true."""

LAST_SHARE = 0.2
"""Share of the run, at its end, over which steady values are averaged."""


def summarise(
    scenario: Scenario,
    record: RunRecord,
    facts: Mapping[str, Any],
    name_of: Callable[[int], str] = uav,
) -> dict[str, Any]:
    """Return the summary of a run.

    Args:
        scenario: The scenario of the run.
        record: The observed data.
        facts: Values known only to the world, such as wall time and missed answers.
        name_of: Returns the name of an agent by its number.
    """
    series = record.series
    averages = last_averages(series)
    encircled, why = verdict(scenario, series, averages)
    collided = collision(scenario, record.closest, name_of)
    if collided:
        encircled, why = False, collided if encircled else f'{collided}, {why}'
    alive = last_alive_share(scenario, series)
    times = series['time']
    return {
        'scenario': scenario.name,
        'agents': scenario.run.num_agents,
        'controller': scenario.control.controller,
        'seed': scenario.run.seed,
        'duration_s': times[-1] if len(times) else 0.0,
        'ticks': len(times),
        **facts,
        **_separations(record, name_of),
        **error_facts(record.estimate_errors),
        'metrics_mean': {name: _number(value) for name, value in averages.items()},
        'metrics_last': {name: _number(series[name][-1]) for name in METRIC_NAMES if len(times)},
        **steady_summary(series, record.events, scenario.run.transient_time),
        'alive_share_mean': _number(alive),
        'settling_time_s': settling_time(scenario, series),
        'failures': record.failures,
        'failures_recovered': record.recoveries,
        **closing_summary(closings(record.events, series, scenario.swarm.agent_state_timeout)),
        'neighbour_switches_per_min': record.switches_per_min,
        **_names(record, name_of),
        **filter_summary(record.filtered, name_of),
        OUTSIDE: record.outside,
        'verdict': {'encircled': encircled, 'why': why},
    }


def _separations(record: RunRecord, name_of: Callable[[int], str]) -> dict[str, Any]:
    """Return the smallest separation, with its time and its pair, and the rates of encounters."""
    closest = record.closest
    never = math.isinf(closest.distance)
    return {
        'min_separation_m': _number(closest.distance),
        'min_separation_time_s': _number(closest.time),
        'min_separation_pair': None if never else [*map(name_of, closest[2:])],
        **dict(zip(RATES, record.near_misses_per_min, strict=True)),
    }


def _names(record: RunRecord, name_of: Callable[[int], str]) -> dict[str, Any]:
    """Return the agents that others named, if there are any."""
    rows = [
        {'agent': name_of(named.agent_id), 'time_s': named.time, 'by': name_of(named.by),
         'times': named.times, 'reason': named.reason} for named in record.named
    ]  # fmt: skip
    return {NAMED: rows} if rows else {}


def collision(
    scenario: Scenario, closest: ClosestPair, name_of: Callable[[int], str] = uav
) -> str:
    """Return which two agents collided, in words; empty if none did, or if it is not judged."""
    bound = 0.0 if scenario.run.rng == REFERENCE else scenario.run.collision_distance
    if not closest.distance < bound:
        return ''
    pair = ' and '.join(map(name_of, closest[2:]))
    distance = f'{closest.distance:.3f} m < {bound:g} m'
    return f'collision: {pair} {distance} apart at {closest.time:.2f} s'


def last_averages(series: Series) -> dict[str, float | None]:
    """Return the mean of every metric over the last fifth of a run.

    Samples without agents, which have no metrics, are left out; None means a metric without
    any sample.
    """
    last = _last_fifth(series)
    known = {
        name: [series[name][i] for i in last if not math.isnan(series[name][i])]
        for name in METRIC_NAMES
    }
    return {
        name: total(values) / len(values) if values else None for name, values in known.items()
    }


def last_alive_share(scenario: Scenario, series: Series) -> float:
    """Return the mean share of agents alive over the last fifth of a run, NaN without samples."""
    last = _last_fifth(series)
    if not last:
        return math.nan
    return total(series['alive'][i] for i in last) / len(last) / scenario.run.num_agents


def _last_fifth(series: Series) -> range:
    """Return which samples form the last fifth of a run."""
    count = len(series['time'])
    return range(count - math.ceil(count * LAST_SHARE), count)


def verdict(
    scenario: Scenario, series: Series, averages: Mapping[str, float | None]
) -> tuple[bool, str]:
    """Return whether the swarm encircled its target, and why."""
    if not len(series['time']):
        return False, 'no state of the target was received'
    run, e_gap, e_r = scenario.run, averages['E_gap'], averages['E_r']
    alive = last_alive_share(scenario, series)
    if e_gap is None or e_r is None:
        lacking = 'had a bearing from the target' if alive > 0.0 else 'was alive'
        return False, f'no agent {lacking} at the end'
    if run.num_agents < 2:
        return False, 'one agent cannot surround a target'
    judged = [
        _most('E_gap', e_gap, run.max_e_gap),
        _most('E_r', e_r, run.max_e_r),
        _alive(alive, run.min_alive_share, run.num_agents),
    ]
    broken = [text for within, text in judged if not within]
    return not broken, ', '.join(broken or [text for _, text in judged])


def _most(name: str, mean: float, bound: float) -> tuple[bool, str]:
    """Return whether a mean is at most its bound, and both as text."""
    within = mean <= bound
    return within, f'{name} = {mean:.3f} {"<=" if within else ">"} {bound:g}'


def _alive(share: float, bound: float, agents: int) -> tuple[bool, str]:
    """Return whether enough agents were alive, and how many."""
    within = share >= bound
    count = f'{share * agents:.1f} of {agents} agents'
    return within, f'alive = {share:.3f} {">=" if within else "<"} {bound:g} ({count})'


def settling_time(scenario: Scenario, series: Series) -> float | None:
    """Return the first time [s] from which the verdict's bounds held for the settle window."""
    run = scenario.run
    since = None
    for i, time in enumerate(series['time']):
        within = (
            series['alive'][i] / run.num_agents >= run.min_alive_share
            and series['E_gap'][i] <= run.max_e_gap
            and series['E_r'][i] <= run.max_e_r
        )
        if not within:
            since = None
        elif since is None:
            since = time
        if since is not None and time - since >= run.settle_window:
            return since
    return None


def _number(value: float | None) -> float | None:
    """JSON has no infinity."""
    return value if value is not None and math.isfinite(value) else None


Summary = Mapping[str, Any]


class Figure(NamedTuple):
    """One figure of a run.

    ``value`` takes it from a summary: infinite where the expected event never happened, None
    where no event was expected.
    """

    name: str
    unit: str
    value: Callable[[Summary], float | None]
    higher_is_better: bool = False

    @property
    def label(self) -> str:
        """Name and unit."""
        return f'{self.name} [{self.unit}]' if self.unit else self.name

    def better(self, a: float, b: float) -> bool:
        """Say whether a value is better than another."""
        return is_better(a, b, self.higher_is_better)


def _plain(*keys: str, factor: float = 1.0) -> Callable[[Summary], float | None]:
    """Return a function that takes a value by its (nested) keys, times a factor."""

    def value(summary: Summary) -> float | None:
        *outer, key = keys
        for outer_key in outer:
            summary = summary.get(outer_key) or {}
        number = summary.get(key)
        return number if number is None or factor == 1.0 else factor * number

    return value


def _settling(summary: Summary) -> float | None:
    value = summary.get('settling_time_s')
    return math.inf if value is None else value


def _closing(kind: str) -> Callable[[Summary], float | None]:
    def value(summary: Summary) -> float | None:
        time = summary.get(f'time_to_close_after_{kind}_s')
        return math.inf if time is None and summary.get(f'unclosed_after_{kind}') else time

    return value


def _closed_share(kind: str) -> Callable[[Summary], float | None]:
    def value(summary: Summary) -> float | None:
        closed = summary.get(f'closed_after_{kind}') or 0
        events = closed + (summary.get(f'unclosed_after_{kind}') or 0)
        return 100.0 * closed / events if events else None

    return value


def _after(kind: str) -> tuple[Figure, ...]:
    return (
        Figure(f'time to close after {kind}', 's', _closing(kind)),
        Figure(f'closed after {kind}', '%', _closed_share(kind), higher_is_better=True),
        Figure(f'peak G_max after {kind}', '', _plain(f'peak_G_max_after_{kind}')),
    )


FIGURES = (
    *(
        Figure(name, unit, _plain('metrics_mean', name))
        for name, unit in sorted(
            zip(METRIC_NAMES, METRIC_UNITS, strict=True), key=lambda pair: pair[0] != 'E_gap'
        )
    ),
    *(Figure(f'{name} steady', '', _plain(STEADY, name)) for name in ('E_gap', 'E_wgap', 'E_r')),
    Figure('settling time', 's', _settling),
    *_after('failure'),
    *_after('recovery'),
    Figure('neighbour switches', '1/min', _plain('neighbour_switches_per_min')),
    Figure('min separation', 'm', _plain('min_separation_m'), higher_is_better=True),
    *(
        Figure(f'near misses below {distance:g} m', '1/min', _plain(key))
        for distance, key in zip(THRESHOLDS, RATES, strict=True)
    ),
    Figure('command change', 'm/s', _plain(CHANGE)),
    Figure('command jerk', 'm/s^3', _plain(JERK)),
    Figure('filtered commands', '%', _plain(SHARE, factor=100.0)),
)
"""All figures, in the order of the table; the metrics are means of the last fifth of a run,
the steady ones of all samples long after a failure or a return."""

WEIGHTED = {'E_wgap': 'E_gap', 'E_wgap steady': 'E_gap steady'}
"""The figures that say something of their own on a ring with uneven weights only."""

PAIRED = tuple(figure for figure in FIGURES if figure.name in ('E_gap', 'E_r'))
"""The figures that are compared seed by seed."""
