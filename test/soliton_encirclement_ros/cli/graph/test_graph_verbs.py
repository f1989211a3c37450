"""``swarm param``, ``topics``, ``fail`` and ``recover`` as processes, beside a real agent node."""

import pytest
import yaml
from soliton_encirclement_ros.cli.graph.name_patterns import chosen
from soliton_encirclement_ros.cli.graph.topics import plain
from soliton_encirclement_ros.core.errors import RunError
from std_msgs.msg import Float64MultiArray, String
from support.cli import start_swarm
from support.ros.cockpit import Cockpit
from velocity_mobility_ros.ros_io.qos import LATCHED

NODES = ['/target/target', '/uav_1/agent', '/uav_1/safety', '/uav_2/agent']


@pytest.mark.parametrize(
    ('patterns', 'root', 'found'),
    [
        (['uav_1'], '', ['/uav_1/agent', '/uav_1/safety']),
        (['uav_*/agent'], '', ['/uav_1/agent', '/uav_2/agent']),
        (['/uav_2/agent', 'uav_2'], '', ['/uav_2/agent']),
        (['uav_3'], '', 'no node is called /uav_3: there are /target/target, /uav_1/agent'),
        (['uav_1'], '/fleet', 'no node is called /fleet/uav_1: there are'),
    ],
)
def test_a_name_is_a_node_or_all_below_it(patterns, root, found):
    if isinstance(found, list):
        assert chosen(NODES, patterns, root, 'node') == found
        return
    with pytest.raises(RunError, match=f'^{found}'):
        chosen(NODES, patterns, root, 'node')


def test_messages_are_printed_as_plain_data_and_long_ones_are_cut():
    said = plain(Float64MultiArray(data=[0.5] * 25))
    assert said['layout'] == {'dim': [], 'data_offset': 0}
    assert said['data'] == [0.5] * 20 + ['... 5 more']


@pytest.mark.ros
def test_a_running_agent_is_read_set_and_taken_down(ros, tmp_path):
    node = Cockpit(ros).node
    ros.voice(String, '/note', LATCHED, readers=0).publish(String(data='grüezi'))

    def run(*lines):
        """Run commands side by side to their ends, while the node goes on."""
        started = [
            start_swarm(*line.split(), domain=ros.domain, folder=tmp_path, name=f'swarm_{k}')
            for k, line in enumerate(lines)
        ]
        ros.until(lambda: all(one.popen.poll() is not None for one in started), 'the ends')
        return [(one.end(), one.out, one.err) for one in started]

    listed, echoed, nobody = run(
        'param list uav_1/agent', 'topics note --once', 'fail uav_9',
    )  # fmt: skip
    assert listed[0] == 0 and any(
        line.split()[1::2] == ['/uav_1/agent', 'k_s', '1.5'] for line in listed[1].splitlines()
    )
    assert (echoed[0], yaml.safe_load(echoed[1].removesuffix('---\n'))) == (0, {'data': 'grüezi'})
    assert nobody == (2, '', 'error: no agent is called /uav_9: there are /uav_1\n')
    was_set, refused, failed = run(
        'param set uav_* k_s 2', 'param set uav_1/agent k_v -2', 'fail uav_1',
    )  # fmt: skip
    assert was_set[:2] == (0, '/uav_1/agent k_s = 2.0\n')
    assert node.get_parameter('k_s').value == 2.0
    assert refused[0] == 1 and 'k_v = -2.0 must be' in refused[2]
    assert failed == (0, '/uav_1: down until recover is called\n', '')
    (got, back) = run('param get uav_1/agent k_s nothing', 'recover uav_1')
    assert got[1:] == (
        '/uav_1/agent k_s = 2.0\n', 'error: /uav_1/agent has no parameter nothing\n'
    )  # fmt: skip
    assert back == (0, '/uav_1: up again\n', '')
