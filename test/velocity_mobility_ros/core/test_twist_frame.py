"""The frame of a twist by displacements: what is told within two seconds, and what never is."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from velocity_mobility_ros.core.odometry_consistency import TwistReading, TwistWatch

RATE = 20
Flight = tuple[np.ndarray, np.ndarray]
"""Positions [m] and velocities [m/s] on the ground, a row per message."""


def ring(speed: float, duration: float, radius: float = 8.0) -> Flight:
    angle = speed / radius * np.arange(round(duration * RATE)) / RATE
    place = radius * np.column_stack([np.cos(angle), np.sin(angle)])
    return place, speed * np.column_stack([-np.sin(angle), np.cos(angle)])


def turned(velocity: np.ndarray, yaw: float) -> np.ndarray:
    c, s = math.cos(yaw), math.sin(yaw)
    return velocity @ np.array([[c, s], [-s, c]])


def readings(
    flight: Flight, yaw: float, of_body: bool, watch: TwistWatch | None = None, lost: int = 0
) -> list[TwistReading]:
    """Return what is said after each message of a body with a heading, read as of the body.

    Of every 120 messages so many are lost.
    """
    place, velocity = flight
    twist = turned(velocity, -yaw) if of_body else velocity
    watch, told = TwistWatch() if watch is None else watch, []
    for k, rows in enumerate(zip(place, turned(twist, yaw), twist, strict=True)):
        if k % 120 >= lost:
            watch.add(k / RATE, *((x, y, 0.0) for x, y in rows))
        told.append(watch.reading)
    return told


@pytest.mark.parametrize(
    ('speed', 'yaw', 'within'),
    [(1.0, 90.0, 1.5), (3.0, 30.0, 1.5), (0.7, 90.0, 2.0), (10.0, 180.0, 1.0)],
)
def test_a_twist_along_other_axes_is_told_within_two_seconds(
    speed: float, yaw: float, within: float
) -> None:
    told = readings(ring(speed, 30.0), math.radians(yaw), of_body=False)
    assert told.index(TwistReading.OTHER) / RATE <= within
    assert told[-1] is TwistReading.OTHER
    right = readings(ring(speed, 30.0), math.radians(yaw), of_body=True)
    assert set(right) == {TwistReading.UNKNOWN, TwistReading.RIGHT}


def still(duration: float) -> Flight:
    """Return a body that hovers while its position wanders by 0.5 m within a minute."""
    draw, count = np.random.default_rng(4), round(duration * RATE)
    keep = math.exp(-1.0 / RATE / 60.0)
    place = np.zeros((count, 2))
    for k in range(1, count):
        place[k] = keep * place[k - 1] + 0.5 * math.sqrt(1 - keep**2) * draw.normal(size=2)
    return place, np.zeros((count, 2))


def noisy(size: float, speed: float = 1.0) -> Flight:
    place, velocity = ring(speed, 120.0)
    draw = np.random.default_rng(5)
    return place + draw.normal(0.0, size, place.shape), velocity + draw.normal(
        0.0, 0.1, place.shape
    )


def jumping() -> Flight:
    place, velocity = ring(1.0, 120.0)
    draw = np.random.default_rng(6)
    for k in range(100, len(place), 200):
        place[k:] += draw.uniform(-3.0, 3.0, 2)
    return place, velocity


def drifting() -> Flight:
    """Return a hovering body whose velocity estimate is wrong by 0.4 m/s for long."""
    place = np.outer(np.arange(120 * RATE) / RATE, (0.4, 0.0))
    return place, np.zeros(place.shape)


@pytest.mark.parametrize('flight', [
    lambda: still(300.0), lambda: noisy(0.3), lambda: noisy(1.0), lambda: noisy(0.1, 0.2),
    jumping, drifting,
])  # fmt: skip
def test_noise_jumps_and_slow_motion_tell_nothing(flight: Callable[[], Flight]) -> None:
    for yaw in (0.5, math.pi / 2.0, math.pi):
        told = set(readings(flight(), yaw, of_body=True))
        assert told <= {TwistReading.UNKNOWN, TwistReading.RIGHT}


@pytest.mark.parametrize(('speed', 'yaw'), [(2.0, 0.0), (0.2, math.pi)])
def test_where_the_readings_are_nearly_the_same_nothing_is_told(speed: float, yaw: float) -> None:
    assert set(readings(ring(speed, 60.0), yaw, of_body=False)) == {TwistReading.UNKNOWN}


def test_a_gap_is_no_displacement_and_one_stretch_along_other_axes_is_a_correction() -> None:
    for lost in (60, 100, 118):
        gaps = readings(ring(3.0, 60.0), math.pi / 2.0, True, lost=lost)
        assert set(gaps) <= {TwistReading.UNKNOWN, TwistReading.RIGHT}
    place, velocity = ring(1.0, 20.0)
    slid = turned(velocity, -math.pi / 2.0) - velocity  # for 0.8 s, as if the twist were of map
    place = place + np.cumsum(np.where(np.arange(400)[:, None] // 16 == 4, slid, 0.0), 0) / RATE
    assert set(readings((place, velocity), math.pi / 2.0, True)) == {
        TwistReading.UNKNOWN, TwistReading.RIGHT
    }  # fmt: skip


@pytest.mark.parametrize('share', [0.0, 0.01])
def test_a_twist_that_explains_no_displacement_is_told(share: float) -> None:
    place, velocity = ring(1.0, 30.0)
    told = readings((place, share * velocity), 0.5, of_body=True)
    assert told.index(TwistReading.NEITHER) / RATE <= 15.0


def test_what_was_told_ends_with_the_fault() -> None:
    watch = TwistWatch()
    readings(ring(1.0, 10.0), math.pi / 2.0, False, watch)
    assert watch.reading is TwistReading.OTHER
    told = readings(ring(1.0, 10.0), math.pi / 2.0, True, watch)  # from time 0: another publisher
    assert told[-1] is TwistReading.RIGHT
