"""States of bridges to autopilots, read from a bag."""

import struct

import pytest
from soliton_encirclement_ros.analysis.bag import read_recording
from soliton_encirclement_ros.analysis.bag.decoding import bridge_states
from soliton_encirclement_ros.analysis.bag.decoding.bridge_states import state_in
from soliton_encirclement_ros.analysis.findings import default_settings, find
from soliton_encirclement_ros.analysis.recording import BridgeChange
from support.chunks import lively
from support.recorded.bags import FORMS, fly_bag, raw_messages, write_bag
from support.recorded.bridge_reports import told

OF_SWARM = '/swarm/bridge_states'


@pytest.fixture
def reading(tmp_path):
    """Return a reader of a bag of a flight with further messages."""

    def read(*messages):
        flown = raw_messages(fly_bag(tmp_path / 'flown', lively()))
        everything = sorted([*flown, *messages], key=lambda one: one.time_ns)
        write_bag(tmp_path / 'bag', everything, FORMS['mcap-none-9'])
        return read_recording(tmp_path / 'bag')

    return read


def test_a_state_is_read_when_it_begins_and_is_an_event_from_the_second_on(reading):
    recording = reading(
        told(0.5, 'uav_1', 'holds', state='HOLD'), told(1.0, 'uav_1', 'tracks'),
        told(1.5, 'uav_1', 'tracks on'), told(2.0, 'uav_1', 'no\nstatus', state='LINK_LOST'),
    )  # fmt: skip
    assert recording.bridges == (
        BridgeChange(0.5, 'uav_1', 'HOLD', 'holds'),
        BridgeChange(1.0, 'uav_1', 'TRACK', 'tracks'),
        BridgeChange(2.0, 'uav_1', 'LINK_LOST', 'no\nstatus'),
    )
    events = find(recording, default_settings(recording)).alarms
    found = [(one.time, one.who, one.what) for one in events if one.what.startswith('bridge')]
    assert found == [
        (1.0, 'uav_1', 'bridge TRACK: tracks'), (2.0, 'uav_1', 'bridge LINK_LOST: no status'),
    ]  # fmt: skip


@pytest.mark.parametrize('topics', [('',), (OF_SWARM,), ('', OF_SWARM)])
def test_the_topic_of_the_swarm_tells_the_same_by_itself_or_beside(reading, topics):
    said = [
        (0.5, 'uav_1', 'HOLD'), (0.6, 'uav_2', 'HOLD'), (1.0, 'uav_1', 'TRACK'),
        (1.5, 'uav_1', 'TRACK'), (2.0, 'uav_2', 'TRACK'),
    ]  # fmt: skip
    found = reading(*(
        told(time, name, 'why', state=state, topic=topic)
        for time, name, state in said for topic in topics
    )).bridges  # fmt: skip
    assert [one[:3] for one in found] == [one for one in said if one[0] != 1.5]


def test_a_vehicle_that_takes_off_or_lands_is_told_without_an_event(reading):
    recording = reading(
        told(0.5, 'uav_1', 'ready', state='HOLD', landed='true'),
        told(1.0, 'uav_1', 'ready', state='HOLD', armed='false', landed='unknown'),
        told(1.5, 'uav_1', 'ready', state='HOLD', landed='false'),
    )
    assert [(one.time, one.stands) for one in recording.bridges] == [(0.5, True), (1.5, False)]
    assert find(recording, default_settings(recording)).alarms == ()


def test_what_is_damaged_or_has_no_state_is_counted(reading):
    whole = told(1.0, 'uav_1', 'tracks')
    pieces = [whole._replace(data=whole.data[:k]) for k in (1, 5, 30)]
    recording = reading(whole, *pieces, told(2.0, 'uav_1', 'tracks', key='status'))
    assert len(recording.bridges) == 1
    line = 'bridge_state: 4 of 5 messages are damaged or without a state: left out'
    assert line in recording.problems


def test_every_cut_and_every_count_is_refused_or_read():
    data = told(1.0, 'uav_1', 'tracks').data
    assert state_in(data) == BridgeChange(0.0, 'uav_1', 'TRACK', 'tracks')
    for at in range(4, len(data) - 3):
        broken = data[:at] + struct.pack('<I', 2**31) + data[at + 4 :]
        try:
            assert state_in(broken).time == 0.0
        except (struct.error, UnicodeDecodeError):
            continue


def test_there_are_not_endlessly_many(reading, monkeypatch):
    monkeypatch.setattr(bridge_states, 'MAX_CHANGES', 2)
    found = reading(*(told(k, 'uav_1', 'x', state=f'S{k}') for k in range(4)))
    assert len(found.bridges) == 2
    assert 'bridge_state: only the first 2 changes are read' in found.problems
