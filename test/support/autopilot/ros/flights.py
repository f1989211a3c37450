"""Flights over DDS that every bridge to an autopilot with services must make.

Each function gets an operator and the vehicle's emulator, and asserts what must hold.
"""

import math

import pytest
from support.autopilot.ros.operator import Operator
from support.autopilot.ros.process import EmulatedAutopilots

QUICK = {'check_time': 1.2, 'takeoff_height': 2.0}
"""Parameters that make a flight short."""

SIDE = 4.0
"""Side of the square [m]."""


def fly_a_square(operator: Operator, vehicles: EmulatedAutopilots) -> None:
    """Take off, fly a square, hold, land, be disarmed and ready again."""
    operator.take_off()
    assert vehicles[1].height == pytest.approx(2.0, abs=0.4)
    start = operator.place
    for east, north in ((1.5, 0.0), (0.0, 1.5), (-1.5, 0.0), (0.0, -1.5)):
        corner = operator.place
        operator.command = (east, north, 0.0)
        operator.must('engage')
        operator.until(lambda at=corner: math.dist(operator.place[:2], at[:2]) > SIDE, 'a side')
        went = [b - a for a, b in zip(corner, operator.place, strict=True)]
        assert east * went[0] + north * went[1] > 0.6 * 1.5 * SIDE  # the right way
    assert math.dist(operator.place[:2], start[:2]) < 3.0
    assert abs(operator.place[2] - start[2]) < 0.4
    operator.must('hold')
    operator.until_state('HOLD')
    operator.command = None
    operator.during(1.0)
    held = operator.place
    operator.during(2.0)
    assert math.dist(operator.place, held) < 0.3
    land(operator, vehicles)


def land(operator: Operator, vehicles: EmulatedAutopilots) -> None:
    """Land and be disarmed."""
    operator.command = None
    operator.must('land')
    operator.until_state('READY')
    operator.until(lambda: not vehicles[1].armed, 'disarmed motors')
    assert vehicles[1].height < 0.1


def track(operator: Operator, vehicles: EmulatedAutopilots) -> None:
    """Be in the air, flying east."""
    operator.take_off()
    operator.command = (2.0, 0.0, 0.0)
    operator.must('engage')
    operator.until(lambda: speed(vehicles) > 1.2, 'speed')
    assert operator.state == 'TRACK'


def speed(vehicles: EmulatedAutopilots) -> float:
    """Return the true horizontal speed [m/s]."""
    return math.hypot(*vehicles[1].velocity[:2])


def lose_the_commands(operator: Operator, vehicles: EmulatedAutopilots, mode: str) -> None:
    """Brake, hold, be handed over to a mode of the autopilot; needs command_loss_time = 2 s."""
    track(operator, vehicles)
    operator.command = None
    operator.until_state('BRAKE', 'HOLD')
    operator.until_state('EXTERNAL')
    operator.until(lambda: vehicles[1].mode == mode, mode)
    assert speed(vehicles) < 0.5 and vehicles[1].armed
    accepted, words = operator.ask('arm_takeoff')
    assert not accepted and 'somebody else flies' in words
    land(operator, vehicles)
