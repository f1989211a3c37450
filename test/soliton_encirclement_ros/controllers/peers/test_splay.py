"""The splay state: headings spread over the circle, agents on it, turning at omega_0."""

import math

import numpy as np
import pytest
from soliton_encirclement_ros.controllers.peers.splay import gains_of, spreading, steering
from soliton_encirclement_ros.core.laws.law import RingView, Setup
from soliton_encirclement_ros.core.laws.ring_messages import FIELDS
from soliton_encirclement_ros.core.ring.polar import polar
from soliton_encirclement_ros.core.scenario.control_section import control_record
from support.laws import flight
from support.ready import NO_HURRY, laws
from support.ring_scene import ORIGIN, TAU, R, command_on_even_ring, even
from velocity_mobility_ros.core.model import Vector

__all__ = ['laws']

pytestmark = NO_HURRY

GAINS = gains_of(Setup(control_record('splay')(controller='splay')))
RATE = GAINS.omega_0


def ring_of(headings: list[float]) -> RingView:
    """Return a ring whose agents told these headings [rad]; oneself is the first."""
    count = len(headings)
    words = [[0.0] * FIELDS + [heading] for heading in headings]
    zeros = [0.0] * count
    rows = list(range(count))
    return RingView(count, 0, [k + 1 for k in rows], zeros, zeros, zeros, rows, words)


@pytest.mark.parametrize('count', [2, 5, 10])
@pytest.mark.parametrize('velocity', [ORIGIN, (3.0, -2.0, 0.5)])
def test_the_splay_state_goes_on(count: int, velocity: Vector) -> None:
    """Even headings on the circle: nothing is asked for but the acceleration to the centre."""
    pose, centre, command = command_on_even_ring('splay', count, RATE, velocity)
    wanted = [
        v - TAU * RATE * RATE * (p - c)
        for v, p, c in zip(pose.velocity, pose.position, centre, strict=True)
    ]
    assert command == pytest.approx(wanted, abs=1e-2)


@pytest.mark.parametrize('count', [2, 3, 5, 10, 11])
def test_even_headings_are_not_spread_any_more(count: int) -> None:
    """Half of the modes are enough for all of them."""
    headings = even(count)
    assert spreading(GAINS, ring_of(headings), headings[0]) == pytest.approx(0.0, abs=1e-12)


def test_the_sum_over_modes_and_agents_is_that_of_the_paper() -> None:
    """Written out with sines, as published."""
    headings = [0.2, 0.5, 2.0, 4.0, 4.1, 6.0]
    written = sum(
        GAINS.k_splay / (m * 6) * math.sin(m * (headings[0] - other))
        for m in (1, 2, 3)
        for other in headings
    )
    assert spreading(GAINS, ring_of(headings), headings[0]) == pytest.approx(written, abs=1e-12)


def test_it_turns_away_from_the_one_ahead() -> None:
    """A heading a little larger than the own one drives it back."""
    assert spreading(GAINS, ring_of([0.0, 0.3]), 0.0) < 0.0


@pytest.mark.parametrize(('heading', 'sign'), [(0.0, 1.0), (math.pi, -1.0)])
def test_outward_flight_is_turned_faster_and_inward_flight_slower(
    heading: float, sign: float
) -> None:
    """That is how a particle that only steers finds its circle."""
    at = polar(R, 0.0, 0.0, 0.0, 1.0)
    assert (steering(GAINS, at, heading) - RATE) * sign > 0.1 * RATE * GAINS.kappa
    assert steering(GAINS, at, 0.5 * math.pi) == pytest.approx(RATE)


@pytest.mark.parametrize('count', [1, 3, 6])
def test_a_swarm_ends_in_the_splay_state(count: int) -> None:
    """From random angles round a target that stands still: even, on the circle, at omega_0 R."""
    flown = flight('splay', {'run': {'num_agents': count}}, 300.0)
    assert flown.metrics.E_r < 0.01 and flown.metrics.E_gap < 0.01
    speeds = np.hypot(flown.velocities[-1, :, 0], flown.velocities[-1, :, 1])
    assert speeds == pytest.approx([RATE * R] * count, rel=0.02)
    (x, y, _), (vx, vy, _) = flown.positions[-1].T, flown.velocities[-1].T
    assert (x * vy - y * vx > 0.0).all(), 'counter-clockwise'
