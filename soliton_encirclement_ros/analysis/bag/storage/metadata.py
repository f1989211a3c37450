"""The file ``metadata.yaml`` of a bag: used if it exists and is valid."""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path, PureWindowsPath
from typing import Any, NamedTuple

import yaml

from soliton_encirclement_ros.analysis.bag.storage.raw_messages import rooted
from soliton_encirclement_ros.core.files.path_kind import is_file

NAME = 'metadata.yaml'
LARGEST_NS = 2**63

NEWEST = 9
"""Version of Kilted; a newer one is read as far as it is compatible."""


class Metadata(NamedTuple):
    """Metadata of a bag.

    Attributes:
        files: Names of its files in order.
        counts: Messages by topic.
        types: Types by topic.
        start_ns: Time of the first message [ns], as it was logged; None if it is not given.
    """

    files: list[str]
    counts: dict[str, int]
    types: dict[str, str]
    start_ns: int | None = None


NONE = Metadata([], {}, {})


def together(parts: Iterable[Metadata]) -> Metadata:
    """Return the metadata of several bags that are read as one; they count if all have them."""
    parts = list(parts)
    if len(parts) == 1:
        return parts[0]
    files = [name for part in parts for name in part.files]
    types = {topic: kind for part in parts for topic, kind in part.types.items()}
    if not all(part.files for part in parts):
        return Metadata(files, {}, types)
    counts: Counter[str] = Counter()
    for part in parts:
        counts.update(part.counts)
    starts = [part.start_ns for part in parts if part.start_ns is not None]
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
        content = yaml.load(text, getattr(yaml, 'CSafeLoader', yaml.SafeLoader))
        bag = content['rosbag2_bagfile_information']
        topics = [_topic(one) for one in bag['topics_with_message_count']]
        files = [PureWindowsPath(str(name)).name for name in bag['relative_file_paths']]
        version = int(bag['version'])
        start_ns = _start_ns(bag.get('starting_time'))
    except (yaml.YAMLError, KeyError, TypeError, ValueError, RecursionError) as error:
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
    found = entry.get('nanoseconds_since_epoch') if isinstance(entry, dict) else None
    return found if isinstance(found, int) and 0 <= found < LARGEST_NS else None


def _topic(entry: Mapping[str, Any]) -> tuple[str, str, int]:
    topic = entry['topic_metadata']
    return str(topic['name']), str(topic['type']), int(entry['message_count'])


def miscounted(metadata: Metadata, found: Mapping[str, int]) -> list[str]:
    """Return a line for every topic whose number of messages differs from the metadata."""
    counts = {rooted(topic): count for topic, count in metadata.counts.items()}
    return [
        f'{topic}: {found.get(topic, 0)} messages found, {NAME} says {count}'
        for topic, count in sorted(counts.items())
        if found.get(topic, 0) != count
    ]
