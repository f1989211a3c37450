"""The target: motion, weights, spin reference."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.actors import Target
from soliton_encirclement_ros.core import AdversaryState, AgentState, Pose
from soliton_encirclement_ros.core.parameters import SwarmParameters, TargetParameters
from soliton_encirclement_ros.core.random_streams import random_stream
from support.strategies import ANY_NUMBER

ORIGIN = (0.0, 0.0, 0.0)
HOME = Pose(ORIGIN, ORIGIN)
TICK = 0.05


def target(seed: int = 0, prune: bool = True, **changes: float | bool) -> Target:
    """Return a target with default parameters, some changed."""
    swarm = SwarmParameters(prune_expired_states=prune)
    return Target(TargetParameters(**changes), swarm, random_stream(seed, 'target'), 0.0)


def ring(count: int, seq: int = 1, phase: float = 0.0) -> list[AgentState]:
    """Return agents on half a circle."""
    angles = [phase + math.pi * i / count for i in range(count)]
    return [
        AgentState(i, seq, (20.0 * math.cos(a), 20.0 * math.sin(a), 0.0), ORIGIN)
        for i, a in enumerate(angles, start=1)
    ]


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


@pytest.mark.parametrize('place', [(21.0, 5.0, 0.0), (-3.0, -20.1, 0.0), (30.0, 40.0, 9.0)])
def test_outside_its_box_it_heads_for_the_origin(place: tuple) -> None:
    """Spec 10.1: straight home at full speed, and no draw is used."""
    who, twin = target(), target()
    vx, vy, _ = who.decide(1.0, Pose(place, ORIGIN)).command
    r = math.hypot(*place[:2])
    assert (vx, vy) == pytest.approx((-5.0 * place[0] / r, -5.0 * place[1] / r))
    assert who.decide(2.0, HOME).command == twin.decide(1.0, HOME).command


def test_stands_still_for_the_first_period() -> None:
    """Spec 10.1: the first choice comes after one period, then one per period."""
    who = target()
    commands = [who.decide(k * TICK, HOME).command for k in range(1, 60)]
    assert commands[:19] == [ORIGIN] * 19
    assert len(set(commands[19:39])) == 1 and len(set(commands[39:])) == 1
    assert commands[19] != commands[39]


def test_without_speed_it_never_moves() -> None:
    """A speed of zero is a static target."""
    who = target(target_motion_speed_xy=0.0)
    assert {who.decide(k * TICK, HOME).command for k in range(1, 100)} == {ORIGIN}


def test_motion_does_not_depend_on_who_is_there() -> None:
    """Invariant 16: agents and adversary do not touch the draws of the motion."""
    alone, busy = target(), target(target_swarm_spin_enable=True, protection_angle_deg=90.0)
    for k in range(1, 100):
        busy.hear(k * TICK, [*ring(5, k), AdversaryState(k, (40.0, 0.0, 0.0), ORIGIN)])
        assert busy.decide(k * TICK, HOME).command == alone.decide(k * TICK, HOME).command


def test_says_where_it_is_with_rising_numbers() -> None:
    """Sequence numbers from 1, the pose as measured."""
    who, pose = target(), Pose((1.0, 2.0, 3.0), (4.0, 5.0, 6.0))
    said = [who.decide(k * TICK, pose).state for k in range(1, 4)]
    assert [state.seq for state in said] == [1, 2, 3]
    assert said[0][1:3] == tuple(pose)


def test_weighs_the_arcs_of_those_it_hears() -> None:
    """Spec 10.2: the domain is the agents heard; silence removes them."""
    who = target(protection_angle_deg=90.0)
    who.hear(TICK, ring(4))
    lambdas = dict(who.decide(TICK, HOME).state.lambdas)
    assert lambdas == {1: 1.0, 2: 1.0, 3: 1.0, 4: 9.0}
    assert who.decide(TICK + 0.26, HOME).state.lambdas == ()


@pytest.mark.as_original
def test_w17_without_pruning_the_dead_keep_their_weights_as_original() -> None:
    """Spec part 2, W17, as the original: pruning off changes what the target counts."""
    who = target(prune=False, protection_angle_deg=90.0)
    who.hear(TICK, ring(4))
    assert len(who.decide(100.0, HOME).state.lambdas) == 4


def test_spin_off_gives_the_base_rate() -> None:
    """Spec 10.3: the base is not limited and nobody's place matters."""
    who = target(target_swarm_omega_ref=2.5)
    who.hear(TICK, ring(4))
    assert who.decide(TICK, HOME).state.omega_ref == 2.5


@pytest.mark.parametrize(('phase', 'sign'), [(-2.0, 1.0), (0.0, -1.0)])
def test_spin_turns_the_swarm_towards_the_adversary(phase: float, sign: float) -> None:
    """A swarm short of the adversary turns counter-clockwise, one beyond it clockwise."""
    who = target(target_swarm_spin_enable=True, target_swarm_omega_pd_kd=0.0)
    who.hear(TICK, [*ring(4, phase=phase), AdversaryState(1, (40.0, 0.0, 0.0), ORIGIN)])
    assert who.decide(TICK, HOME).state.omega_ref * sign > 0.1


def test_an_unheard_adversary_is_taken_to_be_east() -> None:
    """Spec 10.3: the direction is (1, 0) until somebody was heard."""
    heard, unheard = (target(target_swarm_spin_enable=True) for _ in range(2))
    heard.hear(TICK, [*ring(4), AdversaryState(1, (77.0, 0.0, 0.0), ORIGIN)])
    unheard.hear(TICK, ring(4))
    assert heard.decide(TICK, HOME).state == unheard.decide(TICK, HOME).state


@given(st.lists(st.tuples(ANY_NUMBER, ANY_NUMBER, ANY_NUMBER), max_size=6))
def test_invariant_5_places_that_are_no_numbers_spoil_nothing(places: list[tuple]) -> None:
    """Invariant 5: command, weights and spin stay finite."""
    who = target(target_swarm_spin_enable=True, protection_angle_deg=90.0)
    who.hear(1.0, [AgentState(i, 1, place, ORIGIN) for i, place in enumerate(places)])
    command, state = who.decide(1.0, HOME)
    assert all(math.isfinite(value) for value in command)
    assert math.isfinite(state.omega_ref)
    assert all(math.isfinite(weight) and weight > 0.0 for _, weight in state.lambdas)
