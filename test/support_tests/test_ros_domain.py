"""The ROS domains that tests are lent."""

import subprocess
import sys

import pytest

from support import ros_domain
from support.ros_domain import domain_of_its_own
from velocity_mobility_ros.core.environment.network import first_port

SECOND = """
import socket, sys, time
for port in map(int, sys.argv[1:]):
    one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    one.bind(('0.0.0.0', port))
    globals()[f'port_{port}'] = one
print('bound', flush=True)
time.sleep(60)
"""
"""A process as the second one of a domain has its ports."""


def test_where_a_second_process_is_left_the_domain_is_not_lent(monkeypatch):
    with domain_of_its_own() as domain:
        pass
    monkeypatch.setattr(ros_domain, 'DOMAINS', range(domain, domain + 1))
    ports = [str(first_port(domain) + number) for number in (12, 13)]
    command = [sys.executable, '-c', SECOND, *ports]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as left:
        assert left.stdout.readline() == 'bound\n'
        with pytest.raises(RuntimeError, match='no ROS domain'), domain_of_its_own():
            pass
        left.kill()
    with domain_of_its_own() as again:
        assert again == domain
