"""Tuning of laws, round by round, with costs that are known."""

import math

import pytest
from soliton_encirclement_ros.sim.sweeps.study import TuningRace, gains_of, load_study
from support.sweeping.studies import SMALL_STUDY, write_study

LAWS = {
    'soliton': {},
    'one': {'controller': 'soliton', 'search': {'control.k_r': {'low': 0.5, 'high': 2.0}}},
    'two': {
        'controller': 'franchi',
        'search': {'control.k_radius': {'low': 0.5, 'high': 2.0},
                   'control.k_turn': {'low': 0.5, 'high': 2.0}},
    },
}  # fmt: skip
TUNING = {**SMALL_STUDY['tuning'], 'seeds': {'first': 50, 'count': 9}, 'flights': 60}


@pytest.fixture
def study(tmp_path):
    return load_study(write_study(tmp_path, laws=LAWS, tuning=TUNING), 'code')


def gain(run):
    control = run.scenario.control
    return control.k_r if control.controller == 'soliton' else control.k_radius


def nearest_to(best):
    """Return a reading in which the cost grows with the distance of a gain from the best one."""

    def read(run):
        error = math.exp(abs(gain(run) - best))
        return {'metrics_mean': {'E_wgap': error, 'E_r': error}}

    return read


def fly(race, read):
    flown = []
    while runs := race.runs():
        flown.append(runs)
        race.advance(read)
    return flown


def test_the_gains_nearest_to_the_best_win_and_every_law_has_as_many_flights(study):
    race = TuningRace(study)
    flown = fly(race, nearest_to(1.4))
    results = race.results()
    assert race.rounds == len(flown) == 3
    for tuned in results.values():
        values = [next(iter(one.gains.values()), 1.0) for one in tuned.candidates]
        assert next(iter(tuned.best.gains.values())) == min(values, key=lambda k: abs(k - 1.4))
        assert tuned.best.cost == pytest.approx(min(abs(k - 1.4) for k in values))
        assert tuned.flights == study.budget <= 60
        assert tuned.shipped == tuned.candidates[0] and tuned.shipped.flights == 9
    assert gains_of(results)['two'].keys() == LAWS['two']['search'].keys()


def test_no_flight_is_flown_twice_and_only_seeds_of_the_tuning(study):
    """And the same file gives the same race."""
    first, second = (fly(TuningRace(study), nearest_to(1.4)) for _ in range(2))
    runs, again = ([run for part in parts for run in part] for parts in (first, second))
    assert [run.key for run in runs] == [run.key for run in again]
    assert len({run.key for run in runs}) == len(runs) == 2 * study.budget
    assert {run.scenario.run.seed for run in runs} == set(range(50, 59))


def test_gains_as_shipped_stay_to_the_end_and_win_if_none_is_better(study):
    race = TuningRace(study)
    fly(race, nearest_to(1.0))
    assert all(tuned.best.gains == {} for tuned in race.results().values())
    race = TuningRace(study)
    fly(race, nearest_to(2.0))
    assert all(tuned.shipped.flights == 9 for tuned in race.results().values())


def test_candidates_whose_flights_fail_lose(study):
    def read(run):
        return None if gain(run) > 1.0 else nearest_to(1.4)(run)

    race = TuningRace(study)
    fly(race, read)
    for tuned in race.results().values():
        assert next(iter(tuned.best.gains.values()), 1.0) <= 1.0
        assert math.isfinite(tuned.best.cost)


def test_nothing_flies_where_no_law_has_a_search_space(tmp_path):
    path = write_study(tmp_path, laws={'soliton': {}, 'franchi': {}}, tuning=None)
    race = TuningRace(load_study(path, 'code'))
    assert race.runs() == [] and race.results() == {}
