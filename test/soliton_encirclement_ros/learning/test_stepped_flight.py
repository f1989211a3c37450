"""A flight a step at a time: the engine's own ticks, with commands from outside."""

import numpy as np
import pytest

from soliton_encirclement_ros.core.errors import RunError, ScenarioError
from soliton_encirclement_ros.core.scenario.overrides import nested, requested_scenario
from soliton_encirclement_ros.learning.stepped_flight import (
    OBSERVED_NAMES, SteppedFlight, ring_reward
)
from soliton_encirclement_ros.sim.engine import Engine

FEW = {'run.num_agents': 4, 'run.sim_duration': 3.0}
LONELY = {**FEW, 'safety.separation_filter': False, 'failure.failure_enable': False}


def interpreted():
    """Never wait for the compiler."""
    return False


def flight(agents=None, scenario='demo', ticks=1, **changes):
    """Return a flight of four agents that is interpreted."""
    return SteppedFlight(
        scenario, agents, changes={**FEW, **changes}, ticks=ticks, is_compiled=interpreted
    )


def flown(one, velocities, seed=3):
    """Return all moments of a flight with the same commands."""
    moments = [one.reset(seed)]
    while not moments[-1].is_over:
        moments.append(one.step(velocities))
    return moments


@pytest.mark.parametrize('law', ['soliton', 'predictive', 'splay'])
def test_without_commands_it_is_the_flight_of_the_engine_to_the_bit(law):
    changes = {'control.controller': law, 'run.seed': 3, 'control.k_s': 0.8}
    if law == 'splay':
        del changes['control.k_s']
    engine = Engine(
        requested_scenario('demo', [], '', nested({**FEW, **changes})), is_compiled=interpreted
    )
    engine.fly()
    moments = flown(flight([], **changes), np.zeros((0, 3)))
    for name in ('E_gap', 'E_r'):
        told = [one.metrics[name] for one in moments[1:]]
        assert told == engine.seen.series[name].tolist()
    assert len(moments) == 61 and moments[-1].time == pytest.approx(3.0)


def test_commands_move_the_bodies_one_period_later():
    one = flight(scenario='still', **LONELY)
    one.reset()
    for _ in range(60):
        moment = one.step(np.tile([2.0, -1.0, 0.0], (4, 1)))
    first = OBSERVED_NAMES.index('velocity_x')
    assert moment.observations[:, first : first + 3] == pytest.approx(
        np.tile([2.0, -1.0, 0.0], (4, 1)), abs=0.2
    )


def test_an_observation_is_what_an_agent_knows():
    one = flight(scenario='still', **LONELY)
    first = one.reset(1)
    assert not first.observations.any() and first.observations.shape == (4, len(OBSERVED_NAMES))
    for _ in range(10):
        moment = one.step(np.zeros((4, 3)))
    rows = [dict(zip(OBSERVED_NAMES, row, strict=True)) for row in moment.observations]
    assert all(row['is_known'] == 1.0 for row in rows)
    assert sum(row['gap_ahead'] for row in rows) == pytest.approx(2.0 * np.pi)
    places = np.array([[-row['target_x'], -row['target_y']] for row in rows])
    for place, row in zip(places, rows, strict=True):
        ahead = place + np.array([row['ahead_x'], row['ahead_y']])
        assert np.linalg.norm(places - ahead, axis=1).min() == pytest.approx(0.0, abs=0.05)
    radii = np.hypot(*places.T)
    radius = one.scenario.swarm.encirclement_radius
    assert moment.metrics['E_r'] == pytest.approx(
        np.sqrt(np.mean((radii / radius - 1.0) ** 2)), abs=0.01
    )


def test_others_fly_their_law_beside_one_that_is_commanded():
    alone = flown(flight(['uav_2'], scenario='still', **LONELY), np.zeros((1, 3)))
    first = OBSERVED_NAMES.index('velocity_x')
    speeds = np.linalg.norm(alone[40].observations[:, first : first + 2], axis=1)
    assert speeds[1] < 0.01 and (np.delete(speeds, 1) > 0.1).all()


def test_the_same_seed_is_the_same_flight_and_another_one_is_not():
    one = flight(['uav_1'])
    ends = [flown(one, [[1.0, 0.0, 0.0]], seed)[-1].observations for seed in (3, 4, 3)]
    assert np.array_equal(ends[0], ends[2]) and not np.array_equal(ends[0], ends[1])


def test_several_ticks_are_one_step():
    assert len(flown(flight(ticks=7), np.zeros((4, 3)))) == 1 + int(np.ceil(60 / 7))
    assert flight(ticks=7).step_time == pytest.approx(0.35)


def test_a_collision_is_told_and_costs_from_then_on():
    one = flight(scenario='still', **{
        **LONELY, 'run.collision_distance': 1.0, 'run.sim_duration': 8.0,
    })  # fmt: skip
    moments = [one.reset(1)]
    for k in range(160):  # all meet at the target, then part
        way = moments[-1].observations[:, 1:4]
        moments.append(one.step(np.clip(5.0 * way, -10.0, 10.0) if k < 120 else -way))
    nearest = np.minimum.accumulate([one.separation for one in moments])
    assert [one.has_collided for one in moments] == [*(nearest < 1.0)]
    assert moments[-1].has_collided and not moments[20].has_collided
    assert ring_reward(moments[-1]) < -100.0 < ring_reward(moments[20])


def test_the_reward_is_minus_the_errors_of_the_ring():
    moment = flown(flight(), np.zeros((4, 3)))[-1]
    assert ring_reward(moment) == -(moment.metrics['E_r'] + moment.metrics['E_gap'])
    assert ring_reward(flight().reset()) == -2.0


@pytest.mark.parametrize(
    ('make', 'error', 'line'),
    [
        (lambda: flight(['uav_9']), RunError, "agent 'uav_9': must be one of uav_1"),
        (lambda: flight(ticks=0), RunError, 'ticks = 0: must be a whole number from 1'),
        (lambda: flight(scenario='nothing'), ScenarioError, 'no such scenario file'),
        (lambda: flight(**{'run.agents': 3}), ScenarioError, "unknown key 'agents'"),
        (
            lambda: flight(**{'control.controller': 'docs/pursuit.py'}), RunError,
            "pursuit.py': agents that are commanded fly a law that comes along",
        ),
        (lambda: flight().step(np.zeros((4, 3))), RunError, 'call reset first'),
        (lambda: stepped([0.0, 0.0, 0.0]), RunError, r'velocities of shape \(3,\)'),
        (lambda: stepped(np.full((4, 3), np.nan)), RunError, 'must be finite'),
        (lambda: flight().reset(-1), ScenarioError, 'seed = -1 must be at least 0'),
    ],
)  # fmt: skip
def test_what_cannot_be_is_one_line(make, error, line):
    with pytest.raises(error, match=line):
        make()


def stepped(velocities):
    """Fly one step."""
    one = flight()
    one.reset()
    return one.step(velocities)
