"""Readers of what was recorded: messages, bags of ROS 1 and 2, logs of autopilots."""

import shutil
import struct
import tempfile
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from fuzz_parts.reader import SCRATCH, Reader, file_writer


def _cdr() -> Reader:
    import numpy as np

    from velocity_mobility_ros.core import cdr, cdr_readers

    status = (
        ('stamp', cdr.FieldType(cdr.fields_of(cdr.STAMP))), ('frame', cdr.FieldType('string')),
        ('status', cdr.FieldType((
            ('level', cdr.FieldType('uint8')), ('name', cdr.FieldType('string')),
            ('values', cdr.FieldType(cdr.fields_of('string key; string value'), cdr.ANY)),
        ), cdr.ANY)),
    )  # fmt: skip
    kinds = [cdr.CLOCK, cdr.TWIST, cdr.TWIST_STAMPED, cdr.ODOMETRY, cdr.JOINT_STATE, status]
    made = [cdr.encode(kind, {'name': ['uav_1/x'], 'position': [1.0]}) for kind in kinds[:5]]
    readers = [cdr_readers.MessageReader(kind, lambda layout: None) for kind in kinds]

    def read(data: bytes) -> None:
        kind, data = data[:1], data[1:]
        which = (kind or b'\0')[0] % len(kinds)
        batches, sheet = cdr_readers.BatchReader(kinds[which]), np.frombuffer(data, np.uint8)
        for rows, layout in batches.groups(sheet, np.zeros(2, int), np.full(2, len(data))):
            fields = [field for field in layout.fields.values() if field.count][:1]
            if fields:
                cdr_readers.take(sheet, np.zeros(len(rows), int), fields)
        readers[which].read(data)
        if data[1] & 1 and which < 5:
            layout = cdr.Layout(kinds[which], data)
            layout.write(layout.read(data))

    return Reader(read, (cdr.LayoutError,), [bytes([k]) + one for k, one in enumerate(made)])


def _small_bags(form: str) -> list[bytes]:
    from mcap.writer import CompressionType

    from soliton_encirclement_ros.core.scenario.scenario import Scenario
    from support.recorded.bags import FORMS, fly_bag, raw_messages, with_mcap, write_bag

    flown = Scenario('small').with_changes(
        {'run': {'num_agents': 2, 'sim_duration': 0.3}}, 'fuzz'
    )
    with tempfile.TemporaryDirectory() as folder:
        raw = [*raw_messages(fly_bag(Path(folder) / 'flown', flown))]
        bags = [write_bag(Path(folder) / name, raw, FORMS[name])
                for name in FORMS if name.startswith(form)]  # fmt: skip
        files = [file for bag in bags for file in bag.iterdir() if file.suffix != '.yaml']
        if form == 'mcap':  # checksums would hide whatever is behind them
            how: dict[str, Any] = {'compression': CompressionType.NONE, 'enable_crcs': False}
            files.append(with_mcap(Path(folder) / 'unchecked.mcap', raw, **how))
        return [file.read_bytes() for file in files]


def check_lines(recording: Any) -> None:
    """Fail if a problem with a recording, or an event in it, is not one line."""
    texts = [*recording.problems, *(event.text for event in recording.events)]
    odd = [text for text in texts if not text.strip() or len(text.splitlines()) != 1]
    assert not odd, odd


def _bag(form: str, ending: str) -> Reader:
    from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
    from soliton_encirclement_ros.core.errors import RunError

    write, seeds = file_writer(f'bag{ending}'), _small_bags(form)
    return Reader(lambda data: check_lines(read_recording(write(data))), (RunError,), seeds)


def _bag_messages() -> Reader:
    """Messages of a sound bag, one of which is replaced: the first byte says which."""
    from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
    from soliton_encirclement_ros.core.errors import RunError
    from soliton_encirclement_ros.core.scenario.scenario import Scenario
    from support.recorded.bags import fly_bag, raw_messages, write_bag

    flown = Scenario('small').with_changes(
        {'run': {'num_agents': 2, 'sim_duration': 0.2}}, 'fuzz'
    )
    folder = Path(tempfile.mkdtemp(prefix='fuzz_', dir=SCRATCH))
    raw = [*raw_messages(fly_bag(folder / 'flown', flown))][:250]

    def read(data: bytes) -> None:
        at = (data or b'\0')[0] % len(raw)
        messages = [*raw[:at], raw[at]._replace(data=data[1:]), *raw[at + 1 :]]
        shutil.rmtree(folder / 'bag', ignore_errors=True)
        check_lines(read_recording(write_bag(folder / 'bag', messages)))

    seeds = [bytes([k]) + one.data for k, one in enumerate(raw)]
    return Reader(read, (RunError,), seeds)


def _metadata() -> Reader:
    from soliton_encirclement_ros.analysis.bag.storage.bag_files import (
        count_problems, merge_metadata, parse_metadata
    )

    def read(data: bytes) -> None:
        metadata, _ = parse_metadata(data.decode(errors='replace'))
        count_problems(merge_metadata([metadata, metadata]), {})

    topic = (
        '{topic_metadata: {name: /odom, type: nav_msgs/msg/Odometry, serialization_format: cdr, '
        'offered_qos_profiles: []}, message_count: 3}'
    )
    seed = (
        'rosbag2_bagfile_information:\n  version: 9\n  storage_identifier: mcap\n  duration:\n'
        '    nanoseconds: 10\n  starting_time:\n    nanoseconds_since_epoch: 1700000000000000000\n'
        f'  message_count: 3\n  topics_with_message_count: [{topic}]\n'
        '  relative_file_paths: [flight_0.mcap]\n'
    )
    return Reader(read, (), [seed.encode()])


def _flown() -> Any:
    """Return a vehicle that flew for two seconds."""
    import numpy as np

    from support.recorded.planted import QUAD, flight, steps

    return flight(steps(np.random.default_rng(1), 2.0), QUAD, rate=10.0)


def _rosbag1() -> Reader:
    from rosbags.rosbag1 import Writer

    from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
    from soliton_encirclement_ros.core.errors import RunError
    from support.recorded.ros1_bags import write_ros1_bag

    write = file_writer('flight.bag')
    with tempfile.TemporaryDirectory() as folder:
        paths = [write_ros1_bag(Path(folder) / f'{form}.bag', _flown(), form)
                 for form in (None, *Writer.CompressionFormat)]  # fmt: skip
        seeds = [path.read_bytes() for path in paths]
    return Reader(lambda data: check_lines(read_recording(write(data))), (RunError,), seeds)


STAMP, MAGIC, HEADER, CHECKSUM = 8, 0xFD, 10, 2
"""Of a packet of MAVLink 2: sizes of the time before it, its head, its checksum; first byte."""


def with_checksums(data: bytes) -> bytes:
    """Return a tlog with right checksums, which would hide whatever is behind them."""
    from pymavlink.dialects.v20 import ardupilotmega

    sound, at = bytearray(data), STAMP
    while at + HEADER < len(data):
        end = at + HEADER + data[at + 1]
        number = int.from_bytes(data[at + 7 : at + HEADER], 'little')
        kind = ardupilotmega.mavlink_map.get(number)
        if data[at] != MAGIC or kind is None or end + CHECKSUM > len(data):
            at += 1
            continue
        checksum = ardupilotmega.x25crc(data[at + 1 : end])
        checksum.accumulate(bytes([kind.crc_extra]))
        struct.pack_into('<H', sound, end, checksum.crc)
        at = end + CHECKSUM + STAMP
    return bytes(sound)


def _log(name: str) -> Reader:
    """Return the reader of a log by the name of a file.

    Whatever goes wrong is one line of ``read_log``; it may be that of a library, but not of the
    package itself: what it does not understand must not cost the rest of the log.
    """
    from soliton_encirclement_ros.analysis.logs.log_files import read_log
    from soliton_encirclement_ros.core.errors import RunError
    from support.recorded import logs

    write, flown = file_writer(name), _flown()

    def read(data: bytes) -> None:
        is_sealed = name == 'one.tlog' and data[:1] == b's'
        path = write(with_checksums(data[1:]) if is_sealed else data[1:])
        try:
            for part in read_log(path, 'uav_1'):
                check_lines(part.recording)
        except RunError as error:
            cause = error.__context__
            if isinstance(cause, Exception) and not _is_of_library(cause):
                raise cause from None
            raise

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        seeds = []
        for aircraft in (logs.Aircraft(airborne=(0.5, 1.5)), logs.Aircraft(has_gps=False)):
            if name == 'one.ulg':
                logs.write_ulog(path, logs.ulog_of(flown, aircraft), [(21.0, 4, 'GPS lost')])
            elif name == 'one.bin':
                logs.write_dataflash(path, flown, aircraft)
            else:
                logs.write_tlog(path, {1: flown, 7: flown}, aircraft)
            seeds += [kind + path.read_bytes() for kind in (b's', b'u')]
    return Reader(read, (RunError,), seeds)


def _is_of_library(error: Exception) -> bool:
    files = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
    return any(name in file for name in ('/pyulog/', '/pymavlink/') for file in files)


RECORDING_READERS: dict[str, Callable[[], Reader]] = {
    'cdr': _cdr,
    'mcap': partial(_bag, 'mcap', '.mcap'), 'sqlite': partial(_bag, 'sqlite3', '.db3'),
    'bag_messages': _bag_messages, 'metadata': _metadata, 'rosbag1': _rosbag1,
    'ulog': partial(_log, 'one.ulg'), 'dataflash': partial(_log, 'one.bin'),
    'tlog': partial(_log, 'one.tlog'),
}  # fmt: skip
"""Those of recordings by name; each is made when it is needed."""
