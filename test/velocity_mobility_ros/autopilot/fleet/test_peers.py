"""Who belongs to a fleet, by what its bridges hear of each other."""

from velocity_mobility_ros.autopilot.fleet.peers import (
    FORGOTTEN,
    SILENT,
    Peer,
    remembered,
    silent,
    with_peer,
)


def test_one_that_was_in_the_air_is_never_forgotten():
    peers = with_peer({}, 'uav_1', Peer(0.0, 'TRACK', True))
    peers = with_peer(peers, 'uav_2', Peer(0.0, 'READY', False))
    assert [*remembered(peers, FORGOTTEN)] == ['uav_1', 'uav_2']
    assert [*remembered(peers, FORGOTTEN + 1.0)] == ['uav_1']


def test_a_silent_one_is_told_with_what_it_did():
    peers = with_peer({}, 'uav_1', Peer(0.0, 'TRACK', True))
    assert silent(peers, SILENT) == {}
    assert silent(peers, 41.0) == {'uav_1': 'TRACK 41 s ago'}
