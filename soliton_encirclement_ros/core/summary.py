"""What a run amounts to: the numbers of ``summary.json`` and the verdict."""

import math
from collections.abc import Mapping
from typing import Any

from soliton_encirclement_ros.core.closings import Series, closing_summary, closings
from soliton_encirclement_ros.core.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.scenario import Scenario
from soliton_encirclement_ros.core.sums import total
from soliton_encirclement_ros.core.witness import Witness

LAST_SHARE = 0.2
"""Share of the run, at its end, over which steady values are averaged."""


def summarise(scenario: Scenario, witness: Witness, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the summary of a run.

    Args:
        scenario: What was run.
        witness: Who has seen it.
        facts: What only the world knows, such as wall time and missed answers.
    """
    series = witness.series
    means = last_means(series)
    encircled, why = verdict(scenario, series, means)
    times = series['time']
    return {
        'scenario': scenario.name,
        'agents': scenario.run.num_agents,
        'controller': scenario.control.controller,
        'seed': scenario.run.seed,
        'duration_s': times[-1] if len(times) else 0.0,
        'ticks': len(times),
        **facts,
        'min_separation_m': _number(witness.min_separation),
        'metrics_mean': {name: _number(value) for name, value in means.items()},
        'metrics_last': {name: _number(series[name][-1]) for name in METRIC_NAMES if len(times)},
        'settling_time_s': settling_time(scenario, series),
        'failures': witness.failures,
        'failures_recovered': witness.recoveries,
        **closing_summary(closings(witness.events, series, scenario.swarm.agent_state_timeout)),
        'neighbour_switches_per_min': witness.switches_per_min,
        'verdict': {'encircled': encircled, 'why': why},
    }


def last_means(series: Series) -> dict[str, float | None]:
    """Return the mean of every metric over the last fifth of a run.

    Samples without agents are left out; None stands for a metric without any other.
    """
    count = len(series['time'])
    last = range(count - math.ceil(count * LAST_SHARE), count)
    used = [i for i in last if series['alive'][i] > 0]
    return {
        name: total(series[name][i] for i in used) / len(used) if used else None
        for name in METRIC_NAMES
    }


def verdict(
    scenario: Scenario, series: Series, means: Mapping[str, float | None]
) -> tuple[bool, str]:
    """Return whether the swarm encircled its target, and why."""
    if not len(series['time']):
        return False, 'no state of the target was ever heard'
    e_gap, e_r = means['E_gap'], means['E_r']
    if e_gap is None or e_r is None:
        return False, 'no agent was alive at the end'
    if scenario.run.num_agents < 2:
        return False, 'one agent cannot surround a target'
    bounds = [('E_gap', e_gap, scenario.run.max_e_gap), ('E_r', e_r, scenario.run.max_e_r)]
    broken = [bound for bound in bounds if bound[1] > bound[2]]
    if broken:
        return False, ', '.join(f'{name} = {mean:.3f} > {bound:g}' for name, mean, bound in broken)
    return True, ', '.join(f'{name} = {value:.3f} <= {bound:g}' for name, value, bound in bounds)


def settling_time(scenario: Scenario, series: Series) -> float | None:
    """Return the first time [s] from which the verdict's bounds held for the settle window."""
    run = scenario.run
    since = None
    for i, time in enumerate(series['time']):
        within = (
            series['alive'][i] > 0
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
