"""``swarm param``, ``topics``, ``fail`` and ``recover`` as processes, beside a real agent node."""

import math
import re
import time

import pytest
import yaml
from std_msgs.msg import Float64MultiArray, String

from soliton_encirclement_ros.cli.operator import operator_nodes
from soliton_encirclement_ros.cli.operator.addressees import match_names, missing_members
from soliton_encirclement_ros.cli.operator.graph_verbs import plain
from soliton_encirclement_ros.cli.operator.operator_nodes import GraphNode, discovery_gaps
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.states.swarm_topics import Fleet
from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode
from support.cli import run_swarm, start_swarm
from support.ros.cockpit import Cockpit
from velocity_mobility_ros.core.environment.network import Participant
from velocity_mobility_ros.ros_io.endpoints import LATCHED

NODES = ['/target/target', '/uav_1/agent', '/uav_1/safety', '/uav_2/agent']


@pytest.mark.parametrize(
    ('patterns', 'root', 'found'),
    [
        (['uav_1'], '', ['/uav_1/agent', '/uav_1/safety']),
        (['uav_*/agent'], '', ['/uav_1/agent', '/uav_2/agent']),
        (['/uav_2/agent', 'uav_2'], '', ['/uav_2/agent']),
        (['uav_3'], '', 'no node is called /uav_3: there are /target/target, /uav_1/agent'),
        (['uav_1', 'uav_3', 'x'], '', 'no node is called /uav_3, /x: there are /target/target'),
        (['uav_1'], '/fleet', 'no node is called /fleet/uav_1: there are'),
    ],
)
def test_a_name_is_a_node_or_all_below_it(patterns, root, found):
    if isinstance(found, list):
        assert match_names(NODES, patterns, root, 'node') == found
        return
    with pytest.raises(RunError, match=f'^{found}'):
        match_names(NODES, patterns, root, 'node')


@pytest.mark.parametrize(
    ('pattern', 'missing'),
    [
        ('uav_*/agent', ['/uav_3', '/uav_4']),
        ('uav_*', ['/uav_3', '/uav_4']),
        ('uav_3', ['/uav_3']),
        ('*/*', ['/uav_3', '/uav_4']),
        ('uav_*/px4_bridge', []),  # not every member has one
        ('uav_1/agent', []),
        ('/fleet/uav_*', []),
    ],
)
def test_members_that_a_pattern_means_and_nobody_has_found_are_named(pattern, missing):
    there = ['/uav_1/agent', '/uav_2/safety', '/uav_3/vehicle']
    members = [f'/uav_{k}' for k in (1, 2, 3, 4)]
    assert missing_members(there, [pattern], '', members, ['agent', 'safety']) == missing


def test_messages_are_printed_as_plain_data_and_long_ones_are_cut():
    said = plain(Float64MultiArray(data=[0.5] * 25))
    assert said['layout'] == {'dim': [], 'data_offset': 0}
    assert said['data'] == [0.5] * 20 + ['... 5 more']


@pytest.mark.ros
@pytest.mark.parametrize('known', [True, False])
def test_a_search_lasts_until_every_process_of_this_computer_is_found(ros, monkeypatch, known):
    node = ros.add(GraphNode(Fleet()))
    # on a busy machine nothing may change for that long
    late = time.monotonic() + 2.0 if known else math.inf

    def look():
        return ['/a', '/b'] if time.monotonic() > late else ['/a']

    def missing(*_):
        return '' if time.monotonic() > late or not known else '1 of 2 is not found'

    monkeypatch.setattr(operator_nodes, 'discovery_gaps', missing)
    assert node.find(look, [], 'node') == (['/a', '/b'] if known else ['/a'])
    assert node.find(look, ['/a'], 'node') == ['/a']


@pytest.mark.ros
def test_a_process_that_is_not_found_or_not_named_is_counted(ros, monkeypatch):
    node = ros.add(GraphNode(Fleet()))
    assert discovery_gaps(node) == ''
    ports = [Participant(ros.domain, 0, 1), Participant(ros.domain + 1, 0, 2)]
    monkeypatch.setattr(f'{discovery_gaps.__module__}.participants', lambda: ports)
    assert discovery_gaps(node) == '1 of 1 other processes on this computer are not found'


class Commands:
    """Commands beside the nodes of a test, which go on meanwhile."""

    def __init__(self, ros, folder):
        """Take note of where they run."""
        self._ros, self._folder = ros, folder

    def run(self, *lines, meanwhile=lambda: None):
        """Run commands side by side to their ends; return exit code, output and errors of each."""
        started = [
            start_swarm(*line.split(), domain=self._ros.domain, folder=self._folder, name=f's_{k}')
            for k, line in enumerate(lines)
        ]
        self._ros.until(
            lambda: (meanwhile(), all(one.popen.poll() is not None for one in started))[1],
            'the ends',
        )
        return [(one.end(), one.out, one.err) for one in started]


@pytest.mark.ros
def test_a_running_agent_is_read_set_and_taken_down(ros, tmp_path):
    node, run = Cockpit(ros).node, Commands(ros, tmp_path).run
    ros.voice(String, '/note', LATCHED, readers=0).publish(String(data='grüezi'))
    listed, echoed, *nobody = run(
        'param list uav_1/agent', 'topics note --once', 'fail uav_1 uav_9', 'recover uav_9',
    )  # fmt: skip
    assert listed[0] == 0 and any(
        line.split()[1::2] == ['/uav_1/agent', 'k_s', '1.3'] for line in listed[1].splitlines()
    )
    assert (echoed[0], yaml.safe_load(echoed[1].removesuffix('---\n'))) == (0, {'data': 'grüezi'})
    assert nobody == [(1, '', 'error: no agent is called /uav_9: there are /uav_1\n')] * 2
    assert not node.failures.failed
    was_set, refused, failed = run(
        'param set uav_* k_s 2', 'param set uav_1/agent k_v -2', 'fail uav_1',
    )  # fmt: skip
    assert was_set[:2] == (0, '/uav_1/agent k_s = 2.0\n')
    assert node.get_parameter('k_s').value == 2.0
    assert refused[0] == 1 and 'k_v = -2.0 must be' in refused[2]
    assert failed == (0, '/uav_1: down until recover is called\n', '')
    again, got = run('fail uav_1', 'param get uav_1/agent k_s nothing')
    assert again == (0, '/uav_1: already down, until recover is called\n', '')
    assert got[1:] == (
        '/uav_1/agent k_s = 2.0\n', 'error: /uav_1/agent has no parameter nothing\n'
    )  # fmt: skip
    assert run('recover uav_1') == [(0, '/uav_1: up again\n', '')]
    assert run('recover uav_1') == [(0, '/uav_1: already up\n', '')]


@pytest.mark.ros
def test_members_that_only_others_have_heard_are_named(ros, tmp_path):
    cockpit = Cockpit(ros)
    cockpit.until(lambda: cockpit.commands, 'commands')

    def meanwhile():
        cockpit.live(neighbours=((-30.0, 0.0, 5.0), (0.0, 30.0, 5.0)))

    lines = 'param set uav_*/agent k_s 2', 'param get uav_* k_s', 'fail uav_*', 'param list uav_?'
    done = Commands(ros, tmp_path).run(*lines, meanwhile=meanwhile)
    for code, _, err in done:
        assert code == 1
        assert err.endswith('error: not found, though others have heard it: uav_2, uav_3\n')
    assert done[0][1] == '/uav_1/agent k_s = 2.0\nset: 1 of 3 nodes\n'
    assert done[2][1].endswith('\ndown: 1 of 3\n')


@pytest.mark.ros
def test_a_file_is_loaded_as_a_whole_or_not_at_all(ros, tmp_path):
    nodes = [ros.make(AgentNode, f'/uav_{k}') for k in (1, 2)]
    before = [(node.get_parameter('k_s').value, node.get_parameter('k_v').value) for node in nodes]
    gains = tmp_path / 'gains.yaml'
    for values in ('{k_s: 2.0, k_v: -1.0}', '{k_s: 2.0, nobodys: 1.0}', '{k_s: 2.0, k_v: true}'):
        gains.write_text(f'/**:\n  ros__parameters: {values}\n')
        for who in ('uav_1/agent', 'uav_*/agent'):
            ((code, out, err),) = Commands(ros, tmp_path).run(f'param load {who} gains.yaml')
            assert code == 1 and 'k_s = 2.0' not in out
            assert re.search('k_v|nobodys', err), err
    texts = ('1.5: {ros__parameters: {}}', '/**: {ros__parameters: ~}', '/**: [!!int ""]',
             '/**: &a {ros__parameters: {b: *a}}')  # fmt: skip
    for k, text in enumerate(texts):
        (tmp_path / f'{k}.yaml').write_text(text)
    lines = [f'param load uav_1/agent {k}.yaml' for k in range(len(texts))]
    for k, (code, _, err) in enumerate(Commands(ros, tmp_path).run(*lines)):
        assert code == 2 and err.splitlines()[-1].startswith(f'error: {k}.yaml: no parameter file')
        assert 'Traceback' not in err
    gains.write_text('/uav_2/agent:\n  ros__parameters: {k_s: 2.0}\n')
    ((code, _, err),) = Commands(ros, tmp_path).run('param load uav_*/agent gains.yaml')
    assert code == 2 and '/uav_1/agent' in err
    assert before == [
        (node.get_parameter('k_s').value, node.get_parameter('k_v').value) for node in nodes
    ]
    gains.write_text('/**:\n  ros__parameters: {k_s: 2.0, k_v: 3.0}\n')
    ((code, out, _),) = Commands(ros, tmp_path).run('param load uav_*/agent gains.yaml')
    assert (code, out.splitlines()[-1]) == (0, 'set: 2 of 2 nodes')


@pytest.mark.ros
def test_where_nobody_is_no_topic_is_listed(domain, tmp_path):
    nobody = run_swarm('topics', domain=domain, folder=tmp_path)
    assert nobody.popen.returncode == 1 and nobody.err.startswith('error: none is found at all')


@pytest.mark.ros
def test_topics_are_listed_without_those_of_the_command(ros, tmp_path):
    ros.make(AgentNode, '/uav_1')
    ((code, out, err),) = Commands(ros, tmp_path).run('topics')
    rows = {line.split()[1]: line.split()[5::2] for line in out.splitlines() if ' /' in line}
    assert (code, err) == (0, '')
    assert rows['/diagnostics'] == ['1', '0'] and rows['/swarm/agent_states'] == ['1', '1']
