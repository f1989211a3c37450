"""Parameters of files and the command line: as rcl takes them, what is refused, what is told."""

import csv
import os
from pathlib import Path

import pytest
from rclpy.node import Node
from rclpy.parameter import Parameter
from velocity_mobility_ros.core.environment.parameter_files import (
    Changed,
    add_rows,
    begin_table,
    is_value,
    sections_of,
)
from velocity_mobility_ros.core.user_errors import MobilityError, ParameterError, StartupError
from velocity_mobility_ros.nodes.mobility_node import MobilityNode
from velocity_mobility_ros.ros_io.process import parameter_sources
from velocity_mobility_ros.ros_io.process.parameter_sources import (
    LAUNCH,
    Source,
    changed_parameters,
    given_to,
    refuse_lost,
    refuse_without_section,
    sources_of,
)
from velocity_mobility_ros.ros_io.ros_parameters import given_values

pytestmark = pytest.mark.ros

NAMESPACES = ('/', '/uav_1', '/fleet/uav_1')
K = '{ros__parameters: {k: 1.5}}'

FILES = [
    *(f'{name}: {K}' for name in (
        '/**', '/*', '/*/*', '/**/agent', '/*/agent', '/uav_1/*', '/uav_1/**', '/**/uav_1/agent',
        '/uav_1/**/agent', 'agent', '/agent', 'uav_1/agent', '/uav_1/agent', '/uav_2/agent',
        '/uav_1/Agent', 'agent_node', '"**"', '"*"',
    )),
    f'uav_1: {{agent: {K}}}',
    f'/**: {{agent: {K}}}',
    f'uav_1: {{"*": {K}}}',
    f'uav_1:\n  other: {{ros__parameters: {{k: 2.5}}}}\n  agent: {K}',
    f'uav_1: {{other: {K}}}\nuav_1: {{agent: {K}}}',
    f'/uav_1/agent: {K}\n---\n/**: {{ros__parameters: {{j: 1}}}}',
    '/uav_1/agent: {ros__parameters: {a: {b: 1, c: {d: 2}}, e.f: 3}}',
    '/uav_1/agent: {ros__parameters: {}}',
    '/uav_1/agent: {}',
    f'\ufeff/**: {K}',
    '# nothing',
]  # fmt: skip
"""Texts that rcl accepts."""

SPELLINGS = (
    'y', 'Yes', 'OFF', 'yEs', '12', '-0x1F', '031', '08', '+5', '1.', '.5', '-.5e-2', '1E+3',
    '1_000', '.nan', 'nan', '-.inf', 'inf', 'none', '~', "'true'", '"1"', '!!str 1', '0o17',
    '1:30', 'a b', '9223372036854775808', '1e400', '-.nan',
)  # fmt: skip


class Given:
    """A node with the parameters of files and ``-p``, as rcl gives them to it."""

    def __init__(self, node: Node, arguments: list[str]) -> None:
        """Ask rcl for the values, and read what it was given."""
        self.node, self.name = node, node.get_fully_qualified_name()
        self.sources, self.used = sources_of(arguments), given_values(node)
        self.given = given_to(self.name, self.sources)

    def refused(self, error: type[MobilityError] = ParameterError) -> str:
        """Return the line with which its values, or files, are refused."""
        with pytest.raises(error) as caught:
            self.check()
        return str(caught.value)

    def check(self) -> None:
        """Check files and values as the start of a node does."""
        refuse_without_section(self.sources, [self.name])
        refuse_lost(self.name, self.given, self.used, ())


@pytest.fixture
def give(ros, tmp_path):
    """Return a maker of nodes from texts: files, or ``-p ...``."""

    def maker(*texts: str, namespace: str = '/uav_1', kind: type[Node] = Node, **options) -> Given:
        arguments = ['--ros-args']
        for number, text in enumerate(texts):
            file = tmp_path / f'{number}.yaml'
            file.write_text(text, encoding='utf-8')
            arguments += text.split(' ', 1) if text[0] == '-' else ['--params-file', str(file)]
        names = ['agent'] if kind is Node else []
        quiet = {} if names == [] else {'start_parameter_services': False, 'enable_rosout': False}
        node = kind(*names, namespace=namespace, cli_args=arguments, **quiet, **options)
        return Given(ros.add(node), arguments)

    return maker


@pytest.mark.parametrize('text', FILES)
def test_sections_are_for_the_nodes_to_which_rcl_gives_them(give, text):
    """The one matcher, held against rcl itself."""
    for namespace in NAMESPACES:
        asked = give(text, namespace=namespace)
        assert set(asked.given) == set(asked.used), (asked.name, text)
        refuse_lost(asked.name, asked.given, asked.used, ())


def test_values_are_those_that_rcl_reads(give):
    lines = [f'    k{number}: {text}' for number, text in enumerate(SPELLINGS)]
    text = '\n'.join(['/**:', '  ros__parameters:', *lines])
    used, (section,) = give(text).used, sections_of(text)
    written = section.values
    assert [one.value for name, one in written.items() if not is_value(one, used[name])] == []
    assert not any(is_value(written['k4'], other) for other in (12.5, '12.0', True))
    assert is_value(written['k4'], 12.0)


ONE, OWN = '/**: {ros__parameters: {k: %s}}', '/uav_1/agent: {ros__parameters: {k: %s}}'
SECOND_BELOW = f'fleet:\n  uav_1/other: {K}\n  uav_1/agent: {K}'


@pytest.mark.parametrize(
    ('texts', 'line'),
    [
        ([ONE % 2.0, '-p k:=none'], 'k = none (command line) is ignored: ROS uses 2.0, given bef'),
        ([ONE % 1, ONE % 2.0], 'another type; give both with the same type, numbers all with or'),
        ([f'{ONE}\n{OWN}' % ('a', 'b'), '-p k:=c'], 'section /uav_1/agent, which overrides /**'),
        ([f'{ONE}\n{OWN}' % ('no', 'yes'), '-p k:=false'], 'k = false (command line) is ignor'),
        ([ONE % 1.0, f'{OWN}\n{ONE}' % (2.0, 3.0)], '.yaml) is ignored: ROS uses 2.0, given bef'),
        (['-p k:=1.0', ONE % 2.0], 'k = 1.0 (command line) is ignored: ROS uses 2.0, given after'),
    ],
)
def test_what_is_given_last_is_used_or_refused(give, texts, line):
    assert line in give(*texts).refused()


def test_a_typed_value_that_a_run_replaces_is_refused(give):
    """One of a file is told, where the node tells what it uses."""
    asked = give(OWN % 2.0, '-p k:=3.0')
    with pytest.raises(ParameterError, match=r'uses 1\.5, which the run gives to its nodes'):
        refuse_lost(asked.name, asked.given, {'k': 1.5}, {'k'})
    of_file = given_to(asked.name, asked.sources[:1])
    refuse_lost(asked.name, of_file, {'k': 1.5}, {'k'})


def test_a_second_node_below_a_namespace_that_rcl_misreads_is_refused(give):
    line = give(SECOND_BELOW, namespace='/fleet/uav_1').refused()
    assert line.startswith('/fleet/uav_1/agent: k in section fleet/uav_1/agent of ')
    assert line.endswith('misreads a second node below a namespace; write /fleet/uav_1/agent as o'
                         'ne key')  # fmt: skip


@pytest.mark.parametrize(
    ('text', 'line'),
    [
        (
            f'agent: {K}\n/uav_2/agent: {K}',
            '0.yaml has no section for /uav_1/agent: it has agent, /uav_2/agent; call it '
            '/uav_1/agent or /**/agent or /**, with the parameters below ros__parameters',
        ),
        ('# nothing', ' has no section for /uav_1/agent: it has none; call it'),
        ('/uav_1/agent: {}', ' has no section for /uav_1/agent: it has none'),
        ('-p agent:k:=1', '-p agent:k is for /agent, and this is /uav_1/agent: write -p k:=VALUE'),
    ],
)
def test_what_is_for_another_node_is_refused(give, monkeypatch, text, line):
    """In a launch it may be for another process of it."""
    asked = give(text)
    assert line in asked.refused(StartupError)
    monkeypatch.setattr(parameter_sources, 'is_launched', lambda: True)
    (warning,) = refuse_without_section(asked.sources, [asked.name])
    assert line in warning


def test_a_pipe_is_not_read_a_second_time(tmp_path):
    """That would wait for ever."""
    pipe = tmp_path / 'pipe'
    os.mkfifo(pipe)
    assert sources_of(['--ros-args', '--params-file', str(pipe)]) == []


def test_nodes_of_one_process_may_share_a_file(give):
    asked = give(f'/uav_2/agent: {K}', '-p agent:k:=1')
    assert refuse_without_section(asked.sources, [asked.name, '/uav_2/agent', '/agent']) == []


def test_a_section_that_is_for_no_node_of_the_package_is_told(give):
    text = ''.join(f'{name}: {K}\n' for name in ('/**', 'mobility', '/uav_2/agent', 'agent_node'))
    asked = give(text)
    warnings = refuse_without_section(asked.sources, [asked.name])
    assert [line.partition('.yaml: ')[2] for line in warnings] == [
        'section mobility has no effect: no node of this package is called mobility; did you mean '
        'mobility_node?',
        'section agent_node has no effect: no node of this package is called agent_node; did you '
        'mean agent?',
    ]


def test_a_number_with_a_leading_zero_is_told(give):
    """rcl reads it as octal; quoted it is a text, and 0 is 0."""
    values = "{k: 010, a: 0, b: 00, c: '010', d: 0x10, e: 0.10, f: [010]}"
    asked = give(f'/**: {{ros__parameters: {values}}}')
    (warning,) = refuse_without_section(asked.sources, [asked.name])
    assert warning.endswith('.yaml: k: 010 is octal, which is 8; write 10 or 8')


def test_what_differs_from_the_defaults_is_told_with_its_origin(give, tmp_path):
    """A file of launch is told apart; what the user gives in vain to a run is told, too."""
    set_by_run = [Parameter('max_acc_z', value=2.5), Parameter('tau_z', value=1.2)]
    asked = give(
        '/**: {ros__parameters: {max_speed_xy: 3.0, max_speed_z: 5.0, tau_z: 0.7}}',
        '/**: {ros__parameters: {tau_xy: none}}', '-p max_acc_xy:=2', '-p use_sim_time:=true',
        kind=MobilityNode, parameter_overrides=set_by_run,
    )  # fmt: skip
    file, launch, *typed = asked.sources
    given = given_to(asked.name, [file, Source(LAUNCH, launch.sections), *typed])
    assert changed_parameters(asked.node, given) == [
        Changed('max_speed_xy', 3.0, 10.0, 'm/s', file.origin),
        Changed('max_acc_xy', 2, 4.0, 'm/s^2', 'command line'),
        Changed('max_acc_z', 2.5, 5.0, 'm/s^2', 'run'),
        Changed('tau_xy', None, 1.0, 's', 'launch'),
        Changed('tau_z', 1.2, 1.2, 's', f'run, not 0.7 of {file.origin}'),
        Changed('use_sim_time', True, False, '', 'command line'),
    ]


def test_nodes_add_their_rows_to_the_table_of_a_run(tmp_path):
    """A table that is gone is not begun again."""
    table = tmp_path / 'parameters.csv'
    add_rows('/uav_1/agent', [Changed('k', 1, 2, '', 'launch')], str(table))
    assert not table.exists()
    begin_table(table, [Changed('run.seed', 1, 0, '', 'demo.yaml')])
    add_rows('/uav_1/agent', [Changed('tau_xy', None, 0.5, 's', 'a,b.yaml')], str(table))
    with Path(table).open(newline='') as file:
        assert [*csv.reader(file)] == [
            ['node', 'parameter', 'value', 'default', 'unit', 'origin'],
            ['scenario', 'run.seed', '1', '0', '', 'demo.yaml'],
            ['/uav_1/agent', 'tau_xy', 'none', '0.5', 's', 'a,b.yaml'],
        ]
