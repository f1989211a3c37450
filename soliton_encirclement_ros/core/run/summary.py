"""Summary of a run: the numbers of ``summary.json`` and the verdict."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.run.figures.estimate_error import error_facts
from soliton_encirclement_ros.core.run.figures.gap_recovery import (
    Series,
    closing_summary,
    closings,
)
from soliton_encirclement_ros.core.run.figures.steady_means import steady_summary
from soliton_encirclement_ros.core.run.run_observation import RunObservation
from soliton_encirclement_ros.core.run.run_record import Approach
from soliton_encirclement_ros.core.run.separation.filter_tally import filter_summary
from soliton_encirclement_ros.core.run.separation.flight_bounds import OUTSIDE
from soliton_encirclement_ros.core.run.separation.near_misses import RATES
from soliton_encirclement_ros.core.scenario.random_streams import REFERENCE
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.stability.ordered_sum import total
from soliton_encirclement_ros.core.states.swarm_topics import uav

LAST_SHARE = 0.2
"""Share of the run, at its end, over which steady values are averaged."""


def summarise(
    scenario: Scenario,
    witness: RunObservation,
    facts: Mapping[str, Any],
    name_of: Callable[[int], str] = uav,
) -> dict[str, Any]:
    """Return the summary of a run.

    Args:
        scenario: The scenario of the run.
        witness: The observed data.
        facts: Values known only to the world, such as wall time and missed answers.
        name_of: Returns the name of an agent by its number.
    """
    series = witness.series
    means = last_means(series)
    encircled, why = verdict(scenario, series, means)
    collided = collision(scenario, witness.closest, name_of)
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
        **_separations(witness, name_of),
        **error_facts(witness.estimate_errors),
        'metrics_mean': {name: _number(value) for name, value in means.items()},
        'metrics_last': {name: _number(series[name][-1]) for name in METRIC_NAMES if len(times)},
        **steady_summary(series, witness.events, scenario.run.transient_time),
        'alive_share_mean': _number(alive),
        'settling_time_s': settling_time(scenario, series),
        'failures': witness.failures,
        'failures_recovered': witness.recoveries,
        **closing_summary(closings(witness.events, series, scenario.swarm.agent_state_timeout)),
        'neighbour_switches_per_min': witness.switches_per_min,
        **filter_summary(witness.filtered, name_of),
        OUTSIDE: witness.outside,
        'verdict': {'encircled': encircled, 'why': why},
    }


def _separations(witness: RunObservation, name_of: Callable[[int], str]) -> dict[str, Any]:
    """Return the smallest separation, with its time and its pair, and the rates of encounters."""
    closest = witness.closest
    never = math.isinf(closest.distance)
    return {
        'min_separation_m': _number(closest.distance),
        'min_separation_time_s': _number(closest.time),
        'min_separation_pair': None if never else [*map(name_of, closest[2:])],
        **dict(zip(RATES, witness.near_misses_per_min, strict=True)),
    }


def collision(scenario: Scenario, closest: Approach, name_of: Callable[[int], str] = uav) -> str:
    """Return which two agents collided, in words; empty if none did, or if it is not judged."""
    bound = 0.0 if scenario.run.rng == REFERENCE else scenario.run.collision_distance
    if not closest.distance < bound:
        return ''
    pair = ' and '.join(map(name_of, closest[2:]))
    distance = f'{closest.distance:.3f} m < {bound:g} m'
    return f'collision: {pair} {distance} apart at {closest.time:.2f} s'


def last_means(series: Series) -> dict[str, float | None]:
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
    scenario: Scenario, series: Series, means: Mapping[str, float | None]
) -> tuple[bool, str]:
    """Return whether the swarm encircled its target, and why."""
    if not len(series['time']):
        return False, 'no state of the target was received'
    run, e_gap, e_r = scenario.run, means['E_gap'], means['E_r']
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
