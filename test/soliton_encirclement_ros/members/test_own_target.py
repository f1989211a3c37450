"""The target: motion, weights, spin reference. The adversary: goals, distance to the target."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core import AdversaryState, AgentState, Pose, TargetState
from soliton_encirclement_ros.core.parameters.swarm_parameters import SwarmParameters
from soliton_encirclement_ros.core.parameters.target_parameters import (
    TARGET_MOTION_NAMES, AdversaryParameters, TargetParameters
)
from soliton_encirclement_ros.core.ring.spin_laws import SPIN_LAWS
from soliton_encirclement_ros.core.scenario.random_streams import random_stream
from soliton_encirclement_ros.members import own_target
from soliton_encirclement_ros.members.own_target import Adversary, Target
from soliton_encirclement_ros.swarm.target import (
    constant_velocity, motion_rules, next_velocity, random_velocity
)
from support.strategies import ANY_NUMBER
from velocity_mobility_ros.core.parameter_declaration import declarations

ORIGIN = (0.0, 0.0, 0.0)
HOME = Pose(ORIGIN, ORIGIN)
START = (40.0, 40.0)
TICK = 0.05

LAWS = pytest.mark.parametrize('law', SPIN_LAWS)


def target(seed: int = 0, prune: bool = True, **changes: float | bool | str) -> Target:
    """Return a target with default parameters, some changed."""
    swarm = SwarmParameters(prune_expired_states=prune)
    return Target(TargetParameters(**changes), swarm, random_stream(seed, 'target'))


def ring(count: int, seq: int = 1, phase: float = 0.0) -> list[AgentState]:
    """Return agents on half a circle."""
    angles = [phase + math.pi * i / count for i in range(count)]
    return [
        AgentState(i, seq, (20.0 * math.cos(a), 20.0 * math.sin(a), 0.0), ORIGIN)
        for i, a in enumerate(angles, start=1)
    ]


def test_numbers_without_end_are_refused_and_known_ones_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A stranger's new ones take no weights and no memory."""
    monkeypatch.setattr(own_target, 'MAX_MEMBERS', 5)
    who = target()
    for k in range(1, 40):
        told = [state._replace(agent_id=1000 * k + state.agent_id) for state in ring(3)]
        who.receive(k * TICK, [*ring(3, k), *told])
        numbers = {number for number, _ in who.speak(k * TICK, HOME).lambdas}
        assert {1, 2, 3} <= numbers and len(numbers) <= 5


@given(st.integers(0, 1000), st.floats(1.0, 50.0), st.floats(0.1, 9.0))
def test_wanders_within_reach_of_its_box(seed: int, bound: float, speed: float) -> None:
    """From outside it heads home, so it is never farther out than one period's way."""
    who = target(seed, target_motion_boundary_xy=bound, target_motion_speed_xy=speed)
    x = y = 0.0
    for k in range(1, 400):
        vx, vy, vz = who.decide(k * TICK, Pose((x, y, 0.0), ORIGIN)).command
        assert math.hypot(vx, vy) == pytest.approx(0.0 if k < 20 else speed)
        assert vz == 0.0
        x, y = x + vx * TICK, y + vy * TICK
        assert max(abs(x), abs(y)) <= bound + speed * 1.0 + 1e-9


def test_stands_still_for_the_first_period() -> None:
    """Spec 10.1: the first choice comes after one period, then one per period."""
    who = target()
    commands = [who.decide(k * TICK, HOME).command for k in range(1, 60)]
    assert commands[:19] == [ORIGIN] * 19
    assert len(set(commands[19:39])) == 1 and len(set(commands[39:])) == 1
    assert commands[19] != commands[39]
    assert target().decide(10.0, HOME).command != ORIGIN, 'however many periods went by'


def test_motion_does_not_depend_on_who_is_there() -> None:
    """Invariant 16: agents and adversary do not touch the draws of the motion."""
    alone, busy = target(), target(target_swarm_spin_enable=True, protection_angle_deg=90.0)
    for k in range(1, 100):
        busy.receive(k * TICK, [*ring(5, k), AdversaryState(k, (40.0, 0.0, 0.0), ORIGIN)])
        assert busy.decide(k * TICK, HOME).command == alone.decide(k * TICK, HOME).command


def test_weighs_the_arcs_of_those_it_hears() -> None:
    """Spec 10.2: the domain is the agents heard; silence removes them."""
    who = target(protection_angle_deg=90.0)
    who.receive(TICK, ring(4))
    lambdas = dict(who.decide(TICK, HOME).state.lambdas)
    assert lambdas == {1: 1.0, 2: 1.0, 3: 1.0, 4: 9.0}
    assert who.decide(TICK + 0.26, HOME).state.lambdas == ()


@pytest.mark.parametrize(('fresh', 'weight'), [(False, 27.0), (True, 21.0)])
def test_w7_the_edge_weight_follows_the_number_of_agents(fresh: bool, weight: float) -> None:
    """W7: two agents are lost while the token must stay; the original keeps the old weight."""
    who = target(protection_angle_deg=90.0, edge_weight_always_fresh=fresh)
    who.receive(TICK, ring(10))
    assert dict(who.decide(TICK, HOME).state.lambdas)[10] == 27.0
    reordered = [agent._replace(agent_id=11 - agent.agent_id) for agent in ring(10, 2)]
    who.receive(0.3, reordered[:8])
    lambdas = dict(who.decide(0.35, HOME).state.lambdas)
    assert len(lambdas) == 8 and lambdas[10] == weight


@pytest.mark.as_original
def test_w17_without_pruning_the_dead_keep_their_weights_as_original() -> None:
    """Spec part 2, W17, as the original: pruning off changes what the target counts."""
    who = target(prune=False, protection_angle_deg=90.0)
    who.receive(TICK, ring(4))
    assert len(who.decide(100.0, HOME).state.lambdas) == 4


def spinning(law: str, **changes: float) -> Target:
    """Return a target that wants the ring to turn by a law."""
    return target(target_swarm_spin_enable=True, target_swarm_spin_law=law, **changes)


def rates(who: Target, ticks: range, adversary: bool, phase: float = 0.0) -> list[float]:
    """Return what a target wants at some ticks, with an adversary in the east or silent."""
    found = []
    for k in ticks:
        seen = [AdversaryState(k, (40.0, 0.0, 0.0), ORIGIN)] if adversary else []
        who.receive(k * TICK, [*ring(4, k, phase), *seen])
        found.append(who.decide(k * TICK, HOME).state.omega_ref)
    return found


@pytest.mark.as_original
@pytest.mark.parametrize('law', ['v1', 'v3'])
def test_w12_an_unheard_adversary_is_taken_to_be_east_as_original(law: str) -> None:
    """Spec 10.3, W12, as the original: the direction is (1, 0) until somebody was heard."""
    heard, unheard = spinning(law), spinning(law)
    assert rates(heard, range(1, 20), True) == rates(unheard, range(1, 20), False)


@pytest.mark.parametrize('base', [0.0, 0.2])
def test_w12_without_an_adversary_the_ring_turns_at_its_base_rate(base: float) -> None:
    """W12, ours: never heard, or lost for longer than the timeout of 0.5 s."""
    alone, bereft = (spinning('filtered', target_swarm_omega_ref=base) for _ in range(2))
    assert rates(alone, range(1, 100), False) == [base] * 99
    assert rates(bereft, range(1, 100), True)[-1] < base - 0.1
    later = rates(bereft, range(100, 200), False)
    assert later[5] < base - 0.1 and later[-1] == base


@LAWS
def test_the_spin_law_is_a_choice(law: str) -> None:
    """By name; an even ring has no centre, and what that means differs (W12)."""
    who = spinning(law, target_swarm_omega_ref=0.2)
    who.receive(TICK, [agent for phase in (0.0, math.pi) for agent in half(phase)])
    assert who.decide(TICK, HOME).state.omega_ref == (0.0 if law == 'v1' else 0.2)


def half(phase: float) -> list[AgentState]:
    """Return half of an even ring of eight, numbered by its phase."""
    return [
        agent._replace(agent_id=agent.agent_id + (4 if phase else 0))
        for agent in ring(4, phase=phase)
    ]


@given(st.lists(st.tuples(ANY_NUMBER, ANY_NUMBER, ANY_NUMBER), max_size=6))
def test_invariant_5_places_that_are_no_numbers_spoil_nothing(places: list[tuple]) -> None:
    """Invariant 5: command, weights and spin stay finite."""
    who = target(target_swarm_spin_enable=True, protection_angle_deg=90.0)
    who.receive(1.0, [AgentState(i, 1, place, ORIGIN) for i, place in enumerate(places)])
    command, state = who.decide(1.0, HOME)
    assert all(math.isfinite(value) for value in command)
    assert math.isfinite(state.omega_ref)
    assert all(math.isfinite(weight) and weight > 0.0 for _, weight in state.lambdas)


LIVE = [name for name, one in declarations(TargetParameters).items() if one.runtime]


def other(value: float | bool | str) -> float | bool | str:
    """Return another value of the same kind."""
    if isinstance(value, str):
        return 'constant'
    return not value if isinstance(value, bool) else 0.5 * value or 0.7


@LAWS
def test_new_values_in_flight_are_those_of_a_target_made_with_them(law: str) -> None:
    """Every value arrives, and the old ones again go on with the old memory."""

    def lively(who: Target, first: int, last: int) -> list[tuple]:
        found = []
        for k in range(first, last):
            seen = [AdversaryState(k, (40.0, k, 0.0), ORIGIN)] if k % 90 < 20 else []
            who.receive(k * TICK, [*ring(5, k, 0.01 * k), *seen])
            found.append(who.decide(k * TICK, Pose((0.1 * k, 15.0, 0.0), ORIGIN)))
        return found

    given = {'protection_angle_deg': 200.0, 'target_swarm_spin_law': law,
             'target_swarm_spin_enable': True, 'target_motion_heading_deg': 10.0}  # fmt: skip
    plain, matter = lively(target(**given), 1, 150), 0
    for name in LIVE:
        new = other(getattr(TargetParameters(**given), name))
        wanted = TargetParameters(**{**given, name: new})
        who = target(**given)
        who.retune(wanted)
        expected = lively(target(**{**given, name: new}), 1, 150)
        found = lively(who, 1, 150)
        if (law, name) == ('filtered', 'target_swarm_omega_ref'):
            steps = np.diff([decision.state.omega_ref for decision in found])
            assert found != plain and np.abs(steps).max() <= 0.5 * TICK + 1e-9  # no jump
        else:
            assert found == expected, name
        matter += expected != plain
        again = target(**given)
        before = lively(again, 1, 70)
        again.retune(wanted)
        again.retune(TargetParameters(**given))
        assert [*before, *lively(again, 70, 150)] == plain, name
    assert matter >= 6


PLACE = st.tuples(st.floats(-100.0, 100.0), st.floats(-100.0, 100.0), st.just(0.0))


def stream():
    return np.random.default_rng(1)


@pytest.mark.parametrize('motion', TARGET_MOTION_NAMES)
@given(place=PLACE, speed=st.floats(0.0, 20.0), heading=st.floats(-720.0, 720.0))
def test_the_speed_is_the_one_asked_for(motion, place, speed, heading):
    parameters = TargetParameters(
        target_motion=motion, target_motion_speed_xy=speed, target_motion_heading_deg=heading
    )
    vx, vy, vz = next_velocity(motion_rules(parameters), *place[:2], stream())
    assert math.hypot(vx, vy) == pytest.approx(speed, abs=1e-9)
    assert vz == 0.0


@given(place=PLACE)
def test_from_outside_its_box_a_wanderer_turns_straight_home(place):
    x, y, _ = place
    vx, vy, _ = random_velocity(5.0, 20.0, x, y, stream())
    if max(abs(x), abs(y)) > 20.0:
        assert vx * y - vy * x == pytest.approx(0.0, abs=1e-9)
        assert vx * x + vy * y < 0.0


def test_a_standing_wanderer_draws_nothing_and_one_that_goes_straight_on_neither():
    draws = stream()
    assert random_velocity(0.0, 20.0, 0.0, 0.0, draws) == (0.0, 0.0, 0.0)
    straight_on = motion_rules(TargetParameters(target_motion='constant'))
    next_velocity(straight_on, 0.0, 0.0, draws)
    assert draws.random() == stream().random()


@pytest.mark.parametrize(
    ('heading', 'direction'), [(0.0, (1.0, 0.0)), (90.0, (0.0, 1.0)), (-135.0, (-(0.5**0.5),) * 2)]
)
def test_a_heading_is_counter_clockwise_from_east(heading, direction):
    parameters = TargetParameters(
        target_motion='constant', target_motion_heading_deg=heading, target_motion_speed_xy=5.0
    )
    for place in ((0.0, 0.0), (900.0, -900.0)):
        vx, vy, vz = next_velocity(motion_rules(parameters), *place, stream())
        assert (vx / 5.0, vy / 5.0) == pytest.approx(direction, abs=1e-12)
        assert (vx, vy, vz) == constant_velocity(5.0, heading)


def test_a_wanderer_draws_one_number_in_its_box_and_none_outside():
    draws, twin = stream(), stream()
    vx, vy, _ = random_velocity(5.0, 20.0, 20.0, -20.0, draws)
    angle = twin.random() * 2.0 * math.pi
    assert (vx, vy) == (5.0 * math.cos(angle), 5.0 * math.sin(angle))
    assert random_velocity(5.0, 20.0, 20.1, 0.0, draws) == (-5.0, 0.0, 0.0)
    assert draws.random() == twin.random()


def test_a_wanderer_at_home_without_a_box_goes_anywhere():
    assert math.hypot(*random_velocity(5.0, 0.0, 1e-13, 0.0, stream())) == pytest.approx(5.0)


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


@pytest.mark.parametrize('make', [target, adversary])
def test_says_where_it_is_with_rising_numbers(make: Callable) -> None:
    """Sequence numbers from 1, the pose as measured."""
    who, pose = make(), Pose((41.0, 2.0, 3.0), (4.0, 5.0, 6.0))
    said = [who.decide(k * TICK, pose).state for k in range(1, 4)]
    assert [state.seq for state in said] == [1, 2, 3]
    assert (said[0].position, said[0].velocity, said[0].age) == (*pose, 0.0)


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
