"""Records of many bodies: numbers by body, or one number where all bodies have the same."""

import struct
from collections.abc import Callable, Sequence
from typing import Any

from soliton_encirclement_ros.sim.batched.namespaces import Namespace

Record = Any


def mapped(function: Callable[[Any], Any], record: Record) -> Record:
    """Return a record of what a function returns for every number of another."""
    if not isinstance(record, tuple):
        return function(record)
    parts = [mapped(function, one) for one in record]
    return type(record)(*parts) if hasattr(record, '_fields') else tuple(parts)


def stacked(records: Sequence[Record], xp: Namespace) -> Record:
    """Return the records of many bodies as one; a number that all share stays a number.

    With plain numbers everything is decided once, not by body.
    """
    first = records[0]
    if isinstance(first, tuple):
        parts = [stacked(one, xp) for one in zip(*records, strict=True)]
        return type(first)(*parts) if hasattr(first, '_fields') else tuple(parts)
    if len({same(one) for one in records}) == 1:
        return first
    return xp.array(records)


def same(number: float) -> object:
    """Return what equal numbers have in common: NaN equals NaN here, and 0 does not equal -0."""
    return struct.pack('<d', number) if isinstance(number, float) else number
