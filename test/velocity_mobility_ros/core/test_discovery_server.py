"""The list of discovery servers: what Fast DDS would ignore is refused."""

import os

import pytest
from velocity_mobility_ros.core.discovery_server import (
    SERVERS,
    SUPER_CLIENT,
    ask_for_all_topics,
    check_servers,
)
from velocity_mobility_ros.core.errors import StartupError


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
