"""Studies that come along: all laws and conditions fit together; ablations change one thing."""

from pathlib import Path

import numpy as np
import pytest
from soliton_encirclement_ros.core.laws.law_registry import LAWS
from soliton_encirclement_ros.core.parameters.control_parameters import CONTROLLER_NAMES
from soliton_encirclement_ros.core.run.experiment_records import CONTROLLER
from soliton_encirclement_ros.sim.sweeps.study import load_study
from support.identity import assert_identical, by_engine, scenario
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY

FOLDER = Path(__file__).parents[2] / 'config' / 'studies'
ABLATIONS = sorted((FOLDER / 'laws').glob('*.py'))
BRIEF = {'run': {'sim_duration': 3.0}, 'mobility': {'command_latency': 0.1}}


@pytest.fixture(scope='module')
def real():
    return load_study(FOLDER / 'real_vehicles.yaml', 'code')


def test_the_small_one_is_valid():
    assert load_study(FOLDER / 'quick.yaml', 'code').name == 'quick'


def test_the_large_one_has_every_law_and_enough_seeds(real):
    outline = real.outline
    assert {*CONTROLLER_NAMES} == {*outline.controllers.values()}
    assert outline.seeds == 20 and not {*real.seeds} & {*real.tuning.seeds}
    comparisons = len(outline.others) * len(outline.conditions)
    assert 2.0 ** (1 - outline.seeds) * comparisons < 0.05


def test_all_laws_have_the_same_conditions_in_calm_and_with_filter(real):
    settings = {one.setting for one in real.conditions}
    cases = {setting: {one.case for one in real.conditions if one.setting == setting}
             for setting in settings}  # fmt: skip
    for lag in ('lag 0.2 s', 'lag 1 s'):
        assert cases[lag] == cases[f'{lag}, filter'] == cases['lag 1 s']
    assert cases['other lags'] == cases['other lags, filter']


@pytest.mark.parametrize('file', ABLATIONS, ids=lambda file: file.stem)
def test_an_ablation_flies_another_way_and_is_identical_in_loop_and_engine(file, laws):
    control = {'control': {'controller': str(file)}}
    assert_identical(scenario(BRIEF, control))
    whole, without = (by_engine(scenario(BRIEF, one)).chunk.agents for one in ({}, control))
    assert not np.array_equal(whole, without)


def test_every_ablation_is_of_the_chosen_law(real):
    chosen = LAWS.load('predictive')
    for law in real.ablations:
        controller = law.settings[CONTROLLER]
        if controller != real.chosen:
            assert LAWS.load(controller).step is chosen.step
