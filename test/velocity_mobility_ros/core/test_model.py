"""The velocity model against its reference table, its original and its own laws."""

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from support.strategies import ANY_NUMBER
from velocity_mobility_ros.core.velocity_model import MobilityParameters, next_velocity, step

TOLERANCE = {'rel': 1e-12, 'abs': 1e-12}

FLOAT = st.floats(-50.0, 50.0)
VECTOR = st.tuples(FLOAT, FLOAT, FLOAT)
PERIOD = st.floats(0.001, 0.2)
SIZE = st.one_of(st.just(0.0), st.floats(0.1, 20.0))
LAG = st.one_of(st.none(), st.floats(0.2, 5.0))


@st.composite
def bodies(draw: st.DrawFn) -> MobilityParameters:
    """Draw a body; it may be unable to move at all; every lag is at least one step long."""
    return MobilityParameters(
        update_rate=draw(PERIOD),
        max_speed_xy=draw(SIZE),
        max_speed_z=draw(SIZE),
        max_acc_xy=draw(SIZE),
        max_acc_z=draw(SIZE),
        tau_xy=draw(LAG),
        tau_z=draw(LAG),
    )


def within_speed(v: tuple[float, ...], body: MobilityParameters) -> tuple[float, ...]:
    """Scale a drawn vector (components up to 50) into the body's speed limits."""
    xy, z = body.max_speed_xy / 75.0, body.max_speed_z / 75.0
    return v[0] * xy, v[1] * xy, v[2] * z


def test_reference_table(reference: Callable[[str], Any]) -> None:
    """Sixty bodies, forty steps each, against the table made with the original."""
    for case in reference('mobility.json')['cases']:
        values = dict(case['params'])
        dt = values.pop('dt')
        limits = MobilityParameters(update_rate=dt, **values).limits
        p, v = tuple(case['position']), tuple(case['velocity'])
        for entry in case['steps']:
            p, v = step(p, v, tuple(entry['cmd']), dt, limits)
            assert v == pytest.approx(entry['velocity'], **TOLERANCE)
            assert p == pytest.approx(entry['position'], **TOLERANCE)


def original_step(p: tuple, v: tuple, c: tuple, body: MobilityParameters) -> tuple:
    """Return position and velocity after one step of the original model (gradysim)."""
    core = pytest.importorskip('gradysim.simulator.handler.mobility.dynamic_velocity.core')
    dt, acc = body.update_rate, (body.max_acc_xy, body.max_acc_z)
    if body.tau_xy is None and body.tau_z is None:
        v = core.apply_acceleration_limits(v, c, dt, *acc)
    else:
        v = core.apply_velocity_tracking_first_order(v, c, dt, *acc, body.tau_xy, body.tau_z)
    v = core.apply_velocity_limits(v, body.max_speed_xy, body.max_speed_z)
    return core.integrate_position(p, v, dt), v


@given(bodies(), VECTOR, VECTOR, st.lists(VECTOR, min_size=1, max_size=20))
def test_parity_with_gradysim(
    body: MobilityParameters, p: tuple, v: tuple, commands: list[tuple]
) -> None:
    """Every step equals gradysim's own functions, from inside and outside the limits."""
    ours, theirs = (p, v), (p, v)
    for c in commands:
        ours = step(*ours, c, body.update_rate, body.limits)
        theirs = original_step(*theirs, c, body)
        assert ours[0] == pytest.approx(theirs[0], **TOLERANCE)
        assert ours[1] == pytest.approx(theirs[1], **TOLERANCE)


@pytest.mark.parametrize(
    ('v', 'c', 'expected'),
    [
        ((1.0, 2.0, 0.5), (9.0, -4.0, 0.9), (1.032, 1.976, 0.5033333333333333)),
        ((1.0, 2.0, 0.5), (1.5, 1.0, 9.9), (1.005, 1.99, 0.55)),
    ],
)
def test_golden_tracking_of_spec_part_18(v: tuple, c: tuple, expected: tuple) -> None:
    """The specification's golden vectors at default limits."""
    body = MobilityParameters()
    assert next_velocity(v, c, 0.01, body.limits) == pytest.approx(expected, rel=1e-15)


@given(bodies(), VECTOR, VECTOR)
def test_invariant_6_change_and_speed_are_bounded(
    body: MobilityParameters, v: tuple, c: tuple
) -> None:
    """Invariant 6: |dv_xy| <= A dt and |v_xy| <= S, the same for z."""
    v = within_speed(v, body)
    after = next_velocity(v, c, body.update_rate, body.limits)
    dv = [b - a for a, b in zip(v, after, strict=True)]
    slack = 1e-12
    assert math.hypot(dv[0], dv[1]) <= body.max_acc_xy * body.update_rate + slack
    assert abs(dv[2]) <= body.max_acc_z * body.update_rate + slack
    assert math.hypot(after[0], after[1]) <= body.max_speed_xy + slack
    assert abs(after[2]) <= body.max_speed_z + slack


@given(bodies(), VECTOR, VECTOR)
def test_invariant_6_a_constant_command_is_approached_on_every_axis(
    body: MobilityParameters, v: tuple, c: tuple
) -> None:
    """Invariant 6: no axis moves away from a command within the limits, none overshoots.

    Holds for a lag of at least one step; a shorter one overshoots, in the original too.
    """
    v, c = within_speed(v, body), within_speed(c, body)
    for _ in range(30):
        after = next_velocity(v, c, body.update_rate, body.limits)
        for before, now, goal in zip(v, after, c, strict=True):
            slack = 1e-12
            assert min(before, goal) - slack <= now <= max(before, goal) + slack
            assert abs(goal - now) <= abs(goal - before) + slack
        v = after


@given(bodies(), VECTOR, VECTOR, st.tuples(ANY_NUMBER, ANY_NUMBER, ANY_NUMBER))
def test_invariant_5_any_command_leaves_the_body_finite(
    body: MobilityParameters, p: tuple, v: tuple, c: tuple
) -> None:
    """Invariant 5: a command that is no number never reaches the state of the body."""
    for vector in step(p, v, c, body.update_rate, body.limits):
        assert all(math.isfinite(component) for component in vector)


def test_default_parameters_are_those_of_the_seed() -> None:
    """Spec part 15: the VM_* constants."""
    assert MobilityParameters().limits == (10.0, 5.0, 4.0, 5.0, 1.0, 1.2)
    assert MobilityParameters().update_rate == 0.01
