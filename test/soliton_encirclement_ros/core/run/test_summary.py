"""The numbers of a run and its verdict."""

import json
import math
from collections.abc import Sequence

import pytest

from soliton_encirclement_ros.core.flight_statistics.agent_statistics import Figures
from soliton_encirclement_ros.core.flight_statistics.near_misses import RATES
from soliton_encirclement_ros.core.laws.telemetry import TelemetryRow
from soliton_encirclement_ros.core.parameters.swarm_parameters import SwarmParameters
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.run.observer import NEVER_TWO, ClosestPair, Observer
from soliton_encirclement_ros.core.run.summary import (
    collision, last_averages, settling_time, summarise, verdict
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario

PERIOD = 0.5
NAN = math.nan
ALL = 'alive = 1.000 >= 0.5 (10.0 of 10 agents)'


def series(e_gap: Sequence[float], e_r: float = 0.1, alive: Sequence[float] = ()) -> dict:
    """Return a series with these values of E_gap, one every half second, of ten agents."""
    count = len(e_gap)
    columns = {name: [0.5] * count for name in METRIC_NAMES}
    columns |= {'time': [k * PERIOD for k in range(count)], 'E_gap': list(e_gap)}
    return columns | {'E_r': [e_r] * count, 'alive': list(alive) or [10.0] * count}


def judged(values: dict, **run: int) -> tuple[bool, str]:
    """Return the verdict on a series."""
    scenario = Scenario().with_changes({'run': run}, 'x')
    return verdict(scenario, values, last_averages(values))


def test_means_are_over_the_last_fifth() -> None:
    """Two samples of ten."""
    assert last_averages(series([9.0] * 8 + [1.0, 2.0]))['E_gap'] == 1.5
    assert last_averages(series([4.0]))['E_gap'] == 4.0


def test_samples_without_agents_are_left_out() -> None:
    """Nobody has no metrics (W18), so those samples do not count; none left gives none."""
    assert last_averages(series([9.0] * 8 + [1.0, math.nan]))['E_gap'] == 1.0
    assert last_averages(series([math.nan] * 5))['E_gap'] is None
    assert last_averages(series([]))['E_r'] is None


@pytest.mark.parametrize(
    ('values', 'run', 'encircled', 'why'),
    [
        (series([0.5] * 10, 0.3), {}, True, f'E_gap = 0.500 <= 0.5, E_r = 0.300 <= 0.3, {ALL}'),
        (series([0.6] * 10), {}, False, 'E_gap = 0.600 > 0.5'),
        (series([]), {}, False, 'no state of the target was received'),
        (series([NAN] * 5, NAN, [0.0] * 5), {}, False, 'no agent was alive at the end'),
        (series([NAN] * 5, NAN), {}, False, 'no agent had a bearing from the target at the end'),
        (series([0.0] * 5), {'num_agents': 1}, False, 'one agent cannot surround a target'),
        (series([0.0] * 5, alive=[2.0] * 5), {'num_agents': 5}, False,
         'alive = 0.400 < 0.5 (2.0 of 5 agents)'),
        (series([0.2] * 10, alive=[10.0] * 8 + [4.0, 6.0]), {}, True,
         'E_gap = 0.200 <= 0.5, E_r = 0.100 <= 0.3, alive = 0.500 >= 0.5 (5.0 of 10 agents)'),
        (series([0.2] * 10, alive=[5.0] * 10), {'min_alive_share': 0.9}, False,
         'alive = 0.500 < 0.9 (5.0 of 10 agents)'),
        (series([0.2] * 10, alive=[1.0] * 10), {'min_alive_share': 0.0}, True,
         'E_gap = 0.200 <= 0.5, E_r = 0.100 <= 0.3, alive = 0.100 >= 0 (1.0 of 10 agents)'),
    ],
)  # fmt: skip
def test_verdicts_say_why(values: dict, run: dict, encircled: bool, why: str) -> None:
    """Good and bad, each with its numbers."""
    assert judged(values, **run) == (encircled, why)


@pytest.mark.parametrize(
    ('e_gap', 'expected'),
    [
        ([0.9] * 4 + [0.1] * 11, 2.0),
        ([0.9] * 4 + [0.1] * 10, None),
        ([0.1] * 5 + [0.9] + [0.1] * 20, 3.0),
        ([0.9] * 30, None),
        ([], None),
    ],
)
def test_settling_time(e_gap: list[float], expected: float | None) -> None:
    """The start of the first five seconds within the bounds."""
    assert settling_time(Scenario(), series(e_gap)) == expected
    assert settling_time(Scenario(), series(e_gap, e_r=0.4)) is None


@pytest.mark.parametrize(('left', 'expected'), [(5.0, 0.0), (4.0, 2.0), (0.0, 2.0)])
def test_too_few_agents_are_not_settled(left: float, expected: float) -> None:
    """Half of ten is the smallest share; nobody has no metrics at all."""
    values = series([0.1 if left else NAN] * 4 + [0.1] * 20, alive=[left] * 4 + [10.0] * 20)
    assert settling_time(Scenario(), values) == expected


def test_the_summary_says_how_many_were_alive_at_the_end() -> None:
    """The mean share over the last fifth, samples without anybody included."""
    observer = Observer(SwarmParameters())
    observer.series |= series([0.1] * 10, alive=[9.0] * 8 + [0.0, 5.0])
    summary = summarise(Scenario(), observer, {})
    assert summary['alive_share_mean'] == 0.25
    assert summary['verdict'] == {
        'encircled': False, 'why': 'alive = 0.250 < 0.5 (2.5 of 10 agents)',
    }  # fmt: skip


@pytest.mark.parametrize('facts', [{}, {'wall_s': 1.5, 'missed_answers': 3}])
def test_a_run_without_a_single_sample_still_has_a_summary(facts: dict) -> None:
    """Stopped at once: valid JSON without infinite numbers, and a verdict."""
    summary = summarise(Scenario(), Observer(SwarmParameters()), facts)
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary
    assert summary['verdict']['encircled'] is False
    assert summary['min_separation_m'] is summary['min_separation_time_s'] is None
    assert summary['min_separation_pair'] is None
    assert [summary[key] for key in RATES] == [None] * 3
    assert summary['alive_share_mean'] is None
    assert {name: summary[name] for name in facts} == facts


def test_closings_and_switches_are_in_the_summary() -> None:
    """One failure in a ring that is never open."""
    observer = Observer(SwarmParameters())
    for k, failed in enumerate([False, True, True]):
        told = TelemetryRow(1, k * 1.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), failed, ())
        observer.see_telemetry(told)
    observer.series |= series([0.01] * 10)
    summary = summarise(Scenario(), observer, {})
    assert (summary['failures'], summary['closed_after_failure']) == (1, 1)
    assert summary['time_to_close_after_failure_s'] == 0.5
    assert summary['peak_G_max_after_failure'] == 0.5
    assert summary['time_to_close_after_recovery_s'] is None
    assert summary['neighbour_switches_per_min'] is None


def a_flight(closest: ClosestPair) -> Observer:
    """Return what was seen of an even ring for half a minute."""
    observer = Observer(SwarmParameters())
    observer.series |= series([0.1] * 61)
    observer.figures, observer.encounters = Figures(0.0, 0.0, *closest), (5, 2, 1)
    return observer


def test_the_summary_has_the_closest_two_and_the_near_misses() -> None:
    """Distance, time and pair; encounters per minute between the first and the last sample."""
    summary = summarise(Scenario(), a_flight(ClosestPair(0.75, 12.5, 3, 7)), {}, 'drone {}'.format)
    assert summary['min_separation_m'] == 0.75
    assert summary['min_separation_time_s'] == 12.5
    assert summary['min_separation_pair'] == ['drone 3', 'drone 7']
    assert [summary[key] for key in RATES] == [10.0, 4.0, 2.0]
    assert summary['verdict']['encircled'] is True


HIT = ClosestPair(0.25, 12.5, 3, 7)


@pytest.mark.parametrize(
    ('run', 'closest', 'collided'),
    [
        ({}, HIT, 'collision: uav_3 and uav_7 0.250 m < 0.3 m apart at 12.50 s'),
        ({'collision_distance': 0.25}, HIT, ''),
        ({'collision_distance': 0.0}, HIT, ''),
        ({'rng': 'reference'}, HIT, ''),
        ({}, NEVER_TWO, ''),
    ],
)
def test_a_collision_fails_the_verdict(run: dict, closest: ClosestPair, collided: str) -> None:
    """One line names pair, distance, bound and time; not where an original flight is flown."""
    flown = Scenario().with_changes({'run': run}, 'x')
    assert collision(flown, closest) == collided
    judged = summarise(flown, a_flight(closest), {})['verdict']
    assert judged['encircled'] is not bool(collided)
    assert not collided or judged['why'] == collided


def test_a_collision_comes_before_the_other_reasons() -> None:
    """Both are told."""
    observer = a_flight(HIT)
    observer.series |= series([0.6] * 61)
    why = summarise(Scenario(), observer, {})['verdict']['why']
    assert why.startswith('collision: uav_3 and uav_7') and why.endswith(', E_gap = 0.600 > 0.5')
