"""A vehicle that follows its leader: places, leash, replacement, yaw."""

import itertools
import math

import pytest

from velocity_mobility_ros.core.trajectory.polyline_records import FollowSettings, PolylineError
from velocity_mobility_ros.core.trajectory.pursuit import Guidance, Pursuit, Waypoint
from velocity_mobility_ros.core.velocity_model import step as moved

SETTINGS = FollowSettings(cruise_speed=4.0)
HOME, STILL = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
NONE = math.nan


def flown(*places: tuple[float, ...], loop: bool = False, **guidance) -> Pursuit:
    """Return a pursuit that begins at home."""
    found = Pursuit(SETTINGS, Guidance(**guidance))
    found.fly([Waypoint(one[:3], (*one, NONE)[3]) for one in places], HOME, STILL, loop)
    return found


def follow(pursuit: Pursuit, steps: int) -> None:
    """Let a perfect vehicle follow."""
    for _ in range(steps):
        pursuit.step(pursuit.leader.state.position)


def test_before_a_path_there_is_no_command():
    pursuit = Pursuit(SETTINGS, Guidance())
    pursuit.step(HOME)
    assert pursuit.command(HOME, 0.0) is None
    assert pursuit.leader.status().vertices_left == 0


def test_the_command_is_the_leaders_velocity_and_a_correction():
    pursuit = flown((20.0, 0.0, 0.0), gain=0.5)
    follow(pursuit, 40)
    x, speed = pursuit.leader.state.position[0], pursuit.leader.state.speed
    velocity, _ = pursuit.command((x - 1.0, 0.4, 0.0), 0.0)
    assert velocity == pytest.approx((speed + 0.5, -0.2, 0.0))


def test_at_the_end_it_holds_the_place():
    pursuit = flown((3.0, 0.0, 0.0))
    follow(pursuit, 200)
    assert not pursuit.leader.is_following
    velocity, _ = pursuit.command((2.0, 0.0, 0.0), 0.0)
    assert velocity == pytest.approx((1.0, 0.0, 0.0), abs=0.11)


def test_the_leader_waits_at_the_leash_and_is_late_by_that():
    pursuit = flown((20.0, 0.0, 0.0, 8.0), leash=1.0)
    for _ in range(100):
        pursuit.step(HOME)
    assert 1.0 < pursuit.leader.state.position[0] < 1.3
    assert pursuit.is_waiting(HOME)
    assert pursuit.command(HOME, 0.0)[0][0] == pytest.approx(pursuit.distance(HOME))
    held = pursuit.leader.held
    assert held > 3.0
    follow(pursuit, 300)
    assert pursuit.leader.status().lateness == pytest.approx(held, abs=0.026)


def test_a_new_path_keeps_place_speed_and_acceleration():
    """However far behind the vehicle is."""
    pursuit = flown((30.0, 0.0, 0.0))
    follow(pursuit, 15)
    before = pursuit.leader.state
    pursuit.fly([Waypoint((40.0, 0.0, 0.0), NONE)], (-40.0, 0.0, 0.0), STILL, False)
    after = pursuit.leader.state
    assert (after.position, after.speed) == (before.position, before.speed)
    assert after.acceleration == before.acceleration


def test_a_wrong_path_keeps_the_old_one():
    pursuit = flown((30.0, 0.0, 0.0))
    follow(pursuit, 15)
    with pytest.raises(PolylineError):
        pursuit.fly([Waypoint((NONE, 0.0, 0.0), NONE)], HOME, STILL, False)
    assert pursuit.leader.is_following
    assert pursuit.leader.status().distance > 20.0


def test_no_waypoints_brake_within_the_limits():
    pursuit = flown((60.0, 0.0, 0.0))
    follow(pursuit, 60)
    pursuit.fly([], HOME, STILL, False)
    speeds = []
    for _ in range(80):
        pursuit.step(pursuit.leader.state.position)
        speeds.append(pursuit.leader.state.speed)
    assert speeds[0] > 3.5 and speeds[-1] == pytest.approx(0.0, abs=1e-9)
    drops = [before - after for before, after in itertools.pairwise(speeds)]
    assert max(drops) <= SETTINGS.limits.max_deceleration * SETTINGS.dt + 1e-9


def test_after_the_end_a_vehicle_far_away_is_where_the_next_path_begins():
    pursuit = flown((3.0, 0.0, 0.0))
    follow(pursuit, 200)
    pursuit.fly([Waypoint((9.0, 9.0, 0.0), NONE)], (9.0, 0.0, 0.0), (0.0, 2.0, 0.0), False)
    assert pursuit.leader.state.position == (9.0, 0.0, 0.0)
    assert pursuit.leader.state.speed == pytest.approx(2.0)


@pytest.mark.parametrize(
    ('guidance', 'expected'),
    [
        ({}, math.pi / 2.0),
        ({'yaw_policy': 'fixed', 'yaw': 0.5}, 0.5),
        ({'yaw_policy': 'toward_point', 'point': (-10.0, 0.0)}, math.pi),
    ],
)
def test_the_vehicle_turns_to_where_the_policy_says(guidance, expected):
    pursuit = flown((0.0, 20.0, 0.0), **guidance)
    follow(pursuit, 5)
    _, rate = pursuit.command(HOME, expected - 0.1)
    assert rate == pytest.approx(0.15)
    _, rate = pursuit.command(HOME, expected - 3.0)
    assert rate == 1.5


def test_a_climb_keeps_the_heading():
    pursuit = flown((0.0, 0.0, 20.0))
    follow(pursuit, 5)
    assert pursuit.command(HOME, 1.0)[1] == pytest.approx(0.0)


WAIT = ((8.0, 0.0, 0.0, 6.0), (8.0, 0.0, 0.0, 9.0), (8.0, 5.0, 0.0, 14.0))
"""A place that is reached after 6 s and left after 9 s."""


def test_a_place_given_twice_is_waited_at():
    """As in a scenario: the leader stands there in between, and what remains counts all of it."""
    pursuit, leader = flown(*WAIT), None
    left, way, to_go, _ = pursuit.leader.status()
    assert (left, to_go) == (3, 6.0) and way == pytest.approx(13.0)
    places = []
    for _ in range(300):
        follow(pursuit, 1)
        leader = pursuit.leader
        places.append((leader.state.time, *leader.state.position[:2], leader.state.speed))
    waiting = [one for one in places if 6.05 <= one[0] < 9.0 - 1e-9]
    assert len(waiting) > 50
    assert max(math.dist(one[1:3], (8.0, 0.0)) for one in waiting) < 0.1
    assert max(one[3] for one in waiting) < 1e-9
    assert max(x for _, x, _, _ in places) < 8.1
    assert not leader.is_following
    assert leader.status().lateness == pytest.approx(0.0, abs=0.026)


def test_a_lag_that_is_known_is_made_up_for():
    """A vehicle with a lag of 0.5 s is a step from its leader; without, it trails far."""

    def farthest(**guidance) -> float:
        pursuit = flown((30.0, 0.0, 0.0, 12.0), **guidance)
        place, velocity, found = HOME, STILL, 0.0
        for _ in range(240):
            pursuit.step(place)
            wanted, _ = pursuit.command(place, 0.0)
            for _ in range(5):
                place, velocity = moved(
                    place, velocity, wanted, 0.01, (20.0, 20.0, 50.0, 50.0, 0.5, 0.5)
                )
            found = max(found, pursuit.distance(place))
        return found

    assert farthest() > 0.8
    assert farthest(lag_xy=0.5, lag_z=0.5) < 0.21


def test_a_lag_in_one_axis_leaves_the_others():
    pursuit = flown((30.0, 0.0, 30.0), lag_z=0.5)
    follow(pursuit, 12)
    state, after = pursuit.leader.velocity, pursuit.leader.next_velocity()
    (x, _, z), _ = pursuit.command(pursuit.leader.state.position, 0.0)
    assert x == state[0]
    assert z == pytest.approx(after[2] + 0.5 / 0.05 * (after[2] - state[2]))
    assert after[2] > state[2]


def test_at_the_end_its_clock_goes_on_with_and_without_a_look_ahead():
    """The step after the last one is another step, although the place is the same."""
    looking, plain = flown((3.0, 0.0, 0.0), lag_xy=0.5), flown((3.0, 0.0, 0.0))
    for _ in range(200):
        follow(looking, 1)
        looking.leader.next_velocity()
        follow(plain, 1)
        assert looking.leader.state == plain.leader.state
    assert not plain.leader.is_following
    assert plain.leader.state.time == pytest.approx(10.0, abs=0.06)


def test_a_look_ahead_changes_nothing():
    """Neither the way of the leader nor what a new path or other settings find."""
    looking, plain = flown(*WAIT, lag_xy=0.5), flown(*WAIT)
    for k in range(200):
        for one in (looking, plain):
            follow(one, 1)
            one.leader.next_velocity() if one is looking else None
            if k == 60:
                one.fly([Waypoint((3.0, 9.0, 0.0), NONE)], HOME, STILL, False)
            if k == 90:
                one.leader.settings = SETTINGS._replace(cruise_speed=1.0)
        assert looking.leader.state == plain.leader.state
