"""A viewer of Foxglove, for tests: speaks its websocket protocol and decodes by its schemas."""

import base64
import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from mcap.reader import make_reader
from websockets.sync.client import connect

MESSAGE, TIME = 1, 2
"""Codes of binary frames from the server."""


class Received(NamedTuple):
    """A message: its topic, its time [ns], and its content."""

    topic: str
    stamp_ns: int
    content: Any


class Decoder:
    """Decodes what a channel carries, by the schema that it came with."""

    def __init__(self, encoding: str, name: str, schema: bytes) -> None:
        """Read a schema."""
        self._kind = None
        if encoding == 'protobuf':
            pool = DescriptorPool()
            for file in FileDescriptorSet.FromString(schema).file:
                pool.Add(file)
            self._kind = GetMessageClass(pool.FindMessageTypeByName(name))
        else:
            assert encoding == 'json' and json.loads(schema)['title'] == name

    def __call__(self, data: bytes) -> Any:
        """Return the content of a message."""
        return json.loads(data) if self._kind is None else self._kind.FromString(data)


def received(port: int) -> Iterator[Received]:
    """Connect to a server, subscribe to everything, and iterate over what it sends."""
    decoders: dict[int, tuple[str, Decoder]] = {}
    with connect(f'ws://127.0.0.1:{port}', subprotocols=['foxglove.sdk.v1']) as link:
        for frame in link:
            if isinstance(frame, str):
                told = json.loads(frame)
                for one in told.get('channels', ()) if told['op'] == 'advertise' else ():
                    schema = one['schema']
                    raw = base64.b64decode(schema) if one['encoding'] == 'protobuf' else schema
                    decoder = Decoder(one['encoding'], one['schemaName'], raw)
                    decoders[one['id']] = one['topic'], decoder
                    wish = {'op': 'subscribe', 'subscriptions': [
                        {'id': one['id'], 'channelId': one['id']}]}  # fmt: skip
                    link.send(json.dumps(wish))
            elif frame[0] == MESSAGE:
                number, stamp_ns = struct.unpack_from('<IQ', frame, 1)
                topic, decode = decoders[number]
                yield Received(topic, stamp_ns, decode(frame[13:]))


def recorded(path: Path) -> list[Received]:
    """Return the messages of an mcap file of such a server."""
    with path.open('rb') as file:
        return [
            Received(channel.topic, message.log_time,
                     Decoder(channel.message_encoding, schema.name, schema.data)(message.data))
            for schema, channel, message in make_reader(file).iter_messages()
        ]  # fmt: skip


def by_topic(messages: Iterator[Received], *topics: str) -> dict[str, Received]:
    """Return the first message of each topic."""
    found: dict[str, Received] = {}
    for one in messages:
        found.setdefault(one.topic, one)
        if found.keys() >= set(topics):
            return found
    return found
