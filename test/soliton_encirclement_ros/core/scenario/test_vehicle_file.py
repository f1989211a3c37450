"""Vehicle files: what is taken, what is refused and how, and the one that comes along."""

import pytest

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.vehicle_file import (
    VehicleFile, as_text, find_vehicle, read_vehicle
)
from velocity_mobility_ros.core.velocity_model import MobilityParameters


def written(folder, text):
    path = folder / 'quad.yaml'
    path.write_text(text, encoding='utf-8')
    return path


def test_the_default_vehicle_has_the_defaults_and_nothing_is_left_out():
    vehicle = read_vehicle(find_vehicle('default'))
    given = MobilityParameters(**vehicle.mobility)
    assert vehicle.name == 'default' and given == MobilityParameters()
    physical = {name for name in vars(given) if name.startswith(('max_', 'tau_'))}
    assert set(vehicle.mobility) == physical - {'max_yaw_rate'}


def test_only_what_is_given_is_there(tmp_path):
    vehicle = read_vehicle(written(tmp_path, 'mobility: {tau_xy: 0.5, tau_z: null, max_acc_z: 3}'))
    assert vehicle == VehicleFile('quad', {'tau_xy': 0.5, 'tau_z': None, 'max_acc_z': 3.0}, {})


@pytest.mark.parametrize(
    'text',
    ['', '# later', 'name: mine\nfitted: {source: a.mcap}'],
)  # fmt: skip
def test_a_file_that_sets_nothing_is_refused(tmp_path, text):
    with pytest.raises(ScenarioError) as caught:
        read_vehicle(written(tmp_path, text))
    assert str(caught.value) == (
        f'{tmp_path}/quad.yaml: sets no value of mobility; give it at least one, such as tau_xy'
    )


def test_what_is_written_is_read_again(tmp_path):
    fitted = {'source': 'a.mcap', 'not_identifiable': {'max_acc_xy': 'no: "2 m/s^2" at most'}}
    vehicle = VehicleFile('mine', {'tau_xy': 0.1234, 'tau_z': None}, fitted)
    assert read_vehicle(written(tmp_path, as_text(vehicle))) == vehicle


@pytest.mark.parametrize(
    ('text', 'said'),
    [
        ('mobilty: {}', r"quad\.yaml: unknown key 'mobilty'; did you mean 'mobility'\?"),
        ('run: {seed: 2}', r"quad\.yaml: unknown key 'run'; it looks like a scenario, which"),
        ('mobility: {tau_yx: 1.0}', r"mobility: unknown key 'tau_yx'; did you mean 'tau_xy'\?"),
        ('fitted: {sauce: x}', r"fitted: unknown key 'sauce'; did you mean 'source'\?"),
        ('mobility: {tau_xy: 0}', r'mobility: tau_xy = 0\.0 must be above 0 s'),
        ('mobility: [1]', r'mobility must be a mapping, not \[1\]'),
        ('[1, 2]', 'a vehicle is a mapping of name, mobility, fitted'),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path, text, said):
    with pytest.raises(ScenarioError, match=said) as caught:
        read_vehicle(written(tmp_path, text))
    assert '\n' not in str(caught.value)


def test_an_unknown_vehicle_names_those_that_come_along():
    with pytest.raises(ScenarioError, match=r'nowhere: no such vehicle file; .*default'):
        find_vehicle('nowhere')


def test_a_folder_or_bytes_are_refused(tmp_path):
    with pytest.raises(ScenarioError, match='cannot read the vehicle'):
        read_vehicle(tmp_path)
    (tmp_path / 'x.yaml').write_bytes(b'\xff')
    with pytest.raises(ScenarioError, match='not UTF-8 text'):
        read_vehicle(tmp_path / 'x.yaml')
