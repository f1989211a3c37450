"""``swarm stop`` as a process of its own, with real members."""

import re
import signal

import pytest
from geometry_msgs.msg import Twist

from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions
from soliton_encirclement_ros.core.states.swarm_topics import named_fleet
from support.cli import Process, run_swarm, start_swarm
from support.here import swarm_here
from support.ros.graph import Ros
from support.ros.stopping import Operator, is_zero
from support.ros.swarm import Swarm, scenario
from velocity_mobility_ros.ros_io.endpoints import COMMAND

__all__ = ['swarm_here']

pytestmark = [pytest.mark.ros, pytest.mark.nightly]

MEMBERS = ('uav_1', 'uav_2', 'target')
MANY = 10
PERIOD = 0.05
"""Control period [s]."""


class Flight:
    """A swarm in real time, and its commands."""

    def __init__(self, ros: Ros, folder, namespace: str = '') -> None:
        """Start two agents and a target."""
        self.ros, self.folder = ros, folder
        fleet = named_fleet(namespace, 'namespace')
        few = scenario(
            run={'num_agents': 2, 'sim_duration': 600.0},
            failure={'failure_enable': False},
            adversary={'adversary_enable': False},
        )
        self.swarm = Swarm(ros, few, PlanOptions(False, record=False), fleet=fleet)
        self.commands = {
            name: ros.listen(Twist, fleet.member_topic(name, 'cmd_vel'), COMMAND)
            for name in MEMBERS
        }
        self.until_moving(MEMBERS)

    def start(self, *arguments: str, name: str = 'swarm', is_killed: bool = False) -> Process:
        """Start ``swarm stop``."""
        place = {'domain': self.ros.domain, 'folder': self.folder, 'name': name}
        return start_swarm('stop', *arguments, **place, is_killed=is_killed)

    def call(self, *arguments: str) -> Process:
        """Run ``swarm stop`` to its end, while the swarm goes on."""
        process = self.start(*arguments)
        self.ros.until(lambda: process.popen.poll() is not None, 'the end of swarm stop')
        return process

    def until_moving(self, names) -> None:
        """Wait until some members have moved since now."""
        self._until(names, lambda one: not is_zero(one), 'motion')

    def until_still(self, names) -> None:
        """Wait until some members have commanded zero since now."""
        self._until(names, is_zero, 'zero commands')

    def _until(self, names, holds, what) -> None:
        before = {name: len(self.commands[name]) for name in names}
        self.ros.until(
            lambda: all(
                sum(map(holds, self.commands[name][before[name] :])) > MANY
                and all(map(holds, self.commands[name][-MANY:]))
                for name in names
            ),
            what,
        )


@pytest.fixture
def flight(ros, tmp_path):
    """Return a swarm in flight."""
    return Flight(ros, tmp_path)


def test_all_stop_and_are_released(flight):
    stopped = flight.call()
    assert stopped.popen.returncode == 0, stopped.err
    assert re.fullmatch(
        r'stopped: target, uav_1, uav_2 \(3 of 3\), confirmed within \d+\.\d\d s\n', stopped.out
    )
    flight.until_still(MEMBERS)  # also after the command has ended
    released = flight.call('--release')
    assert released.popen.returncode == 0, released.err
    assert released.out.startswith('released: target, uav_1, uav_2 (3 of 3), ')
    flight.until_moving(MEMBERS)


def test_one_stops_and_is_released_alone(flight):
    assert flight.call('uav_2').popen.returncode == 0
    flight.until_still(['uav_2'])
    flight.until_moving(['uav_1', 'target'])
    release = flight.call('--release')
    assert release.popen.returncode == 1
    assert 'not released, or not confirmed: uav_2 (stopped by the operator: ' in release.err
    assert 'swarm stop --release uav_2\n' in release.out
    assert flight.call('--release', 'uav_2').popen.returncode == 0
    flight.until_moving(MEMBERS)


def test_who_is_not_there_or_does_not_confirm_is_named(flight):
    absent = flight.call('uav_9', 'uav_1', '--within', '600')
    assert absent.popen.returncode == 1
    assert 'uav_9 (not found)' in absent.err
    assert absent.out.startswith('stopped: uav_1 (1 of 2), ')
    assert 'nobody is called uav_9: the order is taken back\n' in absent.out


def test_a_stop_counts_against_a_release_by_a_clock_that_is_ahead(flight):
    operator = Operator(flight.ros, readers=4)
    ahead_ns = operator.order(True) + 600 * 10**9
    operator.order(True, stamp_ns=ahead_ns)
    operator.order(False, stamp_ns=ahead_ns + 1)
    flight.until_moving(MEMBERS)
    operator.leave()
    stop = flight.call()
    assert stop.popen.returncode == 0, stop.err
    flight.until_still(MEMBERS)
    release = flight.call('--release')
    assert release.popen.returncode == 0, release.err
    flight.until_moving(MEMBERS)


def test_a_fleet_has_a_stop_of_its_own(ros, tmp_path):
    flight = Flight(ros, tmp_path, 'alpha')
    nobody = flight.call('--within', '3')
    assert nobody.popen.returncode == 1
    assert 'no member of the swarm found on /swarm/stop: fleets here: /alpha' in nobody.err
    flight.until_moving(MEMBERS)
    assert flight.call('--namespace', 'alpha').popen.returncode == 0
    flight.until_still(MEMBERS)


@pytest.mark.parametrize('number', [signal.SIGKILL, signal.SIGINT])
def test_when_the_holding_process_ends_all_stop(flight, number):
    is_killed = number == signal.SIGKILL
    with flight.start('--hold', '--timeout', '2', is_killed=is_killed) as process:
        flight.ros.until(lambda: '3 members watch the heartbeat' in process.out, 'the watch')
        flight.until_moving(MEMBERS)
        process.popen.send_signal(number)
        flight.until_still(MEMBERS)
        flight.ros.until(lambda: process.popen.poll() is not None, 'the end')
        assert process.popen.returncode == (0 if number == signal.SIGINT else -number)
    release = flight.call('--release')
    assert release.popen.returncode == 0, release.err
    flight.until_moving(MEMBERS)


def test_the_hold_can_be_ended_without_a_stop(flight):
    with flight.start('--hold', '--timeout', '2', name='hold') as process:
        flight.ros.until(lambda: '3 members watch the heartbeat' in process.out, 'the watch')
        assert flight.call('--end-hold').popen.returncode == 0
        flight.ros.until(lambda: process.popen.poll() is not None, 'the end')
        assert process.popen.returncode == 0, process.err
    agents = [flight.commands[name] for name in ('uav_1', 'uav_2')]
    before = [len(heard) for heard in agents]
    ticks = 4.0 / PERIOD  # twice the timeout
    flight.ros.until(
        lambda: all(len(heard) > n + ticks for heard, n in zip(agents, before, strict=True)),
        'commands until long after the timeout',
    )
    assert not any(is_zero(one) for heard, n in zip(agents, before, strict=True)
                   for one in heard[n:])  # fmt: skip


def test_without_a_swarm_one_line_says_what_to_compare(domain, tmp_path):
    process = run_swarm('stop', '--within', '1', domain=domain, folder=tmp_path)
    assert process.popen.returncode == 1
    assert process.err == (
        'error: no member of the swarm found on /swarm/stop: compare ROS_DOMAIN_ID and the '
        'settings of discovery\n'
    )


@pytest.mark.parametrize(
    ('arguments', 'line'),
    [
        (['--hold', '--release'], '--release, --hold and --end-hold exclude each other'),
        (['--hold', 'uav_1'], '--hold and --end-hold are for all members'),
        (['uav 1'], "MEMBER = 'uav 1' must be a name"),
        (['--hold', '--timeout', '0'], "'--timeout': 0.0 is not in the range 0.0<x<="),
        (['--timeout', 'nan'], "'--timeout': nan must be finite"),
        (['--within', '0'], "'--within': 0.0 is not in the range 0.0<x<=600.0"),
        (['--namespace', '1a'], "--namespace = '1a' must be a namespace"),
    ],
)
def test_invalid_options_are_refused_in_one_line(swarm_here, arguments, line):
    done = swarm_here('stop', *arguments)
    assert (done.code, done.err.count('\n')) == (2, 1)
    assert line in done.err
