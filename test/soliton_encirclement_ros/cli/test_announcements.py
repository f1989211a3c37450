"""Announcements of other computers by multicast, and whether multicast passes at all."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from soliton_encirclement_ros.cli import doctor
from soliton_encirclement_ros.cli.doctor import Announcements, multicast_fault
from support.ros_domain import domain_of_its_own
from velocity_mobility_ros.core.environment.network import MULTICAST_GROUP, first_port
from velocity_mobility_ros.core.environment.ros_environment import LARGEST_DOMAIN

HERE, THERE = '127.0.0.1', '127.0.0.2'
"""Addresses of this computer, of which the second plays another one."""


def send(data: bytes, address: str, domain: int) -> None:
    """Send multicast on loopback."""
    with socket.socket(type=socket.SOCK_DGRAM) as out:
        out.bind((address, 0))
        out.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(HERE))
        out.sendto(data, (MULTICAST_GROUP, first_port(domain)))


@pytest.fixture
def domains() -> Iterator[list[int]]:
    """Return three domains that nobody else here is in."""
    with ExitStack() as lent:
        yield [lent.enter_context(domain_of_its_own()) for _ in range(3)]


def test_other_computers_are_heard_by_domain(domains):
    ears = Announcements(['10.99.99.99', HERE], domains)
    send(b'RTPS and more', THERE, domains[0])
    send(b'RTPS and more', HERE, domains[1])
    send(b'something else', THERE, domains[2])
    assert ears.heard() == {domains[0]: {THERE: b' mor'}}
    send(b'RTPS, of the next one', THERE, domains[1])
    assert {domain: [*found] for domain, found in ears.heard().items()} == {
        one: [THERE] for one in domains[:2]
    }
    ears.close()


def test_multicast_comes_back_or_it_is_said_why_not(monkeypatch):
    assert multicast_fault(HERE) == ''
    assert multicast_fault('10.99.99.99') == 'No such device'
    monkeypatch.setattr(doctor, 'PROBE', b'another')
    monkeypatch.setattr(doctor.socket.socket, 'sendto', lambda *_: None, raising=False)
    monkeypatch.setattr(doctor, 'ANSWER_TIME', 0.0)
    assert multicast_fault(HERE) == 'what is sent does not come back'


FAR = range(LARGEST_DOMAIN - 15, LARGEST_DOMAIN + 1)
"""Domains in which no doctor listens, as one in another process may do in all others."""


@pytest.mark.parametrize('taken', [True, False])
def test_a_port_that_another_program_has_for_itself_is_left_out(taken):
    with socket.socket(type=socket.SOCK_DGRAM) as other:
        domain = next(one for one in FAR if takes(other, first_port(one)))
        if not taken:
            other.close()
        ears = Announcements([HERE], [domain])
        send(b'RTPS', THERE, domain)
        assert ears.heard() == ({} if taken else {domain: {THERE: b''}})
        ears.close()


def takes(one: socket.socket, port: int) -> bool:
    """Give a socket a port; return whether nobody has it."""
    try:
        one.bind(('', port))
    except OSError:
        return False
    return True
