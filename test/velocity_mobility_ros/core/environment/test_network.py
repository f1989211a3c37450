"""Interfaces, and processes with ROS on this computer, as the kernel tells them."""

import os

from velocity_mobility_ros.core.environment.network import (
    Interface, Participant, has_loopback, interfaces, links, participants
)

LO = Interface('lo', '127.0.0.1', True, False)
WIFI = Interface('wlan0', '10.0.0.5', True, True)

LINE = '{}: 00000000:{:04X} 00000000:0000 07 00000000:00000000 00:00000000 00000000 {} 0 {} 2\n'


def test_loopback_has_an_address_and_leads_to_nobody_else():
    found = interfaces()
    assert found is not None and has_loopback(found)
    assert not set(links(found)) & {one.name for one in found if one.is_loopback}


def test_interfaces_count_that_are_up_and_lead_to_other_computers():
    down, bare = WIFI._replace(is_up=False), WIFI._replace(address='')
    docker = Interface('docker0', '172.17.0.1', True, True)
    assert links([LO, WIFI, docker]) == {'wlan0': '10.0.0.5'}
    assert links([LO, down, bare]) == links(None) == {}
    assert not has_loopback([LO._replace(is_up=False), WIFI])


def test_participants_are_pairs_of_ports_of_other_processes(tmp_path):
    """Others have domains 0 and 7; then MAVLink, a port alone, and what Linux assigns."""
    own, others = (7410, 7411), (7412, 7413, 9160, 9161, 14550, 14551, 7414, 40002, 40003)
    lines = [LINE.format(k, port, 1000, 500 + k) for k, port in enumerate((*own, *others))]
    (tmp_path / 'udp').write_text('  sl  local_address ...\n' + ''.join(lines))
    files = tmp_path / 'fd'
    files.mkdir()
    for k in range(len(own)):
        os.symlink(f'socket:[{500 + k}]', files / str(k))
    found = [Participant(0, 1000, 7413), Participant(7, 1000, 9161)]
    assert participants(tmp_path / 'udp', files) == found
    assert participants(tmp_path / 'none', files) == []
