"""``swarm doctor``: a line for each thing, 0 if all is fine, 1 if something will stop a flight."""

import json
import re
import sys
import time
from types import SimpleNamespace

import pytest

from soliton_encirclement_ros.cli import (
    computer_checks, doctor, doctor as announcements, doctor as settings, graph_checks
)
from soliton_encirclement_ros.cli.views.terminal_display import PAGE
from soliton_encirclement_ros.core.run import machine_resources
from soliton_encirclement_ros.sim.compilation import numba_import
from support.cli import Process, wait_until
from support.here import swarm_here
from support.ros.graph import domain
from velocity_mobility_ros.core.environment import network, ros_environment
from velocity_mobility_ros.core.environment.network import Interface, Participant

__all__ = ['domain', 'swarm_here']

pytestmark = pytest.mark.ros

LO = Interface('lo', '127.0.0.1', True, False)
WIFI = Interface('wlan0', '10.99.0.5', True, True)
NAMES = [
    'Python', 'ROS', 'middleware', 'domain', 'discovery', 'interfaces', 'multicast',
    'shared memory', 'clock', 'processor', 'disk', 'compiled laws', 'px4_msgs', 'other nodes',
]  # fmt: skip

DRIVER = """
import time, rclpy
from nav_msgs.msg import Odometry
rclpy.init()
node = rclpy.create_node('driver', namespace='/uav_1')
odom = node.create_publisher(Odometry, 'odom', 10)
mute = node.create_publisher(Odometry, '/uav_2/odom', 10)
for _ in range(1200):
    message = Odometry()
    message.header.stamp = node.get_clock().now().to_msg()
    odom.publish(message)
    time.sleep(0.05)
"""


@pytest.fixture
def seen(swarm_here, monkeypatch, domain):
    """Return what runs the doctor on a calm computer; it returns exit code and checks by name."""
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    monkeypatch.setenv('ROS_DISTRO', 'jazzy')
    monkeypatch.setenv('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
    monkeypatch.delenv('FASTDDS_BUILTIN_TRANSPORTS', raising=False)
    monkeypatch.setattr(computer_checks.os, 'getloadavg', lambda: (0.1, 0.1, 0.1))
    for module in (network, graph_checks):
        monkeypatch.setattr(module, 'participants', lambda: [])
    monkeypatch.setattr(announcements, 'WAIT', 0.0)
    for name in ('LOOK_TIME', 'LISTEN_TIME', 'PATIENCE'):
        monkeypatch.setattr(graph_checks, name, 0.4)

    def run():
        done = swarm_here('doctor', '--json')
        told = json.loads(done.out)
        assert done.err == '' and {one['verdict'] for one in told['checks']} >= {told['verdict']}
        return done.code, {one['name']: one for one in told['checks']}

    return run


def test_a_computer_on_which_all_is_fine_has_a_line_for_each_thing(seen):
    code, checks = seen()
    assert (code, list(checks)) == (0, NAMES)
    errors = [one for one in checks.values() if one['verdict'] == 'error']
    assert errors == []
    assert checks['discovery']['value'] == 'LOCALHOST'
    assert checks['other nodes']['value'].startswith('none found')  # others have other domains


def test_ros_from_pypi_which_tells_no_distribution_is_fine(seen, monkeypatch):
    monkeypatch.delenv('ROS_DISTRO')
    assert seen()[1]['ROS']['verdict'] == 'ok'


def test_the_table_has_the_same(swarm_here, monkeypatch, domain):
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    done = swarm_here('doctor')
    assert (done.code, done.err) == (0, '')
    assert [name for name in NAMES if not re.search(rf'(^|│ ){name}( |$)', done.out, re.M)] == []
    assert max(map(len, done.out.splitlines())) <= PAGE


@pytest.mark.parametrize('value', ['0', '1'])
def test_ros_says_nothing_beside_it(seen, monkeypatch, value):
    """It warns of this variable on its own; ``seen`` looks whether anything is on stderr."""
    monkeypatch.setenv('ROS_LOCALHOST_ONLY', value)
    assert seen()[1]['discovery']['verdict'] != 'error'


def test_odometry_that_arrives_and_that_is_silent_is_told(seen, domain, tmp_path):
    silent = {'value': 'silent: /uav_2/odom', 'cure': 'it is published by /uav_1/driver'}

    def is_told() -> bool:
        """Say whether it is, by now: on a busy machine nodes are found late, and heard later."""
        code, checks = seen()
        told = checks.get('odometry', {})
        return silent.items() <= told.items() and 'stamps' in checks and (
            checks['other nodes']['value'], code, told['verdict']
        ) == ('1 found', 1, 'error')

    with Process((sys.executable, '-c', DRIVER), domain, tmp_path):
        wait_until(is_told, 'the silent one')


@pytest.mark.parametrize(
    ('changes', 'name', 'verdict', 'words'),
    [
        ({'ROS_DOMAIN_ID': '500'}, 'domain', 'error', "'500' must be a whole number"),
        ({'ROS_DOMAIN_ID': '120'}, 'domain', 'warning', 'its ports, from 37400 on'),
        ({'ROS_AUTOMATIC_DISCOVERY_RANGE': 'OFF'}, 'discovery', 'error', 'nothing is found; set'),
        ({'ROS_AUTOMATIC_DISCOVERY_RANGE': 'subnet'}, 'discovery', 'error', 'must be LOCALHOST'),
        ({'ROS_DISCOVERY_SERVER': 'a,b'}, 'discovery', 'error', 'servers are separated by ;'),
        ({'RMW_IMPLEMENTATION': 'rmw_none'}, 'middleware', 'error', 'is not installed, must be'),
        ({'ROS_DISTRO': 'humble'}, 'ROS', 'warning', 'tested with jazzy and kilted'),
    ],
)
def test_settings_that_are_wrong_are_named(seen, monkeypatch, changes, name, verdict, words):
    for key, value in changes.items():
        monkeypatch.setenv(key, value)
    code, checks = seen()
    assert (code, checks[name]['verdict']) == (int(verdict == 'error'), verdict)
    assert words in checks[name]['cure']


@pytest.mark.parametrize(
    ('servers', 'verdict', 'words'),
    [('127.0.0.1:9', 'error', 'nobody listens on 127.0.0.1:9, a discovery server'),
     ('127.0.0.1:9;UDPv4:[10.99.0.9]:1', 'warning', 'nobody listens on 127.0.0.1:9, a discover'),
     ('UDPv4:[10.99.0.9]:1', 'ok', '')],
)  # fmt: skip
def test_a_server_that_does_not_run_is_told(monkeypatch, servers, verdict, words):
    """Without a node: one that has gone by a server spoils discovery for the rest of a process."""
    monkeypatch.setenv('ROS_DISCOVERY_SERVER', servers)
    found = settings.discovery_check()
    assert (found.verdict, found.cure.startswith(words)) == (verdict, True)
    assert ('whether it runs cannot be asked' in found.value) == (verdict == 'ok')


@pytest.mark.parametrize(
    ('up', 'name', 'verdict', 'words'),
    [
        ([], 'interfaces', 'error', 'no network interface is up with an IPv4 address'),
        ([WIFI], 'interfaces', 'error', 'lo is down'),
        ([LO], 'interfaces', 'warning', 'no network interface is up but lo'),
        ([LO, WIFI], 'multicast', 'error', 'see the firewall, or name the others in ROS_STATIC_'),
    ],
)
def test_a_network_that_lacks_something_is_told(seen, monkeypatch, up, name, verdict, words):
    for module in (doctor, ros_environment):
        monkeypatch.setattr(module, 'interfaces', lambda: up)
    monkeypatch.setenv('ROS_AUTOMATIC_DISCOVERY_RANGE', 'SUBNET')
    monkeypatch.setattr(doctor, '_node', lambda _: (None, None))
    code, checks = seen()
    assert (code, checks[name]['verdict']) == (int(verdict == 'error'), verdict)
    assert words in checks[name]['cure']


@pytest.mark.parametrize(
    ('library', 'name', 'verdict', 'words'),
    [('rclpy', 'ROS', 'error', 'source /opt/ros/DISTRO'),
     ('numba', 'compiled laws', 'warning', numba_import.NO_NUMBA)],
)  # fmt: skip
def test_what_is_not_installed_is_told(seen, monkeypatch, library, name, verdict, words):
    monkeypatch.setitem(sys.modules, library, None)
    code, checks = seen()
    assert (code, checks[name]['verdict']) == (int(verdict == 'error'), verdict)
    assert words in checks[name]['cure']
    assert ('other nodes' in checks) == (library != 'rclpy')


def test_what_a_flight_uses_up_is_told(seen, monkeypatch):
    monkeypatch.setattr(machine_resources, 'free_disk', lambda _: 1e6)
    monkeypatch.setattr(settings.shutil, 'disk_usage', lambda _: SimpleNamespace(free=1e6))
    monkeypatch.setattr(computer_checks.os, 'getloadavg', lambda: (900.0, 1.0, 1.0))
    code, checks = seen()
    verdicts = [checks[name]['verdict'] for name in ('disk', 'processor', 'shared memory')]
    assert (code, verdicts) == (1, ['error', 'warning', 'warning'])


class Far(announcements.Announcements):
    """Announcements of another computer, in the domain of the test or another one."""

    other = False

    def heard(self):
        """Return them."""
        own = ros_environment.domain_number()
        return {7 if self.other else own: {'10.99.0.6': b'far!'}}


@pytest.mark.parametrize(
    ('other', 'verdict', 'words'),
    [(False, 'error', '10.99.0.6 announces processes in this domain, but answers do not get'),
     (True, 'warning', 'set ROS_DOMAIN_ID to theirs')],
)  # fmt: skip
def test_who_announces_itself_and_is_not_found_is_told(seen, monkeypatch, other, verdict, words):
    """A firewall, or another domain; nothing leaves this computer here."""
    monkeypatch.setattr(doctor, 'Announcements', Far)
    monkeypatch.setattr(Far, 'other', other)
    monkeypatch.setattr(graph_checks, 'is_alone', lambda: False)
    code, checks = seen()
    told = checks['other nodes']
    assert (code, told['verdict']) == (int(verdict == 'error'), verdict)
    assert words in told['cure']
    assert ('7 (10.99.0.6)' in told['value']) == other


def test_a_busy_machine_is_no_proof_of_a_firewall(seen, monkeypatch):
    monkeypatch.setattr(doctor, 'Announcements', Far)
    for module in (graph_checks, doctor):
        monkeypatch.setattr(module, 'is_alone', lambda: False)
    monkeypatch.setattr(computer_checks.os, 'getloadavg', lambda: (900.0, 1.0, 1.0))
    told = seen()[1]['other nodes']
    assert told['verdict'] == 'warning'
    assert 'is not found in 0.4 s on a busy machine (load 900.0 on' in told['cure']


def test_the_doctor_looks_until_the_computer_that_announces_itself_is_found(monkeypatch):
    looks = []
    monkeypatch.setattr(graph_checks, 'LOOK_PERIOD', 0.0)
    monkeypatch.setattr(
        graph_checks, 'found_hosts', lambda _: {b'near'} if len(looks) == 3 else set()
    )
    node = SimpleNamespace(_started=time.monotonic(), _listen=lambda: looks.append(1))
    graph_checks.DoctorNode.look_for(node, lambda: {'10.99.0.6': b'near'})
    assert len(looks) == 3


def test_two_publishers_of_one_odometry_are_told(seen, domain, tmp_path):
    def is_told() -> bool:
        told = seen()[1].get('odometry', {'verdict': ''})
        return told['verdict'] == 'warning' and '2 publishers on /uav_1/odom' in told['cure']

    program = DRIVER.replace("'/uav_2/odom'", "'odom'")
    with Process((sys.executable, '-c', program), domain, tmp_path):
        wait_until(is_told, 'both')


def test_processes_of_the_domain_that_are_not_found_or_share_no_memory_are_told(
    seen, monkeypatch, domain
):
    for module in (network, graph_checks):
        monkeypatch.setattr(module, 'participants', lambda: [Participant(domain, 12345, 1)])
    _, checks = seen()
    assert 'RANGE OFF?' in checks['other nodes']['cure']
    assert 'another user (uid 12345, here ' in checks['shared memory']['cure']
    assert settings.memory_check().verdict == 'warning'
