"""The numbers of a run and its verdict."""

import json
from collections.abc import Sequence

import pytest
from soliton_encirclement_ros.core.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.observer import Observer
from soliton_encirclement_ros.core.parameters import SwarmParameters
from soliton_encirclement_ros.core.scenario import Scenario
from soliton_encirclement_ros.core.summary import last_means, settling_time, summarise, verdict
from soliton_encirclement_ros.core.telemetry import TelemetryRow

PERIOD = 0.5


def series(e_gap: Sequence[float], e_r: float = 0.1, alive: Sequence[float] = ()) -> dict:
    """Return a series with these values of E_gap, one every half second."""
    count = len(e_gap)
    columns = {name: [0.5] * count for name in METRIC_NAMES}
    columns |= {'time': [k * PERIOD for k in range(count)], 'E_gap': list(e_gap)}
    return columns | {'E_r': [e_r] * count, 'alive': list(alive) or [10.0] * count}


def judged(values: dict, **run: int) -> tuple[bool, str]:
    """Return the verdict on a series."""
    scenario = Scenario().with_changes({'run': run}, 'x')
    return verdict(scenario, values, last_means(values))


def test_means_are_over_the_last_fifth() -> None:
    """Two samples of ten."""
    assert last_means(series([9.0] * 8 + [1.0, 2.0]))['E_gap'] == 1.5
    assert last_means(series([4.0]))['E_gap'] == 4.0


def test_samples_without_agents_are_left_out() -> None:
    """Nobody looks perfect (W18), so those samples do not count; none left gives none."""
    alive = [10.0] * 9 + [0.0]
    assert last_means(series([9.0] * 8 + [1.0, 0.0], alive=alive))['E_gap'] == 1.0
    assert last_means(series([1.0] * 5, alive=[0.0] * 5))['E_gap'] is None
    assert last_means(series([]))['E_r'] is None


@pytest.mark.parametrize(
    ('values', 'run', 'encircled', 'why'),
    [
        (series([0.2] * 10), {}, True, 'E_gap = 0.200 <= 0.5, E_r = 0.100 <= 0.3'),
        (series([0.5] * 10, 0.3), {}, True, 'E_gap = 0.500 <= 0.5, E_r = 0.300 <= 0.3'),
        (series([0.6] * 10), {}, False, 'E_gap = 0.600 > 0.5'),
        (series([0.6] * 10, 0.4), {}, False, 'E_gap = 0.600 > 0.5, E_r = 0.400 > 0.3'),
        (series([]), {}, False, 'no state of the target was ever heard'),
        (series([0.0] * 5, alive=[0.0] * 5), {}, False, 'no agent was alive at the end'),
        (series([0.0] * 5), {'num_agents': 1}, False, 'one agent cannot surround a target'),
    ],
)
def test_verdicts_say_why(values: dict, run: dict, encircled: bool, why: str) -> None:
    """Good and bad, each with its numbers."""
    assert judged(values, **run) == (encircled, why)


@pytest.mark.parametrize(
    ('e_gap', 'expected'),
    [
        ([0.9] * 4 + [0.1] * 20, 2.0),
        ([0.1] * 5 + [0.9] + [0.1] * 20, 3.0),
        ([0.9] * 20 + [0.1] * 5, None),
        ([0.9] * 30, None),
        ([], None),
    ],
)
def test_settling_time(e_gap: list[float], expected: float | None) -> None:
    """The start of the first five seconds within the bounds."""
    assert settling_time(Scenario(), series(e_gap)) == expected


@pytest.mark.parametrize('facts', [{}, {'wall_s': 1.5, 'missed_answers': 3}])
def test_a_run_without_a_single_sample_still_has_a_summary(facts: dict) -> None:
    """Stopped at once: valid JSON without infinite numbers, and a verdict."""
    found = summarise(Scenario(), Observer(SwarmParameters()), facts)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found['verdict']['encircled'] is False
    assert found['min_separation_m'] is None
    assert {name: found[name] for name in facts} == facts


def test_closings_and_switches_are_in_the_summary() -> None:
    """One failure in a ring that is never open."""
    observer = Observer(SwarmParameters())
    for k, failed in enumerate([False, True, True]):
        told = TelemetryRow(1, k * 1.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), failed, ())
        observer.see_telemetry(told)
    observer.series |= series([0.01] * 10)
    found = summarise(Scenario(), observer, {})
    assert (found['failures'], found['closed_after_failure']) == (1, 1)
    assert found['time_to_close_after_failure_s'] == 0.5
    assert found['peak_G_max_after_failure'] == 0.5
    assert found['time_to_close_after_recovery_s'] is None
    assert found['neighbour_switches_per_min'] is None
