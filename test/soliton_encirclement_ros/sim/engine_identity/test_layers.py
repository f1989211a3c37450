"""The engine against the plain loop: every layer of propagation, alone and with a rough radio."""

import numpy as np
import pytest
from soliton_encirclement_ros.core.files.package_share import find_scenario
from soliton_encirclement_ros.core.parameters.propagation_parameters import LAYER_NAMES
from soliton_encirclement_ros.core.scenario.scenario import load_scenario
from support.identity import LAWS, Changes, assert_identical, scenario
from support.ready import NO_HURRY, laws
from support.soon import ten_times_as_soon

__all__ = ['laws']

pytestmark = NO_HURRY

AROUND: dict[str, Changes] = {
    'calm': {'failure': {'failure_enable': False}},
    'with failures': {'failure': {'failure_mean_failures_per_min': 20.0, 'failure_off_time': 2.8}},
    'over a rough radio': {
        'radio': {'communication_failure_rate': 0.2, 'communication_jitter': 0.1,
                  'byzantine': '1..2: 1 frozen; 2..: 4 random 8'},
        'failure': {'failure_mean_failures_per_min': 20.0, 'failure_off_time': 0.3}},
}  # fmt: skip


@pytest.mark.one_in(18)
@pytest.mark.parametrize('around', AROUND)
@pytest.mark.parametrize('mode', ['sum', 'blend'])
@pytest.mark.parametrize('layer', LAYER_NAMES)
def test_every_layer_gives_the_same_bits(layer, mode, around):
    assert_identical(scenario(AROUND[around], {
        'propagation': {'propagation_method': layer, 'propagation_k_prop': 3.0},
        'control': {'controller': 'two_channel', 'tangential_composition_mode': mode},
    }))  # fmt: skip


@pytest.mark.parametrize('law', ['soliton', 'soliton_v1'])
def test_a_law_without_layers_takes_no_notice(law):
    flown = scenario({'control': {'controller': law}})
    layered = scenario({
        'control': {'controller': law}, 'propagation': {'propagation_method': 'kdv'},
    })  # fmt: skip
    one, other = (assert_identical(each).chunk.agents for each in (flown, layered))
    assert np.array_equal(one, other, equal_nan=True)


@pytest.mark.one_in(16)
@LAWS
@pytest.mark.parametrize('path', sorted(find_scenario('demo').parent.glob('*.yaml')),
                         ids=lambda path: path.stem)  # fmt: skip
def test_every_scenario_file_gives_the_same_bits(path, law):
    """Ten times as soon and at most 5 s long; of the crowd there is a part."""
    told = load_scenario(path)
    agents = min(told.run.num_agents, 20)
    short: Changes = {
        'run': {'sim_duration': 5.0, 'num_agents': agents}, 'control': {'controller': law},
    }  # fmt: skip
    assert_identical(told.with_changes(ten_times_as_soon(told) | short, 'test'))
