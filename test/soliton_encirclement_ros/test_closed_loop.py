"""The whole swarm without ROS: determinism, independence of order, what it ends up doing."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from soliton_encirclement_ros.controllers import CONTROLLERS
from soliton_encirclement_ros.core.ring.spin_laws import centre_error
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.engine_flights import flown
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY


def busy(**run: Any) -> Scenario:
    """Return the default scenario with everything on: failures, spin, an open arc."""
    changes = {
        'run': {'sim_duration': 15.0, **run},
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


def flights(closed_loop: Callable, **sections: dict) -> list[tuple]:
    """Return where the target and the adversary are at every tick of a changed scenario."""
    loop = closed_loop(busy().with_changes(sections, 'x'))
    places = []
    for _ in range(200):
        loop.tick()
        places.append(tuple(loop.world.pose(name).position for name in ('target', 'adversary')))
    return places


@pytest.fixture(scope='module')
def unchanged(closed_loop: Callable) -> list[tuple]:
    """Return the flights in the scenario as it is."""
    return flights(closed_loop)


@pytest.mark.parametrize(
    'sections',
    [
        {'control': {'k_s': 0.5}},
        {'control': {'controller': 'soliton_v1', 'k_tau': 0.1}},
        {'failure': {'failure_enable': False}},
        {'run': {'num_agents': 4}},
        {'target': {'target_swarm_spin_enable': False}},
        {'control': {'controller': 'two_channel'}, 'propagation': {'propagation_method': 'kdv'}},
    ],
)
def test_invariant_16_one_change_shifts_no_other_draws(
    closed_loop: Callable, unchanged: list[tuple], sections: dict
) -> None:
    """Invariant 16: target and adversary fly the same paths whatever the agents do."""
    assert flights(closed_loop, **sections) == unchanged


@pytest.mark.parametrize('name', list(CONTROLLERS))
def test_agents_end_on_a_ring_around_a_static_target(calm: Callable, name: str) -> None:
    """From anywhere on the plane ten agents settle evenly at the wanted radius."""
    run = {'sim_duration': 90.0, 'init_radius_range': 1.0, 'seed': 3}
    last = flown(calm({'run': run, 'control': {'controller': name}})).metrics
    assert last.E_r < 0.01 and last.E_vr < 0.05
    assert last.E_gap < 0.05 and last.G_max == pytest.approx(1.0, abs=0.05)


LAYERS_IN_USE = [
    ('baseline', 0.05, 0.01), ('advection', 0.05, 0.01), ('wave', 0.05, 0.01),
    ('excitable', 0.01, 0.01), ('kdv', 0.05, 0.15), ('alarm', 0.05, 0.01),
    ('burgers', 0.05, 0.01),
]  # fmt: skip
"""Layer, a control period [s] that it bears, and the largest E_gap left after a minute."""


@pytest.mark.one_in(3)
@pytest.mark.parametrize(('method', 'period', 'e_gap'), LAYERS_IN_USE)
def test_the_ring_closes_evenly_over_every_layer(
    calm: Callable, method: str, period: float, e_gap: float
) -> None:
    """The successor's law settles whatever is passed on; kdv (W6) settles unevenly."""
    scenario = calm(
        {
            'run': {'sim_duration': 60.0, 'seed': 3},
            'swarm': {'control_period': period},
            'control': {'controller': 'two_channel'},
            'propagation': {'propagation_method': method},
        }
    )
    assert scenario.warnings == []
    last = flown(scenario).metrics
    assert last.E_r < 0.01 and last.E_vr < 0.05
    assert last.E_gap < e_gap


@pytest.mark.parametrize('law', ['v1', 'v3', 'filtered'])
def test_a_spinning_arc_faces_the_adversary(calm: Callable, law: str) -> None:
    """Half a ring turns its centre towards an adversary that stands still."""
    scenario = calm(
        {
            'run': {'sim_duration': 60.0, 'num_agents': 6, 'seed': 2},
            'target': {
                'protection_angle_deg': 180.0,
                'target_swarm_spin_enable': True,
                'target_swarm_spin_law': law,
            },
            'adversary': {'adversary_roam_speed_xy': 0.0},
        }
    )
    flight = flown(scenario)
    xs, ys, _ = flight.positions[-1].T.tolist()
    err = centre_error(xs, ys, *flight.chunk.adversary[-1, :2].tolist(), 0.05)
    assert err == pytest.approx(0.0, abs=0.1)


def test_the_default_swarm_surrounds_a_moving_target() -> None:
    """With failures and a moving target the verdict's bounds hold on average."""
    scenario = Scenario().with_changes({'run': {'sim_duration': 90.0}}, 'x')
    series = flown(scenario).seen.series
    tail = -(scenario.ticks // 5)
    assert np.mean(series['E_gap'][tail:]) < scenario.run.max_e_gap
    assert np.mean(series['E_r'][tail:]) < scenario.run.max_e_r


def test_silence_of_one_opens_and_its_return_closes_the_ring(
    closed_loop: Callable, calm: Callable
) -> None:
    """When one agent is failed by hand the others close up, and make room again."""
    loop = closed_loop(calm({'run': {'num_agents': 6, 'sim_duration': 300.0}}))
    rows = [loop.tick() for _ in range(600)]
    loop.actors['uav_3'].failures.fail()
    rows = [loop.tick() for _ in range(300)]
    assert len(rows[-1].u) == 5 and rows[-1].metrics.E_gap < 0.05
    loop.actors['uav_3'].failures.recover(loop.world.time)
    rows = [loop.tick() for _ in range(300)]
    assert len(rows[-1].u) == 6 and rows[-1].metrics.E_gap < 0.05
