"""``swarm run`` from the command to the files that a good run leaves."""

import json
import os
from pathlib import Path

import pytest
from PIL import Image

from soliton_encirclement_ros.core.scenario.scenario import SECTIONS
from support.cli import Process, only_run_folder, processes_that_mention, run_swarm
from support.flights import PERIOD_NS, stamps
from support.recorded.run_folder import (
    AGENT_COLUMNS, PICTURES, TARGET_COLUMNS, read_bag_with_mcap, read_bag_with_rosbags, read_json,
    read_table
)
from support.ros_domain import domain_of_its_own

pytestmark = [pytest.mark.ros]

AGENTS = 4
TICKS = 160
UAVS = [f'uav_{k}' for k in range(1, AGENTS + 1)]
MEMBERS = [*UAVS, 'target', 'adversary']
LAST_STAMP = TICKS * PERIOD_NS
EVERY_TICK = stamps(TICKS)

GOOD = (
    'run', 'demo', '--agents', str(AGENTS), '--duration', '8', '--seed', '5',
    '--set', 'failure.failure_mean_failures_per_min=20', '--set', 'failure.failure_off_time=1.0',
    '--set', 'run.max_e_gap=2.0', '--set', 'run.max_e_r=1.0', '--json',
)  # fmt: skip


class Finished:
    """A run that went well: its process and what it left."""

    def __init__(self, process: Process, folder: Path) -> None:
        """Open the tables and the bag."""
        self.process = process
        self.folder = folder
        self.summary = read_json(folder / 'summary.json')
        self.agent_table = read_table(folder / 'agent_telemetry.csv')
        self.target_table = read_table(folder / 'target_telemetry.csv')
        self.bag = read_bag_with_mcap(folder / 'bag')


@pytest.fixture(scope='module')
def finished(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """Return a short run with failures that went well."""
    folder = tmp_path_factory.mktemp('good')
    with domain_of_its_own() as domain:
        process = run_swarm(*GOOD, domain=domain, folder=folder)
    return Finished(process, only_run_folder(folder))


def test_a_run_that_encircles_ends_with_0_and_says_nothing_on_stderr(finished):
    assert finished.process.popen.returncode == 0
    assert finished.process.err == ''


def test_json_output_is_the_summary_and_where_it_lies(finished):
    said = json.loads(finished.process.out)
    assert said.pop('run_folder') == str(Path('runs') / finished.folder.name)
    assert said.pop('wall_s') > 0.0
    assert os.readlink(finished.folder.parent / 'latest') == finished.folder.name
    assert said.items() <= finished.summary.items()


def test_the_manifest_holds_all_that_is_needed_to_repeat_the_run(finished):
    manifest = read_json(finished.folder / 'manifest.json')
    assert manifest['seed'] == 5
    assert manifest['command'][1:] == list(GOOD)
    assert set(manifest['scenario']) == {'name', *SECTIONS}
    assert manifest['scenario']['run']['num_agents'] == AGENTS
    assert manifest['scenario']['failure']['failure_off_time'] == 1.0
    assert manifest['scenario']['mobility']['tau_xy'] == 0.4
    for key in ('created', 'version', 'python', 'libraries', 'ros', 'machine'):
        assert manifest[key]
    assert 'git_commit' in manifest
    assert manifest['libraries']['numpy']
    assert manifest['machine']['cores'] == os.cpu_count()


def test_the_agents_table_has_the_columns_of_the_law_and_a_row_per_agent_and_tick(finished):
    header, rows = finished.agent_table
    assert header == AGENT_COLUMNS
    expected = [(k, stamp / 1e9) for stamp in EVERY_TICK for k in range(1, AGENTS + 1)]
    assert [(row[0], row[1]) for row in rows] == expected


def test_the_targets_table_has_the_columns_of_the_seed_and_a_row_per_tick(finished):
    header, rows = finished.target_table
    assert header == TARGET_COLUMNS
    assert [row[0] for row in rows] == [stamp / 1e9 for stamp in EVERY_TICK]


def test_the_summary_agrees_with_the_tables(finished):
    summary = finished.summary
    assert (summary['scenario'], summary['agents'], summary['ticks']) == ('demo', AGENTS, TICKS)
    assert (summary['duration_s'], summary['missed_answers']) == (8.0, 0)
    assert summary['verdict']['encircled'] is True
    assert 'E_gap' in summary['verdict']['why']
    names, rows = finished.target_table
    tail = rows[-TICKS // 5 :]
    for i, name in enumerate(names[1:7], start=1):
        mean = sum(row[i] for row in tail) / len(tail)
        assert summary['metrics_mean'][name] == pytest.approx(mean, rel=1e-12)
        assert summary['metrics_last'][name] == rows[-1][i]


def test_failures_are_counted_and_cut_the_agents_out_of_the_swarm(finished):
    assert finished.summary['failures'] >= 2
    assert finished.summary['failures_recovered'] >= 1
    alive = {m.message.position[6] for m in finished.bag['/swarm/metrics']}
    assert min(alive) < AGENTS
    assert max(alive) == AGENTS


def test_every_picture_is_there_and_shows_something(finished):
    for name in PICTURES:
        with Image.open(finished.folder / name) as image:
            image.load()
            assert min(image.size) >= 400
            assert len(image.convert('RGB').getcolors(1 << 24)) > 50


EVENTS = '/parameter_events'
"""Is there if the recorder has found a node before that declared its parameters."""


def test_the_bag_holds_every_topic_with_a_message_per_tick(finished):
    topics = {f'/{name}/{part}' for name in MEMBERS for part in ('odom', 'cmd_vel')}
    topics |= {f'/{name}/telemetry' for name in UAVS}
    topics |= {f'/swarm/{name}' for name in ('target_state', 'adversary_state', 'metrics')}
    assert set(finished.bag) - {EVENTS} == topics | {
        '/clock', '/diagnostics', '/swarm/agent_states', '/swarm/markers',
    }  # fmt: skip
    for topic in topics | {'/clock'}:
        stamps = [m.stamp_ns for m in finished.bag[topic] if m.stamp_ns != 0]
        assert stamps == EVERY_TICK, topic
    words = [m for m in finished.bag['/swarm/agent_states'] if m.stamp_ns != 0]
    told = [(m.stamp_ns, name) for m in words for name in speakers(m.message)]
    assert sorted(told) == [(stamp, name) for stamp in EVERY_TICK for name in sorted(UAVS)]
    of_states = [m.stamp_ns for m in words if m.message.name]
    assert len(of_states) == len(set(of_states)) > 0.9 * len(EVERY_TICK), 'one for all that are up'


def speakers(message):
    """Return the agents whose states, or silence, a message holds."""
    names = [name.partition('/')[0] for name in message.name if name.endswith('/seq')]
    return names or [message.header.frame_id]


def test_every_message_is_logged_at_its_simulated_time(finished):
    for topic, recorded in finished.bag.items():
        logged = [m.logged_ns for m in recorded]
        assert logged == sorted(logged), topic
        assert logged[-1] <= LAST_STAMP
        if topic not in ('/swarm/markers', EVENTS):
            assert logged == [m.stamp_ns for m in recorded], topic


def test_the_metrics_in_the_bag_equal_the_table_exactly(finished):
    header, rows = finished.target_table
    recorded = finished.bag['/swarm/metrics']
    assert tuple(recorded[0].message.name[:6]) == header[1:7]
    assert [[m.stamp_ns / 1e9, *m.message.position[:6]] for m in recorded] == [
        row[:7] for row in rows
    ]


def test_the_telemetry_in_the_bag_equals_the_table_exactly(finished):
    _, rows = finished.agent_table
    for k, name in enumerate(UAVS, start=1):
        told = [m.message for m in finished.bag[f'/{name}/telemetry']]
        from_bag = [[*m.position[6:], *m.position[:3], *m.velocity[:3]] for m in told]
        assert from_bag == [[*row[2:-7], *row[-6:]] for row in rows if row[0] == k]


def test_rosbags_reads_the_same_as_mcap(finished):
    other = read_bag_with_rosbags(finished.folder / 'bag')
    for topic, recorded in finished.bag.items():
        assert [m[:2] for m in recorded] == [m[:2] for m in other[topic]], topic
    names = {status.name for m in finished.bag['/diagnostics'] for status in m.message.status}
    assert 'world: simulation' in names


def test_nothing_is_left_running(finished):
    assert processes_that_mention(str(finished.folder)) == {}
