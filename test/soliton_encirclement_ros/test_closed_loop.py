"""The whole swarm without ROS: determinism, parity with the original, independence of order."""

import dataclasses
import math
import random
from collections.abc import Callable
from typing import Any

import pytest
from soliton_encirclement_ros.core.scenario import Scenario

ORIGINAL_PERIODS = {
    'control_period': 0.01, 'agent_state_timeout': 0.03, 'target_state_timeout': 0.05
}  # fmt: skip
METRICS = ('E_r', 'E_vr', 'rho', 'G_max', 'E_gap')


def busy(**run: Any) -> Scenario:
    """Return the default scenario with everything on: failures, spin, an open arc."""
    changes = {
        'run': {'sim_duration': 30.0, **run},
        'failure': {'failure_mean_failures_per_min': 6.0, 'failure_off_time': 3.0},
        'target': {'target_swarm_spin_enable': True, 'protection_angle_deg': 200.0},
    }
    return Scenario().with_changes(changes, 'busy')


def test_invariant_16_same_seed_same_numbers(closed_loop: Callable) -> None:
    """Invariant 16: two flights are equal to the last bit; another seed gives another flight."""
    first, second = closed_loop(busy(seed=4)).fly(), closed_loop(busy(seed=4)).fly()
    assert first == second
    assert closed_loop(busy(seed=5)).fly()[-1].metrics != first[-1].metrics
    assert min(len(row.u) for row in first) < 10


def test_order_of_acting_does_not_matter(closed_loop: Callable) -> None:
    """Everybody acts on the same words, so any order gives the same bits."""
    ordered, shuffled = closed_loop(busy()), closed_loop(busy())
    draw, order = random.Random(1), list(shuffled.world.members)
    for _ in range(ordered.scenario.ticks):
        draw.shuffle(order)
        assert shuffled.tick(order) == ordered.tick()


def flights(closed_loop: Callable, **sections: dict) -> list[tuple]:
    """Return where the target and the adversary are at every tick of a changed scenario."""
    loop = closed_loop(busy().with_changes(sections, 'x'))
    places = []
    for _ in range(200):
        loop.tick()
        places.append(tuple(loop.world.pose(name).position for name in ('target', 'adversary')))
    return places


@pytest.mark.parametrize(
    'sections',
    [
        {'control': {'k_tau': 0.1}},
        {'failure': {'failure_enable': False}},
        {'run': {'num_agents': 4}},
        {'target': {'target_swarm_spin_enable': False}},
    ],
)
def test_invariant_16_one_change_shifts_no_other_draws(
    closed_loop: Callable, sections: dict
) -> None:
    """Invariant 16: target and adversary fly the same paths whatever the agents do."""
    assert flights(closed_loop, **sections) == flights(closed_loop)


def like_original(calm: Callable, overrides: dict[str, Any]) -> Scenario:
    """Return the scenario of a reference run."""
    return calm(
        {
            'run': {
                'sim_duration': float(overrides['SIM_DURATION']),
                'num_agents': overrides['NUM_AGENTS'],
            },
            'swarm': ORIGINAL_PERIODS,
            'target': {
                'target_motion_speed_xy': overrides['TARGET_MOTION_SPEED_XY'],
                'protection_angle_deg': overrides['PROTECTION_ANGLE_DEG'],
                'target_swarm_spin_enable': overrides['TARGET_SWARM_SPIN_ENABLE'],
            },
            'adversary': {'adversary_roam_speed_xy': overrides['ADVERSARY_ROAM_SPEED_XY']},
        }
    )


@pytest.mark.parametrize('name', ['v1_n5_uniform_static', 'v1_n8_arc90_spin_static'])
def test_parity_with_the_original_swarm(
    closed_loop: Callable, calm: Callable, reference: Callable[[str], Any], name: str
) -> None:
    """Every metric of every sample after 1 s within 0.02 + 2 % (E_vr 0.1 + 2 %)."""
    run = reference(f'e2e/{name}.json')
    assert run['control_period'] == 0.01 and run['columns'] == ['timestamp', *METRICS]
    scenario = like_original(calm, run['overrides'])
    rows = closed_loop(scenario, run['initial_agent_positions']).fly()
    found = {round(row.time, 3): row.metrics for row in rows}
    samples = [sample for sample in run['metrics'] if sample[0] >= 1.0]
    assert len(samples) > 380
    for time, *expected in samples:
        for metric, ours, theirs in zip(METRICS, found[round(time, 3)], expected, strict=True):
            slack = 0.1 if metric == 'E_vr' else 0.02
            assert ours == pytest.approx(theirs, abs=slack + 0.02 * abs(theirs)), (time, metric)


def seed_positions(draw: random.Random, count: int) -> list[tuple[float, float, float]]:
    """Return the first version's initial positions (spec 0.6) from Python's own generator."""
    positions = []
    for _ in range(count):
        angle = draw.uniform(0.0, 2.0 * math.pi)
        x = 20.0 * draw.uniform(0.8, 1.2) * math.cos(angle)
        positions.append((x, 20.0 * draw.uniform(0.8, 1.2) * math.sin(angle), 0.0))
    return positions


def test_golden_whole_system_of_spec_part_18(closed_loop: Callable, calm: Callable) -> None:
    """Seed 0, three agents, two seconds, moving target and adversary on the original's draws."""
    draw = random.Random(0)
    positions = seed_positions(draw, 3)
    assert positions[0][:2] == pytest.approx((12.335231526720323, -16.05549530839129))
    scenario = calm(
        {
            'run': {'sim_duration': 1.99, 'num_agents': 3},
            'swarm': ORIGINAL_PERIODS,
            'target': {'target_motion_speed_xy': 5.0},
        }
    )
    last = closed_loop(scenario, positions, lambda seed, name: draw).fly()[-1]
    expected = (0.03998127939711248, 0.9654907523210955, 0.34763030798039624,
                1.5233700268516857, 0.42087744459633325)  # fmt: skip
    assert last.metrics == pytest.approx(expected, rel=0.02, abs=0.002)
    u = (1.227226634650787, 0.0461796409058568, -1.1468239756447574)
    assert last.u == pytest.approx(u, abs=0.03)


def test_agents_end_on_a_ring_around_a_static_target(
    closed_loop: Callable, calm: Callable
) -> None:
    """From anywhere on the plane ten agents settle evenly at the wanted radius."""
    loop = closed_loop(calm({'run': {'sim_duration': 90.0, 'init_radius_range': 1.0, 'seed': 3}}))
    last = loop.fly()[-1].metrics
    assert last.E_r < 0.01 and last.E_vr < 0.05
    assert last.E_gap < 0.05 and last.G_max == pytest.approx(1.0, abs=0.05)


def test_the_default_swarm_surrounds_a_moving_target(closed_loop: Callable) -> None:
    """With failures and a moving target the verdict's bounds hold on average."""
    scenario = Scenario().with_changes({'run': {'sim_duration': 90.0}}, 'x')
    rows = closed_loop(scenario).fly()
    tail = [row.metrics for row in rows[-len(rows) // 5 :]]
    assert sum(m.E_gap for m in tail) / len(tail) < scenario.run.max_e_gap
    assert sum(m.E_r for m in tail) / len(tail) < scenario.run.max_e_r


def test_commands_never_exceed_the_vehicle(closed_loop: Callable) -> None:
    """Bodies stay within their speed limits at every tick."""
    loop = closed_loop(busy(num_agents=6))
    limit = loop.scenario.mobility.max_speed_xy
    for _ in range(loop.scenario.ticks):
        loop.tick()
        speeds = [math.hypot(*loop.world.pose(name).velocity[:2]) for name in loop.world.members]
        assert max(speeds) <= limit * (1.0 + 1e-12)


@pytest.mark.parametrize('count', [1, 2])
def test_one_and_two_agents_fly_all_the_same(
    closed_loop: Callable, calm: Callable, count: int
) -> None:
    """Too few to surround, yet they take their places on the radius."""
    rows = closed_loop(calm({'run': {'num_agents': count, 'sim_duration': 30.0}})).fly()
    assert rows[-1].metrics.E_r < 0.01
    assert len(rows[-1].u) == count


def test_silence_of_one_opens_and_its_return_closes_the_ring(
    closed_loop: Callable, calm: Callable
) -> None:
    """When one agent is failed by hand the others close up, and make room again."""
    loop = closed_loop(calm({'run': {'num_agents': 6, 'sim_duration': 300.0}}))
    rows = [loop.tick() for _ in range(600)]
    loop.actors['uav_3'].failures.fail()
    rows = [loop.tick() for _ in range(1200)]
    assert len(rows[-1].u) == 5 and rows[-1].metrics.E_gap < 0.05
    loop.actors['uav_3'].failures.recover(loop.world.time)
    rows = [loop.tick() for _ in range(1200)]
    assert len(rows[-1].u) == 6 and rows[-1].metrics.E_gap < 0.05


def test_scenarios_are_not_changed_by_a_flight(closed_loop: Callable) -> None:
    """A scenario can be flown again."""
    scenario = busy(num_agents=3, sim_duration=1.0)
    before = dataclasses.asdict(scenario)
    closed_loop(scenario).fly()
    assert dataclasses.asdict(scenario) == before
