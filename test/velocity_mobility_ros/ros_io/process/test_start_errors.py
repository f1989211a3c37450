"""A node's command line, and errors of ROS in one line: the thing, its value, what to do."""

import errno

import pytest
import rclpy
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from velocity_mobility_ros.core.user_errors import StartupError
from velocity_mobility_ros.ros_io.process.start_errors import (
    one_line_errors,
    plain_arguments,
    refuse_plain,
    start_error,
    wants_help,
)
from velocity_mobility_ros.ros_io.process.teardown import shut_down

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


def begin(domain, arguments):
    """Start a node with ROS arguments, as a process does."""
    options = SignalHandlerOptions.NO
    args = ['node', '--ros-args', *arguments]
    try:
        with one_line_errors():
            rclpy.init(args=args, domain_id=domain, signal_handler_options=options)
            Node('node')
    finally:
        shut_down()


def refused(domain, *arguments):
    """Return the line for ROS arguments, or for the environment."""
    with pytest.raises(StartupError) as caught:
        begin(domain, arguments)
    (line,) = str(caught.value).splitlines()
    assert '.c:' not in line and '.cpp:' not in line and 'lexeme' not in line
    return line


ALIAS = 'alias.yaml'


@pytest.mark.parametrize(
    ('arguments', 'expected'),
    [
        (('-p', 'k_s=1'), "rule: '-p k_s=1'; a parameter is given as -p NAME:=VALUE"),
        (('-p', 'odom_frame:='), "rule: '-p odom_frame:='; a parameter is given as -p NAME:=VALU"),
        (('-r', 'bad name:=x'), "'-r bad name:=x'; a name is changed by -r FROM:=TO, the name"),
        (('-r', '__ns:=/uav-1/a b'), 'begins with / and has only letters, digits, _ and /: write '
         '/uav_1/a_b'),
        (('--params-file', 'nosuch.yaml'), '--params-file nosuch.yaml: there is no such file'),
        (('--params-file', '.'), '--params-file .: is a folder'),
        (('--params-file', 'run.yaml'), '--params-file run.yaml: has no ros__parameters; it looks'
         ' like a scenario, which is for: swarm run FILE, or a launch file with scenario:=FILE'),
        (('--params-file', 'flat.yaml'), 'has no ros__parameters: write NODE: {ros__parameters: '),
        (('--params-file', 'torn.yaml'), '--params-file torn.yaml: not valid YAML: while parsing'),
        (('--params-file', ALIAS), 'parameter files of ROS have no anchors (&, *, <<): write t'),
        (('--log-level', 'foo'), 'must be debug, info, warn, error or fatal, or LOGGER:=LEVEL'),
        (('--foo',), "unknown ROS argument ['--foo']: after --ros-args come -p NAME:=VALUE, -r "),
        (('-r', f'__ns:=/{"a" * 300}'), 'give it another by -r __ns:=/NAME, of at most 180 chara'),
    ],
)
def test_wrong_arguments(domain, tmp_path, monkeypatch, arguments, expected):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ALIAS).write_text('a: &a\n  ros__parameters: {k: 1}\nb: *a\n')
    (tmp_path / 'run.yaml').write_text('run:\n  num_agents: 4\n')
    (tmp_path / 'flat.yaml').write_text('k_s: 1.0\n')
    (tmp_path / 'torn.yaml').write_text('a: {b: [1\n')
    assert expected in refused(domain, *arguments)


@pytest.mark.parametrize(
    ('variables', 'expected'),
    [
        ({'ROS_LOG_DIR': '/proc/x'}, "'/proc/x': 2; set ROS_LOG_DIR to a folder that can be wri"),
        (
            {'ROS_STATIC_PEERS': '10.0.0.11,10.0.0.12'},
            '10.0.0.11,10.0.0.12; ROS_STATIC_PEERS is a list',
        ),
        (
            {'ROS_SECURITY_ENABLE': 'true', 'ROS_SECURITY_STRATEGY': 'Enforce'},
            "ROS_SECURITY_ENABLE=true, ROS_SECURITY_STRATEGY='Enforce', ROS_SECURITY_KEYSTORE='': "
            'set ROS_SECURITY_KEYSTORE to a keystore that has an enclave for this node, or ROS_SE',
        ),
    ],
)
def test_a_wrong_environment(domain, monkeypatch, variables, expected):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert expected in refused(domain)


def test_a_user_without_a_home():
    """ROS looks for its home once in a process."""
    text = 'failed: Failed to get logging directory: rcutils_expand_user failed, at /a/b.c:82'
    error = type('RCLError', (RuntimeError,), {})(text)
    assert start_error(error) == (
        'failed: Failed to get logging directory: rcutils_expand_user failed; '
        'set HOME, or ROS_LOG_DIR to a folder for the log'
    )


def test_a_system_that_has_too_little():
    line = 'too many open files for this process: raise the limit (ulimit -n)'
    assert start_error(OSError(errno.EMFILE, 'Too many open files')) == line


def test_any_other_error_is_a_bug():
    assert start_error(OSError(errno.EPERM, 'no')) is None
    with pytest.raises(ZeroDivisionError, match='a bug'), one_line_errors():
        raise ZeroDivisionError('a bug')
