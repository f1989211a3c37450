"""The own motion when the next command takes effect: as the vehicle then really moves."""

import math

import pytest

from soliton_encirclement_ros.controllers.lag_inversion import (
    NONE_SENT, Prediction, own_motion, with_command
)
from soliton_encirclement_ros.core.laws.law import RingView, TargetView, View
from soliton_encirclement_ros.core.stability.agent_loop import KEPT
from velocity_mobility_ros.core.velocity_model import step

PERIOD = 0.05
LIMITS = (10.0, 5.0, 4.0, 5.0, 0.2, math.nan)
AT, SPEED = (1.0, 2.0, 3.0), (4.0, -1.0, 0.5)
SENT = [(6.0, -2.0), (5.0, 3.0), (-4.0, 0.0), (1.0, 1.0)]
"""Commands, the newest first."""


def seen(age: float) -> View:
    """Return what an agent sees whose pose has an age [s]."""
    target = TargetView(1, AT, SPEED, 0.0, 0.0, True)
    nobody = RingView(0, 0, (), (), (), (), (), ())
    return View(0.0, 1, AT, SPEED, (0.0, 0.0, 0.0), 0.0, target, nobody, age)


def remembered(commands=SENT):
    """Return the commands as an agent remembers them."""
    sent = NONE_SENT
    for x, y in reversed(commands):
        sent = with_command(sent, (x, y, 0.0))
    return sent


def flown(*parts):
    """Return position and velocity after commands, each for a time [s]."""
    p, v = AT, SPEED
    for (x, y), dt in parts:
        p, v = step(p, v, (x, y, v[2]), dt, LIMITS)
    return p, v


def predicted(delay: float, age: float, is_on: bool = True):
    """Return the prediction after the usual commands."""
    return own_motion(seen(age), remembered(), Prediction(is_on, delay, PERIOD, LIMITS))


def test_without_latency_or_switched_off_the_pose_is_taken_as_it_is():
    assert predicted(0.0, 0.0) == (AT, SPEED)
    assert predicted(0.3, 0.2, is_on=False) == (AT, SPEED)


@pytest.mark.parametrize(('delay', 'age'), [(0.1, 0.0), (0.0, 0.1), (0.05, 0.05)])
def test_the_commands_on_the_way_are_flown_oldest_first(delay, age):
    assert predicted(delay, age) == flown((SENT[1], PERIOD), (SENT[0], PERIOD))


def test_a_part_of_a_period_is_flown_first():
    p, v = predicted(0.07, 0.05)
    q, u = flown((SENT[2], 0.02), (SENT[1], 0.05), (SENT[0], 0.05))
    assert (*p, *v) == pytest.approx((*q, *u), abs=1e-12)


def test_what_lies_before_the_kept_commands_is_left_out():
    commands = [(float(k), 0.0) for k in range(KEPT)]
    prediction = Prediction(True, 10.0, PERIOD, LIMITS)
    found = own_motion(seen(0.0), remembered(commands), prediction)
    assert found == flown(*((command, PERIOD) for command in reversed(commands)))
