"""Weaknesses of the originals in what they remember: ours holds what theirs break (W2, 12, 13).

docs/research/weaknesses.md has the whole list.
"""

import math

import pytest

from soliton_encirclement_ros.controllers import Setup
from soliton_encirclement_ros.core import AgentState, Pose, TargetState
from soliton_encirclement_ros.sim.chunk import AGENT_COLUMNS
from support.laws import HELD_BY_OURS, flight
from support.ready import NO_HURRY, laws
from support.ring_scene import ORIGIN, Flyer, Seen

__all__ = ['laws']

pytestmark = NO_HURRY


def view(k: int) -> Seen:
    """Return what agent 1 has at a tick of a near predecessor and a far successor."""
    pred, succ = (
        AgentState(i, k, place, ORIGIN)
        for i, place in ((2, (19.0, -6.0, 0.0)), (3, (-20.0, 1.0, 0.0)))
    )
    pose, target = Pose((20.0, 0.0, 0.0), ORIGIN), TargetState(k, ORIGIN, ORIGIN)
    return Seen(0.05 * k, pose, (pred, succ), target)


@HELD_BY_OURS
def test_w2_nothing_is_left_of_the_time_before_a_failure(law: str, holds: bool) -> None:
    """W2: the first command after an outage of 8 s is that of a fresh agent, to the last bit."""
    back, fresh = Flyer(law, Setup()), Flyer(law, Setup())
    for k in range(1, 21):
        back.step(view(k))
    back.restart()
    after, expected = back.step(view(180)), fresh.step(view(180))
    assert (after == expected) == holds
    assert (back.said() == fresh.said()) == holds
    assert holds or math.dist(after, expected) > 0.5


@HELD_BY_OURS
def test_w12_nobody_spins_on_a_word_that_is_stale(law: str, holds: bool) -> None:
    """W12: the target asks for 0.2 rad/s and falls silent; 40 s later the originals still turn."""
    silent = {'target': {'target_swarm_omega_ref': 0.2}, 'radio': {'partitions': '20..: target'}}
    flown = flight(law, silent, 60.0)
    turning = flown.velocities[flown.chunk.times.searchsorted(20.0)]
    assert min(math.hypot(*v) for v in turning) == pytest.approx(4.0, abs=0.3)
    fastest = max(math.hypot(*v) for v in flown.velocities[-1])
    assert (fastest < 0.01) == holds
    assert holds or fastest > 3.5


@pytest.mark.parametrize(
    ('law', 'holds'), [('soliton', True), ('two_channel', True), ('soliton_v1', False)]
)
def test_w13_internal_values_stay_bounded(law: str, holds: bool) -> None:
    """W13: for a minute nothing grows; the seed's components cancel each other at 50."""
    flown = flight(law, {'target': {'target_motion_speed_xy': 5.0}}, 60.0)
    late = flown.chunk.agents[flown.chunk.times > 20.0]
    largest = abs(late[:, :, len(AGENT_COLUMNS) :]).max()
    assert (largest < 10.0) == holds
    assert holds or largest > 40.0
