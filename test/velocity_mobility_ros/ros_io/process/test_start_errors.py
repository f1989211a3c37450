"""A node's command line, and errors of ROS in one line."""

import pytest
import rclpy
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions

from velocity_mobility_ros.core.user_errors import StartupError
from velocity_mobility_ros.ros_io.process.start_errors import one_line_errors, read_arguments
from velocity_mobility_ros.ros_io.process.teardown import shut_down

pytestmark = pytest.mark.ros


def test_arguments_for_ros_are_taken():
    read_arguments(['node', '--ros-args', '-r', '__ns:=/uav_1', '-p', 'text:=-h'], 'A node.')


def test_help_says_what_the_node_is(capsys):
    with pytest.raises(SystemExit) as ended:
        read_arguments(['/lib/mobility_node', '-h', '--ros-args'], 'A simulated vehicle.')
    assert ended.value.code in (0, None)
    out = capsys.readouterr().out
    assert 'A simulated vehicle.' in out and '--ros-args' in out


@pytest.mark.parametrize('word', ['a', 'k_s:=1', '--foo'])
def test_what_is_for_nobody_is_refused(capsys, word):
    with pytest.raises(SystemExit) as ended:
        read_arguments(['node', word, '--ros-args', '-p', 'k_s:=1.0'], 'A node.')
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith(f"error: unknown argument '{word}': after --ros-ar")


@pytest.mark.parametrize(
    ('arguments', 'expected'),
    [
        (('-p', 'k_s=1'), "rule: '-p k_s=1'"),
        (('-r', 'bad name:=x'), "'-r bad name:=x'"),
        (('-r', '__ns:=/uav-1/a b'), '/uav-1/a b'),
        (('--params-file', 'nosuch.yaml'), 'nosuch.yaml'),
        (('--log-level', 'foo'), 'foo'),
        (('--foo',), "['--foo']"),
    ],
)
def test_wrong_arguments_are_named(domain, arguments, expected):
    args = ['node', '--ros-args', *arguments]

    def begin() -> None:
        with one_line_errors():
            options = SignalHandlerOptions.NO
            rclpy.init(args=args, domain_id=domain, signal_handler_options=options)
            Node('node')

    try:
        with pytest.raises(StartupError) as caught:
            begin()
    finally:
        shut_down()
    (line,) = str(caught.value).splitlines()
    assert expected in line and '.c:' not in line and '.cpp:' not in line


def test_any_other_error_is_a_bug():
    with pytest.raises(ZeroDivisionError, match='a bug'), one_line_errors():
        raise ZeroDivisionError('a bug')
