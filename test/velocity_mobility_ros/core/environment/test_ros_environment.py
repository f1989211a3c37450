"""The environment of ROS: what cannot work is refused, what may work is let pass."""

import os
import socket
import sys

import pytest

from velocity_mobility_ros.core.environment import ros_environment
from velocity_mobility_ros.core.environment.fast_dds import (
    OF_2, SERVERS, SUPER_CLIENT, ask_for_all_topics, check_servers
)
from velocity_mobility_ros.core.environment.network import Interface
from velocity_mobility_ros.core.environment.ros_environment import (
    MIDDLEWARES, SECURITY, STRATEGY, check_discovery, check_interfaces, check_middleware,
    discovery_range, discovery_text, discovery_warnings, domain_number, interface_warnings,
    security_gap, warn_of_isolation
)
from velocity_mobility_ros.core.user_errors import StartupError, shown


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Return what lists implementations of rmw in an installation that is the only one."""
    monkeypatch.setenv('AMENT_PREFIX_PATH', f'{tmp_path / "ros"}{os.pathsep}{tmp_path / "none"}')
    monkeypatch.setattr(sys, 'prefix', str(tmp_path / 'python'))
    monkeypatch.delenv('LD_LIBRARY_PATH', raising=False)

    def make(*names):
        for name in names:
            path = tmp_path / 'ros' / MIDDLEWARES / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()

    return make


@pytest.mark.parametrize(
    ('listed', 'name'),
    [(('rmw_implementation', 'rmw_fastrtps_cpp'), ''), (('rmw_zenoh_cpp',), 'rmw_zenoh_cpp'),
     ((), 'unknown')],
)  # fmt: skip
def test_a_middleware_that_is_listed_passes_and_any_where_none_is(
    install, monkeypatch, listed, name
):
    install(*listed)
    monkeypatch.setenv('RMW_IMPLEMENTATION', name)
    check_middleware()


def test_one_that_is_not_is_refused_with_those_that_are(install, monkeypatch):
    install('rmw_implementation', 'rmw_fastrtps_cpp', 'rmw_zenoh_cpp')
    monkeypatch.setenv('RMW_IMPLEMENTATION', 'unknown')
    with pytest.raises(StartupError) as caught:
        check_middleware()
    assert str(caught.value) == (
        "RMW_IMPLEMENTATION='unknown' is not installed, must be rmw_fastrtps_cpp or "
        'rmw_zenoh_cpp; or unset it'
    )


@pytest.mark.parametrize('place', ['ros/lib', 'python/lib', 'built'])
def test_one_whose_library_is_there_passes(install, monkeypatch, tmp_path, place):
    install('rmw_fastrtps_cpp')
    monkeypatch.setenv('RMW_IMPLEMENTATION', 'rmw_own_cpp')
    monkeypatch.setenv('LD_LIBRARY_PATH', f'/nowhere{os.pathsep}{tmp_path / "built"}')
    (tmp_path / place).mkdir(parents=True)
    (tmp_path / place / 'librmw_own_cpp.so').touch()
    check_middleware()


def test_discovery_that_is_off_is_refused(monkeypatch):
    monkeypatch.setenv('ROS_AUTOMATIC_DISCOVERY_RANGE', 'OFF')
    with pytest.raises(StartupError, match=r'RANGE=OFF: no process .* LOCALHOST or SUBNET'):
        check_discovery()


@pytest.mark.parametrize('text', ['', 'SYSTEM_DEFAULT'])
def test_any_other_discovery_passes(monkeypatch, text):
    monkeypatch.setenv('ROS_AUTOMATIC_DISCOVERY_RANGE', text)
    check_discovery()


@pytest.mark.parametrize('text', ['subnet', 'OFF\n', 'x' * 3000])
@pytest.mark.parametrize('check', [check_discovery, discovery_range])
def test_a_word_that_ros_does_not_know_is_refused(monkeypatch, check, text):
    monkeypatch.setenv('ROS_AUTOMATIC_DISCOVERY_RANGE', text)
    with pytest.raises(StartupError) as caught:
        check()
    assert str(caught.value) == (
        f'ROS_AUTOMATIC_DISCOVERY_RANGE={shown(text)} must be LOCALHOST or SUBNET or '
        'SYSTEM_DEFAULT; or unset it'
    )


def test_the_domain_is_a_number(monkeypatch):
    monkeypatch.setenv('ROS_DOMAIN_ID', '7')
    assert domain_number() == 7
    monkeypatch.setenv('ROS_DOMAIN_ID', '500')
    with pytest.raises(StartupError, match="ROS_DOMAIN_ID='500' must be a whole number from 0"):
        domain_number()


LO = Interface('lo', '127.0.0.1', True, False)
WIFI = Interface('wlan0', '10.0.0.5', True, True)


@pytest.fixture
def network(monkeypatch):
    """Return what sets the interfaces; loopback and a wifi are up."""

    def choose(*up):
        monkeypatch.setattr(ros_environment, 'interfaces', lambda: list(up))

    choose(LO, WIFI)
    return choose


@pytest.fixture
def settings(monkeypatch, network):
    """Return what sets the variables of discovery, and only these."""
    monkeypatch.delenv('FASTDDS_BUILTIN_TRANSPORTS', raising=False)
    names = ('ROS_AUTOMATIC_DISCOVERY_RANGE', 'ROS_STATIC_PEERS', 'ROS_DISCOVERY_SERVER',
             'ROS_LOCALHOST_ONLY')  # fmt: skip

    def choose(*values):
        for name in names:
            monkeypatch.delenv(name, raising=False)
        for name, value in zip(names, values, strict=False):
            monkeypatch.setenv(name, value)

    monkeypatch.setenv('ROS_DOMAIN_ID', '7')
    return choose


@pytest.mark.parametrize(
    ('values', 'way'),
    [
        ((), 'SUBNET'),
        (('LOCALHOST',), 'LOCALHOST'),
        (('', '', '', '1'), 'LOCALHOST'),
        (('LOCALHOST', '10.0.0.11;drone2'), 'LOCALHOST with static peers 10.0.0.11;drone2'),
        (('SUBNET', '10.0.0.11', '10.0.0.10:11811'), 'by server 10.0.0.10:11811'),
    ],
)
def test_one_line_has_all_settings_of_discovery(settings, values, way):
    settings(*values)
    assert discovery_text() == f'ROS domain 7, discovery {way}'


def test_static_peers_that_are_not_used_are_named(settings, capfd):
    settings('SYSTEM_DEFAULT', '10.0.0.11')
    warn_of_isolation()
    assert capfd.readouterr().err == (
        'warning: ROS_AUTOMATIC_DISCOVERY_RANGE=SYSTEM_DEFAULT: ROS_STATIC_PEERS is ignored; set '
        'LOCALHOST or SUBNET\n'
    )
    settings('LOCALHOST', '10.0.0.11')
    warn_of_isolation()
    assert capfd.readouterr().err == ''
    settings('SUBNET', '10.0.0.11', '', '1')
    warn_of_isolation()
    assert capfd.readouterr().err == ''.join(
        f'warning: ROS_LOCALHOST_ONLY=1: {name} is ignored; unset ROS_LOCALHOST_ONLY\n'
        for name in ('ROS_AUTOMATIC_DISCOVERY_RANGE', 'ROS_STATIC_PEERS')
    )
    assert discovery_text() == 'ROS domain 7, discovery LOCALHOST'


OLD = '<interfaceWhiteList><address>{}</address></interfaceWhiteList>'
NEW = '<interfaces><allowlist><interface name="{}"/></allowlist></interfaces>'


@pytest.mark.parametrize('tags', [OLD, NEW])
def test_profiles_that_allow_only_interfaces_which_are_not_here_are_refused(
    settings, monkeypatch, tmp_path, tags
):
    path = tmp_path / 'profiles.xml'
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(OF_2, path.name)
    settings('SUBNET')
    for allowed in ('10.0.0.5', 'wlan0'):
        path.write_text(f'<dds xmlns="http://x">{tags.format(allowed)}</dds>')
        warn_of_isolation()
    path.write_text(f'<dds xmlns="http://x">{tags.format("10.0.0.9")}</dds>')
    with pytest.raises(StartupError) as caught:
        warn_of_isolation()
    assert str(caught.value) == (
        "FASTRTPS_DEFAULT_PROFILES_FILE='profiles.xml' allows only 10.0.0.9, and the interfaces "
        'here are 10.0.0.5, 127.0.0.1, lo, wlan0: nobody would ever be heard'
    )


NOBODY = 'no network interface is up with an IPv4 address, not even lo: nobody would ever be heard'
DEAF = 'lo is down: processes of this computer do not hear each other; sudo ip link set lo up'
ALONE = 'no network interface is up but lo: other computers are not heard; connect the network'


@pytest.mark.parametrize('check', [check_discovery, warn_of_isolation])
@pytest.mark.parametrize(
    ('up', 'values', 'line'),
    [
        ((), ('SUBNET',), NOBODY),
        ((LO._replace(is_up=False), WIFI._replace(address='')), ('LOCALHOST',), NOBODY),
        ((WIFI,), ('LOCALHOST',), f'{DEAF}, and start again'),
    ],
)
def test_a_network_in_which_nobody_is_ever_heard_is_refused(
    settings, network, capfd, check, up, values, line
):
    settings(*values)
    network(*up)
    with pytest.raises(StartupError) as caught:
        check()
    assert str(caught.value).startswith(line)
    assert capfd.readouterr().err == ''


@pytest.mark.parametrize(
    ('up', 'values', 'transports'),
    [((), ('SUBNET',), 'SHM'), ((), ('OFF',), ''), ((WIFI,), ('SUBNET',), ''),
     ((WIFI,), ('LOCALHOST', '10.0.0.6'), ''), (None, ('LOCALHOST',), '')],
)  # fmt: skip
def test_one_in_which_somebody_may_be_heard_passes(
    settings, network, monkeypatch, up, values, transports
):
    settings(*values)
    network(*(up or ()))
    if up is None:  # not known
        monkeypatch.setattr(ros_environment, 'interfaces', lambda: None)
    monkeypatch.setenv('FASTDDS_BUILTIN_TRANSPORTS', transports)
    check_interfaces()


def test_processes_of_one_computer_need_loopback_whatever_the_range(settings, network):
    settings('SUBNET')
    network(WIFI)
    with pytest.raises(StartupError, match='lo is down'):
        check_interfaces(is_local=True)


@pytest.mark.parametrize(
    ('up', 'values', 'transports', 'begin'),
    [
        ((LO,), ('SUBNET',), '', ALONE),
        ((LO,), ('LOCALHOST', '10.0.0.6'), '', ALONE),
        ((WIFI,), ('SUBNET',), '', DEAF),
    ],
)
def test_gaps_of_the_network_are_named(
    settings, network, monkeypatch, up, values, transports, begin
):
    settings(*values)
    network(*up)
    monkeypatch.setenv('FASTDDS_BUILTIN_TRANSPORTS', transports)
    (line,) = (*discovery_warnings(), *interface_warnings())
    assert line.startswith(begin)


def test_a_file_of_settings_that_is_missing_or_broken_is_refused(settings, monkeypatch, tmp_path):
    settings('SUBNET')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(OF_2, 'none.xml')
    with pytest.raises(StartupError, match=f"^{OF_2}='none.xml' cannot be read: .* No such file"):
        check_interfaces()
    (tmp_path / 'none.xml').write_text('<dds><')
    with pytest.raises(StartupError, match=f"^{OF_2}='none.xml' cannot be read: unclosed"):
        check_interfaces()


@pytest.fixture
def port():
    """Return a port of UDP on which somebody listens while the test has not closed it."""
    with socket.socket(type=socket.SOCK_DGRAM) as one:
        one.bind(('127.0.0.1', 0))
        yield one


def test_a_server_that_does_not_run_is_named_if_its_computer_says_so(settings, port):
    server = '{}:{}'.format(*port.getsockname())
    settings('SUBNET', '', f'UDPv4:[10.99.0.9]:1;{server}')
    assert discovery_warnings() == []
    port.close()
    (line,) = discovery_warnings()
    assert line.startswith(f'nobody listens on {server}, a discovery server (ROS_DISCOVERY_')


@pytest.mark.parametrize('check', [check_discovery, warn_of_isolation])
def test_servers_that_would_be_ignored_are_refused(settings, check):
    settings('SUBNET', '', '10.0.0.10,10.0.0.11')
    with pytest.raises(StartupError, match=r'ROS_DISCOVERY_SERVER=.* separated by ;'):
        check()


@pytest.mark.parametrize(
    'text',
    ['', ';', '10.0.0.10', '10.0.0.10:11811', 'localhost:11811', ';10.0.0.10:1;10.0.0.11:65535',
     'UDPv4:[10.0.0.10]:11811', 'TCPv4:[10.0.0.10]:42100', '[::1]:11811', '::1'],
)  # fmt: skip
def test_lists_that_fast_dds_reads_pass(monkeypatch, text):
    monkeypatch.setenv(SERVERS, text)
    check_servers()


@pytest.mark.parametrize(
    ('text', 'fault'),
    [
        ('10.0.0.10,10.0.0.11', "'10.0.0.10,10.0.0.11' must be ADDRESS:PORT; servers are "),
        ('10.0.0.10:11811; 10.0.0.11', "' 10.0.0.11' must be ADDRESS:PORT; servers are separated"),
        ('10.0.0.10:port', "'10.0.0.10:port' must be ADDRESS:PORT"),
        ('10.0.0.10:99999', 'port 99999 must be at most 65535'),
        ('10.0.0.10;laptop.invalid:11811', 'the address of laptop.invalid is not known; give its'),
        ('10.0.0.300:11811', 'the address of 10.0.0.300 is not known'),
    ],
)
def test_any_other_is_refused_with_the_entry(monkeypatch, text, fault):
    monkeypatch.setenv(SERVERS, text)
    with pytest.raises(StartupError) as caught:
        check_servers()
    assert str(caught.value).startswith(f'{SERVERS}={text!r}: {fault}')


@pytest.mark.parametrize(
    ('server', 'before', 'after'),
    [('', None, None), ('10.0.0.10', None, 'TRUE'), ('10.0.0.10', 'FALSE', 'FALSE')],
)
def test_all_topics_are_asked_for_where_there_is_a_server(monkeypatch, server, before, after):
    monkeypatch.setenv(SERVERS, server)
    monkeypatch.setenv(SUPER_CLIENT, before or '')
    if before is None:
        monkeypatch.delenv(SUPER_CLIENT)
    ask_for_all_topics()
    assert os.environ.get(SUPER_CLIENT) == after


@pytest.mark.parametrize(
    ('enable', 'strategy', 'gap'),
    [('', '', 'is off'), ('TRUE', 'Enforce', 'is off'), ('1', 'Enforce', 'is off'),
     ('true', '', 'is not enforced'), ('true', 'Permissive', 'is not enforced'),
     ('true', 'Enforce', '')],
)  # fmt: skip
def test_security_that_does_not_protect_is_told(monkeypatch, enable, strategy, gap):
    monkeypatch.setenv(SECURITY, enable)
    monkeypatch.setenv(STRATEGY, strategy)
    assert security_gap().startswith(f'security {gap}') if gap else security_gap() == ''
