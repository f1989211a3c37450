"""The large sweep of laws: all laws and cases fit together; ablations change one thing."""

from pathlib import Path

import numpy as np
import pytest

from soliton_encirclement_ros.core.laws.law_registry import LAWS
from soliton_encirclement_ros.core.parameters.control_parameters import CONTROLLER_NAMES
from soliton_encirclement_ros.core.scenario.user_files import read_yaml
from soliton_encirclement_ros.experiments.design import CONTROLLER
from soliton_encirclement_ros.experiments.sweep_file import load_sweep
from support.identity import assert_identical, by_engine, scenario
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY

FOLDER = Path(__file__).parents[2] / 'config' / 'sweeps'
ABLATIONS = sorted((FOLDER / 'laws').glob('*.py'))
BRIEF = {'run': {'sim_duration': 3.0}, 'mobility': {'command_latency': 0.1}}


@pytest.fixture(scope='module')
def real():
    return read_yaml((FOLDER / 'real_vehicles.yaml').read_text())


def test_it_has_every_law_and_enough_seeds(real):
    laws = real['design'][0]['named']['law']
    flown = {changes.get(CONTROLLER, name) for name, changes in laws.items()}
    assert {*CONTROLLER_NAMES} <= flown
    seeds = real['seeds']['count']
    assert 2.0 ** (1 - seeds) * (len(laws) - 1) * 124 < 0.05


@pytest.mark.nightly
def test_all_its_points_are_sound():
    sweep = load_sweep(FOLDER / 'real_vehicles.yaml', 'code')
    assert (len(sweep.points), len(sweep.runs)) == (26 * 124, 26 * 124 * 20)


@pytest.mark.parametrize('file', ABLATIONS, ids=lambda file: file.stem)
def test_an_ablation_flies_another_way_and_is_identical_in_loop_and_engine(file, laws):
    control = {'control': {'controller': str(file)}}
    assert_identical(scenario(BRIEF, control))
    whole, without = (by_engine(scenario(BRIEF, one)).chunk.agents for one in ({}, control))
    assert not np.array_equal(whole, without)
    assert LAWS.load(str(file)).step is LAWS.load('predictive').step
