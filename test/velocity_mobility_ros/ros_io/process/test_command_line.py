"""A node's command line: arguments of ROS, a wish for help, and nothing else."""

import pytest
from velocity_mobility_ros.core.errors import StartupError
from velocity_mobility_ros.ros_io.process.command_line import (
    plain_arguments,
    refuse_plain,
    wants_help,
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
