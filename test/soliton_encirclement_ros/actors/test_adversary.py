"""The adversary: goals in its box, distance to the target."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.actors import Adversary
from soliton_encirclement_ros.core import Pose, TargetState
from soliton_encirclement_ros.core.parameters.adversary_parameters import AdversaryParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import SwarmParameters
from soliton_encirclement_ros.core.scenario.random_streams import random_stream

ORIGIN = (0.0, 0.0, 0.0)
START = (40.0, 40.0)
TICK = 0.05


def adversary(seed: int = 0, **changes: float) -> Adversary:
    """Return an adversary with default parameters, some changed."""
    stream = random_stream(seed, 'adversary')
    return Adversary(AdversaryParameters(**changes), SwarmParameters(), stream)


def track(
    who: Adversary, place: tuple[float, float] = START, target: tuple = ORIGIN, ticks: int = 600
) -> list[tuple[float, float]]:
    """Let a body that obeys at once follow the adversary's commands; return its places."""
    places = [place]
    for k in range(1, ticks + 1):
        x, y = places[-1]
        who.receive(k * TICK, [TargetState(k, target, ORIGIN)])
        vx, vy, _ = who.decide(k * TICK, Pose((x, y, 0.0), ORIGIN)).command
        places.append((x + vx * TICK, y + vy * TICK))
    return places


@given(st.integers(0, 200), st.floats(0.0, 35.0), st.floats(0.5, 9.0))
def test_keeps_its_distance(seed: int, keep: float, speed: float) -> None:
    """It never comes closer than one tick's way inside the distance (W25: it chatters there)."""
    who = adversary(seed, adversary_min_target_distance=keep, adversary_roam_speed_xy=speed)
    nearest = min(math.hypot(x, y) for x, y in track(who, ticks=300))
    assert nearest >= keep - speed * TICK - 1e-9


@given(st.integers(0, 200), st.floats(5.0, 60.0))
def test_goals_are_in_the_box(seed: int, bound: float) -> None:
    """With nothing to flee from it never leaves the box that it started in."""
    who = adversary(seed, adversary_roam_bound_xy=bound, adversary_min_target_distance=0.0)
    places = track(who, (bound, -bound), ticks=300)
    assert max(max(abs(x), abs(y)) for x, y in places) <= bound + 1e-9


@pytest.mark.parametrize('place', [(-10.0, 10.0), (0.0, -29.9)])
def test_flees_straight_away_from_a_close_target(place: tuple[float, float]) -> None:
    """Spec part 11: directly away at full speed."""
    x, y = place
    vx, vy, vz = adversary().decide(0.0, Pose((x, y, 0.0), ORIGIN)).command
    r = math.hypot(x, y)
    assert (vx, vy, vz) == pytest.approx((4.0 * x / r, 4.0 * y / r, 0.0))


def test_fleeing_does_not_change_the_goal() -> None:
    """Spec part 11: the goal survives avoidance, and fleeing draws nothing."""
    straight, disturbed = adversary(), adversary()
    far, near = Pose((40.0, 40.0, 0.0), ORIGIN), Pose((1.0, 1.0, 0.0), ORIGIN)
    first = straight.decide(0.0, far).command
    assert disturbed.decide(0.0, far).command == first
    disturbed.decide(TICK, near)
    assert disturbed.decide(2 * TICK, far).command == first


def test_remembers_the_target_for_ever() -> None:
    """Spec part 11: the last place counts however old it is; before the first it is the origin."""
    who = adversary()
    assert who.decide(0.0, Pose((1.0, 0.0, 0.0), ORIGIN)).command == (4.0, 0.0, 0.0)
    who.receive(TICK, [TargetState(1, (2.0, 0.0, 0.0), ORIGIN)])
    assert who.decide(1e4, Pose((1.0, 0.0, 0.0), ORIGIN)).command == (-4.0, 0.0, 0.0)


def test_says_where_it_is_with_rising_numbers() -> None:
    """Sequence numbers from 1, the pose as measured."""
    who, pose = adversary(), Pose((40.0, 1.0, 2.0), (3.0, 4.0, 5.0))
    said = [who.decide(k * TICK, pose).state for k in range(3)]
    assert [state.seq for state in said] == [1, 2, 3]
    assert said[0][1:] == (*pose, 0.0)


@pytest.mark.parametrize(
    ('name', 'value'),
    [('adversary_roam_speed_xy', 9.0), ('adversary_roam_bound_xy', 15.0),
     ('adversary_min_target_distance', 50.0)],
)  # fmt: skip
def test_new_values_in_flight_keep_the_goal(name: str, value: float) -> None:
    """It roams by them from then on; the old ones again lead to the old goal."""
    plain = track(adversary())
    who = adversary()
    who.retune(AdversaryParameters(**{name: value}))
    assert track(who) == track(adversary(**{name: value})) != plain
    again = adversary()
    first = track(again, ticks=100)
    again.retune(AdversaryParameters(**{name: value}))
    again.retune(AdversaryParameters())
    assert track(again, first[-1], ticks=500) == plain[100:]
