"""Angles, rotations and quaternions; names of frames."""

import math

import numpy as np
import pytest
from hypothesis import example, given, strategies as st
from transforms3d.quaternions import rotate_vector

from velocity_mobility_ros.core.coordinate_frames import (
    Quaternion, Transform, bodies_to_world, check_distinct, check_frame_name, frd_ned_to_flu_enu,
    frd_to_flu, inverse, levelled_to_world, multiply, ned_to_enu, ned_to_enu_yaw, next_yaw,
    quaternion_from_yaw, rotate, rotate_z, unit, wrap_2pi, wrap_pi, yaw_from_quaternion, yaws
)
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.core.velocity_model import Vector

ANGLE = st.floats(-50.0, 50.0)
LENGTH = st.floats(-1e3, 1e3)
PARTS = st.tuples(*[st.floats(-1.0, 1.0)] * 4).filter(lambda q: math.hypot(*q) > 1e-3)
VECTORS = st.tuples(LENGTH, LENGTH, LENGTH)


@pytest.mark.parametrize(
    ('angle', 'expected'), [(-1e-17, 6.283185307179586), (7.0, 0.7168146928204138)]
)
def test_golden_wrap_2pi_of_spec_part_18(angle: float, expected: float) -> None:
    """The specification's golden vectors, the rounding exception included."""
    assert wrap_2pi(angle) == expected


@pytest.mark.parametrize(
    ('angle', 'expected'), [(math.pi, -3.141592653589793), (4.0, -2.2831853071795862)]
)
def test_golden_wrap_pi_of_spec_part_18(angle: float, expected: float) -> None:
    """The specification's golden vectors; +pi becomes -pi."""
    assert wrap_pi(angle) == expected


@given(LENGTH, LENGTH, ANGLE)
def test_rotating_there_and_back(x: float, y: float, yaw: float) -> None:
    """Body to map and back returns the vector; the norm never changes."""
    turned = rotate_z(x, y, yaw)
    assert math.hypot(*turned) == pytest.approx(math.hypot(x, y), rel=1e-12)
    assert rotate_z(*turned, -yaw) == pytest.approx((x, y), rel=1e-9, abs=1e-9)


def test_a_quarter_turn_takes_forward_to_left() -> None:
    """Positive yaw is counter-clockwise: a body facing north moves north when it goes ahead."""
    assert rotate_z(1.0, 0.0, math.pi / 2.0) == pytest.approx((0.0, 1.0), abs=1e-15)


@given(st.floats(-3.14, 3.14))
def test_heading_through_a_quaternion_and_back(yaw: float) -> None:
    """Heading to quaternion and back; the quaternion has norm one and is level."""
    x, y, z, w = quaternion_from_yaw(yaw)
    assert (x, y) == (0.0, 0.0)
    assert math.hypot(z, w) == pytest.approx(1.0)
    assert yaw_from_quaternion(x, y, z, w) == pytest.approx(yaw, abs=1e-12)


@given(ANGLE, st.floats(-5.0, 5.0))
def test_next_yaw_stays_wrapped(yaw: float, rate: float) -> None:
    """The heading never leaves [-pi, pi)."""
    turned = next_yaw(yaw, rate, 0.1)
    assert -math.pi <= turned < math.pi
    assert math.cos(turned - (yaw + rate * 0.1)) == pytest.approx(1.0, abs=1e-12)


@given(st.floats(-20.0, 20.0))
@example(0.0)
@example(-0.0)
@example(2.0 * math.pi)
@example(-2.0 * math.pi)
@example(4.0 * math.pi)
@example(-5e-324)
@example(math.nan)
def test_wrapping_has_the_bits_of_the_remainder(angle: float) -> None:
    """With and without a division."""
    assert wrap_2pi(angle).hex() == (angle % (2.0 * math.pi)).hex()


def by_library(attitude: Quaternion, vector: Vector) -> list[float]:
    """Return a vector turned by transforms3d, whose quaternions are (w, x, y, z)."""
    x, y, z, w = attitude
    return list(rotate_vector(vector, (w, x, y, z)))


@given(PARTS, VECTORS)
def test_a_vector_turns_as_in_transforms3d_and_keeps_its_length(parts, vector) -> None:
    """Any attitude, any vector; and the rotation back returns it."""
    attitude = unit(parts)
    turned = rotate(attitude, vector)
    assert turned == pytest.approx(by_library(attitude, vector), rel=1e-9, abs=1e-9)
    assert math.hypot(*turned) == pytest.approx(math.hypot(*vector), rel=1e-12, abs=1e-12)
    assert rotate(inverse(attitude), turned) == pytest.approx(vector, rel=1e-9, abs=1e-9)


@given(PARTS, PARTS, VECTORS)
def test_a_product_turns_by_one_after_the_other(first, second, vector) -> None:
    """The right factor comes first, as with matrices."""
    first, second = unit(first), unit(second)
    both = rotate(multiply(first, second), vector)
    assert both == pytest.approx(rotate(first, rotate(second, vector)), rel=1e-9, abs=1e-9)


@given(PARTS, VECTORS, VECTORS, PARTS, VECTORS)
def test_a_transform_carries_a_pose_and_its_velocity(turn, shift, place, attitude, speed) -> None:
    """What a body sees ahead of it does not depend on the frame in which its pose is told."""
    transform, attitude = Transform(shift, unit(turn)), unit(attitude)
    moved = transform.point(place)
    ahead = tuple(a + b for a, b in zip(place, rotate(attitude, speed), strict=True))
    beyond = tuple(a - b for a, b in zip(transform.point(ahead), moved, strict=True))
    in_parent = rotate(transform.attitude(attitude), speed)
    assert beyond == pytest.approx(in_parent, rel=1e-6, abs=1e-6)
    turned = transform.vector(rotate(attitude, speed))
    assert turned == pytest.approx(in_parent, rel=1e-9, abs=1e-8)


def attitudes(count: int = 500) -> np.ndarray:
    """Return random unit quaternions."""
    drawn = np.random.default_rng(3).normal(size=(count, 4))
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


def test_many_headings_are_those_of_single_ones() -> None:
    """The columns of a bag and the message of a node mean the same."""
    single = [yaw_from_quaternion(*attitude) for attitude in attitudes().tolist()]
    assert yaws(attitudes()) == pytest.approx(np.array(single), abs=1e-12)


def test_many_vectors_turn_as_single_ones() -> None:
    """Whatever the length of the quaternions."""
    vectors = np.random.default_rng(4).normal(size=(500, 3))
    single = [by_library(q, v) for q, v in zip(attitudes(), vectors, strict=True)]
    assert np.allclose(bodies_to_world(3.0 * attitudes(), vectors), single, atol=1e-12)


def test_many_level_vectors_turn_by_yaw() -> None:
    """Their vertical component stays as it is."""
    rng = np.random.default_rng(5)
    headings, vectors = rng.uniform(-4, 4, 100), rng.normal(size=(100, 3))
    single = [[*rotate_z(x, y, a), z] for a, (x, y, z) in zip(headings, vectors, strict=True)]
    turned = levelled_to_world(headings, vectors)
    assert np.allclose(turned, single, atol=1e-14)
    assert np.array_equal(turned[:, 2], vectors[:, 2])


def test_no_attitude_turns_nothing() -> None:
    """A message whose orientation was never filled in holds zeros."""
    vectors = np.ones((1, 3))
    assert bodies_to_world(np.zeros((1, 4)), vectors).tolist() == vectors.tolist()
    assert yaws(np.zeros((1, 4))).tolist() == [0.0]


@pytest.mark.parametrize(
    ('yaw_ned', 'yaw_enu'),
    [(0.0, math.pi / 2), (math.pi / 2, 0.0), (3.0, -1.429204), (-3.0, -1.712389)],
)
def test_headings_from_north_and_from_east(yaw_ned, yaw_enu) -> None:
    """Clockwise from north becomes counter-clockwise from east."""
    assert ned_to_enu_yaw(np.array([yaw_ned]))[0] == pytest.approx(yaw_enu, abs=1e-6)


@pytest.mark.parametrize(
    ('change', 'expected'), [(ned_to_enu, [2.0, 1.0, -3.0]), (frd_to_flu, [1.0, -2.0, -3.0])]
)
def test_world_and_body_axes_there_and_back(change, expected) -> None:
    """Both conversions are their own inverse."""
    vectors = np.array([[1.0, 2.0, 3.0]])
    assert change(vectors).tolist() == [expected]
    assert change(change(vectors)).tolist() == vectors.tolist()


def test_an_attitude_of_px4_turns_the_same_body() -> None:
    """Turning in NED and then swapping axes is turning in ENU by the converted attitude."""
    frd = np.random.default_rng(6).normal(size=(500, 3))
    by_px4 = ned_to_enu(bodies_to_world(attitudes(), frd))
    by_ros = bodies_to_world(frd_ned_to_flu_enu(attitudes()), frd_to_flu(frd))
    assert np.allclose(by_px4, by_ros, atol=1e-12)


def test_an_attitude_of_px4_has_the_heading_from_east() -> None:
    """A level vehicle that looks 30 degrees east of north."""
    half = math.radians(30.0) / 2.0
    ned = np.array([[0.0, 0.0, math.sin(half), math.cos(half)]])
    assert yaws(frd_ned_to_flu_enu(ned))[0] == pytest.approx(math.radians(60.0))


@pytest.mark.parametrize('frame', [' ', 'a b', 'a\n', '\t', 'a\u200bb', '\x00'])
def test_a_name_with_what_is_not_seen_is_refused(frame):
    with pytest.raises(ParameterError) as caught:
        check_frame_name('odom_frame', frame)
    assert str(caught.value) == (
        f'odom_frame = {frame!r} must not contain blanks or control characters; use a '
        'name such as uav_1/odom'
    )


@pytest.mark.parametrize('frame', ['', 'map', 'uav_1/odom', '/x', 'Bücher'])
def test_any_other_name_is_taken(frame):
    check_frame_name('odom_frame', frame)


def test_frames_that_differ_or_are_not_there_are_taken():
    check_distinct({'a': 'map', 'b': '', 'c': '', 'd': 'uav_1/base_link'})


def test_two_frames_of_one_name_are_refused():
    words = "^a and c both name the frame 'map'; use two different names$"
    with pytest.raises(ParameterError, match=words):
        check_distinct({'a': 'map', 'b': 'odom', 'c': 'map'})
