"""Records in rows: every number has its place, and comes back as what it was."""

from typing import NamedTuple

import numba
import numpy as np
import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.controllers import CONTROLLERS, Setup
from soliton_encirclement_ros.core.errors import LawError
from soliton_encirclement_ros.core.laws.record_rows import field_names, packing
from soliton_encirclement_ros.core.parameters.control_parameters import (
    LAYER_NAMES, PropagationParameters
)


class Inner(NamedTuple):
    """A record in a record."""

    count: int
    on: bool


class Outer(NamedTuple):
    """All that a record may hold."""

    first: float
    inner: Inner
    pair: tuple[float, float]
    last: float


class Empty(NamedTuple):
    """Nothing."""


EXAMPLE = Outer(0.5, Inner(3, True), (1.0, 2.0), -1.0)
RECORDS = st.builds(
    Outer, st.floats(allow_nan=False),
    st.builds(Inner, st.integers(-(2**50), 2**50), st.booleans()),
    st.tuples(st.floats(-1e300, 1e300), st.just(float('inf'))), st.floats(allow_nan=False),
)  # fmt: skip


@given(RECORDS)
def test_there_and_back(record: Outer) -> None:
    """The same numbers, of the same kinds."""
    found, row = packing(EXAMPLE), [0.0] * packing(EXAMPLE).size
    found.pack(record, row)
    again = found.unpack(row)
    assert again == record
    assert type(again) is Outer and type(again.inner) is Inner
    assert (type(again.inner.count), type(again.inner.on)) == (int, bool)


def test_compiled_it_is_the_same() -> None:
    """The engine's compiler takes both functions as they stand."""
    size, pack, unpack = packing(EXAMPLE)
    row = np.zeros(size)
    numba.njit(pack)(EXAMPLE, row)
    assert row.tolist() == [0.5, 3.0, 1.0, 1.0, 2.0, -1.0]
    assert numba.njit(unpack)(row) == EXAMPLE


def test_some_fields_may_begin_the_row() -> None:
    """Whether the record has them or not; all others follow."""
    size, pack, unpack = packing(EXAMPLE, ('missing', 'last'))
    row = [0.0] * size
    pack(EXAMPLE, row)
    assert row == [0.0, -1.0, 0.5, 3.0, 1.0, 1.0, 2.0]
    assert unpack(row) == EXAMPLE
    assert packing(Empty(), ('a', 'b')).size == 2


def test_fields_have_the_names_of_their_records() -> None:
    """Fields of inner records count by their own names."""
    assert field_names(EXAMPLE) == ('first', 'count', 'on', 'pair[0]', 'pair[1]', 'last')


@pytest.mark.parametrize('value', ['text', None, [1.0], 1j])
def test_what_is_no_number_is_named(value: object) -> None:
    """One line that says which field it is."""
    with pytest.raises(LawError, match=r'^record\.inner\.count: .* is no number; records of a'):
        packing(EXAMPLE._replace(inner=Inner(value, True)))


@pytest.mark.parametrize('law', CONTROLLERS)
@pytest.mark.parametrize('layer', LAYER_NAMES)
def test_every_law_has_records_of_numbers(law: str, layer: str) -> None:
    """Memory, message and gains; with every propagation layer."""
    setup = Setup(propagation=PropagationParameters(propagation_method=layer))
    made = CONTROLLERS[law].law(setup)
    for record in (made.rest, made.no_message, made.gains(setup)):
        size, pack, unpack = packing(record)
        row = [0.0] * size
        pack(record, row)
        assert repr(unpack(row)) == repr(record)
