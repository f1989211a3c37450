"""Parameter files of a launch: who gets them, and what is refused before anything starts."""

import pytest
from soliton_encirclement_ros.core.scenario.launch_arguments import NodeFiles, node_files
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec
from soliton_encirclement_ros.core.states.swarm_topics import ROOT, Fleet
from velocity_mobility_ros.core.user_errors import MobilityError

PLAN = [
    NodeSpec('agent_node', 'uav_1', {}), NodeSpec('px4_bridge_node', 'uav_1', {}),
    NodeSpec('agent_node', 'uav_2', {}), NodeSpec('px4_bridge_node', 'uav_2', {}),
    NodeSpec('monitor_node', '', {}),
]  # fmt: skip
VALUES = '{ros__parameters: {k: 1.0}}'


@pytest.fixture
def written(tmp_path):
    """Return what writes a file with sections."""

    def write(*names: str) -> str:
        file = tmp_path / 'own.yaml'
        file.write_text(''.join(f'{name}: {VALUES}\n' for name in names), encoding='utf-8')
        return str(file)

    return write


@pytest.mark.parametrize(
    ('names', 'fleet', 'who'),
    [
        (['/**'], ROOT, [1, 3]),
        (['/uav_1/px4_bridge_node', 'uav_2/px4_bridge_node'], ROOT, [1, 3]),
        (['/alpha/*/px4_bridge_node'], Fleet('/alpha'), [1, 3]),
        (['/uav_2/*'], ROOT, [3]),
    ],
)
def test_bridges_get_the_files_that_have_a_section_for_them(written, names, fleet, who):
    path = written(*names)
    files = node_files(PLAN, fleet, bridge_file=path)
    assert [place for place, own in enumerate(files.of) if own == (path,)] == who
    assert [line.partition(' has no section for ')[2] for line in files.warnings] == (
        ['/uav_1/px4_bridge_node, which keeps the values of the scenario'] if who == [3] else []
    )


def test_params_file_is_for_the_first_node(written):
    path = written('/uav_1/agent', '/uav_1/px4_bridge_node', '/uav_7/agent', 'px4_bridge')
    files = node_files(PLAN[:2], ROOT, path)
    assert files.of == ((path,), ())
    assert files.warnings == (
        f'params_file:={path}: section px4_bridge has no effect: no node of this package is '
        'called px4_bridge; did you mean px4_bridge_node?',
        f'params_file:={path}: section /uav_1/px4_bridge_node has no effect: the file is for '
        '/uav_1/agent',
    )


@pytest.mark.parametrize('argument', ['params_file', 'bridge_file'])
@pytest.mark.parametrize(
    ('names', 'line'),
    [
        (['agent', 'uav_1/px4_bridge', '/uav_3/*'], ' has agent, uav_1/px4_bridge, /uav_3/*;'),
        ([], ' it has none; call it /uav_1/'),
    ],
)
def test_a_file_for_none_of_its_nodes_is_refused(written, argument, names, line):
    path = written(*names)
    with pytest.raises(MobilityError) as refused:
        node_files(PLAN, ROOT, **{argument: path})
    assert str(refused.value).startswith(f'{argument}:={path} has no section for /uav_1/')
    assert line in str(refused.value)


@pytest.mark.parametrize(
    ('text', 'line'),
    [(None, 'own.yaml: there is no such file'), ('/**: [', 'own.yaml: not valid YAML: '),
     ('a: &a {b: *a}', 'own.yaml: not valid YAML: nested too deeply')],
)  # fmt: skip
def test_a_file_that_cannot_be_read_is_refused_in_one_line(tmp_path, text, line):
    path = tmp_path / 'own.yaml'
    if text is not None:
        path.write_text(text, encoding='utf-8')
    with pytest.raises(MobilityError) as refused:
        node_files(PLAN, ROOT, str(path))
    assert line in str(refused.value) and '\n' not in str(refused.value)


def test_a_bridge_file_without_bridges_is_told_unless_they_run_already(written):
    path, agent = written('/**'), PLAN[:1]
    (line,) = node_files(agent, ROOT, bridge_file=path).warnings
    assert line == f'bridge_file:={path} has no effect: no bridge is started'
    assert node_files(agent, ROOT, bridge_file=path, is_bridged=False) == NodeFiles(((),), ())
