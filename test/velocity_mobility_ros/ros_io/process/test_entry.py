"""A node's process: its exit code, one line for wrong input, an orderly end on a signal."""

import os
import signal
import sys
import time
from contextlib import contextmanager, suppress
from types import SimpleNamespace

import pytest
from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticArray
from rclpy.node import Node
from rosgraph_msgs.msg import Clock

from support.cli import Process, processes_that_mention, wait_until
from support.ros.computers import without_network
from support.signals import handlers_kept, signal_at_import
from velocity_mobility_ros.core.environment.network import Interface
from velocity_mobility_ros.core.environment.parameter_files import TABLE, begin_table
from velocity_mobility_ros.core.environment.unix_process import PARENT
from velocity_mobility_ros.core.user_errors import StartupError
from velocity_mobility_ros.ros_io import graph_faults
from velocity_mobility_ros.ros_io.endpoints import COMMAND
from velocity_mobility_ros.ros_io.process import node_process
from velocity_mobility_ros.ros_io.process.node_process import run_nodes

pytestmark = pytest.mark.ros

CODE = (
    'import sys; from soliton_encirclement_ros.cli.executables import mobility_node; '
    'sys.exit(mobility_node())'
)
BUSY = 'the machine is too slow', 'the node stalled'
"""What a node says where others keep the cores busy."""

DEPTH = 'qos_overrides./uav_1/odom.publisher.depth'
NODE = (sys.executable, '-c', CODE, '--ros-args', '-r', '__ns:=/uav_1')


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ('changes', 'arguments', 'expected'),
    [
        ({}, ('-p', 'tau_xy:=0.0'), 'tau_xy = 0.0 must be above 0 s'),
        ({}, ('-p', 'max_sped_xy:=1.0'), "unknown parameter 'max_sped_xy'; did you mean 'max_s"),
        ({}, ('-p', 'update_rate:=1.0e-12'), 'update_rate'),
        ({}, ('--params-file', '/no/such/file.yaml'), '/no/such/file.yaml'),
        ({}, ('-p', f'{DEPTH}:=0'), 'depth = 0 must be at least 1'),
        ({}, ('-p', b'odom_frame:=\xff'), 'is not UTF-8 text'),
        ({}, (b'\xff',), 'is not UTF-8 text'),
        ({'ROS_DOMAIN_ID': 'abc'}, (), "ROS_DOMAIN_ID='abc' must be"),
        ({'RMW_IMPLEMENTATION': 'rmw_none'}, (), "='rmw_none' is not installed, must be"),
    ],
)
def test_wrong_input_ends_with_2_and_a_last_line(domain, tmp_path, changes, arguments, expected):
    """The only one, but for what rcl itself and a node that begins to start have logged."""
    with Process((*NODE, *arguments), domain, tmp_path, changes=changes) as process:
        assert process.end() == 2
        *before, last = process.err.splitlines()
        assert all('[rcl]' in line or '[INFO]' in line for line in before)
        assert last.startswith('error: ') and expected in last
        assert process.out == ''


def test_without_any_network_a_node_ends_at_once(domain, tmp_path):
    """It would wait for ever."""
    with Process((*without_network(), *NODE), domain, tmp_path) as process:
        assert process.end() == 2
        assert process.out == '' and process.err.count('\n') == 1
        assert process.err.startswith('error: no network interface is up with an IPv4 address')


def test_a_file_for_other_nodes_is_told(ros, tmp_path):
    """rcl leaves out such sections without a word."""
    file = tmp_path / 'own.yaml'
    file.write_text('mobility_node:\n  ros__parameters: {tau_xy: 2.0}\n')
    with Process((*NODE, '--params-file', str(file)), ros.domain, tmp_path) as process:
        wait_until(lambda: 'no section is for /uav_1/mobility_node' in process.err, 'the warning')
        process.interrupt()
        assert process.end() == 0


def test_a_node_tells_what_differs_from_the_defaults(ros, tmp_path):
    """In its log, and in the table of the run that has started it."""
    file, table = tmp_path / 'own.yaml', tmp_path / 'parameters.csv'
    file.write_text('/uav_1/*:\n  ros__parameters: {tau_xy: 2.0}\n')
    begin_table(table, ())
    command, changes = (*NODE, '--params-file', str(file)), {TABLE: str(table)}
    with Process(command, ros.domain, tmp_path, changes=changes) as process:
        wait_until(lambda: 'parameters that differ' in process.err, 'the parameters')
        process.interrupt()
        assert process.end() == 0
        assert 'differ from the defaults: tau_xy 1.0 -> 2.0 s\n' in process.err
    assert table.read_text().splitlines()[1:] == [
        '/uav_1/mobility_node,tau_xy,2.0,1.0,s,given'
    ]


def test_a_node_that_finds_nobody_says_so(ros, tmp_path):
    """It runs: whoever tries out parameters needs nobody."""
    changes = {'ROS_AUTOMATIC_DISCOVERY_RANGE': 'OFF'}
    with Process(NODE, ros.domain, tmp_path, changes=changes) as process:
        wait_until(lambda: '[INFO]' in process.err, 'the node to be up')
        process.interrupt()
        assert process.end() == 0
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
        assert process.end() == 0


def unexpected(err):
    """Return the lines on stderr that a node should not say when it stops."""
    usual = ('[INFO]', *BUSY)
    return [line for line in err.splitlines() if not any(text in line for text in usual)]


@pytest.mark.one_in(3)
@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_a_node_in_order(ros, tmp_path, number):
    heard = ros.listen(DiagnosticArray, '/diagnostics', COMMAND)
    with Process(NODE, ros.domain, tmp_path) as process:
        ros.until(lambda: heard, 'the node to be up')
        process.popen.send_signal(number)
        assert process.end() in (0, 130)
        assert unexpected(process.err) == []


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_the_node_starts_ends_it_without_delay(domain, tmp_path, number):
    with Process(NODE, domain, tmp_path) as process:
        wait_until(lambda: b'librcl' in _maps(process.pid), 'the libraries to load')
        process.popen.send_signal(number)
        assert process.end() == 0
        assert 'Traceback' not in process.err


def test_a_signal_while_a_library_initializes_ends_a_node(domain, tmp_path):
    code = signal_at_import('rclpy', signal.SIGTERM, in_init=True) + CODE
    with Process((sys.executable, '-c', code), domain, tmp_path) as process:
        assert process.end() == 0
        assert process.err == ''


@pytest.mark.one_in(2)
@pytest.mark.parametrize('pause', [0.0, 0.1])
def test_a_second_ctrl_c_changes_nothing(ros, tmp_path, pause):
    heard = ros.listen(DiagnosticArray, '/diagnostics', COMMAND)
    with Process(NODE, ros.domain, tmp_path) as process:
        ros.until(lambda: heard, 'the node to be up')
        process.interrupt()
        while process.popen.poll() is None:
            time.sleep(pause)
            process.interrupt()
        assert process.end() == 0
        assert unexpected(process.err) == []


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
    with handlers_kept():
        yield


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


HANDS_OVER = """
from rclpy.node import Node
from velocity_mobility_ros.core.environment import unix_process as interrupt
from velocity_mobility_ros.core.environment.unix_process import end_process
from velocity_mobility_ros.ros_io.process.node_process import run_nodes

interrupt.ECHO = 0.0  # whoever asks again means it, however soon

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
            print('waits', flush=True)

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
        assert process.end() == code
        assert process.out.splitlines()[-2:] == ['hands over True', 'closes']
        assert ('planted' in process.err) == bool(code)


def test_a_second_signal_ends_a_hand_over(domain, tmp_path):
    program = HANDS_OVER.format(on_tick='pass', waits=True)
    with Process((sys.executable, '-c', program), domain, tmp_path) as process:
        wait_until(lambda: 'ticks' in process.out, 'a tick')
        process.interrupt()
        wait_until(lambda: process.out.count('waits') > 10, 'the hand-over, which waits')
        process.interrupt()
        assert process.end() == 0
        assert process.out.splitlines()[-1] == 'closes'


CONNECTS = """
import subprocess, sys
from rclpy.node import Node
from velocity_mobility_ros.core.environment.network import interfaces, links
from velocity_mobility_ros.core.environment.unix_process import end_process
from velocity_mobility_ros.ros_io.process.node_process import run_nodes

def set_address(address):
    for words in ('link add eth0 type veth peer name eth1', 'address flush dev eth0',
                  f'address add {{address}}/24 dev eth0', 'link set eth1 up', 'link set eth0 up'):
        subprocess.run(['ip', *words.split()], stderr=subprocess.DEVNULL)

class Connects(Node):
    may_start_again = {may}

    def __init__(self):
        super().__init__('connects')
        print('starts', [*links(interfaces()).values()], flush=True)
        self.create_timer(0.5, self.tick)

    def tick(self):
        if '10.77.0.1' not in links(interfaces()).values():
            set_address('10.77.0.1')
        print('ticks', flush=True)

while sys.argv[1:] and not links(interfaces()):  # an interface is up some time after it is told
    set_address(sys.argv[1].split()[1])
end_process(run_nodes(lambda: [Connects()], []))
"""


@pytest.mark.parametrize(
    ('may', 'before'), [(True, []), (False, []), (True, ['eth0 10.77.0.9'])]
)
def test_a_node_without_any_network_starts_again_when_one_is_up(domain, tmp_path, may, before):
    """If it may; not if an address has changed: those of its computer keep the old one."""
    changes = {'ROS_AUTOMATIC_DISCOVERY_RANGE': 'SUBNET'}
    program = CONNECTS.format(may=may)
    command = 'sh', '-c', 'ip link set lo up; exec "$@"', 'sh', sys.executable, '-c', program
    given = (*without_network(), *command, *before)
    with Process(given, domain, tmp_path, changes=changes) as process:
        if may and not before:
            wait_until(lambda: process.out.count('starts') == 2, 'the second start')
        wait_until(lambda: process.out.count('ticks') >= 8, 'it to go on')
        process.interrupt()
        assert process.end() == 0
    starts = [line for line in process.out.splitlines() if line.startswith('starts')]
    again = ["starts ['10.77.0.1']"] if may and not before else []
    assert starts == [f"starts {before and ['10.77.0.9']}", *again]
    line = 'network interface eth0 (10.77.0.1) came up, and this process has used none: it starts'
    assert (line in process.err) == bool(again)


def test_a_network_that_a_fresh_process_would_refuse_is_tried_once_and_changes_nothing(
    monkeypatch,
):
    """A node that runs must not become one that does not start."""
    up, tried = [Interface('lo', '127.0.0.1', True, False)], []

    def refuse():
        tried.append(up[-1].address)
        raise StartupError('not among the allowed interfaces')

    monkeypatch.setenv('ROS_AUTOMATIC_DISCOVERY_RANGE', 'SUBNET')
    monkeypatch.setattr(graph_faults, 'interfaces', lambda: up)
    monkeypatch.setattr(node_process, 'LINK_PERIOD', 0.0)
    monkeypatch.setattr(node_process, 'check_interfaces', refuse)
    watch, nodes = node_process.NetworkWatch(), [SimpleNamespace(may_start_again=True)]
    for address in ('10.0.0.5', '10.0.0.6'):
        up[1:] = [Interface('wlan0', address, True, True)]
        assert not any([watch.look(nodes) for _ in range(5)])
    assert tried == ['10.0.0.5', '10.0.0.6']


STARTER = """
import os, subprocess, sys
from velocity_mobility_ros.core.environment.unix_process import to_child
program, folder, is_watched = sys.argv[1:]
told = to_child() if is_watched else {}
subprocess.run([sys.executable, '-c', program, folder], env={**os.environ, **told})
"""

STUCK = """
import ctypes
from velocity_mobility_ros.ros_io.process.node_process import run_nodes

def make():
    print('ticks', flush=True)
    ctypes.PyDLL(None).sleep(600)  # holds the interpreter lock, as the middleware does

run_nodes(make, [])
"""


@contextmanager
def orphan(domain, folder, program, is_watched):
    """Start a program from a process that is then killed; yield what it says, and its id."""
    mark = str(folder)
    command = (sys.executable, '-c', STARTER, program, mark, '1' if is_watched else '')
    with Process(command, domain, folder) as parent:
        wait_until(lambda: 'ticks' in parent.out, 'a tick')
        (pid,) = processes_that_mention(mark).keys() - {parent.pid}
        parent.popen.kill()
        parent.end()
        try:
            yield parent, pid
            wait_until(lambda: not processes_that_mention(mark), 'the orphan to end')
        finally:
            for left in processes_that_mention(mark):
                with suppress(ProcessLookupError):  # it has ended meanwhile
                    os.kill(left, signal.SIGKILL)


def test_a_node_whose_parent_is_killed_ends_in_order_and_says_why(domain, tmp_path):
    program = HANDS_OVER.format(on_tick='pass', waits=False)
    with orphan(domain, tmp_path, program, is_watched=True) as (said, _):
        wait_until(lambda: 'closes' in said.out, 'the end')
    assert said.out.splitlines()[-2:] == ['hands over True', 'closes']
    assert 'who has started this process is gone' in said.err


def test_a_node_from_a_shell_that_is_gone_goes_on(domain, tmp_path):
    program = HANDS_OVER.format(on_tick='pass', waits=False)
    with orphan(domain, tmp_path, program, is_watched=False) as (said, pid):
        seen = said.out.count('ticks')
        wait_until(lambda: said.out.count('ticks') > seen + 10, 'it to go on')
        assert 'closes' not in said.out
        os.kill(pid, signal.SIGTERM)


def test_a_parent_takes_a_node_along_that_the_middleware_does_not_let_go(domain, tmp_path):
    with orphan(domain, tmp_path, STUCK, is_watched=True):
        pass


def test_a_node_whose_parent_is_gone_before_it_begins_does_not_begin(own_domain, monkeypatch):
    monkeypatch.setenv(PARENT, '999999999')
    began, ran = (lambda: pytest.fail('it began')), (lambda _: pytest.fail('ran'))
    assert run_nodes(began, [], conclude=ran) == 0
