"""Where the target is now: dead reckoning, the filtered acceleration, gaps in its words."""

import math

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core.states.states import MotionState, TargetState, moved
from soliton_encirclement_ros.core.states.target_filter import NO_TRACK, motion_of, updated_track

ORIGIN = (0.0, 0.0, 0.0)
PERIOD = 0.05
NUMBER = st.floats(-10.0, 10.0)
PAIR = st.tuples(NUMBER, NUMBER)


class Listener:
    """Somebody who hears the target."""

    def __init__(self, time_constant: float) -> None:
        """Know nothing; filter with a time constant [s]."""
        self.track, self.time_constant = NO_TRACK, time_constant

    def receive(self, now: float, said: TargetState, age: float, fresh: bool) -> MotionState:
        """Take in words; return how the target moves."""
        self.track = updated_track(
            self.track, said.seq, said.velocity, now - age, fresh, self.time_constant
        )
        return motion_of(self.track, said.position, said.velocity, age)


def at(k: int, motion: MotionState) -> TargetState:
    """Return what a target says at tick k that began with a motion at tick 0."""
    now = moved(motion, k * PERIOD)
    return TargetState(k, now.position, now.velocity)


def heard(track: Listener, motion: MotionState, ticks: int, delay: int = 1) -> MotionState:
    """Let a track hear a motion for some ticks, always ``delay`` ticks late."""
    for k in range(delay, ticks):
        state = at(k - delay, motion)
        found = track.receive(k * PERIOD, state, delay * PERIOD, True)
    return found


@given(PAIR, PAIR, st.integers(0, 10))
def test_a_constant_velocity_is_met_at_once_and_exactly(
    place: tuple, velocity: tuple, delay: int
) -> None:
    """From the first word on the target is where it is now, not where it was."""
    motion = MotionState((*place, 3.0), (*velocity, -1.0), (0.0, 0.0))
    for ticks in (delay + 1, delay + 20):
        found = heard(Listener(0.05), motion, ticks, delay)
        true = moved(motion, (ticks - 1) * PERIOD)
        assert found.position == pytest.approx(true.position, abs=1e-9)
        assert found.velocity == pytest.approx(true.velocity, abs=1e-9)
        assert found.acceleration == pytest.approx((0.0, 0.0), abs=1e-9)


@given(PAIR, st.floats(0.0, 1.0), st.integers(0, 6))
def test_a_constant_acceleration_is_learned(
    acceleration: tuple, time_constant: float, delay: int
) -> None:
    """After many time constants the filter has it, and the reckoning is exact again."""
    motion = MotionState(ORIGIN, (1.0, -2.0, 0.0), acceleration)
    found = heard(Listener(time_constant), motion, 700, delay)
    true = moved(motion, 699 * PERIOD)
    assert found.acceleration == pytest.approx(acceleration, rel=1e-6, abs=1e-6)
    assert found.position == pytest.approx(true.position, rel=1e-6, abs=1e-4)
    assert found.velocity == pytest.approx(true.velocity, rel=1e-6, abs=1e-5)


def test_the_filter_takes_its_time_constant() -> None:
    """A step of the acceleration is followed by dt / (filter + dt) at a time."""
    track, motion = Listener(0.15), MotionState(ORIGIN, ORIGIN, (2.0, 0.0))
    track.receive(0.0, at(0, motion), 0.0, True)
    for k in range(1, 6):
        found = track.receive(k * PERIOD, at(k, motion), 0.0, True)
        assert found.acceleration[0] == pytest.approx(2.0 * (1.0 - 0.75**k))


def test_between_two_words_nothing_is_learned() -> None:
    """The same state heard again only ages."""
    track, motion = Listener(0.05), MotionState(ORIGIN, (3.0, 0.0, 0.0), (1.0, 0.0))
    before = heard(track, motion, 4)
    for _ in range(3):
        after = track.receive(4 * PERIOD, at(2, motion), 2 * PERIOD, True)
        assert after.acceleration == before.acceleration
        assert after.position == pytest.approx(moved(before, PERIOD).position)


def test_a_stale_target_is_taken_to_keep_its_velocity() -> None:
    """What it accelerated with is forgotten; it flies straight on."""
    track, motion = Listener(0.05), MotionState(ORIGIN, (3.0, 1.0, 0.5), (2.0, -1.0))
    heard(track, motion, 40)
    last = at(38, motion)
    found = track.receive(39 * PERIOD + 1.0, last, 1.0 + PERIOD, False)
    assert found.acceleration == (0.0, 0.0) and found.velocity == last.velocity
    way = [(1.0 + PERIOD) * v + p for p, v in zip(last.position, last.velocity, strict=True)]
    assert found.position == pytest.approx(way)


@pytest.mark.parametrize('silence', [0.5, 0.51, 8.0])
def test_a_gap_in_its_words_is_no_acceleration(silence: float) -> None:
    """Two velocities far apart in time say nothing about what happened between."""
    track = Listener(0.0)
    track.receive(0.0, TargetState(1, ORIGIN, ORIGIN), 0.0, True)
    found = track.receive(silence, TargetState(2, ORIGIN, (5.0, 0.0, 0.0)), 0.0, True)
    assert found.acceleration == (0.0, 0.0)


def test_words_of_one_moment_are_no_acceleration() -> None:
    """A jump of velocity within no time is not divided by nothing."""
    track = Listener(0.0)
    track.receive(1.0, TargetState(1, ORIGIN, ORIGIN), 0.0, True)
    found = track.receive(1.0, TargetState(2, ORIGIN, (5.0, 0.0, 0.0)), 0.0, True)
    assert found.acceleration == (0.0, 0.0)
    assert found.velocity == (5.0, 0.0, 0.0)


def test_a_velocity_that_is_no_number_is_no_acceleration() -> None:
    """One bad word does not stay in the filter."""
    track, motion = Listener(0.05), MotionState(ORIGIN, (3.0, 0.0, 0.0), (1.0, -1.0))
    heard(track, motion, 40)
    bad = at(39, motion)._replace(velocity=(math.nan, math.inf, 0.0))
    track.receive(40 * PERIOD, bad, PERIOD, True)
    for k in (40, 41, 42):
        found = track.receive((k + 1) * PERIOD, at(k, motion), PERIOD, True)
    assert found.acceleration == pytest.approx((1.0, -1.0), abs=1e-3)
