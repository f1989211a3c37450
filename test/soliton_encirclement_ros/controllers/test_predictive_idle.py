"""Gains of ``soliton`` that ``predictive`` does not use are declared so, and no others."""

from dataclasses import replace
from pathlib import Path

import pytest
from soliton_encirclement_ros.controllers import CONTROLLERS, Setup
from soliton_encirclement_ros.core.parameters.control_parameters import (
    FIRST_ORDER,
    KALMAN,
    PREDICTIVE,
    SAMPLED,
    SOLITON,
    ControlParameters,
)
from soliton_encirclement_ros.core.scenario.control_section import control_record
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from velocity_mobility_ros.core.parameters import declarations

OTHER = {
    'ring_hops': 3, 'spacing_share': 0.4, 'lag_inversion': SAMPLED, 'target_filter': KALMAN,
    'own_prediction': True, 'altitude_layers': 2,
}  # fmt: skip
"""Values other than the default, of parameters that are no plain numbers."""

NAMES = [name for name in declarations(ControlParameters) if name != 'controller']


def matters(name: str, law: str) -> bool:
    """Return whether a parameter changes the gains of a law."""
    usual = control_record(law)(controller=law, acc_filter_share=0.1)
    value = getattr(usual, name)
    if name in OTHER or isinstance(value, str):
        changed = OTHER.get(name, value)
    else:
        changed = not value if isinstance(value, bool) else 0.5 * value + 0.1
    make = CONTROLLERS[law].law
    one, other = Setup(usual), Setup(replace(usual, **{name: changed}))
    return make(one).gains(one) != make(other).gains(other)


@pytest.mark.parametrize('name', NAMES)
def test_what_matters_to_soliton_alone_is_not_with_predictive(name: str) -> None:
    """By the gains with which both fly."""
    declared = declarations(ControlParameters)[name].not_with == {'controller': PREDICTIVE}
    assert declared == (matters(name, SOLITON) and not matters(name, PREDICTIVE))


def test_a_gain_without_effect_is_named() -> None:
    """As after `--set`; with the law that has it nothing is said."""
    one = Scenario().with_changes({'control': {'k_r': 2.0}}, 'test')
    assert one.idle == {
        'control.k_r': "control.k_r = 2.0 has no effect with control.controller = 'predictive'"
    }
    law = {'control': {'controller': SOLITON, 'lag_inversion': FIRST_ORDER, 'k_r': 2.0}}
    assert Scenario().with_changes(law, 'test').idle == {}


def test_the_relay_is_named_with_laws_that_do_not_relay() -> None:
    """As after `--set`."""
    off = {'target_relay': False}
    one = Scenario().with_changes({'control': {**off, 'controller': SOLITON}}, 'test')
    assert one.idle == {
        'control.target_relay': 'control.target_relay = false has no effect without '
        "control.controller = 'predictive'"
    }
    assert Scenario().with_changes({'control': off}, 'test').idle == {}


RELAYING = """
from soliton_encirclement_ros.controllers import predictive
LAW = predictive.PREDICTIVE._replace(relays_target=True)
"""


def test_nor_is_it_with_a_law_of_ones_own_that_relays(tmp_path: Path) -> None:
    """One that does not relay is warned of."""
    relaying, silent = tmp_path / 'relaying.py', tmp_path / 'silent.py'
    relaying.write_text(RELAYING)
    silent.write_text(RELAYING.replace('True', 'False'))
    with_file = {'target_relay': False, 'controller': str(relaying)}
    assert Scenario().with_changes({'control': with_file}, 'test').idle == {}
    with_file['controller'] = str(silent)
    assert list(Scenario().with_changes({'control': with_file}, 'test').idle) == [
        'control.target_relay'
    ]
