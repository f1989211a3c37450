"""Saturation by rank: within the limit, and not a bit less than it allows."""

import math

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.controllers.encirclement import saturation
from support.strategies import ANY_NUMBER

LIMIT = 10.0
ANGLE = st.floats(0.0, 6.3)


def along(size: float, angle: float) -> tuple[float, float]:
    """Return a vector by its norm and direction."""
    return size * math.cos(angle), size * math.sin(angle)


INSIDE = st.builds(along, st.floats(0.0, 0.999 * LIMIT), ANGLE)
VECTOR = st.one_of(
    st.builds(along, st.floats(1e-3, 1e5), ANGLE), st.builds(along, st.floats(1e-3, 30.0), ANGLE)
)


def norm_with(share: float, b: tuple, d: tuple) -> float:
    """Return the norm of the base with a share of the addition."""
    return math.hypot(b[0] + share * d[0], b[1] + share * d[1])


@given(INSIDE, VECTOR)
def test_a_base_within_the_limit_stays_within(b: tuple, d: tuple) -> None:
    """The share never leads beyond the limit."""
    share = saturation(*b, *d, LIMIT)
    assert 0.0 <= share <= 1.0
    assert norm_with(share, b, d) <= LIMIT * (1.0 + 1e-12)


@given(INSIDE, VECTOR)
def test_nothing_is_left_unused(b: tuple, d: tuple) -> None:
    """Where the share is cut, a little more would break the limit."""
    share = saturation(*b, *d, LIMIT)
    if share < 1.0:
        more = share + 1e-6 * LIMIT / math.hypot(*d)
        assert norm_with(more, b, d) > LIMIT


@given(ANGLE, st.floats(1.001, 10.0), st.floats(-1.57, 1.57), st.floats(0.1, 1e3))
def test_beyond_the_limit_nothing_may_lead_farther_out(
    angle: float, excess: float, off: float, size: float
) -> None:
    """A base outside and an addition with an outward part: no share."""
    b, d = along(LIMIT * excess, angle), along(size, angle + off)
    assert saturation(*b, *d, LIMIT) == 0.0


@given(ANGLE, st.floats(1.001, 10.0), st.floats(0.1, 1e3))
def test_beyond_the_limit_what_leads_back_is_served(
    angle: float, excess: float, size: float
) -> None:
    """Straight inwards: all of it, or as much as does not lead out on the other side."""
    b, d = along(LIMIT * excess, angle), along(size, angle + math.pi)
    share, through = saturation(*b, *d, LIMIT), LIMIT * (excess + 1.0)
    if size < through * (1.0 - 1e-9):
        reaches = size > LIMIT * (excess - 1.0) * (1.0 + 1e-9)
        assert share == 1.0 or not reaches
    else:
        assert norm_with(share, b, d) == pytest.approx(LIMIT)


@given(ANY_NUMBER, ANY_NUMBER, ANY_NUMBER, ANY_NUMBER)
def test_whatever_comes_in_a_share_comes_out(bx: float, by: float, dx: float, dy: float) -> None:
    """Invariant 5: a number in [0, 1] for every double."""
    assert 0.0 <= saturation(bx, by, dx, dy, 10.0) <= 1.0


def test_without_an_addition_there_is_nothing_to_cut() -> None:
    """Zero fits wherever the base does."""
    assert saturation(3.0, 4.0, 0.0, 0.0, 5.0) == 1.0
    assert saturation(3.0, 4.1, 0.0, 0.0, 5.0) == 0.0
