"""A node's command line: arguments of ROS, a wish for help, and parameters that do not arrive."""

import pytest
from velocity_mobility_ros.core.errors import StartupError
from velocity_mobility_ros.ros_io.process.command_line import (
    plain_arguments,
    refuse_plain,
    wants_help,
)
from velocity_mobility_ros.ros_io.process.parameter_arguments import (
    command_line_parameters,
    is_lost,
)

pytestmark = pytest.mark.ros

@pytest.mark.parametrize(
    ('given', 'plain'),
    [
        ([], []),
        (['--ros-args', '-r', '__ns:=/uav_1', '-p', 'k_s:=1.0'], []),
        (['--ros-args'], []),
        (['a', '--ros-args', '-r', 'b:=c', '--', 'd'], ['a', 'd']),
        (['-h', '--ros-args', '--log-level', 'debug'], ['-h']),
        (['--ros-args', '-p', 'text:=-h'], []),
    ],
)
def test_what_is_not_for_ros(given, plain):
    assert plain_arguments(['node', *given]) == plain
    assert wants_help(['node', *given]) == ('-h' in plain)


def test_what_is_for_nobody_is_refused():
    refuse_plain(['node', '--ros-args', '-p', 'k_s:=1.0'])
    with pytest.raises(StartupError, match=r"unknown argument 'a': .* -p NAME:=VALUE, -r FROM"):
        refuse_plain(['node', 'a', '--ros-args'])


def test_what_is_told_last_counts_and_only_for_ros():
    told = ['-p', 'a:=1', '--ros-args', '-p', 'a:=2', '--param', 'b:=x:=y', '-p', 'a:=3', '-p',
            'node:c:=4', '-p', 'd', '--', '-p', 'e:=5']  # fmt: skip
    assert command_line_parameters(told) == {'a': '3', 'b': 'x:=y'}


@pytest.mark.parametrize(
    ('text', 'value'),
    [('25', 25), ('25.0', 25), ('2.5e1', 25.0), ('0x19', 25), ('031', 25), ('.nan', float('nan')),
     ('-.inf', float('-inf')), ('yes', True), ('False', False), ('15', 'anything'), ('x', [1, 2])],
)  # fmt: skip
def test_a_value_that_arrives_is_not_lost(text, value):
    assert not is_lost(text, value)


@pytest.mark.parametrize(
    ('text', 'value'),
    [('25.5', 25), ('abc', 25.0), ('5', True), ('none', 2.0), ('24', 25.0), ('', 1)],
)
def test_a_value_that_does_not_arrive_is_lost(text, value):
    assert is_lost(text, value)
