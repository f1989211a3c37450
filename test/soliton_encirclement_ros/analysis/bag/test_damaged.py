"""Two hundred damaged bags: a line for everything lost, and never a number that was not there."""

import random
import shutil
import struct
import warnings
from pathlib import Path

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
from soliton_encirclement_ros.analysis.recording import Recording
from soliton_encirclement_ros.core import bag_writer
from soliton_encirclement_ros.core.errors import RunError
from support.chunks import lively
from support.recorded.bags import FORMS, fly_bag, raw_messages, samples, write_bag
from velocity_mobility_ros.core.cdr import ODOMETRY, Layout

FORMS_DAMAGED = (
    'own', 'mcap-none-9', 'mcap-storage-9', 'mcap-file-9', 'mcap-message-9', 'sqlite3-none-9',
    'sqlite3-file-8', 'sqlite3-message-9',
)  # fmt: skip
"""Our own bags have checksums; those of the library have none."""

EACH = 25
KINDS = (
    'cut', 'cut', 'flipped', 'flipped', 'flipped', 'overwritten', 'empty', 'magic', 'no metadata',
    'garbled metadata',
)  # fmt: skip
VISIBLE = 1.25
"""Nobody sees a single sample that is off by less [m, m/s] at 20 Hz; see ``plausible``."""


@pytest.fixture(scope='module')
def bags(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp('sound')
    own = fly_bag(folder / 'own', lively(run={'sim_duration': 3.0}))
    written = {name: FORMS[name] for name in FORMS_DAMAGED[1:]}
    copies = {
        name: write_bag(folder / name, raw_messages(own), form) for name, form in written.items()
    }
    return {'own': own, **copies}


def damage(bag: Path, draw: random.Random) -> str:
    """Spoil a bag in one way; return which."""
    (file,) = (path for path in bag.iterdir() if path.name != 'metadata.yaml')
    data, kind = bytearray(file.read_bytes()), draw.choice(KINDS)
    at = draw.randrange(len(data))
    if kind == 'cut':
        del data[at:]
    elif kind == 'flipped':
        data[at] ^= 1 << draw.randrange(8)
    elif kind == 'overwritten':
        data[at : at + 4096] = draw.randbytes(len(data[at : at + 4096]))
    elif kind == 'empty':
        data.clear()
    elif kind == 'magic':
        data[:4] = draw.randbytes(4)
    elif kind == 'no metadata':
        (bag / 'metadata.yaml').unlink()
    else:
        text = bytearray((bag / 'metadata.yaml').read_bytes())
        for _ in range(20):
            text[draw.randrange(len(text))] = draw.randrange(256)
        (bag / 'metadata.yaml').write_bytes(text)
    file.write_bytes(data)
    return kind


def read_or_refuse(bag: Path) -> Recording | None:
    """Return the recording, or None where it is refused in one line."""
    try:
        return read_recording(bag)
    except RunError as error:
        if '\n' in str(error):
            raise
    return None


def rows_of(recording: Recording) -> dict[tuple[str, str], set[bytes]]:
    return {
        key: {row.tobytes() for row in np.ascontiguousarray(rows)}
        for key, rows in samples(recording).items()
    }


def hidden(recording: Recording, sound: Recording) -> bool:
    """Say whether all altered samples of bodies are off by less than can be seen."""
    found, true = samples(recording), samples(sound)
    for key, rows in found.items():
        if key[1] == 'track' and key in true:
            at = np.searchsorted(true[key][:, 0], rows[:, 0]).clip(0, len(true[key]) - 1)
            if (np.abs(rows - true[key][at])[:, :7] > VISIBLE).any():
                return False
    return True


def test_time_0_stays_the_start_of_the_run_when_the_beginning_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bag_writer, 'CHUNK_PERIOD', 0.0)
    bag = fly_bag(tmp_path / 'own', lively(run={'sim_duration': 3.0}))
    true = rows_of(read_recording(bag))
    (file,) = bag.glob('*.mcap')
    data = bytearray(file.read_bytes())
    first, last = 2000, len(data) * 2 // 3
    data[first:last] = bytes(last - first)
    file.write_bytes(data)
    recording = read_recording(bag)
    rows = rows_of(recording)
    assert min(recording.members['uav_1'].track.time) > 1.5
    assert recording.problems
    assert not any(rows[key] - true[key] for key in rows)


@pytest.mark.one_in(3)
@pytest.mark.parametrize('form', FORMS_DAMAGED)
def test_nothing_is_lost_or_altered_without_a_word(
    bags: dict[str, Path], tmp_path: Path, form: str
) -> None:
    draw, sound = random.Random(FORMS_DAMAGED.index(form)), read_recording(bags[form])
    true, read = rows_of(sound), 0
    for trial in range(EACH):
        copy = tmp_path / f'{form}_{trial}'
        shutil.copytree(bags[form], copy)
        kind = damage(copy, draw)
        recording = read_or_refuse(copy)
        if recording is None:
            continue
        read += 1
        rows = rows_of(recording)
        lost = any(true[key] - rows.get(key, set()) for key in true)
        altered = any(rows[key] - true.get(key, set()) for key in rows)
        where = f'{form}, trial {trial}: {kind}'
        assert not (lost or altered) or recording.problems or hidden(recording, sound), where
        assert form != 'own' or not altered, where
        assert form != 'own' or not lost or recording.problems, where
    assert read > EACH / 5


def test_absurd_numbers_are_read_without_a_warning_of_numpy(
    bags: dict[str, Path], tmp_path: Path
) -> None:
    """A message at both ends of the numbers, and one logged at both ends of time."""
    messages, far = [], iter((1e300, -1e300, 1e155))
    for one in raw_messages(bags['own']):
        if one.topic == '/uav_1/odom' and (x := next(far, None)) is not None:
            data = bytearray(one.data)
            struct.pack_into('<d', data, Layout(ODOMETRY, one.data).fields['position'].offset, x)
            one = one._replace(data=bytes(data))
        messages.append(one)
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        assert 'uav_1' in read_recording(write_bag(tmp_path / 'bag', messages)).members


@pytest.mark.parametrize('change', [
    ('version: ', 'version: .inf #'), ('version: ', 'version: 2020-13-45 #'),
    ('version: ', 'version: !!int "" #'), ('version: ', 'version: !!timestamp x #'),
])  # fmt: skip
def test_metadata_that_make_no_sense_are_told_in_a_line(
    bags: dict[str, Path], tmp_path: Path, change: tuple[str, str]
) -> None:
    bag = shutil.copytree(bags['own'], tmp_path / 'bag')
    file = bag / 'metadata.yaml'
    file.write_text(file.read_text().replace(*change, 1))
    problems = read_recording(bag).problems
    assert any(line.startswith('metadata.yaml makes no sense (') for line in problems)
    assert not any('\n' in line for line in problems)
