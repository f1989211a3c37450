"""``swarm report`` over real bags and run folders."""

import json
import math
import os
import shutil
import signal
import subprocess
import sys
from functools import partial

import pytest
from pyarrow import parquet

from soliton_encirclement_ros.analysis import findings
from soliton_encirclement_ros.cli.recordings import report_verb
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.run.run_folder import create_run_folder
from soliton_encirclement_ros.sim import Simulation
from soliton_encirclement_ros.sim.recorded_data import recording_of
from support.here import swarm_here
from support.ready import NO_HURRY, laws
from support.recorded.bags import Raw, Scribe, raw_messages, write_bag
from support.recorded.bridge_reports import told
from support.recorded.run_folder import PICTURES, read_json
from support.ros.swarm import scenario

__all__ = ['laws', 'swarm_here']

pytestmark = NO_HURRY

QUICK = ('--no-page', '--no-pictures')


@pytest.fixture(scope='module')
def flown(tmp_path_factory):
    """Return the folder of a run with a bag."""
    one = scenario(run={'sim_duration': 20.0})
    folder = create_run_folder(tmp_path_factory.mktemp('runs'), one, ['test'])
    Simulation(one, folder, recording_of(one, ('csv', 'bag'), None, False, False)).fly(
        lambda: False, lambda: None
    )
    return folder


@pytest.fixture
def run(flown, tmp_path):
    """Return a copy of that run."""
    return shutil.copytree(flown, tmp_path / 'runs' / 'one')


@pytest.fixture
def report(swarm_here):
    """Return the verb as a function of its arguments."""
    return partial(swarm_here, 'report')


def test_everything_lands_in_the_folder_of_the_run(report, run):
    before = {path.name for path in run.iterdir()}
    code, out, err = report(run, '--table', 'csv', '--table', 'parquet', '--table', 'csv')
    assert (code, err) == (0, '')
    assert {path.name for path in run.iterdir()} - before == {
        'findings.json', 'report.html', 'tables', *PICTURES,
    }  # fmt: skip
    assert 'report folder: ' + str(run) in out.splitlines()
    assert 'ENCIRCLED: ' in out and 'problem: ' not in out
    metrics = parquet.read_table(run / 'tables' / 'metrics.parquet')
    assert metrics.num_rows == 400
    kinds = [path.suffix for path in (run / 'tables').iterdir()]
    assert (kinds.count('.csv'), kinds.count('.parquet'), kinds.count('.json')) == (5, 5, 1)


def test_figures_are_those_of_the_run(report, run):
    code, out, _ = report(run, *QUICK)
    told, lived = read_json(run / 'findings.json'), read_json(run / 'summary.json')
    assert code == 0
    for key in ('metrics_mean', 'settling_time_s', 'verdict', 'failures', 'min_separation_m'):
        assert told['summary'][key] == lived[key]
    assert max(told['live']['largest'].values()) <= 1e-12
    assert 'largest difference to the metrics published in flight: 0.0e+00 in 400 samples' in out
    agents = out[out.index('agents') :]
    assert all(f'uav_{k}' in agents for k in range(1, 5))
    for unit in ('[m]', '[m/s]', '[%]', '[Hz]', '[ms]', '/swarm/metrics'):
        assert unit in out


def test_json_is_all_that_is_printed(report, run):
    code, out, err = report(run, *QUICK, '--json')
    told = json.loads(out)
    assert (code, err) == (0, '')
    assert told.pop('files') == [str(run / 'findings.json')]
    assert told == read_json(run / 'findings.json')
    assert {*told['summary']['metrics_mean']} == {*METRIC_NAMES}


def test_a_bag_on_its_own_gets_a_folder_beside_it(report, run, tmp_path):
    bag = shutil.move(run / 'bag', tmp_path / 'flight')
    shutil.rmtree(run)
    for path in (bag, bag / 'bag.mcap'):
        assert report(path, *QUICK)[0] == 0
    assert (tmp_path / 'flight-report' / 'findings.json').is_file()
    assert (bag / 'bag-report' / 'findings.json').is_file()
    told = read_json(tmp_path / 'flight-report' / 'findings.json')
    assert told['settings']['radius_from'] == 'estimated'
    assert any(line.startswith('radius unknown') for line in told['problems'])


def test_another_folder_another_radius_another_target(report, run, tmp_path):
    out = tmp_path / 'some' / 'where'
    code, text, _ = report(
        run, *QUICK, '--out', out, '--target', 'adversary', '--radius', '12.5', '--table', 'csv'
    )
    told = read_json(out / 'findings.json')
    assert code == 0 and told['live'] is None
    assert told['settings']['target'] == 'adversary' and told['settings']['radius_m'] == 12.5
    assert 'radius 12.50 m (given)' in text
    assert (out / 'tables' / 'agents.csv').is_file() and not (run / 'findings.json').exists()


def test_foreign_names_come_by_a_map(report, run, tmp_path):
    names = tmp_path / 'map.yaml'
    names.write_text(
        'agents:\n  anna: {odom: /uav_1/odom}\n  berta: {odom: /uav_3/odom}\n'
        'target: {odom: /target/odom}\n',
        encoding='utf-8',
    )
    assert report(run, *QUICK, '--map', names)[0] == 0
    told = read_json(run / 'findings.json')
    assert {'anna', 'berta'} <= {agent['name'] for agent in told['agents']}


@pytest.fixture
def aerostack(tmp_path):
    """Return a bag with the names of aerostack2: three on a ring, set-points 1 m beside, /tf."""
    scribe, messages, level = Scribe(), [], (0.0, 0.0, 0.0, 1.0)
    for step in range(100):
        at, frames = 1_700_000_000 * 10**9 + step * 50_000_000, []
        for k in range(3):
            angle = 2.0 * math.pi * k / 3 + 0.005 * step
            place = (8.0 * math.cos(angle), 8.0 * math.sin(angle), 10.0)
            frames.append(('earth', f'drone{k}/base_link', place, 0.0))
            for name, offset in (
                ('self_localization/pose', 0.1), ('ground_truth/pose', 0.0),
                ('motion_reference/pose', 1.0),
            ):  # fmt: skip
                posed = scribe.pose_stamped(at, (place[0] + offset, *place[1:]), level)
                topic = f'/drone{k}/{name}'
                messages.append(Raw(topic, 'geometry_msgs/msg/PoseStamped', at, posed))
            odometry = scribe.odometry(at, place, (0.0, 0.0, 0.0))
            topic = f'/drone{k}/sensor_measurements/odom'
            messages.append(Raw(topic, 'nav_msgs/msg/Odometry', at, odometry))
        messages.append(Raw('/tf', 'tf2_msgs/msg/TFMessage', at, scribe.frames(at, *frames)))
    return write_bag(tmp_path / 'flight', messages)


def test_a_map_is_written_edited_and_given_back(report, aerostack, tmp_path):
    ring = ('--target', '0,0', '--radius', '8')
    code, out, err = report(aerostack, '--no-pictures', *ring, '--write-map', 'map.yaml')
    found = read_json(tmp_path / 'flight-report' / 'findings.json')
    assert (code, err) == (0, '') and 'ENCIRCLED: ' in out and 'not used' not in out
    assert [agent['name'] for agent in found['agents']] == ['drone0', 'drone1', 'drone2']
    assert found['collisions'] == [] and len(found['measurements']) == 3
    assert [(one['quantity'], one['role'], one['used']) for one in found['sources'][:4]] == [
        ('odom', 'estimate', True), ('ground_truth', 'ground truth', True),
        ('odom', 'sensor', False), ('odom', 'reference', False),
    ]  # fmt: skip
    assert 'Topics of vehicles' in (tmp_path / 'flight-report' / 'report.html').read_text()

    path = tmp_path / 'map.yaml'
    assert report(aerostack, *QUICK, *ring, '--map', path)[0] == 0
    given_back = read_json(tmp_path / 'flight-report' / 'findings.json')
    for key in ('summary', 'agents', 'measurements', 'min_separation', 'problems'):
        assert given_back[key] == found[key]

    text = path.read_text().replace('self_localization', 'sensor_measurements', 1)
    text = text.replace('sensor_measurements/pose', 'sensor_measurements/odom', 1)
    text = text.replace('/drone1/self_localization/pose', '/tf:drone1/base_link')
    path.write_text(text[: text.index('  drone2:')])
    assert report(aerostack, *QUICK, *ring, '--map', path)[0] == 0
    found = read_json(tmp_path / 'flight-report' / 'findings.json')
    used = {source['topic'] for source in found['sources'] if source['used']}
    assert used == {
        '/drone0/sensor_measurements/odom', '/drone0/ground_truth/pose', '/tf:drone1/base_link',
        '/drone1/ground_truth/pose',
    }  # fmt: skip
    assert [round(one['position_max'], 6) for one in found['measurements']] == [0.0, 0.0]

    code, out, err = report(aerostack, *QUICK, '--write-map', path)
    line = f'error: --write-map {path}: is there already; name another file\n'
    assert (code, out, err) == (2, '', line)


@pytest.mark.parametrize(
    ('arguments', 'line'),
    [
        (('--table', 'csv', '--table', 'xls'), "'--table': 'xls' is not one of 'csv', 'parq"),
        (('--target', '1,two'), "--target '1,two' must be a name in the bag, or X,Y in m"),
        (('--radius', 'nan'), "Invalid value for '--radius': nan must be finite"),
        (('--flight', '2'), '--flight 2: the bag holds one flight: leave --flight out'),
        (('--map', 'no.yaml'), 'no.yaml: cannot read'),
        (('--write-map', '/dev/null/x'), '/dev/null/x: cannot write the map'),
        (('--out', '/dev/null/x'), '/dev/null/x/findings.json: cannot write'),
        (('--between', '15..5'), "--between '15..5' must be A..B in s"),
        (('--between', '-5..5'), 'A at least 0 and before B: 12.5..80'),
    ],
)
def test_wrong_input_is_one_line_and_exit_code_2(report, run, arguments, line):
    code, out, err = report(run, *QUICK, *arguments)
    assert (code, out) == (2, '')
    assert err.startswith('error: ') and line in err and err.count('\n') == 1


def test_what_is_no_recording_is_refused(report, tmp_path):
    (tmp_path / 'text.mcap').write_text('nothing\n' * 100, encoding='utf-8')
    for path in ('nowhere', 'text.mcap', '.'):
        code, _, err = report(path, *QUICK)
        assert code == 2 and err.startswith('error: ') and err.count('\n') == 1


@pytest.mark.parametrize(
    'arguments',
    [('report', 'pipe'), ('fit', 'run', '--map', 'pipe'), ('report', 'run', '--map', '/dev/zero'),
     ('compare', 'pipe', 'pipe'), ('scenario', 'check', 'pipe'), ('sweep', 'pipe'),
     ('simulate', 'demo', '--vehicle', 'pipe')],
    ids=' '.join,
)  # fmt: skip
def test_a_pipe_is_refused_not_waited_for(swarm_here, tmp_path, arguments):
    os.mkfifo(tmp_path / 'pipe')
    (tmp_path / 'run').mkdir()
    done = swarm_here(*arguments)
    assert (done.code, done.out, done.err.count('\n')) == (2, '', 1)
    assert done.err.startswith(f'error: {arguments[-1]}: is a pipe or a device')


def test_a_run_without_a_bag_says_how_to_get_one(report, run):
    shutil.rmtree(run / 'bag')
    code, _, err = report(run, *QUICK)
    assert code == 2 and err.count('\n') == 1
    assert err.startswith(f'error: {run}: the run has no bag; ') and '--format bag' in err


def test_a_simulated_run_without_a_bag_is_flown_again(report, run):
    assert report(run, *QUICK)[0] == 0
    findings = read_json(run / 'findings.json')
    shutil.rmtree(run / 'bag')
    manifest = read_json(run / 'manifest.json')
    (run / 'manifest.json').write_text(json.dumps({**manifest, 'command': ['swarm', 'simulate']}))
    code, out, err = report(run, *QUICK)
    assert (code, err) == (0, '') and f'{run} has no bag: flown again by its manifest' in out
    assert read_json(run / 'findings.json') == findings and not (run / 'bag').exists()
    summary = read_json(run / 'summary.json')
    (run / 'summary.json').write_text(json.dumps({**summary, 'failures': 77}))
    assert 'flown again it differs from summary.json' in report(run, *QUICK)[2]


def test_a_cut_bag_is_reported_with_its_problem(report, run):
    path = run / 'bag' / 'bag.mcap'
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    code, out, err = report(run, *QUICK)
    assert (code, err) == (0, '') and 'problem: ' in out
    assert read_json(run / 'findings.json')['problems']


def test_a_broken_summary_costs_no_scenario(report, run):
    (run / 'summary.json').write_text('[]', encoding='utf-8')
    code, out, err = report(run, *QUICK)
    told = read_json(run / 'findings.json')
    assert (code, err) == (0, '')
    assert told['settings']['radius_from'] == 'scenario'
    assert told['problems'] == [
        f'{run}/summary.json: must hold a JSON object, not list; not needed: what was flown '
        'stands in manifest.json'
    ]
    assert f'problem: {told["problems"][0]}' in out


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_without_a_word(report, run, monkeypatch, number):
    def interrupted(*_):
        os.kill(os.getpid(), number)
        return [*range(1000)]

    monkeypatch.setattr(findings, 'find', interrupted)
    code, out, err = report(run, *QUICK)
    assert (code, out, err.strip()) == (130, '', '')  # click before 8.2 ends the line
    assert not (run / 'findings.json').exists()


def test_ctrl_c_while_a_library_initializes_is_no_missing_library(report, run, monkeypatch):
    def initialize(*_):
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt as error:
            raise ImportError('initialization failed') from error

    monkeypatch.setattr(report_verb, '_draw', initialize)
    code, _, err = report(run, '--no-page')
    assert (code, err.strip()) == (130, '')


def test_it_works_where_ros_does_not(run, tmp_path):
    blocked = tmp_path / 'blocked'
    blocked.mkdir()
    for name in ('rclpy', 'nav_msgs', 'sensor_msgs', 'geometry_msgs'):
        (blocked / f'{name}.py').write_text('raise ImportError("no ROS here")\n')
    code = (
        f'import sys; sys.path[:0] = [{str(blocked)!r}]; '
        f'sys.argv = ["swarm", "report", {str(run)!r}, "--no-pictures"]; '
        'from soliton_encirclement_ros.cli.main import main; sys.exit(main())'
    )
    command = [sys.executable, '-c', code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, '')
    assert (run / 'report.html').stat().st_size > 100_000


def test_of_vehicles_with_bridges_the_flight_is_judged(report, run, tmp_path):
    agents = [f'uav_{k}' for k in range(1, 5)]
    said = [
        told(time, name, 'why', state=state, landed=landed)
        for time, state, landed in (
            (0.0, 'READY', 'true'), (5.0, 'TRACK', 'false'), (15.0, 'LANDING', 'false'),
        ) for name in agents
    ]  # fmt: skip
    everything = sorted([*raw_messages(run / 'bag'), *said], key=lambda one: one.time_ns)
    bag = write_bag(tmp_path / 'flight', everything)
    code, out, err = report(bag, '--no-pictures')
    content = read_json(tmp_path / 'flight-report' / 'findings.json')
    judged = '5.0 s to 15.0 s, while uav_1, uav_2, uav_3, uav_4 tracked; the rest is take-off '
    assert (code, err) == (0, '') and f'judged: {judged}' in out
    assert content['judged'].startswith(judged) and content['summary']['duration_s'] == 15.0
    page = (tmp_path / 'flight-report' / 'report.html').read_text()
    assert f'Judged: {judged}' in page
    assert report(bag, *QUICK, '--between', '2..12')[0] == 0
    content = read_json(tmp_path / 'flight-report' / 'findings.json')
    assert 'judged' not in content and content['summary']['duration_s'] == 12.0
