"""Messages of any type from its definition: drawn, read, changed and written as CDR.

A message is a list of the values of its fields; lists and messages inside are lists, texts bytes.
Message number n of a seed depends on nothing but both, and what was recorded before.
"""

import random
import re
import struct
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from support.ros.damaged_bytes import damaged
from support.ros.malformed import FIELDS, FRAMES, NANOSECONDS, NUMBERS, OWNERS, SECONDS

LETTERS = {
    'boolean': '?', 'octet': 'B', 'char': 'B', 'uint8': 'B', 'int8': 'b', 'uint16': 'H',
    'int16': 'h', 'uint32': 'I', 'int32': 'i', 'uint64': 'Q', 'int64': 'q', 'float': 'f',
    'double': 'd',
}  # fmt: skip
"""Letter of ``struct`` by the name of a type in ROS' Python classes."""

KIND = re.compile(r'(?:sequence<(?P<list>.+?)(?:, \d+)?>|(?P<array>.+)\[(?P<count>\d+)\])')
TEXT, STAMP = 'string', ('sec', 'nanosec')
AGENT = re.compile(rb'uav_\d+')

TEXTS = (
    *(text.encode() for text in (*FRAMES, *OWNERS, *FIELDS)), b'\xff\xfe\x80', b'nan', b'1e400',
    b'-1', b'true', b'0x10', b'\n', b'a\nb', b'/', b'../../x', b'[]', b'{',
)  # fmt: skip
SHORT = tuple(text for text in TEXTS if len(text) < 100)
LONG = tuple(text for text in TEXTS if len(text) >= 100)
IS_LONG = 0.0005
"""Share of long texts: queues of the middleware keep room for the longest message they had."""

DEEPEST, MOST_ITEMS = 8, 300


class Kind(NamedTuple):
    """Type of a field.

    Attributes:
        name: Letter of ``struct``, ``string``, or empty for a message.
        fields: Of a message, by name.
        count: Length of an array; -1: a list of any length; 0: no list.
    """

    name: str
    fields: tuple[tuple[str, 'Kind'], ...] = ()
    count: int = 0


def class_of(name: str) -> type:
    """Return the Python class of a message such as ``std_msgs/msg/Header``."""
    package, _, kind = name.partition('/')
    space, _, own = kind.rpartition('/')
    return getattr(import_module(f'{package}.{space or "msg"}'), own)


@cache
def kind_of(message: type) -> Kind:
    """Return the type of a message or of the request of a service."""
    fields = message.get_fields_and_field_types().items()
    return Kind('', tuple((name, _kind(text)) for name, text in fields))


def _kind(text: str) -> Kind:
    match = KIND.fullmatch(text)
    if match:
        inner = _kind(match['list'] or match['array'])
        return inner._replace(count=int(match['count'] or -1))
    if text.startswith(TEXT):
        return Kind(TEXT)
    return Kind(LETTERS[text]) if text in LETTERS else kind_of(class_of(text))


def write(kind: Kind, value: Any) -> bytes:
    """Return a message as bytes."""
    data = bytearray()
    _write(data, kind, value)
    return b'\0\1\0\0' + (bytes(data) or b'\0')


def _align(data: bytearray, size: int) -> None:
    data += bytes(-len(data) % size)


def _write(data: bytearray, kind: Kind, value: Any) -> None:
    if kind.count:
        if kind.count < 0:
            _write(data, Kind('I'), len(value))
        if kind.name in ('', TEXT):
            for item in value:
                _write(data, kind._replace(count=0), item)
        elif value:
            _align(data, struct.calcsize(kind.name))
            data += struct.pack(f'<{len(value)}{kind.name}', *value)
    elif kind.name == TEXT:
        _write(data, Kind('I'), len(value) + 1)
        data += value + b'\0'
    elif kind.name:
        _align(data, struct.calcsize(kind.name))
        data += struct.pack(f'<{kind.name}', value)
    else:
        for (_, inner), item in zip(kind.fields, value, strict=True):
            _write(data, inner, item)


def read(kind: Kind, data: bytes) -> Any:
    """Return the message in sound little-endian bytes."""
    return _read(memoryview(data)[4:], 0, kind)[1]


def _read(data: memoryview, at: int, kind: Kind) -> tuple[int, Any]:
    if kind.count:
        count = kind.count
        if count < 0:
            at, count = _read(data, at, Kind('I'))
        if kind.name not in ('', TEXT):
            size = struct.calcsize(kind.name)
            at += -at % size if count else 0
            return at + size * count, [*struct.unpack_from(f'<{count}{kind.name}', data, at)]
        items = []
        for _ in range(count):
            at, item = _read(data, at, kind._replace(count=0))
            items.append(item)
        return at, items
    if kind.name == TEXT:
        at, size = _read(data, at, Kind('I'))
        return at + size, bytes(data[at : at + size - 1])
    if kind.name:
        size = struct.calcsize(kind.name)
        at += -at % size
        return at + size, struct.unpack_from(f'<{kind.name}', data, at)[0]
    values = []
    for _, inner in kind.fields:
        at, value = _read(data, at, inner)
        values.append(value)
    return at, values


def draw(rng: random.Random, kind: Kind, texts: Sequence[bytes], name: str = '') -> Any:
    """Return any value of a type, with a large share of values at the edges.

    Args:
        rng: The source of chance.
        kind: The type.
        texts: What texts may be, beside ``TEXTS``.
        name: Name of the field.
    """
    if kind.count:
        count = kind.count if kind.count > 0 else rng.choice((0, 1, 2, 3, 5, 8, 30))
        if kind.count < 0 and kind.name and rng.random() < 0.02:
            count = MOST_ITEMS
        return [draw(rng, kind._replace(count=0), texts, name) for _ in range(count)]
    if not kind.name:
        return [draw(rng, inner, texts, own) for own, inner in kind.fields]
    if kind.name == TEXT:
        if rng.random() < IS_LONG:
            return rng.choice(LONG)
        return rng.choice(texts if texts and rng.random() < 0.6 else SHORT)
    if kind.name == '?':
        return rng.random() < 0.5
    if name in STAMP:
        return rng.choice((SECONDS, NANOSECONDS)[name == 'nanosec'])
    if kind.name in 'fd':
        value = rng.choice(NUMBERS) if rng.random() < 0.6 else rng.uniform(-50.0, 50.0)
        return value if kind.name == 'd' or abs(value) < 3e38 else float('inf')
    bits = 8 * struct.calcsize(kind.name)
    least = 0 if kind.name.isupper() else -(2 ** (bits - 1))
    most = least + 2**bits - 1
    return rng.choice((least, most, 0, 1, rng.randint(least, most), rng.randrange(20)))


def change(rng: random.Random, kind: Kind, message: Any, texts: Sequence[bytes]) -> None:
    """Change a few values of a message, the lengths of its lists, or whom all of it is about."""
    if rng.random() < 0.1:
        _rename(message, b'uav_%d' % rng.randrange(10**6))
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        here, inside, name = kind, message, ''
        for _ in range(DEEPEST):
            if not inside:
                break
            at = rng.randrange(len(inside))
            is_list = here.count != 0
            name, inner = (name, here._replace(count=0)) if is_list else here.fields[at]
            if is_list and here.count < 0 and rng.random() < 0.3:
                _resize(rng, inside, at)
                break
            if isinstance(inside[at], list) and rng.random() < 0.95:
                here, inside = inner, inside[at]
                continue
            inside[at] = draw(rng, inner, texts, name)
            break


def _rename(items: list[Any], name: bytes) -> None:
    """Put another name in the place of each agent's."""
    for k, item in enumerate(items):
        if isinstance(item, bytes):
            items[k] = AGENT.sub(name, item)
        elif isinstance(item, list):
            _rename(item, name)


def _resize(rng: random.Random, items: list[Any], at: int) -> None:
    """Leave one item out, repeat it, leave out all behind it, or shuffle all."""
    way = rng.randrange(4)
    if way == 0:
        del items[at]
    elif way == 1:
        items.insert(at, items[at])
    elif way == 2:
        del items[at:]
    else:
        rng.shuffle(items)


def texts_in(message: Any) -> Iterator[bytes]:
    """Iterate over the texts in a message."""
    if isinstance(message, bytes):
        yield message
    elif isinstance(message, list):
        for item in message:
            yield from texts_in(item)


def freshen(kind: Kind, message: Any, now_ns: int) -> None:
    """Give a recorded message the stamp of now, and states a number that grows."""
    names = [name for name, _ in kind.fields]
    if 'header' in names:
        message[names.index('header')][0] = [*divmod(now_ns, 10**9)]
    if names[:1] == ['timestamp']:
        message[0] = now_ns // 1000
    if names[:3] == ['header', 'name', 'position']:
        for k, name in enumerate(message[1][: len(message[2])]):
            if name.endswith(b'/seq'):
                message[2][k] = float(now_ns // 10**6)


WAYS = ('valid', 'changed', 'drawn', 'damaged')
"""Recorded and sound; recorded and changed; of the definition alone; bytes that are damaged."""

MIX = (0.15, 0.4, 0.25, 0.2)
REQUESTS = (0.1, 0.6, 0.3, 0.0)
"""Shares of the ways in messages, and in requests, which ROS itself puts into bytes."""

SOUND = (1.0, 0.0, 0.0, 0.0)


def make(
    seed: str, number: int, kind: Kind, recorded: Sequence[bytes], texts: Sequence[bytes],
    now_ns: int, shares: Sequence[float] = MIX,
) -> tuple[str, bytes]:  # fmt: skip
    """Return one message and how it was made.

    Args:
        seed: The seed of the run, and the topic.
        number: Number of the message.
        kind: The type.
        recorded: Sound messages of the topic or its type; none: all are drawn.
        texts: Texts of the swarm.
        now_ns: The time [ns since 1970].
        shares: Of the ways.
    """
    rng = random.Random(f'{seed} {number}')
    way = rng.choices(WAYS, shares)[0]
    if way == 'drawn' or not recorded:
        way = way if way == 'damaged' else 'drawn'
        message = draw(rng, kind, texts)
    else:
        message = read(kind, rng.choice(recorded[-3:] if way == 'valid' else recorded))
    if way != 'drawn' or rng.random() < 0.5:
        freshen(kind, message, now_ns)
    if way == 'changed':
        change(rng, kind, message, texts)
    data = write(kind, message)
    return way, damaged(rng, data) if way == 'damaged' and len(data) >= 12 else data
