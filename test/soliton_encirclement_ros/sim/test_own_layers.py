"""A propagation layer of somebody's own, flown by the plain loop and by the engine."""

from pathlib import Path

import pytest
from soliton_encirclement_ros.core.errors import RunError, ScenarioError
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.engine import Engine
from support.identity import assert_identical
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY

DIFFUSION = Path(__file__).parents[2] / 'support' / 'laws' / 'diffusion.py'
TEXT = DIFFUSION.read_text()
AT = '    exchange = '


def flies(layer, changes=None):
    asked = {
        'control': {'controller': 'two_channel'},
        'propagation': {'propagation_method': str(layer), **(changes or {})},
        'run': {'num_agents': 5, 'sim_duration': 4.0},
    }
    return Scenario().with_changes(asked, 'test')


def test_it_flies_the_same_by_loop_and_engine():
    assert_identical(flies(DIFFUSION))


def test_it_is_what_moves_the_second_channel():
    flown = [Engine(flies(DIFFUSION, {'k_diffusion': k})) for k in (0.0, 2.0)]
    for engine in flown:
        engine.fly()
    assert flown[0].seen.series['E_gap'] != flown[1].seen.series['E_gap']


def test_its_parameters_are_checked():
    with pytest.raises(ScenarioError, match=r'propagation: k_decay = -1.0 must be above 0 1/s'):
        flies(DIFFUSION, {'k_decay': -1.0})
    with pytest.raises(ScenarioError, match='k_dekay'):
        flies(DIFFUSION, {'k_dekay': 1.0})


def test_a_name_that_exists_already_is_refused(tmp_path):
    path = tmp_path / 'mine.py'
    path.write_text(TEXT.replace('k_decay', 'k_s'))
    with pytest.raises(ScenarioError, match='parameter k_s exists already'):
        flies(path)


def test_what_is_no_layer_is_named_in_one_line(tmp_path):
    path = tmp_path / 'mine.py'
    path.write_text('LAYER = 3\n')
    with pytest.raises(ScenarioError, match='must have one Layer at its top level; there is none'):
        flies(path)


@pytest.mark.nightly
def test_what_raises_in_flight_ends_it_with_one_line(tmp_path):
    path = tmp_path / 'mine.py'
    path.write_text(
        TEXT.replace(AT, f"    if e_tau != 0.0:\n        raise ValueError('no')\n{AT}")
    )
    engine = Engine(flies(path))
    with pytest.raises(RunError, match=r'^two_channel: uav_\d at .* s: ValueError: no \(step, '):
        engine.fly()


def test_what_does_not_compile_flies_and_says_why(tmp_path, capfd):
    path = tmp_path / 'mine.py'
    path.write_text(TEXT.replace(AT, f"    {{'a': [gains]}}\n{AT}"))
    assert_identical(flies(path))
    assert 'two_channel with mine does not compile' in capfd.readouterr().err
