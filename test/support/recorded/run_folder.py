"""For tests that open a run's folder: strict readers of everything in it."""

import csv
import io
import json
import struct
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from mcap.exceptions import EndOfFile
from mcap.reader import make_reader
from mcap.records import Message
from mcap.stream_reader import StreamReader
from mcap_ros2.decoder import DecoderFactory
from PIL import Image
from rosbags.highlevel import AnyReader

AGENT_COLUMNS = (
    'node_id', 'timestamp', 'u', 'shift', 'w_radial', 'w_spacing', 'w_spin', 'share_radial',
    'share_spacing', 'share_spin', 'target_age', 'loss', 'radius', 'filter_reason',
    'filter_pusher', 'filter_change', 'velocity_norm', 'x', 'y', 'z', 'vx', 'vy', 'vz',
)  # fmt: skip
"""The columns of the default law."""

TARGET_COLUMNS = (
    'timestamp', 'E_r', 'E_vr', 'rho', 'G_max', 'E_gap', 'E_wgap', 'x', 'y', 'z', 'vx', 'vy', 'vz',
)  # fmt: skip
"""The columns of the seed (R1) in its order, then more."""

PICTURES = (
    'metric_E_r.png', 'metric_E_vr.png', 'metric_rho.png', 'metric_G_max.png', 'metric_E_gap.png',
    'overview.png',
)  # fmt: skip


def read_json(path: Path) -> Any:
    """Read a JSON file by the letter of RFC 8259: no NaN, no Infinity."""

    def refuse(text: str) -> None:
        raise ValueError(f'{path.name} holds {text}, which is no JSON')

    return json.loads(path.read_text(encoding='utf-8'), parse_constant=refuse)


def read_table(path: Path) -> tuple[tuple[str, ...], list[list[float]]]:
    """Read header and rows of a CSV file, every row whole and every cell a number."""
    text = path.read_text(encoding='utf-8')
    assert text.endswith('\n'), f'{path.name} ends within a line'
    header, *rows = csv.reader(text.splitlines())
    assert all(len(row) == len(header) for row in rows)
    return tuple(header), [[float(cell) for cell in row] for row in rows]


class Recorded(NamedTuple):
    """One message of a bag: log time [ns], stamp [ns] (None without one), and the message."""

    logged_ns: int
    stamp_ns: int | None
    message: Any


def _stamp_ns(message: Any) -> int | None:
    header = getattr(message, 'header', None)
    stamp = header.stamp if header else getattr(message, 'clock', None)
    return None if stamp is None else stamp.sec * 1_000_000_000 + stamp.nanosec


def read_bag_with_mcap(folder: Path) -> dict[str, list[Recorded]]:
    """Read a finished bag with the mcap library, which has nothing to do with the writer."""
    topics = defaultdict(list)
    with (folder / 'bag.mcap').open('rb') as file:
        reader = make_reader(file, decoder_factories=[DecoderFactory()])
        for _, channel, message, decoded in reader.iter_decoded_messages():
            recorded = Recorded(message.log_time, _stamp_ns(decoded), decoded)
            topics[channel.topic].append(recorded)
    return dict(topics)


def read_bag_with_rosbags(folder: Path) -> dict[str, list[Recorded]]:
    """Read a finished bag with rosbags."""
    topics = defaultdict(list)
    with AnyReader([folder]) as reader:
        for connection, logged_ns, data in reader.messages():
            message = reader.deserialize(data, connection.msgtype)
            topics[connection.topic].append(Recorded(logged_ns, _stamp_ns(message), message))
    return dict(topics)


def stream_log_times(path: Path) -> list[int]:
    """Return the log times [ns] of an mcap file that nobody closed, as far as it is whole.

    A kill may come in the middle of a write: then the last chunk is torn. The file is read at
    once, since it may grow meanwhile, and the reader takes what follows a torn chunk for a record.
    """
    times: list[int] = []
    with suppress(EndOfFile, struct.error):
        for record in StreamReader(io.BytesIO(path.read_bytes())).records:
            if isinstance(record, Message):
                times.append(record.log_time)
    return times


def assert_whole(folder: Path) -> None:
    """Check that a run's folder is valid and complete up to its end, whenever that was."""
    assert read_json(folder / 'manifest.json')['seed'] == 1
    assert not list(folder.glob('*.part'))
    if (folder / 'summary.json').exists():
        assert 'verdict' in read_json(folder / 'summary.json')
    for name, columns in (
        ('agent_telemetry.csv', AGENT_COLUMNS), ('target_telemetry.csv', TARGET_COLUMNS),
    ):  # fmt: skip
        if (folder / name).exists():
            header, _ = read_table(folder / name)
            assert header == columns
    if (folder / 'bag').exists():
        bag = read_bag_with_rosbags(folder / 'bag')
        recorded = [m.stamp_ns / 1e9 for m in bag.get('/swarm/metrics', ())]
        _, rows = read_table(folder / 'target_telemetry.csv')
        assert recorded == [row[0] for row in rows]
    for name in PICTURES:
        if (folder / name).exists():
            with Image.open(folder / name) as image:
                image.load()
