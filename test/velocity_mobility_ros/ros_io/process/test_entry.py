"""A node's process: its exit code, one line for wrong input, an orderly end on a signal."""

import signal
import sys
import time

import pytest
from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticArray
from rclpy.node import Node
from rosgraph_msgs.msg import Clock
from support.cli import Process, wait_until
from velocity_mobility_ros.core.errors import StartupError
from velocity_mobility_ros.core.interrupt import ECHO
from velocity_mobility_ros.nodes import mobility_node
from velocity_mobility_ros.ros_io.process.entry import hand_over, run_nodes
from velocity_mobility_ros.ros_io.qos import COMMAND

pytestmark = pytest.mark.ros

CODE = (
    'import sys; from soliton_encirclement_ros.cli.executables import mobility_node; '
    'sys.exit(mobility_node())'
)
TOO_SLOW = 'the machine is too slow'
"""What a node says where others keep the cores busy."""

NODE = (sys.executable, '-c', CODE, '--ros-args', '-r', '__ns:=/uav_1')


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ('arguments', 'expected'),
    [
        (('-p', 'tau_xy:=0.0'), 'tau_xy = 0.0 must be above 0 s'),
        (('-p', 'max_speed_xy:=-1.0'), 'max_speed_xy = -1.0 must be at least 0 m/s'),
        (('-p', 'max_speed_xy:=fast'), "max_speed_xy = 'fast' is a str"),
        (('-p', 'update_rate:=.nan'), 'update_rate'),
        (('-p', 'update_rate:=1.0e-12'), 'update_rate'),
        (('-p', 'telemetry_decimation:=0'), 'telemetry_decimation = 0 must be at least 1'),
        (('-p', 'cmd_vel_frame:=odom'), "cmd_vel_frame = 'odom' must be one of map, base_link"),
        (('-p', 'max_sped_xy:=1.0'), "unknown parameter 'max_sped_xy'; did you mean 'max_speed"),
    ],
)
def test_wrong_input_ends_with_2_and_one_line(domain, tmp_path, arguments, expected):
    with Process((*NODE, *arguments), domain, tmp_path) as process:
        assert process.end(20.0) == 2
        assert process.err.startswith('error: ')
        assert process.err.count('\n') == 1
        assert expected in process.err
        assert process.out == ''


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ('arguments', 'expected'),
    [
        (('-p', 'max_speed_xy'), 'max_speed_xy'),
        (('-r', '__ns:=not valid'), 'not valid'),
        (('-r', '__node:=a b'), 'a b'),
        (('--params-file', '/no/such/file.yaml'), '/no/such/file.yaml'),
    ],
)
def test_what_ros_itself_refuses_ends_with_2_and_a_last_line(
    domain, tmp_path, arguments, expected
):
    with Process((*NODE, *arguments), domain, tmp_path) as process:
        assert process.end(20.0) == 2
        *before, last = process.err.splitlines()
        assert all('[rcl]' in line for line in before)
        assert last.startswith('error: ')
        assert expected in last


def test_a_bad_domain_ends_with_2_and_one_line(tmp_path):
    with Process(NODE, 'abc', tmp_path) as process:
        assert process.end(20.0) == 2
        assert process.err.startswith('error: ')
        assert process.err.count('\n') == 1


def test_a_range_of_discovery_that_ros_does_not_know_ends_with_2_and_one_line(domain, tmp_path):
    command = ('env', 'ROS_AUTOMATIC_DISCOVERY_RANGE=subnet', *NODE)
    with Process(command, domain, tmp_path) as process:
        assert process.end(20.0) == 2
        assert process.err.startswith("error: ROS_AUTOMATIC_DISCOVERY_RANGE='subnet' must be ")
        assert process.err.count('\n') == 1


@pytest.mark.parametrize(
    ('setting', 'expected'),
    [
        (
            'ROS_STATIC_PEERS=10.0.0.11,10.0.0.12',
            '10.0.0.11,10.0.0.12; ROS_STATIC_PEERS is a list',
        ),
        ('ROS_DISCOVERY_SERVER=10.0.0.10,10.0.0.11', 'servers are separated by ;'),
    ],
)
def test_computers_that_ros_cannot_find_end_with_2_and_one_line(
    domain, tmp_path, setting, expected
):
    with Process(('env', setting, *NODE), domain, tmp_path) as process:
        assert process.end(20.0) == 2
        assert process.err.startswith('error: ')
        assert process.err.count('\n') == 1
        assert expected in process.err


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ('whole', 'arguments', 'value'),
    [
        ('max_speed_xy: 3', ('-p', 'max_speed_xy:=2.5'), '3'),
        ('tau_xy: 2.0', ('-p', 'tau_xy:=none'), '2.0'),
        ('', ('-p', 'tau_xy:=2.0', '-p', 'tau_xy:=abc'), '2.0'),
        ('', ('-p', 'publish_tf:=true', '-p', 'publish_tf:=5'), 'True'),
    ],
)
def test_a_value_that_ros_loses_is_refused(domain, tmp_path, whole, arguments, value):
    """It keeps one of each type, and takes them in an order of its own."""
    file = tmp_path / 'own.yaml'
    file.write_text(f'/**:\n  ros__parameters: {{{whole}}}\n')
    with Process((*NODE, '--params-file', str(file), *arguments), domain, tmp_path) as process:
        assert process.end(20.0) == 2
        (line,) = [line for line in process.err.splitlines() if not line.startswith('[INFO]')]
        assert line.startswith(f'error: /uav_1/mobility_node: -p {arguments[-1]} is ignored: ROS ')
        assert f'uses {value}, given before in a file or by -p with another type' in line


@pytest.mark.parametrize('arguments', [
    ('-p', b'odom_frame:=\xff'), ('-r', b'__ns:=/\xe9'), ('--params-file', b'/\xff.yaml'),
    ('--log-level', b'\xff'), (b'\xff',),
])  # fmt: skip
def test_bytes_that_are_no_text_end_with_2_and_one_line(domain, tmp_path, arguments):
    with Process((*NODE, *arguments), domain, tmp_path) as process:
        assert process.end(20.0) == 2
        assert process.err.startswith('error: ')
        assert process.err.count('\n') == 1


def test_a_node_that_finds_nobody_says_so(ros, tmp_path):
    """It runs: whoever tries out parameters needs nobody."""
    command = ('env', 'ROS_AUTOMATIC_DISCOVERY_RANGE=OFF', *NODE)
    with Process(command, ros.domain, tmp_path) as process:
        wait_until(lambda: '[INFO]' in process.err, 'the node to be up', 20.0)
        process.interrupt()
        assert process.end(10.0) == 0
        assert process.err.startswith('warning: ROS_AUTOMATIC_DISCOVERY_RANGE=OFF: ')


def test_simulated_time_before_0_is_left_out(ros, tmp_path):
    """rclpy would end."""
    clock = ros.voice(Clock, '/clock', readers=0)
    heard = ros.listen(DiagnosticArray, '/diagnostics', COMMAND)

    def tell(seconds, condition):
        clock.publish(Clock(clock=Time(sec=seconds)))
        ros.meanwhile(0.1)
        return condition()

    with Process((*NODE, '-p', 'use_sim_time:=true'), ros.domain, tmp_path) as process:
        left_out = 'negative times on /clock are ignored'
        ros.until(lambda: tell(-5, lambda: left_out in process.err), left_out)
        ros.until(lambda: tell(7, lambda: heard and heard.last.header.stamp.sec == 7), 'time')
        process.interrupt()
        assert process.end(10.0) == 0


def unexpected(err):
    """Return the lines on stderr that a node should not say when it stops."""
    usual = ('[INFO]', TOO_SLOW)
    return [line for line in err.splitlines() if not any(text in line for text in usual)]


@pytest.mark.one_in(3)
@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_a_node_in_order(ros, tmp_path, number):
    heard = ros.listen(DiagnosticArray, '/diagnostics', COMMAND)
    with Process(NODE, ros.domain, tmp_path) as process:
        ros.until(lambda: heard, 'the node to be up')
        process.popen.send_signal(number)
        assert process.end(10.0) in (0, 130)
        assert unexpected(process.err) == []


def test_a_signal_while_the_node_starts_ends_it_without_delay(domain, tmp_path):
    with Process(NODE, domain, tmp_path) as process:
        wait_until(lambda: b'librcl' in _maps(process.pid), 'the libraries to load', 10.0)
        process.interrupt()
        assert process.end(10.0) == 0
        assert 'Traceback' not in process.err


@pytest.mark.one_in(2)
@pytest.mark.parametrize('pause', [0.0, 0.02, 0.1, 0.3])
def test_a_second_ctrl_c_changes_nothing(ros, tmp_path, pause):
    heard = ros.listen(DiagnosticArray, '/diagnostics', COMMAND)
    with Process(NODE, ros.domain, tmp_path) as process:
        ros.until(lambda: heard, 'the node to be up')
        process.interrupt()
        while process.popen.poll() is None:
            time.sleep(pause)
            process.interrupt()
        assert process.end(10.0) == 0
        assert unexpected(process.err) == []


@pytest.mark.nightly
def test_a_node_whose_standard_streams_are_closed_runs_and_stops(ros, tmp_path):
    heard = ros.listen(DiagnosticArray, '/diagnostics', COMMAND)
    command = ('sh', '-c', 'exec "$@" <&- >&- 2>&-', 'sh', *NODE)
    with Process(command, ros.domain, tmp_path) as process:
        ros.until(lambda: heard, 'the node to be up')
        process.interrupt()
        assert process.end(10.0) == 0


def test_a_middleware_that_is_not_there_ends_with_2_and_one_line(tmp_path, monkeypatch):
    monkeypatch.setenv('RMW_IMPLEMENTATION', 'rmw_none')
    with Process(NODE, 0, tmp_path) as process:
        assert process.end(20.0) == 2
    assert process.err.startswith("error: RMW_IMPLEMENTATION='rmw_none' is not installed, must be")
    assert process.err.count('\n') == 1


def _maps(pid: int) -> bytes:
    with open(f'/proc/{pid}/maps', 'rb') as file:
        return file.read()


class Finished(Node):
    """A node that is done at once."""

    closed = 0
    finished = True

    def close(self) -> None:
        """Count how often it was closed."""
        Finished.closed += 1


@pytest.fixture
def own_domain(domain, monkeypatch):
    """Put processes' default domain to that of the tests, and keep the signal handlers."""
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    handlers = {n: signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    yield
    for number, handler in handlers.items():
        signal.signal(number, handler)


def test_a_node_that_is_finished_ends_the_process_with_0_and_is_closed(own_domain):
    Finished.closed = 0
    assert run_nodes(lambda: [Finished('done')], []) == 0
    assert Finished.closed == 1


def test_a_further_reason_to_end_is_heard(own_domain):
    assert run_nodes(lambda: [Node('patient')], [], lambda: True) == 0


def test_an_own_error_ends_with_2_and_its_line(own_domain, capsys):
    def fail() -> list[Node]:
        raise StartupError('the port is taken: use another')

    assert run_nodes(fail, []) == 2
    assert capsys.readouterr().err == 'error: the port is taken: use another\n'


def test_a_bug_is_not_swallowed(own_domain):
    def fail() -> list[Node]:
        raise ZeroDivisionError('a bug')

    with pytest.raises(ZeroDivisionError, match='a bug'):
        run_nodes(fail, [])


def test_a_domain_that_is_none_is_refused_before_ros_is_up(own_domain, monkeypatch, capsys):
    monkeypatch.setenv('ROS_DOMAIN_ID', '500')
    assert run_nodes(lambda: [], []) == 2
    line = "error: ROS_DOMAIN_ID='500' must be a whole number from 0 to 232\n"
    assert capsys.readouterr().err == line


def test_a_plain_argument_is_refused(own_domain, monkeypatch, capsys):
    monkeypatch.setattr(sys, 'argv', ['agent_node', 'k_s:=1', '--ros-args', '-p', 'k_s:=1.0'])
    assert run_nodes(lambda: []) == 2
    assert capsys.readouterr().err.startswith("error: unknown argument 'k_s:=1': after --ros-args")


@pytest.mark.parametrize('wish', ['-h', '--help'])
def test_help_says_what_the_node_is(monkeypatch, capsys, wish):
    monkeypatch.setattr(sys, 'argv', ['/lib/mobility_node', wish])
    assert mobility_node.main() == 0
    first, _, usage, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith('A simulated vehicle: takes `cmd_vel`')
    assert usage.startswith('usage: mobility_node --ros-args ')


STARVED = (
    """
import sys
from velocity_mobility_ros.ros_io.process import entry
def spin(*_):
    raise RuntimeError('Resource temporarily unavailable')
entry.spin = spin
"""
    + CODE
)


def test_too_few_threads_are_one_line(domain, tmp_path):
    with Process((sys.executable, '-c', STARVED), domain, tmp_path) as process:
        assert process.end(20.0) == 2
        lines = process.err.splitlines()
        assert lines[-1].startswith('error: the system gives this process no more memory or thr')
        assert 'Traceback' not in process.err


class Handing:
    """A node that has something to hand over."""

    def __init__(self, name, order):
        self.name, self.order, self.publishers = name, order, ()

    def hand_over(self, at_once):
        self.order.append((self.name, 'hand over', at_once()))

    def close(self):
        self.order.append((self.name, 'close'))


def test_nodes_that_hand_over_are_asked_whether_it_hurries():
    order = []
    nodes = [Handing('a', order), object(), Handing('b', order)]
    hand_over(nodes, lambda: len(order) > 0)
    assert order == [('a', 'hand over', False), ('b', 'hand over', True)]


HANDS_OVER = """
import sys
from rclpy.node import Node
from velocity_mobility_ros.ros_io.process.entry import end_process, run_nodes

class HandsOver(Node):
    def __init__(self):
        super().__init__('hands_over')
        self.create_timer(0.05, self.tick)

    def tick(self):
        {on_tick}
        print('ticks', flush=True)

    def hand_over(self, at_once):
        print('hands over', self.context.ok(), flush=True)
        while {waits} and not at_once():
            pass

    def close(self):
        print('closes', flush=True)

end_process(run_nodes(lambda: [HandsOver()], []))
"""


@pytest.mark.parametrize(('on_tick', 'code'), [('pass', 0), ('raise RuntimeError("planted")', 1)])
def test_a_node_hands_over_while_ros_is_up_and_before_it_closes(domain, tmp_path, on_tick, code):
    """After a signal, and after an error of its own."""
    program = HANDS_OVER.format(on_tick=on_tick, waits=False)
    with Process((sys.executable, '-c', program), domain, tmp_path) as process:
        if code == 0:
            wait_until(lambda: 'ticks' in process.out, 'a tick')
            process.interrupt()
        assert process.end(30.0) == code
        assert process.out.splitlines()[-2:] == ['hands over True', 'closes']
        assert ('planted' in process.err) == bool(code)


def test_a_second_signal_ends_a_hand_over(domain, tmp_path):
    program = HANDS_OVER.format(on_tick='pass', waits=True)
    with Process((sys.executable, '-c', program), domain, tmp_path) as process:
        wait_until(lambda: 'ticks' in process.out, 'a tick')
        process.interrupt()
        wait_until(lambda: 'hands over' in process.out, 'the hand-over')
        time.sleep(ECHO + 0.2)
        assert process.popen.poll() is None
        process.interrupt()
        assert process.end(30.0) == 0
