"""``swarm report``, ``compare`` and ``fit`` of logs of autopilots."""

import json
import math
from xml.etree import ElementTree

import numpy as np
import pytest

from soliton_encirclement_ros import load
from support.here import swarm_here
from support.ready import NO_HURRY, laws
from support.recorded.logs import HOME, Aircraft, ulog_of, write_dataflash, write_ulog
from support.recorded.planted import QUAD, flight, leave_bag, steps
from support.recorded.run_folder import read_json

__all__ = ['laws', 'swarm_here']

pytestmark = NO_HURRY

QUICK = ('--no-page', '--no-pictures')


@pytest.fixture(scope='module')
def flights():
    """Return two vehicles whose mobility is known."""
    return [flight(steps(np.random.default_rng(k), 40.0), QUAD, rate=25.0, name=f'uav_{k}')
            for k in (1, 2)]  # fmt: skip


@pytest.fixture
def logs(flights, tmp_path):
    """Write their logs into a folder, one of each autopilot; return it."""
    folder = tmp_path / 'logs'
    folder.mkdir()
    write_ulog(folder / 'uav_1.ulg', ulog_of(flights[0]), [(25.0, 3, 'Motor 2 lost')])
    write_dataflash(folder / 'uav_2.bin', flights[1], Aircraft(boot=-33.0, start=(20.0, 0.0, 0.0)))
    return folder


def test_a_report_of_files_is_one_of_their_folder(swarm_here, logs):
    told = []
    for paths, out in ((['logs/uav_1.ulg', 'logs/uav_2.bin'], 'one'), (['logs'], 'two')):
        code, out_text, err = swarm_here('report', *paths, *QUICK, '--out', out)
        assert (code, err) == (0, '')
        told.append(read_json(logs.parent / out / 'findings.json'))
    assert [agent['name'] for agent in told[0]['agents']] == ['uav_1', 'uav_2']
    assert told[0]['agents'] == told[1]['agents']
    assert [alarm['what'] for alarm in told[0]['alarms'] if alarm['who'] == 'uav_1'] == [
        'mode AUTO_LOITER', 'Motor 2 lost', 'mode OFFBOARD', 'disarmed',
    ]  # fmt: skip
    assert 'at 5.00 s uav_1: Motor 2 lost' in out_text


def test_tracks_lie_on_the_globe(swarm_here, logs):
    code, _, _ = swarm_here('report', 'logs', *QUICK, '--export', 'kml', '--export', 'gpx')
    assert code == 0
    folder = logs.parent / 'logs-report'
    points = ElementTree.parse(folder / 'flight.gpx').getroot().findall('.//{*}trk')[0]
    first = points.find('.//{*}trkpt')
    assert float(first.get('lat')) == pytest.approx(HOME[0], abs=1e-6)
    assert float(first.get('lon')) == pytest.approx(HOME[1], abs=1e-6)
    assert first.find('{*}time').text.startswith('2023-11-14T22:13:20')
    tree = ElementTree.parse(folder / 'flight.kml').getroot()
    assert [name.text for name in tree.findall('.//{*}name')] == ['uav_1', 'uav_2']
    coordinates = [*map(float, tree.findall('.//{*}coord')[-1].text.split())]
    track = load(logs).agents.query('name == "uav_2"').iloc[-1]
    east = math.radians(coordinates[0] - HOME[1]) * 6_371_000.0 * math.cos(math.radians(HOME[0]))
    assert east == pytest.approx(track.x, abs=3.0)


def test_options_about_bags_are_refused(swarm_here, logs):
    code, _, err = swarm_here('report', 'logs', *QUICK, '--flight', '1')
    assert code == 2 and '--flight is about a bag, and there are only logs: leave it out' in err


def test_no_globe_without_an_origin(swarm_here, flights, tmp_path):
    bag = leave_bag(tmp_path / 'bag', flights[:1])
    code, _, err = swarm_here('report', bag, *QUICK, '--export', 'kml')
    assert code == 2 and 'no kml: no origin on the globe is recorded' in err


@pytest.mark.parametrize('name', ['uav_1.ulg', 'uav_2.bin'])
def test_fit_finds_the_velocity_loop_of_the_autopilot(swarm_here, logs, name):
    code, out, _ = swarm_here('fit', f'logs/{name}', '--json')
    assert code == 0
    estimates = json.loads(out)['parameters']
    assert estimates['tau_xy']['value'] == pytest.approx(QUAD.tau_xy, rel=0.05)
    assert estimates['max_acc_xy']['value'] == pytest.approx(QUAD.max_acc_xy, rel=0.05)


def test_logs_are_compared_with_the_bag_of_their_flight(swarm_here, logs, flights):
    leave_bag(logs.parent / 'bag', flights)
    code, out, err = swarm_here('compare', 'bag', 'logs', '--target', '0,0', '--radius', '10')
    assert (code, err) == (0, '') and 'aligned by motion' in out
    row = next(line for line in out.splitlines() if 'mean speed (median agent) [m/s]' in line)
    assert float(row.split('│')[5]) == pytest.approx(1.0, abs=0.01)


def test_vehicles_are_compared_with_one_of_them(swarm_here, flights, tmp_path):
    track = flights[0].track
    places = np.add(track.position, (3.0, 0.0, -4.0))
    other = flights[0]._replace(track=track._replace(position=places))
    write_ulog(tmp_path / 'pinned.ulg', ulog_of(flights[0]))
    write_ulog(tmp_path / 'other.ulg', ulog_of(other, Aircraft(boot=-50.0, start=(9.0, 5.0, 1.0))))
    options = ('--align', 'date', '--page', 'pinned.html', '--json')
    code, out, _ = swarm_here('compare', 'pinned.ulg', 'other.ulg', *options)
    assert code == 0
    (track,) = json.loads(out)['tracks']
    assert (track['agent'], track['side']) == ('other', 'other.ulg')
    assert track['rms'] == pytest.approx(5.0, abs=0.01)
    assert '<h2>Tracks against A</h2>' in (tmp_path / 'pinned.html').read_text()


def test_a_problem_of_a_log_names_it_once(swarm_here, flights, tmp_path):
    content = write_ulog(tmp_path / 'whole.ulg', ulog_of(flights[0])).read_bytes()
    (tmp_path / 'cut.ulg').write_bytes(content[: 2 * len(content) // 3])
    code, out, _ = swarm_here('compare', 'whole.ulg', 'cut.ulg', '--align', 'date')
    assert code == 0 and 'cut.ulg: it ends while' in out and 'cut.ulg: cut.ulg' not in out


def test_a_bag_and_a_log_of_one_vehicle_are_one(swarm_here, logs, flights):
    leave_bag(logs.parent / 'bag', flights)
    code, out, _ = swarm_here('report', 'bag', 'logs/uav_1.ulg', *QUICK)
    assert code == 0
    assert 'aligned with uav_1 by the motion of uav_1' in out
    assert 'uav_1: in several recordings, of which the first one counts' in out
    sources = read_json(logs.parent / 'bag-report' / 'findings.json')['sources']
    used = {source['topic']: source['used'] for source in sources}
    assert used['/uav_1/odom'] and not used['/uav_1/vehicle_local_position']
