"""The separation filter of a vehicle: whom it keeps away from, and when it forgets."""

import math

import pytest

from soliton_encirclement_ros.controllers import Setup
from soliton_encirclement_ros.core.laws.filter_codes import (
    FENCE, KEEP_OUT, NOBODY, NONE, SEPARATION, STOP
)
from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits, SwarmParameters
)
from soliton_encirclement_ros.core.states.states import (
    AdversaryState, AgentState, Pose, SilentBody, TargetState
)
from soliton_encirclement_ros.members.own_rows import FilteredVehicle, OwnRows
from soliton_encirclement_ros.members.own_rules import OwnVehicle

STILL = (0.0, 0.0, 0.0)
EAST = (8.0, 0.0, 0.0)
TIMEOUT, LOST = SwarmParameters().agent_state_timeout, SwarmParameters().target_state_timeout
AHEAD = (7.0, 0.0, 0.0)
"""Little more than braking distance (4 m at 4 m/s) and D away."""


def guarded(limits=None, **values):
    limits = limits or CommandLimits()
    return OwnRows(1, OwnVehicle(Setup(limits=limits), SafetyParameters(**values)))


def eastwards(one, now=1.0, wanted=EAST, x=0.0):
    """Return command and reason of who is at (0, 0), flies east at 4 m/s and wants to go on."""
    one.place(Pose((x, 0.0, 0.0), (4.0, 0.0, 0.0)), 0.0)
    return one.filter_velocity(wanted, now), FilteredVehicle(one).filtered[0]


def test_what_is_free_passes_to_the_bit():
    one = guarded()
    assert FilteredVehicle(one).filtered == (NONE, NOBODY, 0.0)
    assert eastwards(one) == (EAST, NONE)
    assert FilteredVehicle(one).filtered == (NONE, NOBODY, 0.0)


def test_it_says_who_changed_the_command_and_by_how_much_and_a_stop_is_no_change():
    one = guarded()
    one.receive(1.0, [AgentState(7, 1, AHEAD, STILL)])
    command, _ = eastwards(one)
    reason, pusher, change = FilteredVehicle(one).filtered
    assert (reason, pusher) == (SEPARATION, 7.0)
    assert change == pytest.approx(math.dist(command, EAST), abs=1e-12) and change > 1.0
    FilteredVehicle(one).stand_still()
    assert FilteredVehicle(one).filtered == (NONE, NOBODY, 0.0)


@pytest.mark.parametrize('now', [1.0, 60.0])
@pytest.mark.parametrize('ring_member', [True, False])
def test_a_body_ahead_is_kept_clear_of_heard_or_silent(now, ring_member):
    one = guarded()
    one.receive(1.0, [AgentState(7, 1, AHEAD, STILL, ring_member=ring_member)])
    (vx, _, _), reason = eastwards(one, now)
    assert reason == SEPARATION and FilteredVehicle(one).filtered[1] == 7
    assert vx < 4.0
    assert len(one.silent(now)) == (now > 1.0 + TIMEOUT)


def test_a_silent_body_that_others_tell_of_is_kept_clear_of():
    one = guarded()
    silent = (SilentBody(7, AHEAD, STILL, 30.0),)
    one.receive(1.0, [AgentState(2, 1, (0.0, 500.0, 0.0), STILL, silent=silent)])
    assert eastwards(one)[1] == SEPARATION and FilteredVehicle(one).filtered[1] == 7


SINGLES = pytest.mark.parametrize(
    ('name', 'kind'), [('target_distance', TargetState), ('adversary_distance', AdversaryState)]
)


@SINGLES
@pytest.mark.parametrize('distance', [2.0, 0.0])
def test_target_and_adversary_are_kept_clear_of_unless_switched_off(name, kind, distance):
    one = guarded(**{name: distance})
    one.receive(1.0, [kind(1, AHEAD, STILL)])
    (vx, _, _), reason = eastwards(one)
    assert (vx, reason) == (8.0, NONE) if distance == 0.0 else (vx < 4.0 and reason == KEEP_OUT)


@SINGLES
def test_who_is_lost_can_be_anywhere_and_is_forgotten(name, kind):
    one = guarded(**{name: 2.0})
    one.receive(1.0, [kind(1, AHEAD, STILL)])
    assert eastwards(one, 1.0 + LOST)[1] == KEEP_OUT
    assert eastwards(one, 1.01 + LOST)[1] == NONE


def test_the_fence_stops_it_and_may_change():
    one = guarded(fence='-9 -9, 5 -9, 5 9, -9 9')
    (vx, _, _), reason = eastwards(one)
    assert reason == FENCE and vx < 4.0
    wide = SafetyParameters(fence='-90 -90, 90 -90, 90 90, -90 90')
    one.use(one.own._replace(safety=wide))
    assert eastwards(one) == (EAST, NONE)


def test_nothing_that_is_no_number_comes_out():
    one = guarded()
    one.receive(1.0, [AgentState(7, 1, AHEAD, STILL)])
    for bad in (math.nan, math.inf):
        assert eastwards(one, wanted=(bad, 0.0, 0.0)) == (STILL, STOP)
        assert FilteredVehicle(one).filtered == (STOP, NOBODY, 0.0)
        assert eastwards(one, x=bad) == (STILL, STOP)


def test_a_vehicle_that_never_climbs_moves():
    level = CommandLimits(max_speed_z=0.0, max_acc_z=0.0)
    assert eastwards(guarded(level)) == (EAST, NONE)
