"""Cyclic pursuit: even gaps, and a ring that turns at 2 pi k / N for it."""

import numpy as np
import pytest
from soliton_encirclement_ros.controllers.peers.kim_sugie import Parameters
from soliton_encirclement_ros.core.ring.spacing_correction import TURN
from support.engine_flights import Flight
from support.laws import flight
from support.ready import NO_HURRY, laws
from support.ring_scene import (
    STILL,
    TAU,
    command_on_even_ring,
    known,
    made,
    turning,
)
from velocity_mobility_ros.core.model import Vector

__all__ = ['laws']

pytestmark = NO_HURRY

K = 0.2


def turn_rate(flown: Flight, seconds: float) -> float:
    """Return the mean turn rate [rad/s] of the agents over the last seconds of a flight."""
    x, y = flown.positions[:, :, 0], flown.positions[:, :, 1]
    theta = np.unwrap(np.arctan2(y, x), axis=0)
    return float(np.mean(theta[-1] - theta[-1 - round(seconds / 0.05)]) / seconds)


@pytest.mark.parametrize('count', [5, 8, 10])
@pytest.mark.parametrize('velocity', [(0.0, 0.0, 0.0), (3.0, -2.0, 0.5)])
def test_an_even_ring_that_turns_at_2_pi_k_over_n_goes_on(count: int, velocity: Vector) -> None:
    """The published motion: nothing is asked for but the acceleration towards the centre."""
    rate = Parameters().k_turn * TURN / count
    pose, centre, command = command_on_even_ring('kim_sugie', count, rate, velocity)
    wanted = [
        v - TAU * rate * rate * (p - c)
        for v, p, c in zip(pose.velocity, pose.position, centre, strict=True)
    ]
    assert command == pytest.approx(wanted, abs=2e-3)


@pytest.mark.parametrize('count', [3, 6, 10])
def test_gaps_become_even_and_the_ring_turns_at_2_pi_k_over_n(count: int) -> None:
    """From random angles, round a target that stands still."""
    changes = {'run': {'num_agents': count}, 'control': {'k_turn': K}}
    flown = flight('kim_sugie', changes, 60.0 + 8.0 * count)
    assert flown.metrics.E_gap < 0.02 and flown.metrics.E_r < 0.01
    assert turn_rate(flown, 5.0) == pytest.approx(K * TURN / count, rel=0.01)


def test_the_next_agent_is_pursued_whatever_its_number() -> None:
    """Agent 7 stands ahead, agent 2 beyond it: the gap that counts is that to agent 7."""
    controller = made('kim_sugie', k_turn=K)
    controller.step(known(1, turning(0.0), {7: turning(0.5), 2: turning(3.0)}))
    told = dict(zip(controller.telemetry_names, controller.telemetry(), strict=True))
    assert told['shift'] == pytest.approx(0.5)
    assert controller.broadcast().u == pytest.approx(0.5 * K)
    assert controller.neighbours == (2, 7)


def test_alone_nobody_is_pursued() -> None:
    """On the ring, an agent alone stands still with the target."""
    assert made('kim_sugie').step(known(1, turning(1.0), {}, STILL)) == pytest.approx(
        (0.0, 0.0, 0.0), abs=1e-9
    )
