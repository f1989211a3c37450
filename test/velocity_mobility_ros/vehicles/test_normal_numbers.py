"""Normal numbers by the ziggurat method: its layers, and the distribution."""

import math

import numba
import numpy as np
import pytest

from soliton_encirclement_ros.sim.compilation.compiled import compiled
from velocity_mobility_ros.core.random_numbers import LARGEST_SEED, hashed
from velocity_mobility_ros.vehicles.odometry_sensor import (
    AREA, INNER, LAYERS, TAIL, TAIL_AREA, WIDTHS, normal_number
)

COUNT = 5_000_000


def drawn(key: int, out: np.ndarray) -> None:
    """Fill an array with the numbers of a stream."""
    for n in range(len(out)):
        out[n] = normal_number(key, n)


def numbers(key: int, count: int = COUNT) -> np.ndarray:
    """Return the first numbers of a stream."""
    out = np.zeros(count)
    compiled(drawn)(np.uint64(key), out)
    return out


@pytest.fixture(scope='module')
def many() -> np.ndarray:
    """Return many numbers of one stream."""
    return numbers(hashed(5, 3))


def beyond(x: np.ndarray) -> np.ndarray:
    """Return how likely a standard normal number is above others."""
    return np.array([0.5 * math.erfc(one / math.sqrt(2.0)) for one in x])


def test_all_layers_have_the_same_area_and_reach_the_top() -> None:
    heights = np.exp(-0.5 * WIDTHS[1:] ** 2)
    assert WIDTHS[1:-1] * np.diff(heights) == pytest.approx(np.full(LAYERS - 1, AREA))
    assert heights[-1] == 1.0
    assert pytest.approx(math.sqrt(0.5 * math.pi), rel=1e-2) == LAYERS * AREA
    assert heights[0] * WIDTHS[0] == pytest.approx(AREA)
    assert heights[0] * TAIL + TAIL_AREA == pytest.approx(AREA)
    assert np.all(np.diff(WIDTHS) < 0.0) and INNER[-1] == 0.0 and np.mean(INNER) > 0.98


def test_moments_are_those_of_the_normal_distribution(many: np.ndarray) -> None:
    """Mean, variance, skewness, kurtosis and the sixth moment, within four standard errors."""
    expected = ((1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96), (6, 15, 10170))
    for power, mean, variance in expected:
        assert abs((many**power).mean() - mean) < 4.0 * math.sqrt(variance / many.size)


def test_numbers_of_any_size_are_as_frequent_as_they_should_be(many: np.ndarray) -> None:
    """A chi-square test over bins, the tail beyond the layers and the edges of layers included."""
    edges = np.unique(np.concatenate([np.linspace(0.0, 4.5, 91), WIDTHS[1:20]]))
    counts, _ = np.histogram(many, [-np.inf, *-edges[:0:-1], *edges, np.inf])
    half = -many.size * np.diff([*beyond(edges), 0.0])
    expected = np.concatenate([half[::-1], half])
    freedom = len(counts) - 1
    square = float(np.sum((counts - expected) ** 2 / expected))
    assert abs(square - freedom) < 4.0 * math.sqrt(2.0 * freedom)


@pytest.mark.parametrize('lag', [1, 2, 9, 10])
def test_numbers_of_a_stream_are_independent(many: np.ndarray, lag: int) -> None:
    one, other = many[lag:], many[:-lag]
    for x, y in ((one, other), (one * one, other * other)):
        assert abs(np.corrcoef(x, y)[0, 1]) * math.sqrt(len(x)) < 4.0


@pytest.mark.parametrize('other', [hashed(5, 4), hashed(6, 3), hashed(LARGEST_SEED, 3)])
def test_streams_are_independent(many: np.ndarray, other: int) -> None:
    two = numbers(other)
    for x, y in ((many, two), (many * many, two * two)):
        assert abs(np.corrcoef(x, y)[0, 1]) * math.sqrt(COUNT) < 4.0


@pytest.mark.parametrize('seed', [0, 1, LARGEST_SEED])
def test_compiled_they_are_the_same_bits(seed: int) -> None:
    """Enough of them that some come from the edges of layers and some from the tail."""
    assert isinstance(compiled(drawn), numba.core.dispatcher.Dispatcher)
    key, plain = hashed(seed, 10), np.zeros(10_000)
    drawn(key, plain)
    assert np.array_equal(plain, numbers(key, plain.size))
    assert np.abs(plain).max() > TAIL and type(normal_number(key, 0)) is float
