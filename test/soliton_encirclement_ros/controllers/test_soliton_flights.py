"""Our law in flight: open arcs, the way in from afar, height, delay, and vehicles without lag."""

import math

import numpy as np
import pytest

from soliton_encirclement_ros.core.states.swarm_topics import uav
from support.engine_flights import Flight
from support.laws import flight, land, positions, swarm
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY

ORIGIN = (0.0, 0.0, 0.0)
TURN = 2.0 * math.pi


def arcs(flown: Flight) -> list[float]:
    """Return the arcs of the ring at the end in degrees, the widest last."""
    x, y, *_ = flown.chunk.target[-1]
    thetas = sorted(math.atan2(py - y, px - x) for px, py, _ in flown.positions[-1])
    ahead = [*thetas[1:], thetas[0] + TURN]
    return sorted(math.degrees(b - a) for a, b in zip(thetas, ahead, strict=True))


def start(r: float, count: int, z: float = 0.0) -> dict:
    """Return places at even angles and one radius, for ``place``."""
    angles = {k: TURN * k / count for k in range(1, count + 1)}
    return {k: ((r * math.cos(a), r * math.sin(a), z), ORIGIN) for k, a in angles.items()}


@pytest.mark.parametrize(('protected', 'hops'), [(60.0, 1), (180.0, 4), (300.0, 8)])
def test_an_open_arc_is_exactly_as_wide_as_asked(protected: float, hops: int) -> None:
    """Ten agents share the protected angle evenly, however far they look along the ring."""
    changes = {'control': {'ring_hops': hops}, 'target': {'protection_angle_deg': protected}}
    *others, widest = arcs(flight('soliton', changes, 90.0))
    assert widest == pytest.approx(360.0 - protected, abs=0.1)
    assert others == pytest.approx([protected / 9.0] * 9, abs=0.1)


@pytest.mark.parametrize('r', [1.0, 190.0])
def test_the_way_onto_the_ring_has_no_overshoot(r: float) -> None:
    """From inside and from far out the radius reaches 20 m and never crosses it."""
    flown = flight('soliton', {'run': {'num_agents': 4}}, 60.0, start(r, 4).__getitem__)
    beyond = math.copysign(1.0, r - 20.0) * (np.hypot(*flown.positions.T[:2]) - 20.0)
    assert beyond.min() > -1e-6
    assert beyond[:, -1].max() < 1e-6


@pytest.mark.parametrize(('tau', 'period'), [(None, 0.05), (0.05, 0.1), (2.0, 0.01)])
def test_every_vehicle_settles(tau: float | None, period: float) -> None:
    """Short lag, long lag, none at all; fast and slow control."""
    vehicle = {'mobility': {'tau_xy': tau}, 'swarm': {'control_period': period}}
    metrics = flight('soliton', {**vehicle, 'run': {'num_agents': 6}}, 30.0).metrics
    assert metrics.E_r < 1e-3 and metrics.E_gap < 1e-3 and metrics.E_vr < 1e-3


@pytest.mark.parametrize('delay', [0.05, 0.3])
def test_a_constant_delay_costs_nothing_in_steady_flight(delay: float) -> None:
    """Words say how old they are; round a target that flies straight on the ring is exact."""
    target = {'target_motion': 'constant', 'target_motion_speed_xy': 5.0}
    changes = {'target': target, 'radio': {'communication_delay': delay}}
    metrics = flight('soliton', changes, 60.0).metrics
    assert metrics.E_r < 1e-6 and metrics.E_gap < 1e-6


@pytest.mark.parametrize('z', [-30.0, 2.0])
def test_a_change_of_height_has_no_overshoot(z: float) -> None:
    """Neither a layer's step nor a long way, in spite of the vertical lag."""
    placing = start(20.0, 4, z).__getitem__
    flown = flight('soliton', {'run': {'num_agents': 4}}, 30.0, placing)
    left = math.copysign(1.0, z) * flown.positions[:, :, 2]
    assert left.min() > -1e-3 * abs(z)
    assert left[-1].max() < 0.01


def test_the_turn_rate_that_is_told_is_the_one_to_the_place() -> None:
    """In place it is 0; a neighbour that leaves makes the others turn into its gap."""
    loop = swarm('soliton', {'run': {'num_agents': 6}})
    land(loop, 30.0)
    assert max(abs(loop.sent[uav(k)].u) for k in range(1, 7)) < 1e-6
    ring = sorted(range(1, 7), key=lambda k: math.atan2(*positions(loop)[k - 1][1::-1]))
    loop.crew[uav(ring[2])].failures.fail()
    land(loop, 0.5)
    assert loop.sent[uav(ring[1])].u > 0.01 and loop.sent[uav(ring[3])].u < -0.01


@pytest.mark.parametrize('omega', [1.0, -5.0])
def test_a_ring_asked_to_spin_too_fast_stays_even(omega: float) -> None:
    """It turns at what the vehicles' acceleration allows, 0.4 rad/s, all alike."""
    flown = flight('soliton', {'target': {'target_swarm_omega_ref': omega}}, 60.0)
    assert flown.metrics.E_gap < 1e-6 and flown.metrics.E_r < 1e-3
    (x, y, _), (vx, vy, _) = flown.positions[-1, 0], flown.velocities[-1, 0]
    assert (x * vy - y * vx) / (x * x + y * y) == pytest.approx(
        math.copysign(0.4, omega), abs=0.01
    )


@pytest.mark.parametrize('means', ['max_acc_xy', 'max_speed_xy'])
@pytest.mark.parametrize('law', ['soliton', 'predictive', 'two_channel', 'soliton_v1'])
def test_vehicles_without_means_stay_where_they_are(law: str, means: str) -> None:
    """No law divides by what a vehicle cannot do."""
    changes = {'mobility': {means: 0.0}, 'target': {'target_motion_speed_xy': 5.0}}
    flown = flight(law, changes, 10.0)
    assert (flown.positions == flown.positions[0]).all()
