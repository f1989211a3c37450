"""``swarm fit`` from a bag to a vehicle file that flies."""

import json

import numpy as np
import pytest
from PIL import Image

from soliton_encirclement_ros.analysis.fit import follow, roll_out
from soliton_encirclement_ros.core.scenario.vehicle_file import read_vehicle
from soliton_encirclement_ros.sim.compilation.compiled import compiled
from support.cli import only_run_folder, run_swarm
from support.here import swarm_here
from support.ready import NO_HURRY, laws
from support.recorded.planted import PLANTED, QUAD, flight, leave_bag, leave_idle_bag, noisy, steps

__all__ = ['laws', 'swarm_here']

pytestmark = NO_HURRY


@pytest.fixture(scope='module', autouse=True)
def _law():
    """Compile the law ahead: where nothing is kept on disk yet, a line says so."""
    compiled(roll_out)
    compiled(follow)


@pytest.fixture(scope='module')
def bag(tmp_path_factory):
    """Return a bag of two vehicles in a manoeuvre, which answer 0.1 s late."""
    chance = np.random.default_rng(21)
    members = [
        noisy(flight(steps(chance), rate=25.0, delay=0.1, name=f'uav_{k}'), chance) for k in (1, 2)
    ]
    return leave_bag(tmp_path_factory.mktemp('bags') / 'manoeuvre', members)


@pytest.fixture(scope='module')
def idle(tmp_path_factory):
    """Return a bag of a vehicle that hovers."""
    return leave_idle_bag(tmp_path_factory.mktemp('bags') / 'idle')


def test_a_bag_becomes_a_vehicle_file_and_a_picture_beside_it(swarm_here, bag):
    code, out, err = swarm_here('fit', bag)
    assert (code, err) == (0, '')
    folder = bag.with_name('manoeuvre-report')
    vehicle = read_vehicle(folder / 'vehicle.yaml')
    for name in PLANTED:
        assert vehicle.mobility[name] == pytest.approx(getattr(QUAD, name), rel=0.03)
        low, high = vehicle.fitted['intervals_95'][name]
        assert low < vehicle.mobility[name] < high
    assert vehicle.fitted['delay_s'] == pytest.approx(0.1, abs=0.01)
    assert vehicle.fitted['source'] == 'manoeuvre' and vehicle.fitted['not_identifiable'] == {}
    with Image.open(folder / 'fit.png') as image:
        assert min(image.size) >= 600
    lines = out.splitlines()
    (row,) = [line for line in lines if 'tau_xy' in line]
    assert ' s ' in row and '..' in row
    assert any('uav_1, uav_2: 83 s of flight' in line for line in lines)
    assert any(line.startswith('RMS of predicted velocity on the last ') for line in lines)
    assert lines[-2:] == [str(folder / 'vehicle.yaml'), str(folder / 'fit.png')]


@pytest.mark.nightly
def test_one_agent_files_of_the_users_choice_and_json(swarm_here, bag, tmp_path):
    code, out, err = swarm_here(
        'fit', bag, '--agent', 'uav_2', '--out', 'a/quad.yaml', '--picture', 'b.svg', '--json'
    )
    assert (code, err) == (0, '')
    content = json.loads(out)
    assert content['agents'] == ['uav_2'] and content['files'] == ['a/quad.yaml', 'b.svg']
    assert content['parameters']['tau_xy']['known'] is True
    assert content['rms_m_per_s']['predicted']['xy'] == pytest.approx(0.05, rel=0.15)
    assert read_vehicle(tmp_path / 'a' / 'quad.yaml').name == 'quad'
    assert (tmp_path / 'b.svg').read_text(encoding='utf-8').startswith('<?xml')


def test_the_vehicle_flies(swarm_here, bag, tmp_path):
    swarm_here('fit', bag, '--agent', 'uav_1', '--out', 'quad.yaml')
    code, _, _ = swarm_here('simulate', 'still', '--agents', 3, '--duration', 1, '--vehicle',
                       'quad.yaml', '--no-pictures', '--json')  # fmt: skip
    assert code in (0, 1)
    manifest = json.loads((only_run_folder(tmp_path) / 'manifest.json').read_text())
    flown, known = manifest['scenario']['mobility'], read_vehicle(tmp_path / 'quad.yaml').mobility
    assert {name: flown[name] for name in known} == known


def test_hovering_leaves_no_vehicle_file_and_says_why(swarm_here, idle, tmp_path):
    code, out, err = swarm_here('fit', idle, '--out', 'v.yaml')
    assert code == 1
    assert out.count('not identifiable') == 7 and 'the command never changed' in out
    assert err == (
        'error: no parameter is identifiable: no vehicle file written; record a manoeuvre\n'
    )
    assert [path.name for path in tmp_path.glob('*.*')] == ['v.png'], 'of no other fit'


@pytest.mark.parametrize(
    ('arguments', 'said'),
    [
        (['{bag}', '--agent', 'uav_7'], "no agent 'uav_7'; members are uav_"),
        (['{bag}', '--map', 'no.yaml'], 'no.yaml: cannot read the map'),
        (['{bag}', '--agent', 'uav_1', '--out', '/dev/null/v.yaml'], 'v.yaml: cannot write'),
        (['{bag}', '--type', 'rocket'], "'--type': 'rocket' is not one of 'kinematic', "),
    ],
)
def test_what_cannot_be_done_is_one_line(swarm_here, bag, arguments, said):
    code, _, err = swarm_here('fit', *(argument.format(bag=bag) for argument in arguments))
    assert code == 2
    assert err.startswith('error: ') and said in err and len(err.splitlines()) == 1


@pytest.mark.nightly
@pytest.mark.ros
def test_a_run_over_ros_gives_its_own_mobility_back(tmp_path, swarm_here, domain):
    planted = ('--set', 'mobility.tau_xy=0.7', '--set', 'mobility.max_acc_xy=3')
    law = ('--controller', 'soliton')  # it asks for more than the acceleration limit
    done = run_swarm('run', 'failures', '--agents', '3', '--duration', '10', *planted, *law,
                     domain=domain, folder=tmp_path)  # fmt: skip
    folder = only_run_folder(tmp_path)
    assert folder.is_dir(), done.err
    code, out, _ = swarm_here('fit', folder)
    assert code == 0
    vehicle = read_vehicle(folder / 'vehicle.yaml')
    assert vehicle.mobility == pytest.approx({'tau_xy': 0.7, 'max_acc_xy': 3.0}, rel=1e-3)
    assert vehicle.fitted['delay_s'] == pytest.approx(0.0, abs=0.001)
    assert (folder / 'fit.png').is_file() and 'tau_z' in out
