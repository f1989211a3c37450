"""The separation filter inside an agent: whom it keeps away from, and when it forgets."""

import math

import pytest
from soliton_encirclement_ros.actors.separation_guard import SeparationGuard
from soliton_encirclement_ros.core.parameters.safety_parameters import SafetyParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits,
    SwarmParameters,
)
from soliton_encirclement_ros.core.states.message_acceptance import SingleCache
from soliton_encirclement_ros.core.states.states import (
    AdversaryState,
    AgentState,
    Pose,
    SilentBody,
    TargetState,
)
from soliton_encirclement_ros.safety.codes import FENCE, KEEP_OUT, NOBODY, NONE, SEPARATION, STOP
from soliton_encirclement_ros.safety.settings import fence_of, filter_settings

STILL = (0.0, 0.0, 0.0)
EAST = (8.0, 0.0, 0.0)
SWARM, LIMITS = SwarmParameters(), CommandLimits()
TIMEOUT = SWARM.agent_state_timeout
LOST = SWARM.target_state_timeout
AHEAD = (7.0, 0.0, 0.0)
"""Little more than braking distance (4 m at 4 m/s) and D away."""


def guard(**values):
    safety = SafetyParameters(**values)
    return SeparationGuard(1, filter_settings(safety, LIMITS, SWARM), fence_of(safety), LOST)


def nobody():
    return SingleCache(LOST)


def eastwards(guard, now=1.0, target=None):
    """Return command and reason of who is at (0, 0), flies east at 4 m/s and wants to go on."""
    pose = Pose(STILL, (4.0, 0.0, 0.0))
    return guard.command(EAST, now, pose, TIMEOUT, target or nobody()), guard.last.reason


def test_what_is_free_passes_to_the_bit():
    one = guard()
    assert one.telemetry == (NONE, NOBODY, 0.0)
    assert eastwards(one) == (EAST, NONE)
    assert one.telemetry == (NONE, NOBODY, 0.0)


def test_it_says_who_changed_the_command_and_by_how_much_and_a_stop_is_no_change():
    one = guard()
    one.receive([AgentState(7, 1, AHEAD, STILL)], 1.0, TIMEOUT)
    command, _ = eastwards(one)
    reason, pusher, change = one.telemetry
    assert (reason, pusher) == (SEPARATION, 7.0)
    assert change == pytest.approx(math.dist(command, EAST), abs=1e-12) and change > 1.0
    one.stop()
    assert one.telemetry == (NONE, NOBODY, 0.0)


@pytest.mark.parametrize('now', [1.0, 60.0])
@pytest.mark.parametrize('ring_member', [True, False])
def test_a_body_ahead_is_kept_clear_of_heard_or_silent(now, ring_member):
    one = guard()
    one.receive([AgentState(7, 1, AHEAD, STILL, ring_member=ring_member)], 1.0, TIMEOUT)
    (vx, _, _), reason = eastwards(one, now)
    assert reason == SEPARATION and one.last.pusher == 7
    assert vx < 4.0
    assert len(one.silent(now, TIMEOUT)) == (now > 1.0 + TIMEOUT)


def test_a_silent_body_that_others_tell_of_is_kept_clear_of():
    one = guard()
    silent = (SilentBody(7, AHEAD, STILL, 30.0),)
    one.receive([AgentState(2, 1, (0.0, 500.0, 0.0), STILL, silent=silent)], 1.0, TIMEOUT)
    assert eastwards(one)[1] == SEPARATION and one.last.pusher == 7


def heard_target():
    target = nobody()
    target.accept(TargetState(1, AHEAD, STILL), 1.0)
    return target


def hears_adversary(one):
    one.receive([AdversaryState(1, AHEAD, STILL)], 1.0, TIMEOUT)
    return nobody()


@pytest.mark.parametrize('name', ['target_distance', 'adversary_distance'])
@pytest.mark.parametrize('distance', [2.0, 0.0])
def test_target_and_adversary_are_kept_clear_of_unless_switched_off(name, distance):
    one = guard(**{name: distance})
    target = heard_target() if name == 'target_distance' else hears_adversary(one)
    (vx, _, _), reason = eastwards(one, target=target)
    assert (vx, reason) == (8.0, NONE) if distance == 0.0 else (vx < 4.0 and reason == KEEP_OUT)


@pytest.mark.parametrize('name', ['target_distance', 'adversary_distance'])
def test_who_is_lost_can_be_anywhere_and_is_forgotten(name):
    one = guard(**{name: 2.0})
    target = heard_target() if name == 'target_distance' else hears_adversary(one)
    assert eastwards(one, 1.0 + LOST, target)[1] == KEEP_OUT
    assert eastwards(one, 1.01 + LOST, target)[1] == NONE


def test_the_fence_stops_it_and_may_change():
    one = guard(fence='-9 -9, 5 -9, 5 9, -9 9')
    (vx, _, _), reason = eastwards(one)
    assert reason == FENCE and vx < 4.0
    wide = SafetyParameters(fence='-90 -90, 90 -90, 90 90, -90 90')
    one.retune(filter_settings(wide, LIMITS, SWARM), fence_of(wide))
    assert eastwards(one) == (EAST, NONE)


def test_nothing_that_is_no_number_comes_out():
    one = guard()
    one.receive([AgentState(7, 1, AHEAD, STILL)], 1.0, TIMEOUT)
    for bad in (math.nan, math.inf):
        pose = Pose(STILL, (4.0, 0.0, 0.0))
        assert one.command((bad, 0.0, 0.0), 1.0, pose, TIMEOUT, nobody()) == STILL
        assert one.telemetry == (STOP, NOBODY, 0.0)
        assert one.command(EAST, 1.0, Pose((bad, 0.0, 0.0), STILL), TIMEOUT, nobody()) == STILL


def test_a_vehicle_that_never_climbs_moves():
    level = CommandLimits(max_speed_z=0.0, max_acc_z=0.0)
    one = SeparationGuard(1, filter_settings(SafetyParameters(), level, SWARM), [], LOST)
    assert eastwards(one) == (EAST, NONE)
