"""Controllers side by side and seed by seed."""

import json
import math
import random

import pytest

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.run.scenario_differences import differences
from soliton_encirclement_ros.experiments.law_comparison import as_json, compare
from soliton_encirclement_ros.experiments.paired_statistics import Spread
from support.recorded.runs import a_run, a_scenario


def figure(comparison, name):
    (row,) = [row for row in comparison.rows if row.figure.name == name]
    return row


def duels(comparison, name):
    return {(d['controller'], d['other']): d for d in comparison.duels if d['figure'] == name}


def test_medians_and_range_are_over_the_seeds():
    runs = [a_run('a', seed, e_gap) for seed, e_gap in enumerate((0.5, 0.1, 0.2))]
    (found,) = compare(runs)
    assert figure(found, 'E_gap').spreads == {'a': Spread(0.2, 0.1, 0.5, 3)}
    assert found.seeds == {'a': [0, 1, 2]}


def test_the_best_median_is_named_with_its_ratio_to_the_best_other():
    means = {'a': 0.4, 'b': 0.1, 'c': 0.2}
    (found,) = compare([a_run(name, 1, e_gap) for name, e_gap in means.items()])
    row = figure(found, 'E_gap')
    assert (row.best, row.ratio) == (('b',), 0.5)


def test_where_more_is_better_the_largest_wins():
    runs = [a_run('a', 1, min_separation_m=3.0), a_run('b', 1, min_separation_m=2.0)]
    (found,) = compare(runs)
    row = figure(found, 'min separation')
    assert (row.best, row.ratio) == (('a',), 1.5)


@pytest.mark.parametrize('weighted', [0.2, 0.1])
def test_the_weighted_error_is_compared_where_weights_differ(weighted):
    means = {'E_gap': 0.2, 'E_wgap': weighted}
    (found,) = compare([a_run(name, 1, metrics_mean=means) for name in 'ab'])
    told = [row.figure.name for row in found.rows]
    assert ('E_wgap' in told) is (weighted == 0.1) and 'E_wgap steady' not in told


@pytest.mark.parametrize(
    ('values', 'best', 'ratio'),
    [
        ([0.2, 0.2], (), None),
        ([0.2], (), None),
        ([0.1, 0.1, 0.2], ('a', 'b'), 0.5),
        ([0.0, 0.2], ('a',), 0.0),
    ],
)
def test_equals_share_the_first_place_and_alone_there_is_none(values, best, ratio):
    (found,) = compare([a_run(n, 1, v) for n, v in zip('abc', values, strict=False)])
    row = figure(found, 'E_gap')
    assert (row.best, row.ratio) == (best, ratio)


def test_never_is_worse_than_ever_and_has_no_ratio():
    runs = [a_run('a', 1, settling_time_s=None), a_run('b', 1, settling_time_s=80.0)]
    (found,) = compare(runs)
    row = figure(found, 'settling time')
    assert (row.best, row.ratio) == (('b',), None)
    assert row.spreads['a'].median == math.inf


def test_pairs_are_compared_over_their_common_seeds():
    runs = [a_run('a', seed, e_gap) for seed, e_gap in ((1, 0.1), (2, 0.3), (3, 0.2), (9, 0.0))]
    runs += [a_run('b', seed, e_gap) for seed, e_gap in ((1, 0.2), (2, 0.1), (3, 0.2), (8, 0.0))]
    (found,) = compare(runs)
    one, other = duels(found, 'E_gap')['a', 'b'], duels(found, 'E_gap')['b', 'a']
    assert (one['better'], one['equal'], one['seeds']) == (1, 1, 3)
    assert (other['better'], other['equal'], other['seeds']) == (1, 1, 3)
    assert duels(found, 'E_r')['a', 'b']['equal'] == 3
    assert one['mean'] == -other['mean'] == pytest.approx(0.1 / 3.0)


def test_the_order_of_runs_does_not_matter():
    runs = [a_run(n, seed, 0.1 * seed) for n in 'ab' for seed in range(5)]
    shuffled = random.Random(1).sample(runs, len(runs))
    assert [as_json(one) for one in compare(runs)] == [as_json(one) for one in compare(shuffled)]


def test_scenarios_are_kept_apart():
    still = a_run('a', 1)._replace(scenario=a_scenario('a', name='still'))
    assert [one.scenario for one in compare([a_run('a', 1), still])] == ['demo', 'still']


def test_runs_that_differ_in_anything_else_are_refused_with_all_the_keys():
    other = a_scenario('b', run={'sim_duration': 5.0}, target={'target_motion_speed_xy': 9.0})
    runs = [a_run('a', 1), a_run('b', 1)._replace(scenario=other)]
    with pytest.raises(RunError) as raised:
        compare(runs)
    assert 'runs/a-1 and runs/b-1 are not comparable' in str(raised.value)
    assert 'differ in run.sim_duration, target.target_motion_speed_xy;' in str(raised.value)


def test_a_parameter_that_only_one_side_has_is_a_difference():
    a, b = a_scenario(), a_scenario()
    del b['swarm']['encirclement_radius']
    b['extra'] = {'x': 1}
    assert differences(a, b) == ['swarm.encirclement_radius', 'extra.x']
    assert differences(a, a_scenario('other', 77)) == []


def test_laws_may_share_the_name_of_a_parameter_of_their_own():
    """It is another gain in each; within one law it is a difference, and so are common ones."""

    def of(controller, **values):
        return {'control': {'controller': controller, 'k_z': 1.0, **values}}

    assert differences(of('splay', k_radius=1.3), of('kim_sugie', k_radius=0.4)) == []
    assert differences(of('franchi', k_radius=1.3), of('franchi', k_radius=0.4)) == [
        'control.k_radius'
    ]
    assert differences(of('predictive', k_s=1.3), of('soliton', k_s=1.5)) == []
    assert differences(of('predictive'), of('kim_sugie', k_z=2.0)) == ['control.k_z']


def test_flawed_runs_are_left_out_and_named():
    flawed = a_run('a', 2, 9.0, interrupted=True)
    other_length = a_scenario('a', 3, run={'sim_duration': 1.0})
    broken = a_run('a', 3, complete=False)._replace(scenario=other_length)
    (found,) = compare([a_run('a', 1), flawed, broken])
    assert found.seeds == {'a': [1]}
    assert found.left_out == [('runs/a-2', 'interrupted'), ('runs/a-3', 'incomplete')]


def test_of_the_same_controller_and_seed_the_newest_counts():
    old = a_run('a', 1, 0.9, created='2026-01-01', name='old')
    new = a_run('a', 1, 0.1, created='2026-01-02', name='new')
    for runs in ([old, new], [new, old]):
        (found,) = compare(runs)
        assert figure(found, 'E_gap').spreads['a'].median == 0.1
        assert found.left_out == [('old', 'a newer run has the same controller and seed')]


def test_nothing_left_is_refused_with_the_reasons():
    with pytest.raises(RunError, match=r'no finished run to compare: runs/a-1: interrupted'):
        compare([a_run('a', 1, interrupted=True)])


def test_as_json_is_json_and_never_is_null():
    runs = [a_run('a', 1, settling_time_s=None), a_run('b', 1)]
    (found,) = [as_json(one) for one in compare(runs)]
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    by_name = {row['name']: row for row in found['figures']}
    assert by_name['settling time']['controllers']['a']['median'] is None
    assert by_name['settling time']['unit'] == 's'
    assert by_name['E_gap']['controllers']['b']['median'] == 0.2


def test_runs_of_an_older_version_have_no_near_misses():
    key = 'near_misses_below_1m_per_min'
    (found,) = compare([a_run('a', 1), a_run('b', 1), a_run('b', 2, **{key: 3.0})])
    row = figure(found, 'near misses below 1 m')
    assert (row.spreads['a'], row.best, row.ratio) == (None, (), None)
    assert row.spreads['b'] == Spread(3.0, 3.0, 3.0, 1)
