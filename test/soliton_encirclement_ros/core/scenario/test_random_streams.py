"""Named random streams."""

import random

import numpy as np
import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core.scenario.random_streams import (
    failure_stream, mersenne_twister, random_stream, run_streams
)
from soliton_encirclement_ros.swarm.failures import failure_probability

NAMES = ['target', 'adversary', 'placement', 'failures/uav_1', 'failures/uav_2', 'radio/1->2']

GOLDEN = {
    (0, 'target'): (0.2821542877244413, 0.610718136075957),
    (0, 'placement'): (0.595811883023225, 0.781352146586141),
    (0, 'failures/uav_1'): (0.5879504056018162, 0.8090796423076088),
    (7, 'adversary'): (0.14831780821256324, 0.5540008459578678),
}


@pytest.mark.parametrize(('seed', 'name'), list(GOLDEN))
def test_golden_first_draws(seed: int, name: str) -> None:
    """Published runs stay reproducible: the first draws never change."""
    assert tuple(random_stream(seed, name).random(2)) == GOLDEN[seed, name]


def test_streams_are_independent_of_each_other() -> None:
    """Using or adding one stream shifts no other."""
    alone = list(random_stream(3, 'target').random(10))
    others = [random_stream(3, name) for name in NAMES if name != 'target']
    target, mixed = random_stream(3, 'target'), []
    for _ in range(10):
        mixed.append(target.random())
        for other in others:
            other.uniform(-1.0, 1.0)
    assert mixed == alone


def test_seeds_and_names_do_not_run_into_each_other() -> None:
    """Every pair of seed and name has its own draws."""
    first = {random_stream(seed, name).random() for seed in range(50) for name in NAMES}
    assert len(first) == 50 * len(NAMES)


@given(st.integers(0, 2**53))
def test_a_run_has_one_stream_per_purpose(seed: int) -> None:
    """Each as its name and the seed say."""
    streams = run_streams('streams', seed)
    for name in ('placement', 'target', 'adversary'):
        assert getattr(streams, name).random() == random_stream(seed, name).random()
    assert streams.failures(3).random() == failure_stream(seed, 3).random()


def test_failures_begin_anew_whenever_they_are_asked_for() -> None:
    """A new generator each time, in both ways."""
    for rng in ('streams', 'reference'):
        streams = run_streams(rng, 5)
        assert streams.failures(1).random() == streams.failures(1).random()
        assert streams.failures(1).random() != streams.failures(2).random()


@given(st.integers(0, 2**90), st.floats(-1e3, 1e3), st.floats(0.0, 1e3))
def test_a_mersenne_twister_draws_what_cpython_draws(seed: int, low: float, wide: float) -> None:
    """Bit for bit, whole numbers of a state's length and more."""
    one, other = mersenne_twister(seed), random.Random(seed)
    for _ in range(320):
        assert one.random() == other.random()
        assert one.uniform(low, low + wide) == other.uniform(low, low + wide)


def test_reference_golden_of_spec_part_18() -> None:
    """The original's first numbers, drawn by three consumers from one generator."""
    streams = run_streams('reference', 0)
    found = [streams.placement.random(), streams.target.random(), streams.adversary.random()]
    assert found == [0.8444218515250481, 0.7579544029403025, 0.420571580830845]
    assert streams.placement is streams.target is streams.adversary


def test_reference_failures_golden_of_spec_part_18() -> None:
    """Its nodes 2 to 11 are our agents 1 to 10."""
    streams, chance = run_streams('reference', 0), failure_probability(1.0, 0.1)
    assert streams.failures(1).random() == 0.9298909272344696
    assert streams.failures(2).random() == 0.024101448422319094
    first = []
    for k in range(1, 11):
        draws = streams.failures(k).random(5000)
        first.append(int(np.argmax(draws < chance)) + 1)
    assert first == [555, 162, 323, 775, 2321, 500, 1009, 1024, 1644, 2504]


def test_reference_seeds_do_not_run_into_each_other() -> None:
    """Every seed, and every agent's failures under it, has its own numbers."""
    every = [run_streams('reference', seed) for seed in range(20)]
    first = {streams.target.random() for streams in every}
    first |= {streams.failures(k).random() for streams in every for k in range(1, 51)}
    assert len(first) == 20 * 51
