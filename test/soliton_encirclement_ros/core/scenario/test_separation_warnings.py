"""Distances that a swarm cannot keep are told at its start, with the numbers."""

import math

import pytest

from soliton_encirclement_ros.core.scenario.scenario import Scenario


def told(**sections):
    """Return the warnings of a scenario about distances."""
    words = ('apart', 'separation', 'heard', 'hears')
    lines = Scenario().with_changes(sections, 'test').warnings
    return [line for line in lines if any(word in line for word in words)]


def test_the_default_needs_no_warning():
    assert told() == []


def test_a_ring_that_is_too_small_is_told_with_its_numbers():
    (line,) = told(run={'num_agents': 10}, swarm={'encirclement_radius': 3.0})
    enough = 1.1 * 2.0 / (2.0 * math.sin(math.pi / 10))
    assert line == (
        'safety.separation_distance = 2 m: a ring of 3 m with 10 agents has 1.85 m between '
        f'neighbours, less than 1.1 times as much; it needs a radius of {enough:.3g} m'
    )
    assert told(run={'num_agents': 10}, swarm={'encirclement_radius': enough + 0.01}) == []


def test_one_agent_is_not_crowded():
    assert told(run={'num_agents': 1}, safety={'separation_distance': 100.0}) == []


SQUARE = '-30 -30, 30 -30, 30 30, -30 30'


@pytest.mark.parametrize(
    ('safety', 'line'),
    [
        ({'target_distance': 21.0}, 'safety.target_distance = 21 m: agents are kept off the ring'),
        ({'fence': SQUARE, 'fence_margin': 30.0},
         'safety.fence_margin = 30 m: the fence is 60 m wide'),
        ({'target_distance': 20.0, 'fence': SQUARE, 'fence_margin': 29.0}, None),
    ],
)  # fmt: skip
def test_distances_without_room_for_the_ring_are_told(safety, line):
    found = [one for one in Scenario().with_changes({'safety': safety}, 'test').warnings
             if one.startswith('safety.')]  # fmt: skip
    assert [one.startswith(line) for one in found] == ([True] if line else [])


def test_a_swarm_without_filter_is_told_so():
    (line,) = told(safety={'separation_filter': False})
    assert line == 'safety.separation_filter = false: NOTHING keeps the vehicles apart'
    (line,) = told(run={'num_agents': 1001})
    assert line.startswith('run.num_agents = 1001: nothing keeps vehicles apart')


@pytest.mark.parametrize(
    ('schedule', 'words'),
    [('0..20: 8 9', '8 9'), ('0.05..20: 8; 3..4: 9', '8'), ('0.2..20: 8', '')],
)
def test_who_is_down_before_it_was_heard_is_named(schedule, words):
    lines = told(failure={'failure_enable': False, 'failure_schedule': schedule})
    assert len(lines) == bool(words)
    assert all(f' {words} down from the start' in line for line in lines)
    assert all('let it begin at 0.2 s' in line for line in lines)


def test_an_original_flight_has_no_filter_and_no_warning():
    assert told(run={'rng': 'reference'}) == []
