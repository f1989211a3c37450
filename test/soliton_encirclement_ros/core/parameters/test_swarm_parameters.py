"""Every parameter of a swarm, its layers and its radio: declared well, with the seed's values."""

import re
from pathlib import Path

import pytest

from soliton_encirclement_ros.controllers import CONTROLLERS
from soliton_encirclement_ros.core.parameters.control_parameters import (
    CONTROLLER_NAMES, LAYER_NAMES, PropagationParameters
)
from soliton_encirclement_ros.core.parameters.run_parameters import RadioParameters
from soliton_encirclement_ros.core.scenario.scenario import SECTIONS, Scenario
from velocity_mobility_ros.core.parameter_declaration import build, declarations
from velocity_mobility_ros.core.user_errors import ParameterError

EVERY = [
    pytest.param(record, declaration, id=f'{section}.{declaration.name}')
    for section, record in SECTIONS.items()
    for declaration in declarations(record).values()
]

SEED = {
    'mobility': {'update_rate': 0.01, 'max_speed_xy': 10.0, 'max_speed_z': 5.0, 'max_acc_xy': 4.0,
                 'max_acc_z': 5.0, 'tau_xy': 1.0, 'tau_z': 1.2, 'telemetry_decimation': 1},
    'run': {'num_agents': 10},
    'swarm': {'encirclement_radius': 20.0, 'prune_expired_states': True},
    'control': {'hysteresis_rad': 0.05, 'r_min': 1.0, 'k_r': 1.0, 'k_dr': 0.5, 'k_tau': 0.2,
                'beta_u': 7.0, 'k_e_tau': 25.0, 'alpha_u': 0.5, 'c_coupling': 2.0,
                'kappa_u_diff': 0.1, 'k_u_steepen': 0.3, 'kappa_u_disp': 0.05,
                'use_soft_limiter_u': False, 'u_lim': 2.0, 'k_omega_damp': 0.1},
    'failure': {'failure_enable': True, 'failure_check_period': 0.1,
                'failure_mean_failures_per_min': 1.0, 'failure_off_time': 8.0},
    'target': {'target_motion_period': 1.0, 'target_motion_speed_xy': 5.0,
               'target_motion_boundary_xy': 20.0, 'target_swarm_omega_ref': 0.0,
               'target_swarm_omega_pd_kp': 1.0, 'target_swarm_omega_pd_kd': 0.2,
               'target_swarm_omega_pd_max_abs': 1.0, 'target_swarm_spin_rho_min': 0.05},
    'radio': {'communication_transmission_range': 200.0, 'communication_delay': 0.0,
              'communication_failure_rate': 0.0},
    'adversary': {'adversary_roam_bound_xy': 40.0, 'adversary_min_target_distance': 30.0,
                  'adversary_roam_speed_xy': 4.0},
}  # fmt: skip
"""Spec part 15, where both versions of the seed agree or only the first has the parameter."""


@pytest.mark.parametrize('section', list(SEED))
def test_defaults_are_the_seeds(section: str) -> None:
    """A scenario without a word is the seed's experiment, with the seed's law."""
    flown = Scenario().with_changes({'control': {'controller': 'two_channel'}}, 'test')
    values = flown.as_dict()[section]
    assert {name: values[name] for name in SEED[section]} == SEED[section]


@pytest.mark.parametrize(('record', 'declaration'), EVERY)
def test_every_parameter_is_declared_for_people(record: type, declaration: tuple) -> None:
    """A meaning in one line; a unit, if any, without brackets; the default is accepted."""
    assert declaration.meaning and '\n' not in declaration.meaning
    assert not set(declaration.unit) & set('[]')
    assert declaration.kind in (float, int, bool, str)
    assert build(record, {declaration.name: declaration.default}, 'x') == record()


@pytest.mark.parametrize(('record', 'declaration'), EVERY)
def test_every_parameter_refuses_values_beyond_its_bounds(
    record: type, declaration: tuple
) -> None:
    """Just beyond a bound is named and refused, at the bound only if it is inclusive."""
    if declaration.kind not in (int, float):
        return
    name, low, high = declaration.name, declaration.minimum, declaration.maximum
    beyond = [declaration.above]
    beyond += [] if low is None else [low - 1]
    beyond += [] if high is None else [2 * high + 1]
    for value in (declaration.kind(bound) for bound in beyond if bound is not None):
        with pytest.raises(ParameterError, match=f'^x: {name} = {re.escape(repr(value))} must be'):
            build(record, {name: value}, 'x')
    if low is not None:
        assert getattr(build(record, {name: declaration.kind(low)}, 'x'), name) == low


@pytest.mark.parametrize(
    ('section', 'name', 'value'),
    [
        ('radio', 'communication_failure_rate', 1.1),
        ('radio', 'communication_delay', -0.1),
        ('radio', 'communication_transmission_range', -1.0),
        ('target_sensing', 'bearing_rate', 0.0),
        ('target_sensing', 'range_noise', -1.0),
        ('target_sensing', 'acceleration_density', 0.0),
        ('run', 'min_alive_share', 1.1),
        ('target', 'protection_angle_deg', 361.0),
        ('target_sensing', 'field_of_view_deg', 361.0),
        ('target_sensing', 'bearing_noise_deg', 91.0),
    ],
)
def test_what_cannot_be_is_out_of_bounds(section: str, name: str, value: float) -> None:
    """Whatever the declarations say: shares above 1, times and rates that are none."""
    with pytest.raises(ParameterError, match=f'{name} = {value} must be'):
        build(SECTIONS[section], {name: value}, 'x')


def test_names_of_the_laws_are_the_family() -> None:
    """The choices of the parameter are the controllers that exist."""
    assert tuple(CONTROLLERS) == CONTROLLER_NAMES


def test_no_name_appears_in_two_sections_with_two_meanings() -> None:
    """A node that declares several records has no clash."""
    names = [declaration.values[1].name for declaration in EVERY]
    assert len(names) == len(set(names))


def test_defaults_are_the_originals() -> None:
    """Spec part 7, one value per layer, and k for everybody but the baseline."""
    p = PropagationParameters()
    assert (p.propagation_method, p.propagation_k_prop, p.k_in_use) == ('baseline', 1.0, 0.0)
    assert (p.advection_c, p.wave_c_sq, p.excitable_dv, p.kdv_s) == (5.0, 25.0, 30.0, 5.0)
    assert (p.alarm_ttl_max, p.burgers_nu) == (20, 5.0)


@pytest.mark.parametrize('method', LAYER_NAMES[1:])
def test_a_layer_uses_its_gain(method: str) -> None:
    """The gain counts for every method that has a signal."""
    chosen = PropagationParameters(propagation_method=method, propagation_k_prop=2.5)
    assert chosen.k_in_use == 2.5


def test_every_parameter_is_explained(repository: Path) -> None:
    """The page on the layers names each of them, with its default and its unit."""
    text = (repository / 'docs' / 'research' / 'propagation.md').read_text(encoding='utf-8')
    for name, known in declarations(PropagationParameters).items():
        assert f'`{name}`' in text or f' {name} ' in text, name
        if name.split('_')[0] != 'propagation':
            unit = f' {known.unit}'.replace(' 1/s', ' /s').replace('^2', '²').rstrip()
            assert f'`{name}` {known.default:g}{unit}' in text, name


@pytest.mark.parametrize(
    ('changes', 'prompt', 'ideal'),
    [
        ({}, True, True),
        ({'communication_transmission_range': 5.0}, True, True),
        ({'partitions': ' ', 'byzantine': ' '}, True, True),
        ({'communication_delay': 0.1}, False, False),
        ({'communication_jitter': 0.1}, False, False),
        ({'communication_failure_rate': 0.1}, False, False),
        ({'partitions': '1..2: 1'}, True, False),
        ({'byzantine': '1..2: 1 nan'}, True, False),
    ],
)
def test_prompt_and_ideal(changes: dict, prompt: bool, ideal: bool) -> None:
    radio = RadioParameters(**changes)
    assert (radio.is_prompt, radio.is_ideal) == (prompt, ideal)
