"""What single logs hold, of any release and however damaged."""

import struct
import sys
import tracemalloc

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.logs import dataflash_log
from soliton_encirclement_ros.analysis.logs.log_files import read_log
from soliton_encirclement_ros.analysis.recording import Track
from soliton_encirclement_ros.core.errors import RunError
from support.recorded.logs import (
    Aircraft, dataflash_number, ulog_of, write_dataflash, write_tlog, write_ulog
)
from support.recorded.planted import QUAD, flight, steps

CHANCE = np.random.default_rng(56)


@pytest.fixture(scope='module')
def member():
    """Return a flight whose set-points are known."""
    return flight(steps(CHANCE, 30.0), QUAD, rate=25.0)


def read(path, name='uav_1'):
    """Return the recording in a log of one vehicle."""
    (part,) = read_log(path, name)
    return part.recording


WRITERS = {
    'one.ulg': lambda path, member, aircraft: write_ulog(path, ulog_of(member, aircraft)),
    'one.bin': write_dataflash,
    'one.tlog': lambda path, member, aircraft: write_tlog(path, {1: member}, aircraft),
}


@pytest.mark.parametrize('name', WRITERS)
def test_every_format_gives_the_same_flight(name, member, tmp_path):
    aircraft = Aircraft(start=(12.0, -7.0, 3.0))
    recording = read(WRITERS[name](tmp_path / name, member, aircraft))
    track = recording.members['uav_1'].track
    assert len(track.time) == pytest.approx(len(member.track.time), abs=1)
    place = member.track.position[-1] - aircraft.start
    assert track.position[-1] == pytest.approx(place, abs=0.01)
    assert track.velocity[-1] == pytest.approx(member.track.velocity[-1], abs=0.01)
    assert recording.origin == pytest.approx(aircraft.origin, abs=1e-5)
    if name != 'one.tlog':  # whose rate of set-points is that of the link
        commands = recording.members['uav_1'].commands
        assert commands.velocity[40] == pytest.approx(member.commands.velocity[40], abs=1e-5)


def test_modes_failsafes_and_warnings_are_events(member, tmp_path):
    topics = ulog_of(member, Aircraft(airborne=(4.0, 20.0)))
    stamps = topics['vehicle_status']['timestamp'][1]
    failsafe = ('bool', [False, True, False, False])
    topics['vehicle_status'] = {**topics['vehicle_status'], 'failsafe': failsafe}
    topics['battery_status'] = {
        'timestamp': ('uint64_t', stamps), 'warning': ('uint8_t', [0, 0, 2, 2]),
    }  # fmt: skip
    said = [(22.0, 4, 'GPS\tlost'), (23.0, 6, 'not worth an event')]
    events = read(write_ulog(tmp_path / 'one.ulg', topics, said)).events
    assert [(round(event.time, 1), event.text) for event in events] == [
        (0.0, 'mode AUTO_LOITER'), (2.0, 'GPS lost'), (4.0, 'mode OFFBOARD'), (4.0, 'armed'),
        (4.0, 'took off'), (4.0, 'failsafe'), (20.0, 'disarmed'), (20.0, 'landed'),
        (20.0, 'battery critical'),
    ]  # fmt: skip
    assert next(event.end for event in events if event.text == 'failsafe') == pytest.approx(20.0)


def test_events_of_the_other_formats(member, tmp_path):
    texts = [event.text for event in read(write_dataflash(tmp_path / 'one.bin', member)).events]
    assert texts[:2] == ['mode GUIDED', 'armed'] and texts[-1] == 'disarmed'
    assert [texts.count(text) for text in ('mode GUIDED', 'armed')] == [1, 1]
    events = read(write_dataflash(tmp_path / 'one.bin', member)).events
    (failsafe,) = (event for event in events if event.text == 'battery failsafe')
    assert (failsafe.time, failsafe.end) == pytest.approx((1.0, 3.0), abs=0.05)
    events = read(write_tlog(tmp_path / 'one.tlog', {1: member})).events
    assert [event.text for event in events] == ['mode GUIDED', 'Battery 1 low']


def test_a_ground_station_hears_several_vehicles(member, tmp_path):
    path = write_tlog(tmp_path / 'all.tlog', {1: member, 7: member})
    parts = read_log(path, 'all')
    assert [[*part.recording.members] for part in parts] == [['uav_1'], ['uav_7']]


@pytest.mark.parametrize('name', WRITERS)
def test_a_log_that_was_cut_is_read_as_far_as_it_goes(name, member, tmp_path):
    path = WRITERS[name](tmp_path / name, member, Aircraft())
    whole = read(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    cut = read(path)
    assert 0.3 < cut.duration / whole.duration < 0.7
    is_cut = [line for line in cut.problems if 'cut off, as by a loss of power' in line]
    assert len(is_cut) == (name != 'one.tlog')
    assert not any('cut off' in line for line in whole.problems)


@pytest.mark.parametrize('name', WRITERS)
def test_a_log_with_a_hole_is_read_and_said_to_be_damaged(name, member, tmp_path):
    path = WRITERS[name](tmp_path / name, member, Aircraft())
    whole, data = read(path), bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 200] = CHANCE.bytes(200)
    path.write_bytes(bytes(data))
    damaged = read(path)
    assert any('is damaged' in line or 'cut off' in line for line in damaged.problems)
    # The writer of pyulog leaves no marks to go on at, as PX4 does.
    least = 0.4 if name == 'one.ulg' else 0.9
    share = len(damaged.members['uav_1'].track.time) / len(whole.members['uav_1'].track.time)
    assert least < share < 1.0


def inserted(data, what):
    """Return bytes with others in their middle."""
    return data[: len(data) // 2] + what + data[len(data) // 2 :]


@pytest.mark.parametrize(('name', 'change', 'is_said'), [
    ('one.bin', lambda data: inserted(data, b'\xa3\x95\xee' + bytes(40)), True),
    ('one.bin', lambda data: inserted(data, bytes(5000)), True),
    ('one.ulg', lambda data: data[:7] + b'\x7f' + data[8:], False),
    ('one.ulg', lambda data: data + bytes(3000), True),
    ('one.tlog', lambda data: inserted(data, CHANCE.bytes(3000)), True),
], ids=['unknown message', 'zeros', 'unknown version', 'zeros at the end', 'noise'])  # fmt: skip
def test_what_no_release_has_written_is_passed_over(name, change, is_said, member, tmp_path):
    path = WRITERS[name](tmp_path / name, member, Aircraft())
    path.write_bytes(change(path.read_bytes()))
    recording = read(path)
    assert len(recording.members['uav_1'].track.time) > 0.99 * len(member.track.time)
    assert any('is damaged' in line for line in recording.problems) == is_said


def test_a_format_of_a_later_release_is_one_line(member, tmp_path):
    path = write_dataflash(tmp_path / 'later.bin', member)
    path.write_bytes(path.read_bytes().replace(b'Qf'.ljust(16, b'\0'), b'Q?'.ljust(16, b'\0')))
    with pytest.raises(RunError, match=r"later\.bin: no log that can be read: .* char: '\?'"):
        read(path)
    path = write_ulog(tmp_path / 'later.ulg', ulog_of(member))
    data, flags = path.read_bytes(), bytes([*bytes(8), 0x80, *bytes(31)])
    path.write_bytes(data[:16] + struct.pack('<HB', len(flags), ord('B')) + flags + data[16:])
    with pytest.raises(RunError, match=r'later\.ulg: no log that can be read: Unknown incompat'):
        read(path)


def test_old_releases_call_the_heading_yaw_and_say_less(member, tmp_path):
    topics = ulog_of(member)
    place = dict(topics['vehicle_local_position'])
    place['yaw'] = place.pop('heading')
    kept = {'vehicle_local_position': {name: place[name] for name in place if 'valid' not in name},
            'vehicle_gps_position': topics['sensor_gps']}  # fmt: skip
    recording = read(write_ulog(tmp_path / 'old.ulg', kept))
    assert recording.members['uav_1'].track.yaw[5] == pytest.approx(member.track.yaw[5], abs=1e-5)
    assert recording.start_ns > 10**18 and recording.members['uav_1'].commands is None


def test_a_plane_is_said_and_read(member, tmp_path):
    for path in (
        write_ulog(tmp_path / 'plane.ulg', ulog_of(member, Aircraft(kind=2))),
        write_dataflash(tmp_path / 'plane.bin', member, vehicle='ArduPlane V4.5.7'),
    ):
        assert any('it is of a plane' in line for line in read(path).problems)


def test_a_release_without_times_is_one_line(member, tmp_path):
    path = write_dataflash(tmp_path / 'one.bin', member)
    path.write_bytes(path.read_bytes().replace(b'TimeUS,', b'TimeMS,'))
    with pytest.raises(RunError, match=r'one\.bin: its messages have no TimeUS'):
        read(path)


def test_a_pause_of_an_autopilot_is_none_of_a_recorder(member, tmp_path):
    keep = (member.track.time < 5.0) | (member.track.time > 20.0)
    track = Track(*(column[keep] for column in member.track))
    path = write_ulog(tmp_path / 'one.ulg', ulog_of(member._replace(track=track, commands=None)))
    assert any('it logs only while it is armed' in line for line in read(path).problems)


def test_without_a_position_there_is_one_line(member, tmp_path):
    topics = ulog_of(member)
    place = topics['vehicle_local_position']
    place = {**place, 'xy_valid': ('bool', np.zeros(len(place['x'][1]), bool))}
    path = write_ulog(tmp_path / 'bench.ulg', {**topics, 'vehicle_local_position': place})
    with pytest.raises(RunError, match='in the log: its estimator had none'):
        read(path)


@pytest.mark.parametrize(('name', 'content', 'text'), [
    ('one.ulg', b'\x00' * 500, 'no log that can be read: Invalid file format'),
    ('one.ulg', b'ULog', 'no log that can be read'),
    ('one.bin', b'\x00' * 500, 'no log of ArduPilot: it does not begin like one'),
    ('one.bin', b'\xa3\x95' + b'\x07' * 500, 'is in the log: its messages do not tell it'),
    ('one.tlog', b'\x01' * 500, 'no vehicle tells its place in it, or it is no log of MAVLink'),
    ('one.ulge', b'whatever', 'is encrypted: decrypt it first'),
    ('one.ulg', b'ULogEnc\x01' + b'\x05' * 90, 'is encrypted: decrypt it first'),
    ('one.ulg', b'', 'is empty'),
], ids=lambda value: value[:20] if isinstance(value, str) else '')  # fmt: skip
def test_what_is_no_log_is_one_line(name, content, text, tmp_path, capfd):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(RunError, match=text) as caught:
        read_log(path, 'uav_1')
    assert '\n' not in str(caught.value) and str(path) in str(caught.value)
    assert capfd.readouterr() == ('', '')


def without_length(data):
    """Return a ``.bin`` whose messages of one format have neither a length nor columns."""
    at = data.index(b'\xa3\x95\x80\x81') + 4
    return data[:at] + b'\0' + data[at + 1 : at + 5] + b'\0' + data[at + 6 :]


@pytest.mark.parametrize(('damage', 'text'), [
    (without_length, 'no position of the vehicle is in the log: .*; it is damaged'),
    (lambda data: data.replace(b'QBfffffff', b'QBfff\nfff'), "Unsupported format char: ' ' in"),
], ids=['no length', 'a line break'])  # fmt: skip
def test_a_damaged_format_is_one_line(damage, text, member, tmp_path):
    path = write_dataflash(tmp_path / 'one.bin', member)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(RunError, match=text):
        read_log(path, 'uav_1')


@pytest.mark.parametrize(('name', 'old', 'new', 'least'), [
    # at which pyulog ends, for good; weeks and milliseconds of no calendar
    ('one.ulg', b'vehicle_status:uint64_t timestamp', b'vehicle_status:uint64_t timestomp', 1),
    ('one.bin', b'GPS\0QHI', b'GPS\0QIH', 700),
    ('one.bin', b'GPS\0QHI', b'GPS\0QHn', 700),
], ids=['no time', 'no date', 'no number'])  # fmt: skip
def test_damage_beside_the_position_costs_nothing_else(name, old, new, least, member, tmp_path):
    path = WRITERS[name](tmp_path / name, member, Aircraft())
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new))
    assert len(read(path).members['uav_1'].track.time) >= least


def test_a_message_without_a_text_is_no_event(member, tmp_path):
    path = write_ulog(tmp_path / 'one.ulg', ulog_of(member), [(22.0, 4, ' \t'), (23.0, 4, 'lost')])
    texts = [event.text for event in read(path).events]
    assert 'lost' in texts and '' not in texts


@pytest.mark.parametrize(('name', 'library'), [('one.ulg', 'pyulog'), ('one.bin', 'pymavlink'),
                                               ('one.tlog', 'pymavlink')])  # fmt: skip
def test_a_missing_library_is_named(name, library, member, tmp_path, monkeypatch):
    path = WRITERS[name](tmp_path / name, member, Aircraft())
    for module in [module for module in sys.modules if module.split('.')[0] == library]:
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ModuleNotFoundError) as caught:
        read_log(path, 'uav_1')
    assert caught.value.name.split('.')[0] == library


@pytest.mark.parametrize('name', ['one.ulg', 'one.bin'])
def test_progress_reaches_the_end(name, member, tmp_path):
    path = WRITERS[name](tmp_path / name, member, Aircraft())
    noted = []
    read_log(path, 'uav_1', lambda done, everything: noted.append((done, everything)))
    size = path.stat().st_size // 1000
    assert noted[-1] == (size, size)


@pytest.mark.parametrize('size', [1000, 1013])
def test_pieces_of_a_log_are_the_whole(size, member, tmp_path, monkeypatch):
    path = write_dataflash(tmp_path / 'one.bin', member, vehicle='ArduPlane V4.5.7')
    whole = read(path)
    monkeypatch.setattr(dataflash_log, 'PIECE', size)
    pieces = read(path)
    assert pieces.events == whole.events and pieces.problems == whole.problems
    for one, other in zip(pieces.members['uav_1'][1:3], whole.members['uav_1'][1:3], strict=True):
        for columns in zip(one, other, strict=True):
            np.testing.assert_array_equal(*columns)


def test_memory_does_not_grow_with_what_is_not_used(member, tmp_path, monkeypatch):
    monkeypatch.setattr(dataflash_log, 'PIECE', 1 << 16)
    path = write_dataflash(tmp_path / 'one.bin', member)
    unused = bytes([*b'\xa3\x95', dataflash_number('IMU'), *bytes(12)])
    peaks = []
    for count in (0, 300_000):
        with path.open('ab') as file:
            file.write(count * unused)
        tracemalloc.start()
        read(path)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] - peaks[0] < 500_000
