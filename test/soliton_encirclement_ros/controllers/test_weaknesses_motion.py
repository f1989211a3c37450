"""Weaknesses of the originals in how agents move: what ours holds and theirs break (W1, 3, 8-11).

docs/research/weaknesses.md has the whole list.
"""

import math

import pytest

from soliton_encirclement_ros.controllers import Setup
from soliton_encirclement_ros.core import Pose
from soliton_encirclement_ros.core.states.swarm_topics import TARGET
from support.laws import HELD_BY_OURS, flight, fly, place, swarm
from support.ready import NO_HURRY, laws
from support.ring_scene import ORIGIN, STILL, Flyer, Seen
from velocity_mobility_ros.core.velocity_model import Vector

__all__ = ['laws']

pytestmark = NO_HURRY


def on_even_ring(k: int, count: int, velocity: Vector = ORIGIN) -> tuple[Vector, Vector]:
    """Return place and velocity of the k-th of an even ring of 20 m."""
    angle = 2.0 * math.pi * k / count
    return (20.0 * math.cos(angle), 20.0 * math.sin(angle), 0.0), velocity


@HELD_BY_OURS
def test_w1_a_ring_in_motion_is_as_even_as_one_at_rest(law: str, holds: bool) -> None:
    """W1: round a target at 5 m/s the originals keep an uneven ring, E_gap 0.10."""
    moving = {'target_motion': 'constant', 'target_motion_speed_xy': 5.0}
    error = flight(law, {'target': moving}, 60.0).metrics.E_gap
    assert (error < 0.001) == holds
    assert holds or error > 0.05


@pytest.mark.parametrize(
    ('law', 'holds'), [('soliton', True), ('two_channel', False), ('soliton_v1', True)]
)
def test_w3_a_drift_during_a_failure_is_no_kick(law: str, holds: bool) -> None:
    """W3: back 8 m farther out, the command is what a fresh agent would give.

    The successor differentiates the radius over the outage: 80 m/s. The seed takes velocities.
    """

    def view(r: float, now: float) -> Seen:
        return Seen(now, Pose((r, 0.0, 0.0), ORIGIN), (), STILL)

    back, fresh = Flyer(law, Setup()), Flyer(law, Setup())
    back.step(view(20.0, 0.0))
    back.restart()
    kick = math.dist(back.step(view(28.0, 8.0)), fresh.step(view(28.0, 8.0)))
    assert (kick == 0.0) == holds
    assert holds or kick == pytest.approx(80.0)


LOST = {
    'target': {'target_motion': 'constant', 'target_motion_speed_xy': 3.0},
    'radio': {'partitions': '20..: target'},
}
"""A target at 3 m/s that nobody hears any more after 20 s."""


@HELD_BY_OURS
def test_w8_a_lost_target_leaves_a_ring_that_stands(law: str, holds: bool) -> None:
    """W8: the originals go on to where it was last seen and pile up in one point ahead of it."""
    flown = flight(law, LOST, 60.0)
    lost_at = flown.chunk.target[flown.chunk.times.searchsorted(20.0), :3]
    separation = flown.chunk.separation[-1]
    assert (separation > 10.0) == holds
    assert holds or separation < 0.1
    farthest = max(math.dist(place, lost_at) for place in flown.positions[-1])
    assert not holds or farthest < 20.0 + 3.0 * 4.0


def test_w8_ours_stands_still_after_the_hold_time() -> None:
    """W8: dead reckoning for the timeout and the hold time, then a stop, altitude included."""
    flown = flight('soliton', LOST, 20.0 + 0.5 + 1.9 + 12.0)
    holding = flown.velocities[flown.chunk.times.searchsorted(20.0 + 0.5 + 1.9)]
    assert all(v == pytest.approx((3.0, 0.0, 0.0), abs=1e-3) for v in holding)
    assert all(math.hypot(*v) < 0.01 for v in flown.velocities[-1])


def test_w8_ours_takes_the_target_up_again() -> None:
    """W8: heard again after 30 s it is caught up with and surrounded."""
    target = {'target_motion': 'constant', 'target_motion_speed_xy': 1.0}
    changes = {'target': target, 'radio': {'partitions': '20..50: target'}}
    metrics = flight('soliton', changes, 90.0).metrics
    assert metrics.E_r < 0.01 and metrics.E_gap < 0.01


@HELD_BY_OURS
def test_w9_an_agent_off_in_height_comes_back(law: str, holds: bool) -> None:
    """W9: the originals copy the target's climb rate and keep any offset for ever."""
    flown = flight(
        law, {}, 30.0, lambda k: ((*on_even_ring(k, 10)[0][:2], 3.0 * (-1.0) ** k), ORIGIN)
    )
    offset = max(abs(z) for _, _, z in flown.positions[-1])
    assert (offset < 0.01) == holds
    assert holds or offset == 3.0


def test_w9_layers_take_agents_to_their_heights() -> None:
    """W9: nine agents on three heights 2 m apart, three on each."""
    changes = {'run': {'num_agents': 9}, 'control': {'altitude_layers': 3}}
    flown = flight('soliton', changes, 30.0)
    heights = sorted(round(z, 3) for _, _, z in flown.positions[-1])
    assert heights == [-2.0] * 3 + [0.0] * 3 + [2.0] * 3


@HELD_BY_OURS
@pytest.mark.parametrize('count', [2, 10])
def test_w10_agents_at_one_spot_spread_over_the_ring(law: str, holds: bool, count: int) -> None:
    """W10: the originals see no gap at all and stay together for ever."""
    changes = {'run': {'num_agents': count}}
    flown = flight(law, changes, 60.0, lambda k: ((20.0, 0.0, 0.0), ORIGIN))
    assert (flown.metrics.E_gap < 0.01) == holds
    assert holds or flown.chunk.separation[-1] == 0.0


@pytest.mark.one_in(3)
@HELD_BY_OURS
def test_w11_spin_never_starves_tracking(law: str, holds: bool) -> None:
    """W11: 20 m/s of spin beside a target at 8 m/s, for bodies that do 10 m/s.

    The originals scale everything down together and lose the target; ours spins as far as the
    target and the radius leave room.
    """
    spinning = {
        'target_motion': 'constant',
        'target_motion_speed_xy': 8.0,
        'target_swarm_omega_ref': 1.0,
    }
    loop = swarm(law, {'target': spinning})
    place(loop, lambda k: on_even_ring(k, 10, (8.0, 0.0, 0.0)))
    target = loop.world.bodies[TARGET]
    target.state = target.state._replace(velocity=(8.0, 0.0, 0.0))
    worst = max(sample.metrics.E_r for sample in fly(loop, 30.0))
    assert (worst < 0.3) == holds
    assert holds or worst > 1.0
