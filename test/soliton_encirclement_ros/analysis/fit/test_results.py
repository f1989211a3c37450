"""Whom to fit, and results: a vehicle file that is read again, strict JSON, a picture."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from soliton_encirclement_ros.analysis.fit.fit_data import select_members
from soliton_encirclement_ros.analysis.fit.fit_records import (
    NAMES, UNITS, Curve, Errors, Fit, ParameterEstimate, as_json, vehicle_of
)
from soliton_encirclement_ros.analysis.plots.fit_plots import draw_fit, most_excited
from soliton_encirclement_ros.analysis.recording import SIMULATED, Recording
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.scenario.vehicle_file import as_text, read_vehicle
from support.recorded.planted import flight

MEMBERS = ('uav_1', 'uav_2', 'uav_3', 'target')


@pytest.fixture
def recording():
    members = {name: flight(np.zeros((40, 3)), name=name) for name in MEMBERS}
    members['uav_2'] = members['uav_2']._replace(commands=None)
    return Recording(Path('bag'), 0, SIMULATED, 2.0, members, None, (), ())


def names(members):
    return [one.name for one in members]


def test_by_default_all_agents_that_can_be_fitted_and_no_target(recording):
    assert names(select_members(recording, [])) == ['uav_1', 'uav_3']


def test_who_is_named_once_or_twice_is_taken_once_also_the_target(recording):
    assert names(select_members(recording, ['target', 'uav_1', 'target'])) == ['target', 'uav_1']


@pytest.mark.parametrize(
    ('wanted', 'said'),
    [
        ('uav_11', r"bag: no agent 'uav_11'; did you mean 'uav_1'\?"),
        ('uav_99', r"no agent 'uav_99'; members are uav_1, uav_2, uav_3, target"),
        ('drone', r"no agent 'drone'; members are uav_1, uav_2, uav_3, target"),
        ('uav_2', 'uav_2 has no cmd_vel; name its topics with --map'),
    ],
)
def test_who_cannot_be_fitted_is_refused(recording, wanted, said):
    with pytest.raises(RunError, match=said):
        select_members(recording, [wanted])


def test_a_recording_without_commands_is_refused(recording):
    bare = {name: one._replace(commands=None) for name, one in recording.members.items()}
    with pytest.raises(
        RunError, match=r'no agent has both cmd_vel and odom \(uav_1 has no cmd_vel'
    ):
        select_members(recording._replace(members=bare), [])
    with pytest.raises(RunError, match='no agents'):
        select_members(recording._replace(members={}), [])


def test_what_was_lost_of_a_recording_is_told_with_what_it_lacks(recording):
    bare = {name: one._replace(commands=None) for name, one in recording.members.items()}
    lost = ('the metadata are odd', *(f'/a{k}: 3 setpoints: left out' for k in range(9)))
    poor = recording._replace(members=bare, problems=lost)
    for wanted in ([], ['uav_1']):
        with pytest.raises(RunError, match='/a0: 3 setpoints: left out; /a1') as refused:
            select_members(poor, wanted)
        assert '/a3' not in str(refused.value) and 'metadata' not in str(refused.value)


KNOWN = {
    name: ParameterEstimate(name, unit, True, 1.2345678, 1.1, 1.3, '')
    for name, unit in zip(NAMES, UNITS, strict=True)
}
ESTIMATES = {
    **KNOWN,
    'tau_z': ParameterEstimate('tau_z', 's', True, None, None, None, 'no lag'),
    'max_acc_xy': ParameterEstimate('max_acc_xy', 'm/s^2', False, None, None, None, 'no "command"'),
    'delay': ParameterEstimate('delay', 's', True, -1e-9, -0.01, 0.01, ''),
}
ERRORS = Errors(0.05, 0.06, 0.05, 0.06, 100)
STILL = np.zeros((900, 3))
MOVED = np.random.default_rng(1).normal(size=STILL.shape)
CURVES = (
    Curve('uav_1', np.arange(900.0), STILL, STILL, STILL),
    Curve('uav_2', np.arange(900.0), MOVED, 0.9 * MOVED, MOVED),
)
FIT = Fit(ESTIMATES, ('uav_1',), 0.01, 42.0, 41.5, ERRORS, ERRORS, {'uav_1': ERRORS}, (0.05, 0.05),
          CURVES, ('odd: this',))  # fmt: skip


def test_the_file_has_what_is_known_and_says_why_the_rest_is_not(tmp_path):
    path = tmp_path / 'quad.yaml'
    path.write_text(as_text(vehicle_of(FIT, 'quad', 'a bag', 'header')), encoding='utf-8')
    vehicle = read_vehicle(path)
    assert vehicle.name == 'quad'
    assert vehicle.mobility == {
        'max_speed_xy': 1.2346, 'max_speed_z': 1.2346, 'max_acc_z': 1.2346, 'tau_xy': 1.2346,
        'tau_z': None,
    }  # fmt: skip
    fitted = vehicle.fitted
    assert fitted['source'] == 'a bag' and fitted['delay_s'] == 0.0
    assert fitted['intervals_95']['tau_xy'] == [1.1, 1.3]
    assert fitted['not_identifiable'] == {'max_acc_xy': 'no "command"'}
    assert fitted['residuals']['predicted'] == {'xy': 0.05, 'z': 0.06}
    assert fitted['notes'] == ['tau_z: no lag', 'odd: this']


def test_json_is_strict_and_has_everything_but_the_curves():
    found = json.loads(json.dumps(as_json(FIT), allow_nan=False))
    assert found['parameters']['max_acc_xy']['reason'] == 'no "command"'
    assert found['rms_m_per_s']['predicted_by_agent']['uav_1']['samples'] == 100
    assert found['agents'] == ['uav_1'] and found['problems'] == ['odd: this']


def test_other_data_are_another_picture_and_the_same_the_same(tmp_path):
    pictures = [tmp_path / f'{k}.png' for k in range(3)]
    turned = FIT._replace(curves=tuple(
        one._replace(measured=one.measured[::-1]) for one in CURVES
    ))  # fmt: skip
    for path, what in zip(pictures, (FIT, FIT, turned), strict=True):
        draw_fit(path, what, 'two agents')
    first, again, other = (path.read_bytes() for path in pictures)
    assert first == again != other
    with Image.open(pictures[0]) as image:
        assert min(image.size) >= 600


def test_the_agent_that_moves_is_shown():
    agent, shown = most_excited(CURVES * 2)
    assert agent == 'uav_2' and len(shown) == 2
