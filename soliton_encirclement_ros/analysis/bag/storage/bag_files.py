"""The files of a bag: found in a run's folder, a rosbag2 folder or alone, and unpacked.

``metadata.yaml`` is used if it exists and is valid.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import takewhile
from pathlib import Path, PureWindowsPath
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import yaml

from soliton_encirclement_ros.analysis.bag.storage.mcap_file import MAGIC as MCAP_MAGIC, McapInput
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import (
    ZSTD_MAGIC, unpack_file, with_slash
)
from soliton_encirclement_ros.analysis.bag.storage.rosbag1_file import (
    MAGIC as ROSBAG1_MAGIC, Rosbag1File
)
from soliton_encirclement_ros.analysis.bag.storage.sqlite_file import (
    MAGIC as SQLITE_MAGIC, SqliteFile
)
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import is_file, is_folder, is_there, refuse_endless
from soliton_encirclement_ros.core.run.finished_run import is_run, read_summary
from soliton_encirclement_ros.core.run.flown_scenario import FlownScenario, flown_scenario
from soliton_encirclement_ros.core.run.run_folder import MANIFEST, bag_folders
from velocity_mobility_ros.core.environment.parameter_files import parse_yaml

Storage = McapInput | SqliteFile | Rosbag1File

NAME = 'metadata.yaml'
LARGEST_NS = 2**63

NEWEST = 9
"""Version of Kilted; a newer one is read as far as it is compatible."""

NOT_THERE = 'no such file or folder; name a run folder, a bag, or a file of a bag or log'
FILE_NAME = re.compile(
    r'[0-9]+_(.+)_[0-9]{4}_[0-9]{2}_[0-9]{2}-[0-9]{2}_[0-9]{2}_[0-9]{2}\.(?:mcap|db3)'
    r'|(.+?)(?:_[0-9]+)?\.(?:mcap|db3|bag)'
)
"""Name of a file of a bag: ``0_flight_2026_05_23-10_00_00.mcap`` by Lyrical, ``flight_0.mcap``
before."""


class Metadata(NamedTuple):
    """Metadata of a bag: names of its files in order, counts and types by topic.

    ``start_ns`` is the time of the first message [ns], as it was logged; None if it is not given.
    """

    files: list[str]
    counts: dict[str, int]
    types: dict[str, str]
    start_ns: int | None = None


NONE = Metadata([], {}, {})


def merge_metadata(bags: Iterable[Metadata]) -> Metadata:
    """Return the merged metadata of several bags; counts are empty unless all bags have them."""
    bags = list(bags)
    if len(bags) == 1:
        return bags[0]
    files = [name for metadata in bags for name in metadata.files]
    types = {topic: kind for metadata in bags for topic, kind in metadata.types.items()}
    if not all(metadata.files for metadata in bags):
        return Metadata(files, {}, types)
    counts: Counter[str] = Counter()
    for metadata in bags:
        counts.update(metadata.counts)
    starts = [metadata.start_ns for metadata in bags if metadata.start_ns is not None]
    return Metadata(files, dict(counts), types, min(starts, default=None))


def read_metadata(folder: Path) -> tuple[Metadata, str]:
    """Return the metadata of a folder, and the problem with them or nothing."""
    path = folder / NAME
    if not is_file(path):
        return NONE, f'{NAME} is missing: the files in the folder are read without it'
    try:
        text = path.read_text(encoding='utf-8')
        return parse_metadata(text)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, 'strerror', None) or 'not UTF-8 text'
        return NONE, f'{NAME} cannot be read: {reason}; the files are read without it'


def parse_metadata(text: str) -> tuple[Metadata, str]:
    """Return the metadata in a text, and the problem with it or nothing."""
    try:
        content = parse_yaml(text, getattr(yaml, 'CSafeLoader', yaml.SafeLoader))
        bag = content['rosbag2_bagfile_information']
        topics = [_topic(entry) for entry in bag['topics_with_message_count']]
        files = [PureWindowsPath(str(name)).name for name in bag['relative_file_paths']]
        version = int(bag['version'])
        start_ns = _start_ns(bag.get('starting_time'))
    except (yaml.YAMLError, KeyError, TypeError, ValueError, OverflowError) as error:
        reason = ' '.join(str(error).split())[:80] or type(error).__name__
        line = f'{NAME} makes no sense ({reason}): the files in the folder are read without it'
        return NONE, line
    counts: dict[str, int] = {}
    for name, _, count in topics:
        counts[name] = counts.get(name, 0) + count
    metadata = Metadata(files, counts, {name: kind for name, kind, _ in topics}, start_ns)
    newer = f'{NAME} is of version {version}, newer than {NEWEST}: read as far as it is understood'
    return metadata, newer if version > NEWEST else ''


def _start_ns(entry: Any) -> int | None:
    """Return the time of the first message, None without one that a clock can have."""
    nanoseconds = entry.get('nanoseconds_since_epoch') if isinstance(entry, dict) else None
    return nanoseconds if isinstance(nanoseconds, int) and 0 <= nanoseconds < LARGEST_NS else None


def _topic(entry: Mapping[str, Any]) -> tuple[str, str, int]:
    topic = entry['topic_metadata']
    return str(topic['name']), str(topic['type']), int(entry['message_count'])


def count_problems(metadata: Metadata, actual: Mapping[str, int]) -> list[str]:
    """Return a line for every topic whose number of messages differs from the metadata."""
    counts = {with_slash(topic): count for topic, count in metadata.counts.items()}
    return [
        f'{topic}: {actual.get(topic, 0)} messages found, {NAME} says {count}'
        for topic, count in sorted(counts.items())
        if actual.get(topic, 0) != count
    ]


PACKED = ('.zstd', '.zst')
KINDS = ('.mcap', '.db3', '.bag')
OTHERS = {
    b'version https://': 'only a pointer of Git LFS: bring the file itself (git lfs pull)',
    b'ULog\x01\x12\x35': 'a log of PX4, no bag: its name must end in .ulg',
}
"""Other supported files, by their first bytes."""

MAX_MAGIC_LENGTH = 16
MAX_NAMED = 8


class OpenedBag(NamedTuple):
    """A bag: files in order of time, metadata, problems with it as a whole, and the scenario.

    The files of a run may be several bags; only a run's folder has a scenario.
    """

    storages: list[Storage]
    metadata: Metadata
    problems: list[str]
    scenario: FlownScenario | None


@contextmanager
def open_bag(path: Path) -> Iterator[OpenedBag]:
    """Find all files of a bag or of a run's folder; decompressed copies are removed afterwards.

    Raises:
        RunError: There is no bag.
    """
    problems: list[str] = []
    scenario, bags = None, [path]
    if is_run(path):
        scenario, bags = _scenario(path, problems), [*takewhile(is_there, bag_folders(path))]
        if not bags:
            raise RunError(
                f'{path}: the run has no bag; `swarm run` leaves one, and so does `swarm simulate '
                '--format bag`, which flies the same again'
            )
    with ExitStack() as stack:
        readable = [*_readable(bags, problems, stack)]
        storages = [storage for storages, _ in readable for storage in storages]
        metadata = merge_metadata(metadata for _, metadata in readable)
        yield OpenedBag(storages, metadata, problems, scenario)


def _readable(
    bags: Sequence[Path], problems: list[str], stack: ExitStack
) -> Iterator[tuple[list[Storage], Metadata]]:
    """Iterate over the bags of a recording that can be read.

    Raises:
        RunError: None of them can be.
    """
    are_there, refused = False, []
    for bag in bags:
        own_problems: list[str] = []
        try:
            yield _open_one(bag, own_problems, stack)
            are_there = True
        except RunError as error:
            own_problems = [str(error)]
            refused.append(error)
        if len(bags) > 1:
            own_problems = [
                f'{bag.name}: {line.removeprefix(f"{bag}: ")}' for line in own_problems
            ]
        problems += own_problems
    if not are_there:
        raise refused[0]


def _open_one(
    bag: Path, problems: list[str], stack: ExitStack
) -> tuple[list[Storage], Metadata]:
    """Return the files of one bag, and its metadata.

    Raises:
        RunError: There is no bag.
    """
    if not is_there(bag):
        raise RunError(f'{bag}: {NOT_THERE}')
    refuse_endless(bag)
    metadata = NONE
    if is_folder(bag):
        metadata, problem = read_metadata(bag)
        problems += [problem] * bool(problem)
    try:
        files = _files(bag, metadata, problems) if is_folder(bag) else [bag]
    except OSError as error:
        raise RunError(f'{bag}: cannot read: {error.strerror}') from None
    if not files:
        raise RunError(f'{bag}: holds no bag{_hint(bag, metadata, problems)}')
    opened = [_storage(file, problems, stack) for file in files]
    storages = [storage for storage in opened if storage is not None]
    if not storages:
        raise RunError(f'{bag}: nothing can be read: {problems[-1]}')
    return storages, metadata


def _hint(folder: Path, metadata: Metadata, problems: list[str]) -> str:
    """Return why a folder holds no bag, or which folders do."""
    if metadata.files:
        return f': {problems[-1]}'
    try:
        inner = [path.name for path in sorted(folder.iterdir(), key=_order)
                 if path.is_dir() and any(map(_kind, path.iterdir()))]  # fmt: skip
    except OSError:
        inner = []
    if not inner and (source := _source_of(folder)):
        return f': it is a report on {source}'
    if not inner:
        return ' (a bag has files that end in .mcap, .db3 or .bag)'
    more = f' and {len(inner) - MAX_NAMED} more' if len(inner) > MAX_NAMED else ''
    return f', but its folders do: name one of {", ".join(inner[:MAX_NAMED])}{more}'


def _source_of(folder: Path) -> str:
    """Return the recording that a folder holds the report on, empty for any other folder."""
    try:
        source = json.loads((folder / 'findings.json').read_text(encoding='utf-8'))['path']
    except (OSError, ValueError, KeyError, TypeError):
        return ''
    return source if isinstance(source, str) else ''


def _scenario(folder: Path, problems: list[str]) -> FlownScenario | None:
    try:
        scenario = flown_scenario(folder)
    except RunError as error:
        problems.append(f'what was flown is not known: {error}')
        return None
    try:
        read_summary(folder)
    except RunError as error:
        problems.append(f'{error}; not needed: what was flown stands in {MANIFEST}')
    return scenario


def _files(folder: Path, metadata: Metadata, problems: list[str]) -> list[Path]:
    """Return the files that metadata name, then those that they do not."""
    files = {path.name: path for path in sorted(folder.iterdir(), key=_order) if _kind(path)}
    named = []
    for name in metadata.files:
        plain = _uncompressed_name(name)
        matches = [file_name for file_name in files if _uncompressed_name(file_name) == plain]
        if matches:
            named.append(name if name in matches else matches[0])
        else:
            problems.append(f'{name} is missing')
    stems = {_uncompressed_name(name) for name in named}
    for name in files:
        if name not in named and _uncompressed_name(name) not in stems:
            named.append(name)
            stems.add(_uncompressed_name(name))
            if metadata.files:
                problems.append(f'{name} is not in the metadata: read all the same')
    bags = {_bag_name(_uncompressed_name(name)) for name in named}
    if not metadata.files and len(bags) > 1:
        problems.append(f'files of different names, read as one bag: {", ".join(named)}; name one '
                        'of them to read it alone')  # fmt: skip
    return [files[name] for name in named]


def _bag_name(file: str) -> str:
    """Return the name of the bag that a file is of."""
    match = FILE_NAME.fullmatch(file)
    return file if match is None else match[1] or match[2]


def _uncompressed_name(name: str) -> str:
    """Return the name of a file without that of its compression."""
    for ending in PACKED:
        name = name.removesuffix(ending)
    return name


def _kind(path: Path) -> bool:
    return path.is_file() and _uncompressed_name(path.name).endswith(KINDS)


def _order(path: Path) -> tuple[list[tuple[int, str]], str]:
    """Return the sort key: ``bag_2`` before ``bag_10``, plain files before compressed ones."""
    pieces = re.split(r'(\d+)', path.name)
    return [(int(p), '') if p.isdecimal() else (-1, p) for p in pieces], path.name


def _storage(path: Path, problems: list[str], stack: ExitStack) -> Storage | None:
    """Return the reader of a file, by its first bytes or else by its name."""
    try:
        head = _head(path)
        if head.startswith(ZSTD_MAGIC):
            folder = Path(stack.enter_context(TemporaryDirectory()))
            plain = folder / _uncompressed_name(path.name)
            problem = unpack_file(path, plain)
            problems += [f'{path.name}: {problem}'] * bool(problem)
            path, head = plain, _head(plain)
    except OSError as error:
        problems.append(f'{path.name} cannot be read: {error.strerror}')
        return None
    if not head:
        problems.append(f'{path.name} is empty')
        return None
    for magic, what in OTHERS.items():
        if head.startswith(magic):
            problems.append(f'{path.name} is {what}')
            return None
    if head.startswith(SQLITE_MAGIC):
        return SqliteFile(path)
    if head.startswith(ROSBAG1_MAGIC):
        return Rosbag1File(path)
    if head.startswith(MCAP_MAGIC) or _uncompressed_name(path.name).endswith('.mcap'):
        return McapInput(path)
    problems.append(f'{path.name} is neither an mcap file nor a database of sqlite3')
    return None


def _head(path: Path) -> bytes:
    with path.open('rb') as file:
        return file.read(MAX_MAGIC_LENGTH)
