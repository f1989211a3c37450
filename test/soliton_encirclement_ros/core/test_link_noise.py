"""Random numbers of links: even, independent of each other, and never shifted."""

import itertools
import math

import numba
import numpy as np
import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core import radio_loss_and_delay as radio
from soliton_encirclement_ros.core.radio_loss_and_delay import (
    JITTER, LOSS, message_key, receiver_noise
)

COUNT = 20_000
BINS = 64
LINKS = [(1, 2), (2, 1), (1, 3), (0, 2), (51, 50)]


def stream(sender: int, receiver: int, purpose: int = LOSS, seed: int = 1) -> np.ndarray:
    """Return the first numbers of a link."""
    numbers = [radio.link_noise(seed, sender, receiver, n, purpose) for n in range(COUNT)]
    return np.array(numbers)


@pytest.fixture(scope='module')
def streams() -> dict[tuple[int, int], np.ndarray]:
    """Return the streams of some links."""
    return {link: stream(*link) for link in LINKS}


@pytest.mark.filterwarnings('error::RuntimeWarning')
def test_numpy_integers_give_the_numbers_of_plain_ones() -> None:
    """The engine without a compiler passes the ``uint64`` that its arrays hold."""
    plain = radio.link_noise(2**64 - 1, 1, 2, 3, LOSS)
    key = message_key(*map(np.uint64, (2**64 - 1, 1, 3, LOSS)))
    assert receiver_noise(np.uint64(key), np.uint64(2)) == plain


@given(st.integers(0, 2**53), st.integers(0, 10**9), st.integers(0, 10**9), st.integers(0, 2**53))
def test_always_at_least_0_and_below_1(seed: int, sender: int, receiver: int, count: int) -> None:
    assert 0.0 <= radio.link_noise(seed, sender, receiver, count, LOSS) < 1.0


def chi_square(numbers: np.ndarray) -> float:
    """Return how many standard deviations chi-square of evenness lies from its mean."""
    found, _ = np.histogram(numbers, bins=BINS, range=(0.0, 1.0))
    expected = len(numbers) / BINS
    value = float(((found - expected) ** 2 / expected).sum())
    return (value - (BINS - 1)) / math.sqrt(2.0 * (BINS - 1))


@pytest.mark.parametrize('link', LINKS)
def test_every_link_is_even(streams: dict, link: tuple[int, int]) -> None:
    assert abs(chi_square(streams[link])) < 4.0


def correlation(one: np.ndarray, other: np.ndarray) -> float:
    """Return a correlation in units of its standard deviation under independence."""
    return float(np.corrcoef(one, other)[0, 1]) * math.sqrt(len(one))


@pytest.mark.parametrize(('one', 'other'), [*itertools.combinations(LINKS, 2)])
def test_links_do_not_know_of_each_other(streams: dict, one: tuple, other: tuple) -> None:
    """Also the two directions of one link."""
    assert abs(correlation(streams[one], streams[other])) < 4.0


@pytest.mark.parametrize('lag', [1, 2, 3, 10])
def test_messages_do_not_know_of_each_other(streams: dict, lag: int) -> None:
    numbers = streams[1, 2]
    assert abs(correlation(numbers[:-lag], numbers[lag:])) < 4.0


def test_purposes_and_seeds_do_not_know_of_each_other(streams: dict) -> None:
    assert abs(correlation(streams[1, 2], stream(1, 2, JITTER))) < 4.0
    assert abs(correlation(streams[1, 2], stream(1, 2, LOSS, seed=2))) < 4.0


def test_compiled_it_gives_the_same_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unsigned 64-bit numbers of a compiler wrap where ours are masked."""
    draws = [(2**53 - n, n % 60, 7 * n % 50, 3 * n, 1 + n % 4) for n in range(500)]
    expected = [radio.link_noise(*draw) for draw in draws]
    for name, result in SIGNATURES.items():
        compiled = numba.njit(result)(getattr(radio, name))
        monkeypatch.setattr(radio, name, compiled)
    assert [radio.link_noise(*map(np.uint64, draw)) for draw in draws] == expected


SIGNATURES = {
    'mix': 'uint64(uint64)',
    'unit_number': 'float64(uint64)',
    'message_key': 'uint64(uint64, uint64, uint64, uint64)',
    'receiver_noise': 'float64(uint64, uint64)',
    'link_noise': 'float64(uint64, uint64, uint64, uint64, uint64)',
}
