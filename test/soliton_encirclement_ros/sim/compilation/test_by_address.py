"""Records by address: compiled code reads every kind of field, and writes into the arrays."""

from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.sim.compilation.by_address import StoredRecord, write_at
from soliton_encirclement_ros.sim.compilation.compiled import bound, compiled


class Inner(NamedTuple):
    """A record in a record."""

    flag: bool
    weights: np.ndarray


class Outer(NamedTuple):
    """A record with fields of all kinds."""

    count: int
    share: float
    big: np.uint64
    inner: Inner
    cube: np.ndarray
    order: np.ndarray
    pair: tuple[float, float]


def write(address: int, record: Outer) -> int:
    """Write the record."""
    write_at(address, record)
    return 0


def add_up(record: Outer, scale: float) -> float:
    """Read all fields, and count in an array."""
    record.order[0] += 1
    total = record.count + record.share + record.pair[1]
    if record.inner.flag:
        for k in range(record.inner.weights.shape[0]):
            total += scale * record.inner.weights[k] * record.cube[k, 0, 1, 2]
    return total + float(record.big)


def test_a_record_by_address_is_read_as_by_value():
    cube = np.arange(48.0).reshape(2, 2, 3, 4)
    inner = Inner(True, np.array([0.5, 2.0]))
    record = Outer(3, 0.25, np.uint64(7), inner, cube, np.zeros(4, dtype=np.int64), (1.0, 8.0))
    expected = add_up(record, 10.0)
    call = bound(compiled(add_up), StoredRecord(record, compiled(write)))
    assert call(10.0) == expected
    cube[1, 0, 1, 2] += 1.0
    assert call(10.0) == expected + 20.0
    assert record.order[0] == 3
