"""A vehicle whose estimated velocity is wrong, as PX4's in SIH: at a command of zero it stays."""

import math
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from velocity_mobility_ros.autopilot.autopilot_reports import LocalPosition, Resets
from velocity_mobility_ros.autopilot.autopilot_requests import (
    ARDUPILOT, MAVROS_ARDUPILOT, MAVROS_PX4, PX4, Intent
)
from velocity_mobility_ros.autopilot.guidance import START, fault_of, step
from velocity_mobility_ros.autopilot.position_hold import MAX_CORRECTION
from velocity_mobility_ros.autopilot.setpoint_limits import GuidanceParameters
from velocity_mobility_ros.core.twist_smoothing import Motion

DT, LAG = 0.02, 0.4
BIAS = 0.4, -0.3  # 0.5 m/s
HOLDS = GuidanceParameters()
DRIFTS = GuidanceParameters(horizontal_mode='passthrough')
STEP = (HOLDS.reference_acc_xy + HOLDS.max_acc_xy) * DT + 1e-9
"""Largest change of a setpoint that belongs to a reference and a correction [m/s]."""


class Flight:
    """A vehicle that makes its estimated velocity the one that is asked for, with a lag.

    ``place`` is the true one, ``estimate`` the estimated velocity; both can be changed.
    """

    def __init__(self, how=HOLDS, traits=PX4, bias=BIAS):
        self.how, self.traits, self.bias = how, traits, bias
        self.memory, self.intent = START, Intent.TRACK
        self.place, self.estimate, self.offset = (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)
        self.resets, self.xy_valid, self.offered = Resets(), True, 0.0
        self.places, self.sent, self.now = [], [], 1.0

    def local(self):
        """Return the report: places are right but for what they have jumped by."""
        x, y = (p + o for p, o in zip(self.place, self.offset, strict=True))
        speed = self.estimate[0] + self.offered, self.estimate[1], 0.0
        return LocalPosition(
            self.now, (x, y, 5.0), speed, 0.0, xy_valid=self.xy_valid, resets=self.resets
        )

    def fly(self, x=0.0, y=0.0, seconds=1.0):
        """Follow a command; return the setpoints and the places of that time."""
        count = round(seconds / DT)
        for _ in range(count):
            self.now += DT
            command = Motion((x, y, 0.0), 0.0)
            self.memory, found = step(
                self.how, self.memory, self.intent, command, self.local(), self.now, self.traits
            )
            assert not fault_of(found)
            self._move(found.target)
            self.sent.append(found.target[:2])
            self.places.append(self.place)
        return self.sent[-count:], self.places[-count:]

    def _move(self, target):
        self.estimate = tuple(
            e + (c - e) * DT / LAG for e, c in zip(self.estimate, target[:2], strict=True)
        )
        self.place = tuple(
            p + (e - b) * DT for p, e, b in zip(self.place, self.estimate, self.bias, strict=True)
        )

    def jump(self, xy, velocity=(0.0, 0.0)):
        """Let the estimate jump, and tell of it."""
        was = self.resets
        self.offset = tuple(a + b for a, b in zip(self.offset, xy, strict=True))
        self.estimate = tuple(a + b for a, b in zip(self.estimate, velocity, strict=True))
        self.bias = tuple(a + b for a, b in zip(self.bias, velocity, strict=True))
        self.resets = was._replace(
            xy=was.xy + 1, delta_xy=xy, v_xy=was.v_xy + 1, delta_v_xy=velocity
        )


def farthest(places, start):
    return max(math.dist(start, place) for place in places)


def largest_step(sent):
    return max(math.dist(a, b) for a, b in pairwise(sent))


@pytest.mark.parametrize('traits', [PX4, MAVROS_PX4, ARDUPILOT, MAVROS_ARDUPILOT])
def test_a_command_of_zero_is_a_place_after_the_vehicle_has_braked(traits):
    found = []
    for how in (HOLDS, DRIFTS):
        flight = Flight(how, traits)
        flight.fly(3.0, 1.0, seconds=4.0)
        flight.fly(seconds=1.5)
        found.append(farthest(flight.fly(seconds=60.0)[1], flight.place))
    held, drifted = found
    assert held < 1.0 and drifted > 25.0


def test_a_vehicle_whose_speed_is_never_seen_to_fall_is_held_after_some_time():
    flight = Flight()
    flight.fly(1.0, seconds=3.0)
    flight.offered = 0.5
    flight.fly(seconds=1.5)
    assert farthest(flight.fly(seconds=60.0)[1], flight.place) < 1.2


@pytest.mark.parametrize('command', [(0.2, 0.0), (0.0, -0.02), (-4.0, 1.0)])
def test_a_command_is_flown_as_it_is_once_the_correction_has_faded_out(command):
    flight, other = Flight(), Flight(DRIFTS)
    for one in (flight, other):
        one.fly(seconds=10.0)
        one.fly(*command, seconds=3.0)
    tracked = flight.fly(*command)[0]
    assert tracked == other.fly(*command)[0]
    assert tracked[-1] == pytest.approx(command, abs=1e-6)


def test_a_vehicle_that_was_pushed_comes_back_within_the_bound_of_the_correction():
    flight = Flight(bias=(0.0, 0.0))
    flight.fly(seconds=3.0)
    flight.place = 6.0, 8.0
    sent, _ = flight.fly(seconds=15.0)
    assert max(math.hypot(*one) for one in sent) == pytest.approx(MAX_CORRECTION)
    assert largest_step(sent) <= STEP and math.hypot(*flight.place) < 0.2


def test_a_kept_place_jumps_with_the_estimate():
    flight = Flight()
    flight.fly(seconds=20.0)
    start = flight.place
    flight.jump((3.0, -1.0), (0.1, 0.1))
    assert farthest(flight.fly(seconds=20.0)[1], start) < 0.2  # of the bias, which has changed


def test_without_a_valid_position_nothing_is_added_and_then_there_is_another_place():
    flight = Flight()
    flight.fly(seconds=10.0)
    flight.xy_valid = False
    sent, _ = flight.fly(seconds=4.0)
    assert largest_step(sent) <= STEP and sent[-1] == pytest.approx((0.0, 0.0), abs=1e-9)
    flight.xy_valid = True
    assert farthest(flight.fly(seconds=20.0)[1], flight.place) < 1.0


def test_braking_takes_the_correction_away_within_its_limit():
    flight = Flight()
    flight.fly(seconds=10.0)
    flight.intent = Intent.BRAKE
    sent, _ = flight.fly(seconds=2.0)
    assert largest_step([*flight.sent[-101:-100], *sent]) <= HOLDS.max_acc_xy * DT + 1e-9
    assert sent[-1] == (0.0, 0.0)
    flight.intent = Intent.TRACK
    assert flight.fly(seconds=DT)[0] == [(0.0, 0.0)]


SLOW = st.floats(-0.3, 0.3)
FAST = st.floats(-8.0, 8.0)
COMMAND = st.one_of(st.just((0.0, 0.0)), st.tuples(SLOW, SLOW), st.tuples(FAST, FAST))
PART = st.tuples(
    COMMAND, st.sampled_from([0.02, 0.1, 0.5, 2.0]),
    st.one_of(st.none(), st.none(), st.tuples(FAST, FAST)), st.booleans(),
)  # fmt: skip


@given(st.lists(PART, min_size=1, max_size=12), st.sampled_from([PX4, ARDUPILOT]))
def test_whatever_is_commanded_setpoints_stay_within_the_limits(parts, traits):
    flight = Flight(traits=traits)
    for command, seconds, jump, is_valid in parts:
        flight.xy_valid = is_valid
        if jump is not None:
            flight.jump(jump)
        flight.fly(*command, seconds=seconds)
        added = math.dist(flight.memory.latched.velocity, flight.memory.latched.commanded)
        assert added <= MAX_CORRECTION + 1e-9
    assert max(math.hypot(*one) for one in flight.sent) <= HOLDS.max_speed_xy + 1e-9
    assert len(flight.sent) < 2 or traits is ARDUPILOT or largest_step(flight.sent) <= STEP
