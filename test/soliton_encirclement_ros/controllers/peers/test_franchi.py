"""The middle between the neighbours: an even ring at rest, or turning as the target wants."""

import math

import numpy as np
import pytest
from support.laws import flight
from support.ready import NO_HURRY, laws
from support.ring_scene import ORIGIN, R, command_on_even_ring, known, made, turning
from velocity_mobility_ros.core.model import Vector

__all__ = ['laws']

pytestmark = NO_HURRY


@pytest.mark.parametrize('count', [1, 2, 5, 10])
@pytest.mark.parametrize('velocity', [ORIGIN, (3.0, -2.0, 0.5)])
def test_an_even_ring_is_a_fixed_point(count: int, velocity: Vector) -> None:
    """Round a target that flies straight on the command is its velocity."""
    _, _, command = command_on_even_ring('franchi', count, 0.0, velocity)
    assert command == pytest.approx(velocity, abs=1e-9)


def test_it_turns_to_the_middle() -> None:
    """Neighbours at -0.4 and 1.0 rad: 0.3 rad to go, at k_phi times that."""
    controller = made('franchi', k_turn=0.5)
    controller.step(known(1, turning(0.0), {2: turning(-0.4), 3: turning(1.0)}))
    told = dict(zip(controller.telemetry_names, controller.telemetry(), strict=True))
    assert told['shift'] == pytest.approx(0.3)
    assert controller.broadcast().u == pytest.approx(0.15)


def test_gaps_become_even() -> None:
    """From random angles, round a target that stands still."""
    metrics = flight('franchi', {'run': {'num_agents': 6}}, 60.0).metrics
    assert metrics.E_gap < 1e-3 and metrics.E_r < 1e-3 and metrics.E_vr < 1e-3


def test_the_longest_wave_dies_at_k_phi_times_one_minus_cosine() -> None:
    """The published linear dynamics: the ring's Laplacian, here its first wave of six agents."""
    count, k, small = 6, 1.0, 0.02

    def start(agent: int) -> tuple[Vector, Vector]:
        place = 2.0 * math.pi * agent / count
        theta = place + small * math.sin(place)
        return (R * math.cos(theta), R * math.sin(theta), 0.0), ORIGIN

    changes = {'run': {'num_agents': count}, 'control': {'k_turn': k}}
    flown = flight('franchi', changes, 10.0, start)
    gap = flown.seen.series['E_gap']
    rate = math.log(gap[80] / gap[160]) / 4.0
    assert rate == pytest.approx(k * (1.0 - math.cos(2.0 * math.pi / count)), rel=0.1)


def test_the_ring_turns_as_the_target_wants() -> None:
    """The law's omega is the wanted rotation that the target tells."""
    turned = {'run': {'num_agents': 4}, 'target': {'target_swarm_omega_ref': 0.1}}
    flown = flight('franchi', turned, 60.0)
    speeds = np.hypot(flown.velocities[-1, :, 0], flown.velocities[-1, :, 1])
    assert speeds == pytest.approx([0.1 * R] * 4, rel=0.01)
    assert flown.metrics.E_gap < 1e-2
