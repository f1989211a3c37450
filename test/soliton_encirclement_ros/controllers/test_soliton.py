"""Our law as a whole: its fixed point, its memory, spin, altitude, and a target that is lost."""

import math

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core import Pose, TargetState
from soliton_encirclement_ros.core.parameters.control_parameters import PEER_NAMES
from soliton_encirclement_ros.core.ring.ring_geometry import NOBODY
from support.ring_scene import ORIGIN, STILL, Flyer, R, T, ahead, known, made, turning
from velocity_mobility_ros.core.velocity_model import Vector

SPEED = st.floats(-6.0, 6.0)


def law(**control: float) -> Flyer:
    """Return an agent with a fresh law and default gains, some changed."""
    return made('soliton', **control)


def on_ring(theta: float, velocity: Vector = ORIGIN, centre: Vector = ORIGIN) -> Pose:
    """Return a pose on the ring round a centre."""
    return turning(theta, 0.0, Pose(centre, velocity))


@given(st.integers(2, 12), st.tuples(SPEED, SPEED, st.floats(-2.0, 2.0)), st.floats(-3.0, 3.0))
def test_invariant_7_perfect_formation_is_a_fixed_point(
    count: int, velocity: Vector, turn: float
) -> None:
    """Invariant 7: round a target that flies straight on, the command is its velocity."""
    flyer = law()
    thetas = [turn + 2.0 * math.pi * i / count for i in range(count)]
    for k in range(1, 6):
        now, before = ahead(ORIGIN, velocity, k * T), ahead(ORIGIN, velocity, (k - 1) * T)
        others = {i + 1: on_ring(thetas[i], velocity, before) for i in range(1, count)}
        pose, target = on_ring(thetas[0], velocity, now), TargetState(k, before, velocity)
        command = flyer.step(known(k, pose, others, target))
        assert command == pytest.approx(velocity, abs=1e-9)
        assert flyer.said().u == pytest.approx(0.0, abs=1e-9)


@given(st.floats(1.0, 200.0), st.floats(-3.0, 3.0), SPEED, SPEED)
def test_the_turn_rate_is_what_saturation_leaves(
    r: float, theta: float, east: float, north: float
) -> None:
    """U times the radius is no more than the limit in one direction leaves beside the target."""
    flyer, target = law(), STILL._replace(velocity=(east, north, 0.0))
    pose = Pose((r * math.cos(theta), r * math.sin(theta), 0.0), target.velocity)
    flyer.step(known(1, pose, {2: on_ring(theta + 0.2), 3: on_ring(theta + 0.1)}, target))
    assert abs(flyer.said().u) * r <= (10.0 + math.hypot(east, north)) * (1.0 + 1e-9)


def lively(flyer: Flyer, ticks: int, first: int = 1) -> list[Vector]:
    """Let a law live through a scene in which everything moves; return its commands."""
    commands = []
    for k in range(first, first + ticks):
        turn = 0.02 * k
        others = {2: on_ring(turn - 1.0, (1.0, 2.0, 0.0)), 3: on_ring(turn + 0.5)}
        target = STILL._replace(velocity=(math.sin(turn), 1.0, 0.3), omega_ref=0.3)
        pose = Pose((21.0, 0.1 * k + 0.3 * math.sin(k), 1.0), (0.0, 2.0, 0.0))
        commands.append(flyer.step(known(k, pose, others, target)))
    return commands


@pytest.mark.parametrize('name', ['soliton', 'predictive', *PEER_NAMES])
def test_invariant_15_a_reset_forgets_everything(name: str) -> None:
    """Invariant 15: after it every bit is that of a law that was never used."""
    used, fresh = made(name), made(name)
    lively(used, 40)
    used.restart()
    assert used.telemetry() == fresh.telemetry() and used.said() == fresh.said()
    assert used.pair == (NOBODY, NOBODY)
    assert lively(used, 5, 41) == lively(fresh, 5, 41)
    assert used.telemetry() == fresh.telemetry()


def spins(flyer: Flyer, omegas: list[float], silence: float = 0.0) -> list[float]:
    """Return the followed turn rate at every tick of an agent on the ring."""
    found = []
    for k, omega in enumerate(omegas, start=1):
        target = STILL._replace(omega_ref=omega)
        flyer.step(known(k, on_ring(0.0), {}, target)._replace(silence=silence))
        found.append(flyer.values['w_spin'] / R)
    return found


@given(st.lists(st.floats(-0.4, 0.4), min_size=1, max_size=30), st.floats(0.05, 2.0))
def test_spin_follows_within_its_acceleration(omegas: list[float], acc: float) -> None:
    """No step of the turn rate is larger; what can be followed is."""
    found = spins(law(spin_acc=acc), omegas)
    for before, after, wanted in zip([0.0, *found], found, omegas, strict=False):
        assert abs(after - before) <= acc * T * (1.0 + 1e-9)
        if abs(wanted - before) < acc * T:
            assert after == pytest.approx(wanted, abs=1e-12)


def test_spin_expires_with_the_target() -> None:
    """A stale wish to turn is let go at the same rate."""
    flyer = law()
    assert spins(flyer, [0.1] * 20)[-1] == pytest.approx(0.1)
    left = spins(flyer, [0.1] * 10, silence=0.6)
    assert left == pytest.approx([0.1 - 0.01 * k for k in range(1, 11)], abs=1e-12)


def test_spin_does_not_wind_up_behind_a_fast_target() -> None:
    """While the target takes all the speed the followed rate stays at what is flown: none."""
    flyer, fast = law(), STILL._replace(velocity=(10.0, 0.0, 0.0), omega_ref=0.4)
    for k in range(1, 41):
        flyer.step(known(k, on_ring(-0.5 * math.pi, fast.velocity), {}, fast))
    assert flyer.values['w_spin'] == 0.0
    assert spins(flyer, [0.4])[0] == pytest.approx(0.2 * T)


@pytest.mark.parametrize(('agent_id', 'layer'), [(3, -2.0), (4, 0.0), (5, 2.0), (6, -2.0)])
def test_every_agent_climbs_to_its_layer(agent_id: int, layer: float) -> None:
    """Layers lie round the offset above the target, by id; there it climbs with the target."""
    target = TargetState(1, (0.0, 0.0, 4.0), (0.0, 0.0, 1.0))
    height = 4.0 + T + 7.0 + layer
    for off, climbs in ((0.0, 0.0), (-0.1, 1.0), (0.1, -1.0), (-50.0, 1.0)):
        flyer = law(agent_id=agent_id, altitude_layers=3, altitude_offset=7.0)
        pose = Pose((R, 0.0, height + off), target.velocity)
        more = flyer.step(known(1, pose, {}, target))[2] - 1.0
        assert more == pytest.approx(0.0, abs=1e-9) if not climbs else more * climbs > 0.1


def test_inside_the_hold_time_the_target_is_reckoned_on() -> None:
    """Two seconds after its last word the ring still flies with it, and keeps its order."""
    flyer, target = law(), STILL._replace(velocity=(3.0, 0.0, 0.0))
    for silence in (0.0, 0.4, 1.0, 2.4):
        centre = ahead(ORIGIN, target.velocity, silence + T)
        heard = ahead(ORIGIN, target.velocity, silence)
        others = {k: on_ring(2.0 * k, target.velocity, heard) for k in (2, 3)}
        pose = on_ring(0.0, target.velocity, centre)
        command = flyer.step(known(1, pose, others, target)._replace(silence=silence))
        assert command[0] == pytest.approx(3.0) and command[2] == 0.0
        assert flyer.pair == (3, 2)


def test_beyond_the_hold_time_it_stops() -> None:
    """Whatever it did before: zero command, nobody beside it, nothing to tell."""
    flyer = law(target_hold_time=1.0)
    lively(flyer, 10)
    seen = known(11, on_ring(0.0), {2: on_ring(1.0)})
    assert flyer.step(seen._replace(silence=1.5)) == ORIGIN
    assert flyer.pair == (NOBODY, NOBODY)
    assert flyer.telemetry() == law().telemetry()


def test_a_target_that_is_back_is_met_afresh() -> None:
    """After a stop the law is as good as new."""
    flyer, fresh = law(), law()
    lively(flyer, 10)
    flyer.step(known(11, on_ring(0.0), {})._replace(silence=9.0))
    assert lively(flyer, 5, 12) == lively(fresh, 5, 12)
