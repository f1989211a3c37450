"""Rows of named numbers are the same as objects and as records of an array."""

from typing import NamedTuple

import numpy as np
import pytest

from soliton_encirclement_ros.core.named_rows import (
    arrayed, row, table_of_objects, table_of_records, values_of
)

KINDS = pytest.mark.parametrize('table', [table_of_objects, table_of_records])


@row
class Body:
    """A row of every kind of number."""

    x: float = -1.5
    seq: int = 7
    heard: bool = True
    tick: np.int32 = -1


class Memory(NamedTuple):
    """Tables of several shapes, and numbers that are no rows."""

    one: Body
    many: list[Body]
    square: list[list[Body]]
    nobody: list[Body]
    numbers: np.ndarray


@KINDS
def test_a_table_begins_with_the_defaults_and_its_rows_are_their_own(table) -> None:
    bodies = table(Body, 2, 3)
    bodies[1][2].x, bodies[1][2].seq, bodies[1][2].heard = 4.0, 9, False
    assert values_of(bodies[0]) == [(-1.5, 7, True, -1)] * 3
    assert values_of(bodies[1]) == [(-1.5, 7, True, -1)] * 2 + [(4.0, 9, False, -1)]
    one = table(Body)
    one.tick += 5
    assert one.tick == 4


def test_a_memory_of_objects_becomes_one_of_records_with_the_same_numbers() -> None:
    numbers = np.arange(3.0)
    memory = Memory(*(table_of_objects(Body, *shape) for shape in [(), (2,), (2, 3), (0, 3)]),
                    numbers)  # fmt: skip
    memory.one.seq, memory.many[1].x, memory.square[1][0].heard = 1, 2.0, False
    found = arrayed(memory)
    assert found.one.seq == 1 and found.numbers is numbers
    assert values_of(found.many) == [(-1.5, 7, True, -1), (2.0, 7, True, -1)]
    assert found.square['heard'].tolist() == [[True] * 3, [False, True, True]]
    assert found.nobody.shape == (0, 3)
    assert found.many.dtype == table_of_records(Body, 1).dtype
