"""Random points: in their ranges, repeatable, and refused in one line where nonsense."""

import statistics

import pytest
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.sim.sweeps.random_design import ends, random_points


def points(samples=1000, seed=0, **parameters):
    named = {key.replace('__', '.'): value for key, value in parameters.items()}
    content = {'samples': samples, 'seed': seed, 'parameters': named}
    return random_points(content, 'file: random')


def column(found, key):
    return [point[key] for point in found]


def test_a_range_is_filled_evenly():
    drawn = column(points(control__k_tau={'low': 2.0, 'high': 4.0}), 'control.k_tau')
    assert 2.0 <= min(drawn) < 2.02 and 3.98 < max(drawn) <= 4.0
    assert statistics.mean(drawn) == pytest.approx(3.0, abs=0.06)


def test_a_logarithmic_range_is_filled_evenly_by_magnitude():
    spec = {'low': 0.01, 'high': 1.0, 'log': True}
    drawn = column(points(control__k_tau=spec), 'control.k_tau')
    assert min(drawn) >= 0.01 and max(drawn) <= 1.0
    assert statistics.median(drawn) == pytest.approx(0.1, rel=0.15)


@pytest.mark.parametrize('log', [False, True])
def test_a_parameter_that_is_a_whole_number_stays_one(log):
    drawn = column(points(run__num_agents={'low': 1, 'high': 4, 'log': log}), 'run.num_agents')
    assert set(drawn) == {1, 2, 3, 4} and {type(value) for value in drawn} == {int}
    assert (drawn.count(1) > 1.5 * drawn.count(4)) is log


def test_any_parameter_can_be_made_whole():
    spec = {'low': 1, 'high': 3, 'integer': True}
    assert set(column(points(control__k_r=spec), 'control.k_r')) == {1, 2, 3}


def test_choices():
    drawn = column(points(control__controller={'choices': ['a', 'b']}), 'control.controller')
    assert 400 < drawn.count('a') < 600 and drawn.count('a') + drawn.count('b') == 1000


def test_a_design_repeats_and_one_more_parameter_does_not_shift_the_others():
    spec = {'low': 0.0, 'high': 1.0}
    alone = column(points(control__k_tau=spec), 'control.k_tau')
    assert column(points(control__k_r=spec, control__k_tau=spec), 'control.k_tau') == alone
    assert column(points(control__k_tau=spec, seed=1), 'control.k_tau') != alone
    assert column(points(control__k_tau=spec, samples=10), 'control.k_tau') == alone[:10]


def test_the_ends_of_ranges_are_told_for_the_check():
    content = {'parameters': {'a.b': {'low': 1, 'high': 2}, 'a.c': {'choices': [1]}}}
    assert ends(content) == [{'a.b': 1}, {'a.b': 2}]


@pytest.mark.parametrize(
    ('spec', 'expected'),
    [
        ({'low': 1}, 'must be {low, high}'),
        ([1, 2], 'must be {low, high}'),
        ({'low': 1, 'high': 2, 'lgo': True}, 'must be {low, high}'),
        ({'low': 2, 'high': 1}, 'low = 2 must be below high = 1'),
        ({'low': 'a', 'high': 1}, "low = 'a' must be a finite number"),
        ({'low': 0, 'high': float('inf')}, 'high = inf must be a finite number'),
        ({'low': 1, 'high': 10**400}, 'high = 1000'),
        ({'low': -1.7e308, 'high': 1.7e308}, 'high = 1.7e+308 are too far apart'),
        ({'low': 0.0, 'high': 1.0, 'log': True}, 'low = 0.0 must be above 0 where log is true'),
        ({'low': 0.0, 'high': 1.0, 'log': 'yes'}, "log = 'yes' must be true or false"),
        ({'low': 0.5, 'high': 1.5, 'integer': True}, 'low = 0.5 must be a whole number'),
        ({'choices': []}, 'choices = [] must be a non-empty list'),
    ],
)
def test_a_range_that_is_none_is_refused(spec, expected):
    with pytest.raises(ScenarioError) as caught:
        points(control__k_tau=spec)
    assert str(caught.value).startswith('file: random: control.k_tau')
    assert expected in str(caught.value)


@pytest.mark.parametrize(
    ('content', 'expected'),
    [
        ([], 'must be a mapping of samples, seed, parameters'),
        ({'sample': 3}, 'must be a mapping of samples, seed, parameters'),
        ({'parameters': {}}, 'samples = None must be a whole number from 1'),
        ({'samples': 2, 'seed': -1}, 'seed = -1 must be'),
        ({'samples': 2, 'parameters': {}}, 'parameters = {} must map section.key'),
    ],
)
def test_a_part_that_is_none_is_refused(content, expected):
    with pytest.raises(ScenarioError) as caught:
        random_points(content, 'file: random')
    assert expected in str(caught.value)
