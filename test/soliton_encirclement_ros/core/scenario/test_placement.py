"""Where an agent starts."""

import math
import random
from typing import Any

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.parameters.run_parameters import RNG_NAMES, RunParameters
from soliton_encirclement_ros.core.scenario.placement import (
    initial_positions, scattered, start_positions
)
from soliton_encirclement_ros.core.scenario.random_streams import mersenne_twister, run_streams
from soliton_encirclement_ros.core.scenario.scenario import Scenario

SCATTER = st.floats(0.0, 1.0)


def places(**run: Any) -> list[tuple[float, float, float]]:
    """Return the places of ten agents in the original's way, some parameters changed."""
    run = {'rng': 'reference', **run}
    return list(initial_positions(Scenario().with_changes({'run': run}, 'x')).values())


@pytest.mark.parametrize('rng', RNG_NAMES)
@given(st.integers(0, 100), SCATTER, st.booleans(), st.integers(0, 9))
def test_angle_and_share_are_in_range(rng: str, seed: int, scatter: float, even: bool, i: int):
    run = RunParameters(rng=rng, init_radius_range=scatter, init_angles_equidistant=even)
    angle, share = scattered(run, i, run_streams(rng, seed).placement)
    assert 0.0 <= angle <= 2.0 * math.pi
    assert 1.0 - scatter <= share <= 1.0 + scatter
    if even:
        assert angle == i * (2.0 * math.pi / 10)


@pytest.mark.parametrize('scatter', [0.0, 0.3])
@pytest.mark.parametrize('even', [True, False])
def test_our_way_draws_two_numbers_and_the_originals_what_it_needs(scatter: float, even: bool):
    draws = {'streams': 2, 'reference': (not even) + (scatter > 0.0)}
    for rng, count in draws.items():
        run = RunParameters(rng=rng, init_radius_range=scatter, init_angles_equidistant=even)
        stream, twin = mersenne_twister(7), mersenne_twister(7)
        scattered(run, 3, stream)
        twin.random(count)
        assert stream.random() == twin.random()


def test_reference_golden_of_spec_part_18():
    assert places()[:2] == [
        (11.758367877304432, -17.437836359949138, 0.0),
        (-16.713908975476002, 9.11053593039432, 0.0),
    ]


@given(st.integers(0, 2**53), SCATTER.filter(bool), st.booleans())
def test_reference_places_are_those_of_cpythons_generator(seed: int, scatter: float, even: bool):
    draw = random.Random(seed)
    found = places(seed=seed, init_radius_range=scatter, init_angles_equidistant=even)
    for i, place in enumerate(found):
        angle = i * (2.0 * math.pi / 10) if even else draw.uniform(0.0, 2.0 * math.pi)
        r = 20.0 * draw.uniform(1.0 - scatter, 1.0 + scatter)
        assert place == (r * math.cos(angle), r * math.sin(angle), 0.0)


@pytest.mark.parametrize('rng', RNG_NAMES)
def test_given_streams_are_drawn_from(rng: str):
    scenario = Scenario().with_changes({'run': {'rng': rng}}, 'x')
    streams, fresh = run_streams(rng, 0), run_streams(rng, 0)
    assert initial_positions(scenario, streams) == initial_positions(scenario)
    fresh.placement.random(20)
    assert streams.placement.random() == fresh.placement.random()
    assert initial_positions(scenario, streams) != initial_positions(scenario)


@given(st.integers(0, 50), st.sampled_from([2, 10, 30]), st.booleans())
def test_filtered_agents_start_apart(seed: int, count: int, scattered: bool):
    """One and a half distances; the radius is that which was drawn."""
    run = {'num_agents': count, 'seed': seed, 'init_radius_range': 0.4 if scattered else 0.0}
    scenario = Scenario().with_changes({'run': run}, 'x')
    apart = list(initial_positions(scenario).values())
    off = {'safety': {'separation_filter': False}}
    drawn = list(initial_positions(scenario.with_changes(off, 'x')).values())
    gaps = [math.dist(a, b) for i, a in enumerate(apart) for b in apart[:i]]
    assert min(gaps) >= 1.5 * 2.0
    assert [math.hypot(x, y) for x, y, _ in apart] == pytest.approx(
        [math.hypot(x, y) for x, y, _ in drawn]
    )


def test_a_circle_that_is_full_leaves_the_drawn_places():
    crowd = {'run': {'num_agents': 60, 'init_radius_range': 0.0}}
    assert len(initial_positions(Scenario().with_changes(crowd, 'x'))) == 60


def test_a_start_outside_the_fence_is_refused_in_one_line():
    small = {'safety': {'fence': '-9 -9, 9 -9, 9 9, -9 9'}}
    with pytest.raises(ScenarioError) as caught:
        start_positions(Scenario().with_changes(small, 'x'))
    assert str(caught.value).startswith('uav_1 starts at (')
    assert 'outside of safety.fence' in str(caught.value)
    assert '\n' not in str(caught.value)
    start_positions(Scenario().with_changes({**small, 'run': {'rng': 'reference'}}, 'x'))
