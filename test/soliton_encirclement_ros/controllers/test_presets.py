"""Our law and its two presets: one name per gain, which counts with both."""

from dataclasses import replace
from pathlib import Path

import pytest

from soliton_encirclement_ros.controllers import CONTROLLERS, Setup
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.parameters.control_parameters import (
    DIFFERENCE, FIRST_ORDER, KALMAN, PREDICTIVE, PREDICTIVE_PRESET, SAMPLED, SOLITON,
    ControlParameters
)
from soliton_encirclement_ros.core.scenario.plugin_sections import record_of
from soliton_encirclement_ros.core.scenario.scenario import Scenario, scenario_from_dict

OTHER = {
    'k_r': 2.0, 'k_s': 2.0, 'k_v': 9.0, 'velocity_share': 1.0, 'ring_hops': 7,
    'approach_share': 0.3, 'spacing_share': 0.3, 'acc_filter_share': 0.01, 'acc_filter': 0.001,
    'acc_limit': 3.0, 'target_acc_deviation': 1.0, 'target_acc_time': 1.0,
    'target_acc_share': 0.5, 'gain_age': 3.0, 'unheard_share': 0.6, 'lossless_timeout': 0.2,
}  # fmt: skip
"""Other values than those of both presets; what is no number has the other preset's value."""


def numbers(control: ControlParameters) -> tuple[object, float]:
    """Return what a law makes of its section."""
    law, setup = CONTROLLERS[control.controller].law(Setup(control)), Setup(control)
    return law.gains(setup), law.neighbour_timeout(setup)


@pytest.mark.parametrize('law', [PREDICTIVE, SOLITON])
@pytest.mark.parametrize('name', sorted(PREDICTIVE_PRESET))
def test_every_gain_counts_with_both_presets(name: str, law: str) -> None:
    """No preset ignores a gain."""
    usual = record_of('control', law)(controller=law, k_v=0.5, acc_filter_share=0.2)
    swap = {SAMPLED: FIRST_ORDER, FIRST_ORDER: SAMPLED, KALMAN: DIFFERENCE, DIFFERENCE: KALMAN}
    value = getattr(usual, name)
    other = OTHER[name] if name in OTHER else swap.get(value, not value)
    assert numbers(replace(usual, **{name: other})) != numbers(usual)


def test_a_preset_is_chosen_as_a_whole() -> None:
    """Its gains do not go on with another law; those that are set for it count."""
    tuned = Scenario().with_changes({'control': {'k_s': 2.0, 'k_z': 0.5}}, 'test')
    other = tuned.with_changes({'control': {'controller': SOLITON}}, 'test').control
    assert (other.k_s, other.k_z, other.ring_hops) == (1.5, 0.5, 4)
    changes = {'control': {'controller': SOLITON, 'k_s': 2.0}}
    assert Scenario().with_changes(changes, 'test').control.k_s == 2.0


def test_gains_under_their_old_names_are_read_with_a_line() -> None:
    """In a file and in changes of one; those of other laws keep the names that they have."""
    old = {'k_spacing': 2.0, 'hops': 5}
    for scenario in (
        scenario_from_dict({'control': old}, 'mine', 'test'),
        Scenario().with_changes({'control': old}, 'test'),
    ):
        assert (scenario.control.k_s, scenario.control.ring_hops) == (2.0, 5)
        assert scenario.warnings[0] == (
            'control.k_spacing is now control.k_s, control.hops is now control.ring_hops; rename '
            'them'
        )
    peer = {'control': {'controller': 'franchi', 'k_radius': 2.0}}
    assert scenario_from_dict(peer, 'mine', 'test').control.k_radius == 2.0
    with pytest.raises(ScenarioError, match='unknown key'):
        scenario_from_dict({'control': {'controller': SOLITON, 'k_spacing': 2.0}}, 'mine', 'test')


RELAYING = """
from soliton_encirclement_ros.controllers import soliton
LAW = soliton.PREDICTIVE._replace(relays_target=True)
"""


def test_a_relay_switched_off_is_idle_with_laws_that_do_not_relay(tmp_path: Path) -> None:
    """Also with laws of one's own."""
    relaying, silent = tmp_path / 'relaying.py', tmp_path / 'silent.py'
    relaying.write_text(RELAYING)
    silent.write_text(RELAYING.replace('True', 'False'))
    for law, is_idle in ((PREDICTIVE, False), (SOLITON, True), (relaying, False), (silent, True)):
        changes = {'target_relay': False, 'controller': str(law)}
        idle = Scenario().with_changes({'control': changes}, 'test').idle
        assert list(idle) == ['control.target_relay'] * is_idle
