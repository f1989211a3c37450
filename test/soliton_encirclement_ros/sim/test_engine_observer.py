"""What is seen from chunks is what the observer of a run sees."""

import pytest
from soliton_encirclement_ros.sim import SwarmLoop
from soliton_encirclement_ros.sim.engine import Engine
from soliton_encirclement_ros.sim.engine_observer import EngineObserver
from support.chunks import fly_in_chunks, lively
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY


@pytest.mark.parametrize('adversary', [True, False])
@pytest.mark.parametrize('law', ['soliton', 'soliton_v1'])
def test_engine_and_observer_have_seen_the_same(law, adversary):
    scenario = lively(control={'controller': law}, adversary={'adversary_enable': adversary})
    loop, engine = SwarmLoop(scenario), Engine(scenario, trails=True)
    loop.fly()
    engine.fly()
    seen, expected = engine.seen, loop.observer
    assert list(seen.series) == list(expected.series)
    for name in expected.series:
        assert seen.series[name].tolist() == expected.series[name].tolist()
    assert list(seen.trails) == list(expected.trails)
    assert seen.trails == expected.trails
    assert [*map(tuple, seen.events)] == [*map(tuple, expected.events)] != []
    assert (seen.failures, seen.recoveries) == (expected.failures, expected.recoveries)
    assert seen.switches_per_min == expected.switches_per_min
    assert seen.closest == expected.closest
    assert seen.encounters == expected.encounters
    assert seen.near_misses_per_min == expected.near_misses_per_min
    assert seen.last == expected.last


def test_who_is_down_is_known_at_every_moment_also_without_telemetry():
    scenario = lively()
    loop, engine = SwarmLoop(scenario), Engine(scenario, telemetry=False)
    found = set()
    for _ in range(scenario.ticks):
        loop.tick()
        engine.advance(1)
        assert engine.seen.down == loop.observer.down
        found |= set(engine.seen.down)
    assert len(found) > 1


@pytest.mark.parametrize('size', [1, 3, 1000])
def test_trails_do_not_depend_on_the_lumps(size):
    seen, whole = EngineObserver(True, 4, 0.05), EngineObserver(True, 4, 0.05)
    for chunk in fly_in_chunks(lively(), size):
        seen.see(chunk)
    (chunk,) = fly_in_chunks(lively(), 1000)
    whole.see(chunk)
    assert seen.trails == whole.trails
    assert 20 <= len(seen.trails['target'].time) <= 31


def test_before_the_first_sample_there_is_nothing():
    seen = EngineObserver(True, 4, 0.05)
    assert (seen.last, seen.down, seen.trails, seen.switches_per_min) == (None, [], {}, None)
