"""A vehicle that somebody else commands: what its filter is told, and what it says."""

import math

import pytest

from soliton_encirclement_ros.core.laws.filter_codes import KEEP_OUT, NONE, SEPARATION, STOP
from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits, SwarmParameters
)
from soliton_encirclement_ros.core.states.states import (
    AdversaryState, AgentState, Pose, TargetState
)
from soliton_encirclement_ros.members.guarded_vehicle import GuardedVehicle
from soliton_encirclement_ros.safety.filter import FASTEST
from velocity_mobility_ros.core.velocity_model import Vector

STILL: Vector = (0.0, 0.0, 0.0)
HERE = Pose((0.0, 0.0, 5.0), STILL)
EAST: Vector = (2.0, 0.0, 0.0)
HERE_I_AM = AgentState(1, 1, HERE.position, STILL, ring_member=False)


def vehicle(is_telling: bool = True, **safety: object) -> GuardedVehicle:
    """Return uav_1, which wants to fly east."""
    one = GuardedVehicle(
        1, SwarmParameters(), CommandLimits(), SafetyParameters(**safety), is_telling
    )
    one.wanted = EAST
    return one


def test_without_others_the_command_is_the_wanted_one() -> None:
    one = vehicle()
    assert one.decide(1.0, HERE) == (EAST, HERE_I_AM)


def test_nobody_wants_anything_so_it_stands_still_and_says_where() -> None:
    one = vehicle()
    one.wanted = None
    assert one.decide(1.0, HERE) == (STILL, HERE_I_AM)


@pytest.mark.parametrize('is_stopped', [True, False])
def test_one_that_is_to_stand_makes_way_slowly(is_stopped: bool) -> None:
    """Whether an operator has stopped it, or nobody wants anything."""
    one = vehicle(fence='-9 -9, 9 -9, 9 9, -9 9', lowest_height=7.0)
    if not is_stopped:
        one.wanted = None
    stand = one.hold if is_stopped else one.decide
    one.see(1.0, [AgentState(10**9, 1, (2.5, 0.0, 5.0), STILL)])
    assert stand(1.0, HERE).command == STILL
    one.see(1.05, [AgentState(10**9, 2, (1.5, 0.0, 5.0), STILL)])
    assert stand(1.05, HERE).command == pytest.approx((-FASTEST, 0.0, 0.0))
    assert one.filtered == pytest.approx((SEPARATION, 10**9, FASTEST))
    one.stand_still()
    assert one.filtered[2] == 0.0


def test_where_another_node_says_it_this_one_does_not() -> None:
    one = vehicle(is_telling=False)
    assert one.decide(1.0, HERE).state is None
    assert one.hold(1.1, HERE).state is None


@pytest.mark.parametrize(
    ('state', 'reason'),
    [
        (AgentState(2, 1, (2.1, 0.0, 5.0), STILL), SEPARATION),
        (TargetState(1, (2.1, 0.0, 5.0), STILL), KEEP_OUT),
        (AdversaryState(1, (2.1, 0.0, 5.0), STILL), KEEP_OUT),
    ],
)
def test_it_keeps_its_distance_from_all(state: AgentState, reason: int) -> None:
    one = vehicle(target_distance=2.0, adversary_distance=2.0)
    one.receive(1.0, [state])
    assert one.decide(1.0, HERE).command[0] < 0.5
    assert one.done.reason == reason


def test_it_stays_inside_its_fence_and_below_its_height() -> None:
    one = vehicle(fence='-9 -9, 1 -9, 1 9, -9 9', highest_height=5.0, separation_rate=2.0)
    one.wanted = (2.0, 0.0, 1.0)
    x, _, z = one.decide(1.0, HERE).command
    assert x == pytest.approx(1.0)
    assert z <= 1e-9


def test_one_that_has_only_odometry_is_avoided_and_then_counts_as_stopped() -> None:
    one = vehicle()
    one.see(1.0, [AgentState(10**9, 1, (2.1, 0.0, 5.0), STILL)])
    for now in (1.0, 100.0):
        assert one.decide(now, HERE).command[0] < 0.5
        assert (one.done.reason, one.done.pusher) == (SEPARATION, 10**9)


def test_the_silent_are_told_and_known() -> None:
    one = vehicle()
    one.receive(1.0, [AgentState(2, 1, (50.0, 0.0, 5.0), STILL)])
    assert one.silent(1.1) == []
    assert one.decide(1.1, HERE).state.silent == ()
    assert one.silent(2.0) == [2]
    assert [body.agent_id for body in one.decide(2.0, HERE).state.silent] == [2]


def test_an_old_pose_is_predicted_with_the_command_in_effect() -> None:
    """At 4 m/s, 0.2 s old: the other one is 0.8 m nearer than the pose says."""
    fast = Pose((0.0, 0.0, 5.0), (4.0, 0.0, 0.0))
    found = []
    for age in (0.0, 0.2):
        one = vehicle()
        one.wanted = (4.0, 0.0, 0.0)
        one.decide(0.95, Pose((-30.0, 0.0, 5.0), STILL))
        one.receive(1.0, [AgentState(2, 1, (8.4, 0.0, 5.0), STILL)])
        one.pose_age = age
        decision = one.decide(1.0, fast)
        assert decision.state.age == age
        found.append(decision.command[0])
    ahead = vehicle()
    ahead.wanted = (4.0, 0.0, 0.0)
    ahead.receive(1.0, [AgentState(2, 1, (8.4, 0.0, 5.0), STILL)])
    there = ahead.decide(1.0, Pose((0.8, 0.0, 5.0), (4.0, 0.0, 0.0))).command[0]
    assert found[1] < found[0]
    assert found[1] == pytest.approx(there, abs=1e-6)


def test_limits_and_distances_change() -> None:
    one = vehicle()
    one.receive(1.0, [AgentState(2, 1, (6.0, 0.0, 5.0), STILL)])
    assert one.decide(1.0, HERE).command == EAST
    one.retune(CommandLimits(max_speed_xy=1.0), SafetyParameters(separation_distance=5.9))
    assert one.decide(1.05, HERE).command[0] < 0.5
    one.wanted = (0.0, 9.0, 0.0)
    assert math.hypot(*one.decide(1.1, HERE).command) <= 1.0 + 1e-9


def test_without_the_filter_only_the_limits_are_left() -> None:
    one = vehicle(separation_filter=False)
    one.receive(1.0, [AgentState(2, 1, (0.5, 0.0, 5.0), STILL)])
    one.wanted = (99.0, 0.0, 0.0)
    assert one.decide(1.0, HERE).command == (10.0, 0.0, 0.0)
    one.retune(CommandLimits(max_speed_xy=3.0), SafetyParameters(separation_filter=False))
    assert one.decide(1.0, HERE).command == (3.0, 0.0, 0.0)
    one.stretch_timeouts(0.2)
    assert one.silent(9.0) == []


def test_timeouts_follow_a_slow_machine() -> None:
    one = vehicle()
    one.receive(1.0, [AgentState(2, 1, (50.0, 0.0, 5.0), STILL)])
    one.stretch_timeouts(0.2)
    assert one.silent(1.5) == []
    one.stretch_timeouts(0.0)
    assert one.silent(1.5) == [2]


@pytest.mark.parametrize(('longest', 'is_kept'), [(0.0, False), (0.2, True)])
def test_so_does_that_of_the_target(longest: float, is_kept: bool) -> None:
    one = vehicle(target_distance=2.0)
    one.receive(1.0, [TargetState(1, (2.1, 0.0, 5.0), STILL)])
    one.stretch_timeouts(longest)
    assert (one.decide(1.55, HERE).command != EAST) is is_kept


def test_a_pose_that_is_no_number_commands_zero() -> None:
    one = vehicle()
    assert one.decide(1.0, Pose((math.nan, 0.0, 5.0), STILL)).command == STILL
    assert one.done.reason == STOP
    assert one.decide(1.05, HERE).command == EAST
    assert one.done.reason == NONE


def test_it_is_a_member_of_the_ring_if_told_so() -> None:
    one = GuardedVehicle(
        1, SwarmParameters(), CommandLimits(), SafetyParameters(), ring_member=True
    )
    assert one.decide(1.0, HERE).state.ring_member
