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
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.scenario_sections import record_of
from velocity_mobility_ros.core.parameter_declaration import declarations

OTHER = {
    'ring_hops': 3, 'spacing_share': 0.4, 'lag_inversion': SAMPLED, 'target_filter': KALMAN,
    'own_prediction': True, 'altitude_layers': 2,
}  # fmt: skip
"""Values other than the default, of parameters that are no plain numbers."""

NAMES = [name for name in declarations(ControlParameters) if name != 'controller']


def matters(name: str, law: str) -> bool:
    """Return whether a parameter changes the gains of a law."""
    usual = record_of('control', law)(controller=law, acc_filter_share=0.1)
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


RELAYING = """
from soliton_encirclement_ros.controllers import predictive
LAW = predictive.PREDICTIVE._replace(relays_target=True)
"""


def test_a_relay_switched_off_is_idle_with_laws_that_do_not_relay(tmp_path: Path) -> None:
    """Also with laws of one's own; a gain that the default law does not use is idle with it."""
    relaying, silent = tmp_path / 'relaying.py', tmp_path / 'silent.py'
    relaying.write_text(RELAYING)
    silent.write_text(RELAYING.replace('True', 'False'))
    for law, is_idle in ((PREDICTIVE, False), (SOLITON, True), (relaying, False), (silent, True)):
        changes = {'target_relay': False, 'controller': str(law)}
        idle = Scenario().with_changes({'control': changes}, 'test').idle
        assert list(idle) == ['control.target_relay'] * is_idle
    for law, is_idle in ((PREDICTIVE, True), (SOLITON, False)):
        changes = {'controller': law, 'lag_inversion': FIRST_ORDER, 'k_r': 2.0}
        idle = Scenario().with_changes({'control': changes}, 'test').idle
        assert ('control.k_r' in idle) is is_idle
