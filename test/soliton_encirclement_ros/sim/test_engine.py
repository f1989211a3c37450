"""One flight by the engine: the same however it is flown, sampled and cut."""

import math
from unittest.mock import patch

import numpy as np
import pytest

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import uav
from soliton_encirclement_ros.sim import allocation, engine as room
from soliton_encirclement_ros.sim.chunk import Chunk
from soliton_encirclement_ros.sim.engine import Engine
from support.identity import Changes, Flown, by_engine, by_loop, differences, scenario
from support.plain_loop import SwarmLoop
from support.ready import NO_HURRY, laws
from velocity_mobility_ros.vehicles.kinematic import KinematicState

__all__ = ['laws']

pytestmark = NO_HURRY

OFTEN = {'failure_mean_failures_per_min': 20.0}
ROUGH: Changes = {
    'radio': {'communication_failure_rate': 0.2, 'communication_jitter': 0.1,
              'partitions': '1..2: 1 2 target', 'byzantine': '2..: 3 random 8; 1..2: 4 frozen'},
    'target': {'target_swarm_spin_enable': True, 'protection_angle_deg': 200.0},
    'failure': {**OFTEN, 'failure_off_time': 0.5},
}  # fmt: skip
PARTING: Changes = {
    'radio': {'communication_transmission_range': 50.0},
    'adversary': {'adversary_enable': False}, 'failure': OFTEN,
    'target': {'target_motion': 'constant', 'target_motion_speed_xy': 9.0},
}  # fmt: skip
RATES = (3, 4, 5, 6, *range(9, 16))
"""Columns of a chunk that a row of the loop has elsewhere or not at all."""

WAYS = {'ideal': {'failure': OFTEN}, 'rough': ROUGH, 'parting': PARTING}


IN_TURN = pytest.mark.parametrize(
    ('law', 'way'),
    [('predictive', 'ideal'), ('two_channel', 'rough'), ('soliton_v1', 'parting'),
     ('splay', 'rough'), ('soliton', 'ideal')],
)  # fmt: skip


def flights(law: str, way: str) -> Scenario:
    """Return a scenario of a kind."""
    return scenario(WAYS[way], {'control': {'controller': law}})


@IN_TURN
def test_a_flight_again_interpreted_or_compiled_on_the_way_is_the_same(law, way):
    """And another seed is another flight."""
    flown = flights(law, way)
    once = by_engine(flown)
    assert differences(once, by_engine(flown)) == []
    assert differences(by_engine(flown, compiled_at=math.inf), once) == []
    assert differences(by_engine(flown, lump=7, compiled_at=30), once) == []
    other = by_engine(flown.with_changes({'run': {'seed': 8}}, 'test'))
    assert differences(once, other) != []


@pytest.mark.parametrize('lump', [1, 7])
@pytest.mark.parametrize('way', WAYS)
def test_the_lumps_do_not_matter(way, lump):
    """Nor does it matter how many samples there is room for."""
    flown = flights('soliton', way)
    expected = by_engine(flown)
    assert differences(by_engine(flown, lump=lump), expected) == []
    with patch.object(room, 'LARGEST_CHUNK', 3):
        assert differences(by_engine(flown), expected) == []


@pytest.mark.parametrize('way', WAYS)
def test_little_room_for_events_does_not_matter(way, monkeypatch):
    """Exactly as much as all agents can need within one tick."""
    often = {'failure_mean_failures_per_min': 60.0, 'failure_off_time': 2.8}
    flown = flights('two_channel', way).with_changes({'failure': often}, 'test')
    expected = by_engine(flown)
    assert len(expected.seen.events) > flown.run.num_agents
    monkeypatch.setattr(allocation, 'ALERT', 0)
    assert differences(by_engine(flown), expected) == []


@pytest.mark.parametrize('way', WAYS)
def test_a_flight_that_was_stopped_goes_on(way):
    flown = flights('soliton', way)
    engine, chunks, stops = Engine(flown, study=True, trails=True, gossip=True), [], []
    engine.on_chunk = lambda chunk: chunks.append(Chunk(*map(np.array, chunk)))
    while not engine.fly(stop=lambda: len(stops) % 2 == 0 and not stops.append(1)):
        engine.advance(5)
        stops.append(1)
    whole = Chunk(*map(np.concatenate, zip(*chunks, strict=True)))
    found = Flown(whole, engine.seen, engine.study)
    assert len(stops) > 3
    assert differences(found, by_engine(flown)) == []


def test_members_placed_before_the_first_tick_start_there():
    """Those of the loop, given the same states, fly the same metrics to the last bit."""
    flown = scenario({'run': {'sim_duration': 2.0}})
    states = {
        uav(k): KinematicState((9.0 * k, -30.0, 0.0), (-3.0, 1.0 * k, 0.0), 0.0, 0.0)
        for k in flown.agent_ids
    }
    engine = Engine(flown)
    with patch.object(SwarmLoop, '_begin'):
        loop = SwarmLoop(flown)
    for name, state in states.items():
        engine.place(name, state)
        loop.world.bodies[name].state = state
    loop.world.advance()
    samples = [loop.tick() for _ in range(flown.ticks)]
    engine.fly()
    assert engine.seen.series['E_gap'].tolist() == [one.metrics.E_gap for one in samples]
    assert engine.seen.series['E_r'].tolist() == [one.metrics.E_r for one in samples]
    with pytest.raises(RunError, match='uav_1 cannot be placed: the flight is at tick 40'):
        engine.place('uav_1', states['uav_1'])


@pytest.mark.parametrize('ticks', [0, 7])
def test_what_was_flown_before_a_stop_is_there(ticks):
    flown = flights('soliton', 'parting')
    engine, (chunk, *_) = Engine(flown, study=True), by_loop(flown)
    if ticks:
        engine.advance(ticks)
    assert not engine.fly(stop=lambda: True)
    assert engine.ticks == len(engine.study.errors) == ticks
    assert engine.seen.series['time'].tolist() == chunk.times[:ticks].tolist()


@pytest.mark.parametrize(
    ('every', 'way'), [(2, 'rough'), (7, 'parting'), (120, 'ideal'), (121, 'ideal')]
)
def test_every_n_th_sample_is_taken(every, way):
    flown = flights('two_channel', way)
    whole, engine, chunks = by_engine(flown), Engine(flown, every), []
    engine.on_chunk = lambda chunk: chunks.append(Chunk(*map(np.array, chunk)))
    assert engine.fly()
    taken = [len(chunk.times) for chunk in chunks]
    assert sum(taken) == flown.ticks // every
    for chunk in chunks:
        first = round(chunk.times[0] / flown.swarm.control_period) - 1
        for column, expected in zip(chunk, whole.chunk, strict=True):
            assert np.array_equal(column, expected[first::every][: len(column)], equal_nan=True)
    assert engine.seen.events == whole.seen.events
    assert engine.seen.switches == whole.seen.switches
    assert engine.seen.uptime == whole.seen.uptime


def test_without_telemetry_there_are_all_metrics_and_no_agents():
    flown = flights('soliton', 'rough')
    whole, engine, chunks = by_engine(flown), Engine(flown, telemetry=False, trails=True), []
    engine.on_chunk = lambda chunk: chunks.append(Chunk(*map(np.array, chunk)))
    assert engine.fly()
    for name in ('times', 'target', 'adversary', 'metrics', 'alive', 'separation'):
        found = np.concatenate([getattr(chunk, name) for chunk in chunks])
        assert np.array_equal(found, getattr(whole.chunk, name), equal_nan=True)
    assert {chunk.agents.shape[0] for chunk in chunks} == {0}
    assert engine.seen.trails == {}
    assert engine.study.errors.size == engine.study.speeds.size == 0


def test_the_study_is_the_same_after_the_end_of_a_flight():
    """Flying on from the end changes nothing."""
    flown = flights('soliton', 'ideal')
    engine = Engine(flown, study=True)
    assert engine.fly()
    once = engine.study.speeds.copy()
    assert engine.fly()
    assert np.array_equal(engine.study.speeds, once)


def test_turns_are_counted_and_the_end_is_told():
    turns = []
    engine = Engine(flights('soliton', 'ideal'))
    assert engine.fly(each_turn=lambda: turns.append(engine.ticks))
    assert turns == sorted(turns)
    assert turns[-1] == engine.scenario.ticks


def test_agents_in_one_place_are_ordered_by_their_numbers():
    """All bearings are equal to the last bit as long as nobody has moved."""
    flown = scenario({'run': {'sim_duration': 2.0}, 'failure': {'failure_enable': False}})
    loop_rows, engine_rows = [], []
    loop, engine = SwarmLoop(flown), Engine(flown)
    for k in flown.agent_ids:
        body = loop.world.bodies[f'uav_{k}']
        body.state = body.state._replace(position=(7.0, 7.0, 0.0))
    engine._flight.vehicles[: flown.run.num_agents, :3] = 7.0, 7.0, 0.0
    loop.on_row = lambda row: loop_rows.append([*row.position, row.pred, row.succ, *row.values])
    engine.on_chunk = lambda chunk: engine_rows.append(np.delete(chunk.agents, RATES, axis=2))
    loop.fly()
    engine.fly()
    found = np.concatenate(engine_rows)
    assert np.array_equal(found, np.array(loop_rows).reshape(found.shape), equal_nan=True)
    pred = found[1, :, 3]
    assert pred.tolist() == [6.0, 1.0, 2.0, 3.0, 4.0, 5.0]


@IN_TURN
def test_messages_are_counted_and_the_down_known_as_a_node_has_them(law, way):
    """Also while none is lost, when nothing shows it yet."""
    flown = flights(law, way)
    loop, engine, down = SwarmLoop(flown), Engine(flown, telemetry=False), set()
    assert (engine.seen.last, engine.seen.down, engine.seen.trails) == (None, [], {})
    for _ in range(flown.ticks):
        loop.tick()
        engine.advance(1)
        assert engine.seen.down == loop.observer.down
        down |= set(engine.seen.down)
        rows = [loop.crew[f'uav_{k}'].rows for k in flown.agent_ids]
        heard = [one.flight.agents[one.i] for one in rows]
        found = [[one.lost, one.got] for one in engine._flight.agents]
        assert found == [[one.lost, one.got] for one in heard]
    assert len(down) > 1
