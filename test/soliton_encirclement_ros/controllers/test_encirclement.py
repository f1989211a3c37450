"""The law in polar coordinates: frames, ranks, and the poles that the acceleration promises."""

import math

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.controllers.encirclement import (
    EncirclementGains, sqrt_controller, wanted_acceleration, wanted_speeds
)
from soliton_encirclement_ros.core.ring.ring_geometry import IN_PLACE, Polar, Shift, polar
from support.strategies import ANY_NUMBER

GAINS = EncirclementGains(
    k_r=1.0, k_s=1.5, k_v=4.0, approach=3.2, spacing=3.2, r_min=1.0, max_speed=10.0
)  # fmt: skip
BOUNDLESS = GAINS._replace(max_speed=1e9)
R = 20.0
NOTHING = (0.0, 0.0)
SPEED = st.floats(-10.0, 10.0)
ANGLE = st.floats(-3.1, 3.1)
BODY = st.tuples(st.floats(11.0, 60.0), ANGLE, SPEED, SPEED)


def body(r: float, theta: float, vr: float, vt: float) -> tuple[float, float, float, float]:
    """Return offset and relative velocity of a body in plane polar coordinates."""
    c, s = math.cos(theta), math.sin(theta)
    return r * c, r * s, vr * c - vt * s, vr * s + vt * c


def total(speeds: tuple, at: Polar, base: tuple[float, float]) -> tuple[float, float]:
    """Return base, radial and tangential wanted speeds as one vector."""
    radial, across = speeds[0], speeds[1] + speeds[2]
    return base[0] + radial * at.ex - across * at.ey, base[1] + radial * at.ey + across * at.ex


@given(BODY)
def test_there_and_back_in_polar_coordinates(drawn: tuple) -> None:
    """Radius, both speeds and the angular rate come out as they went in."""
    r, theta, vr, vt = drawn
    at = polar(*body(*drawn), 1.0)
    assert (at.r, at.vr, at.vt, at.rate) == pytest.approx((r, vr, vt, vt / r), abs=1e-9)
    assert (at.ex, at.ey) == pytest.approx((math.cos(theta), math.sin(theta)), abs=1e-12)


@given(st.floats(0.0, 1.0), ANGLE, SPEED, SPEED)
def test_close_to_the_target_rates_are_bounded(
    r: float, theta: float, vr: float, vt: float
) -> None:
    """Within r_min the rate counts as at r_min; at the target itself east is outwards."""
    at = polar(*body(r, theta, vr, vt), 1.0)
    assert abs(at.rate) <= math.hypot(vr, vt) * (1.0 + 1e-12)
    assert polar(0.0, 0.0, vr, vt, 1.0)[:3] == (0.0, 1.0, 0.0)


@given(BODY, st.floats(-math.pi, math.pi), st.floats(-1.0, 1.0), st.floats(0.0, 10.0), ANGLE)
def test_every_rank_fits_into_what_the_ranks_before_left(
    drawn: tuple, angle: float, omega: float, speed: float, heading: float
) -> None:
    """Target, then radius, then spacing, then spin: after each of them the limit holds."""
    at, base = polar(*body(*drawn), 1.0), (speed * math.cos(heading), speed * math.sin(heading))
    wanted = wanted_speeds(at, Shift(angle, 0.0), omega, base, R, GAINS)
    radial, spacing, spin = wanted[:3]
    for speeds in ((0, 0, 0), (radial, 0, 0), (radial, spacing, 0), (radial, spacing, spin)):
        assert math.hypot(*total(speeds, at, base)) <= 10.0 * (1.0 + 1e-9)


@given(BODY, st.floats(-math.pi, math.pi), st.floats(-1.0, 1.0))
def test_a_lower_rank_takes_nothing_from_a_higher_one(
    drawn: tuple, angle: float, omega: float
) -> None:
    """Spin changes no spacing, spacing no radial speed."""
    at, base = polar(*body(*drawn), 1.0), (3.0, -4.0)
    full = wanted_speeds(at, Shift(angle, 0.0), omega, base, R, GAINS)
    calm = wanted_speeds(at, Shift(angle, 0.0), 0.0, base, R, GAINS)
    bare = wanted_speeds(at, IN_PLACE, 0.0, base, R, GAINS)
    assert full[:2] == calm[:2] and full.radial == bare.radial


@given(BODY, st.floats(-3.0, 3.0))
def test_spin_asks_for_no_more_than_the_turn_allows(drawn: tuple, omega: float) -> None:
    """A turn takes w_o^2 / r of acceleration; the share says what that left of the wish."""
    at = polar(*body(*drawn), 1.0)
    wanted = wanted_speeds(at, IN_PLACE, omega, NOTHING, R, BOUNDLESS)
    assert wanted.spin**2 / at.r <= 3.2 * (1.0 + 1e-12)
    assert wanted.spin == pytest.approx(wanted.spin_share * at.r * omega)
    assert (wanted.spin_share == 1.0) == (at.r * omega**2 <= 3.2) or abs(omega) < 1e-9


@given(BODY)
def test_the_radial_error_has_the_pole_of_the_velocity_gain(drawn: tuple) -> None:
    """d/dt (w_r - v_r) = -k_v (w_r - v_r) for any radius and any speeds: all else cancels."""
    r, _, vr, vt = drawn
    at = polar(*body(*drawn), 1.0)
    wanted = wanted_speeds(at, IN_PLACE, 0.0, NOTHING, R, BOUNDLESS)
    ax, ay = wanted_acceleration(at, wanted, IN_PLACE, R, BOUNDLESS)
    second = ax * at.ex + ay * at.ey + vt * vt / r
    assert -wanted.radial_slope * vr - second == pytest.approx(
        -4.0 * (wanted.radial - vr), abs=1e-9
    )


@given(BODY, st.floats(-1.0, 1.0), st.floats(-0.5, 0.5), st.floats(-0.3, 0.3))
def test_the_spacing_error_has_the_pole_of_the_velocity_gain(
    drawn: tuple, angle: float, rate: float, omega: float
) -> None:
    """w_s' r shift_rate - dv_t/dt = -k_v (w_s + w_o - v_t): also on the way in or out."""
    r, _, vr, vt = drawn
    at, shift = polar(*body(*drawn), 1.0), Shift(angle, rate)
    wanted = wanted_speeds(at, shift, omega, NOTHING, R, BOUNDLESS)
    ax, ay = wanted_acceleration(at, wanted, shift, R, BOUNDLESS)
    second = ay * at.ex - ax * at.ey - vr * vt / r
    lack = wanted.spacing + wanted.spin - vt
    assert wanted.spacing_slope * r * rate - second == pytest.approx(-4.0 * lack, abs=1e-9)


@given(BODY, st.floats(-math.pi, math.pi), st.floats(0.0, 10.0), ANGLE)
def test_slopes_are_cut_with_their_speeds(
    drawn: tuple, angle: float, speed: float, heading: float
) -> None:
    """What saturation leaves of a wish it leaves of its slope."""
    at, base = polar(*body(*drawn), 1.0), (speed * math.cos(heading), speed * math.sin(heading))
    wanted = wanted_speeds(at, Shift(angle, 0.0), 0.0, base, R, GAINS)
    radial, spacing = sqrt_controller(R - at.r, 1.0, 3.2), sqrt_controller(at.r * angle, 1.5, 3.2)
    cut = wanted.radial_share, wanted.spacing_share
    assert (wanted.radial, wanted.radial_slope) == (cut[0] * radial[0], cut[0] * radial[1])
    assert (wanted.spacing, wanted.spacing_slope) == (cut[1] * spacing[0], cut[1] * spacing[1])


def test_an_agent_that_crosses_the_middle_is_not_thrown_off() -> None:
    """Close to the target the curvature counts with half the radius at least."""
    at = polar(*body(0.5, 0.0, 0.0, 8.0), 1.0)
    wanted = wanted_speeds(at, IN_PLACE, 0.0, NOTHING, R, BOUNDLESS)
    ax, _ = wanted_acceleration(at, wanted, IN_PLACE, R, BOUNDLESS)
    assert ax == pytest.approx(4.0 * wanted.radial - 8.0 * 8.0 / 10.0)


@given(st.tuples(*[ANY_NUMBER] * 4), ANY_NUMBER, ANY_NUMBER, ANY_NUMBER)
def test_no_input_raises(drawn: tuple, angle: float, rate: float, omega: float) -> None:
    """Invariant 5: what comes out of wild input the actor limits; nothing is raised here."""
    at, shift = polar(*drawn, 1.0), Shift(angle, rate)
    wanted = wanted_speeds(at, shift, omega, (omega, rate), R, GAINS)
    assert len(wanted_acceleration(at, wanted, shift, R, GAINS)) == 2
