"""``--stream`` of the commands: real swarms, received by clients of the viewers."""

import math
import re
import subprocess
import sys

import pytest
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory

from soliton_encirclement_ros.core.run.observer import SAMPLE_NAMES
from support.cli import REPOSITORY, environment, run_swarm, start_swarm, wait_until
from support.foxglove_client import by_topic, received, recorded
from support.here import swarm_here
from support.ready import NO_HURRY, laws
from support.rerun_viewer import blueprints, recordings, viewer
from support.sweeping.sweeps import free_port

__all__ = ['laws', 'swarm_here']

pytestmark = NO_HURRY

ADDRESS = re.compile(r'stream for Foxglove: ws://localhost:([0-9]+)\n')
AGENTS = {'uav_1', 'uav_2', 'uav_3'}
SHORT = ('demo', '--agents', '3', '--no-pictures')


@pytest.fixture(scope='module')
def flown(tmp_path_factory):
    """Return the folder of a flight of six seconds, with a bag."""
    folder = tmp_path_factory.mktemp('flown')
    words = ('simulate', *SHORT, '--duration', '6', '--format', 'bag')
    assert run_swarm(*words, domain=0, folder=folder).popen.returncode in (0, 1)
    return folder / 'runs' / 'latest'


@pytest.mark.ros
def test_a_run_is_streamed_to_foxglove_until_it_ends(ros, tmp_path):
    run = start_swarm(
        'run', *SHORT[:-1], '--duration', '3600', '--real-time-factor', '1', '--no-bag',
        '--stream', 'foxglove', domain=ros.domain, folder=tmp_path, name='run',
    )  # fmt: skip
    with run:
        ros.until(lambda: ADDRESS.search(run.err), 'the address')
        messages = received(int(ADDRESS.search(run.err)[1]))
        for one in messages:
            if one.topic == '/swarm/markers':
                names = {entity.id for entity in one.content.entities}
                if names >= {*AGENTS, 'target', 'adversary', 'ring'}:
                    break
        values = by_topic(messages, '/swarm/metrics')['/swarm/metrics'].content['position']
        assert 0.0 <= values[SAMPLE_NAMES.index('E_r')] < 10.0
        run.interrupt()
        ros.until(lambda: run.popen.poll() is not None, 'the end')
    assert not [one for one in messages if one.topic == 'nothing']  # closed


@pytest.mark.ros
def test_a_published_simulation_is_streamed_and_so_is_what_somebody_listens_to(ros, tmp_path):
    path, port = tmp_path / 'seen.rrd', free_port()
    where = {'domain': ros.domain, 'folder': tmp_path}
    listener = ('view', '--stream', 'rerun', '--port', str(port), '--radius', '20')
    flight = ('simulate', *SHORT, '--duration', '3600', '--format', 'none', '--publish',
              '--stream', 'foxglove')  # fmt: skip
    wanted = {f'/world/{name}' for name in (*AGENTS, 'target')} | {'/metrics/E_r', '/world/ring'}
    with (
        viewer(path, port),
        start_swarm(*listener, **where, name='listener') as view,
        start_swarm(*flight, **where, name='flight') as run,
    ):
        wait_until(lambda: any(one.keys() >= wanted for one in recordings(path)), 'the swarm')
        wait_until(lambda: ADDRESS.search(run.err), 'the address')
        assert by_topic(received(int(ADDRESS.search(run.err)[1])), '/swarm/metrics')
        for process in (run, view):
            process.interrupt()
            ros.until(lambda one=process: one.popen.poll() is not None, 'the end')
        assert (view.popen.returncode, view.out, view.err) == (0, 'stream for Rerun\n', '')


def test_a_report_for_foxglove_has_the_scene_and_the_figures_of_the_report(flown, swarm_here):
    code, out, err = swarm_here('report', flown, '--no-page', '--no-pictures', '--stream',
                                'foxglove')  # fmt: skip
    assert (code, err) == (0, '') and 'flight.mcap' in out
    messages = recorded(flown / 'flight.mcap')
    scenes = [one for one in messages if one.topic == '/swarm/markers']
    assert len(scenes) == 61
    assert {one.id for one in scenes[0].content.entities} >= AGENTS
    own = [one for one in messages if one.topic == '/swarm/metrics']
    published = dict(bag_metrics(flown))
    for one in own:
        position = [math.nan if value is None else value for value in one.content['position']]
        assert position == pytest.approx(published[one.stamp_ns], nan_ok=True)
    assert len(own) > 50


def bag_metrics(flown):
    """Iterate over stamps [ns] and values of the metrics in the bag of a run."""
    with (flown / 'bag' / 'bag.mcap').open('rb') as file:
        reader = make_reader(file, decoder_factories=[DecoderFactory()])
        for *_, one in reader.iter_decoded_messages(topics=['/swarm/metrics']):
            yield one.header.stamp.sec * 10**9 + one.header.stamp.nanosec, list(one.position)


def test_a_report_for_rerun_has_every_body_and_its_layout(flown, swarm_here):
    code, out, err = swarm_here('report', flown, '--no-page', '--no-pictures', '--stream', 'rerun')
    assert (code, err) == (0, '') and 'flight.rrd' in out
    (found,) = recordings(flown / 'flight.rrd')
    for name in (*AGENTS, 'target', 'adversary'):
        times = [at for at, _ in found[f'/world/{name}']['Points3D:positions']]
        assert times == pytest.approx([0.1 * k for k in range(61)])
    assert {f'/metrics/{name}' for name in SAMPLE_NAMES} <= found.keys()
    assert blueprints(flown / 'flight.rrd') == 1


@pytest.mark.parametrize(('words', 'what'), [
    (('view', '--stream', 'foxglove', '--host', '192.0.2.7'), 'a stream has no token'),
    (('simulate', 'demo', '--stream', 'foxglove'), 'has no effect without --publish'),
    (('run', 'demo', '--stream', 'other'), "'other' is not one of 'foxglove', 'rerun'"),
])  # fmt: skip
def test_what_cannot_be_streamed_is_refused(words, what, swarm_here):
    code, _, err = swarm_here(*words)
    assert code == 2 and what in err and err.count('\n') == 1


@pytest.mark.parametrize('words', [('run', 'demo'), ('simulate', 'demo', '--publish'), ('view',)])
@pytest.mark.parametrize('stream', ['foxglove', 'rerun'])
def test_a_library_that_is_missing_costs_one_line_and_no_run(words, stream, tmp_path):
    code = (f'import sys; sys.modules[{stream!r}] = None\n'
            'from soliton_encirclement_ros.cli.main import main; sys.exit(main())')  # fmt: skip
    done = subprocess.run(
        [sys.executable, '-c', code, *words, '--stream', stream], cwd=tmp_path, text=True,
        env=environment(0) | {'PYTHONPATH': str(REPOSITORY)}, capture_output=True, check=False,
    )  # fmt: skip
    (line,) = done.stderr.splitlines()
    assert done.returncode == 2 and f'pip install "soliton_encirclement_ros[{stream}]"' in line
    assert not (tmp_path / 'runs').exists()
