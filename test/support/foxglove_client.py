"""A viewer of Foxglove, for tests: speaks its websocket protocol and decodes by its schemas."""

import asyncio
import base64
import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import websockets
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from mcap.reader import make_reader

MESSAGE = 1
"""First byte of a frame that carries a message."""


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
    loop = asyncio.new_event_loop()
    link = loop.run_until_complete(_connected(port))
    while True:
        try:
            frame = loop.run_until_complete(link.recv())
        except websockets.ConnectionClosed:
            loop.close()
            return
        if isinstance(frame, str):
            told = json.loads(frame)
            for one in told['channels'] if told['op'] == 'advertise' else ():
                schema = one['schema']
                raw = base64.b64decode(schema) if one['encoding'] == 'protobuf' else schema
                decoder = Decoder(one['encoding'], one['schemaName'], raw)
                decoders[one['id']] = one['topic'], decoder
                wish = {'id': one['id'], 'channelId': one['id']}
                text = json.dumps({'op': 'subscribe', 'subscriptions': [wish]})
                loop.run_until_complete(link.send(text))
        elif frame[0] == MESSAGE:
            number, stamp_ns = struct.unpack_from('<IQ', frame, 1)
            topic, decode = decoders[number]
            yield Received(topic, stamp_ns, decode(frame[13:]))


async def _connected(port: int) -> Any:
    return await websockets.connect(f'ws://127.0.0.1:{port}', subprotocols=['foxglove.sdk.v1'])


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
    for message in messages:
        found.setdefault(message.topic, message)
        if found.keys() >= set(topics):
            return found
    return found
