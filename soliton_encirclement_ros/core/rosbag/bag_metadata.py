"""Merges the metadata of single bag files into the ``metadata.yaml`` of a split bag."""

from collections.abc import Mapping, Sequence
from typing import Any

HEAD = 'rosbag2_bagfile_information'


def merged(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the metadata of a bag.

    Args:
        parts: Metadata of its files in order, at least one; the last one lists all topics.
    """
    bodies = [part[HEAD] for part in parts]
    filled = [body for body in bodies if body['message_count']] or bodies[-1:]
    start = min(map(_start, filled))
    counts: dict[str, int] = {}
    for topic in [topic for body in bodies for topic in body['topics_with_message_count']]:
        name = topic['topic_metadata']['name']
        counts[name] = counts.get(name, 0) + topic['message_count']
    body = {
        **bodies[-1],
        'relative_file_paths': [path for body in bodies for path in body['relative_file_paths']],
        'files': [file for body in bodies for file in body['files']],
        'starting_time': {'nanoseconds_since_epoch': start},
        'duration': {'nanoseconds': max(map(_end, filled)) - start},
        'message_count': sum(body['message_count'] for body in bodies),
        'topics_with_message_count': [
            {**topic, 'message_count': counts[topic['topic_metadata']['name']]}
            for topic in bodies[-1]['topics_with_message_count']
        ],
    }
    return {HEAD: body}


def renamed(part: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the metadata of a single file under another name."""
    body = part[HEAD]
    files = [{**file, 'path': name} for file in body['files']]
    return {HEAD: {**body, 'relative_file_paths': [name], 'files': files}}


def _start(body: Mapping[str, Any]) -> int:
    return body['starting_time']['nanoseconds_since_epoch']


def _end(body: Mapping[str, Any]) -> int:
    return _start(body) + body['duration']['nanoseconds']
