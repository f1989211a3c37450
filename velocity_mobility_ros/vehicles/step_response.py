"""Flies a vehicle through steps of its command."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from velocity_mobility_ros.core.frames import rotate_z
from velocity_mobility_ros.core.model import MobilityParameters, Vector
from velocity_mobility_ros.vehicles.body import Body

HIGH: Vector = (0.0, 0.0, 50.0)
"""Start [m], far above any ground."""


class CommandStep(NamedTuple):
    """A command in the body frame [m/s, rad/s], held for some time [s]."""

    name: str
    velocity: Vector
    yaw_rate: float
    duration: float


class Sample(NamedTuple):
    """One update.

    Attributes:
        time: Time since the first step began [s].
        velocity: Velocity [m/s], forward, left and up of the heading.
        yaw_rate: Yaw rate [rad/s].
        tilt: Angle between the body's and the world's vertical [rad].
        height: Height above the start [m].
    """

    time: float
    velocity: Vector
    yaw_rate: float
    tilt: float
    height: float


def usual_steps(parameters: MobilityParameters) -> list[CommandStep]:
    """Return steps that stay within the limits of a vehicle: forward, sideways, up, turning."""
    fast, slow = min(5.0, parameters.max_speed_xy), min(1.0, parameters.max_speed_xy)
    up, turn = min(2.0, parameters.max_speed_z), min(1.0, parameters.max_yaw_rate)
    still = (0.0, 0.0, 0.0)
    steps = [
        CommandStep(f'forward {slow:g} m/s', (slow, 0.0, 0.0), 0.0, 5.0),
        CommandStep(f'forward {fast:g} m/s', (fast, 0.0, 0.0), 0.0, 6.0),
        CommandStep('stop', still, 0.0, 6.0),
        CommandStep(f'up {up:g} m/s', (0.0, 0.0, up), 0.0, 5.0),
        CommandStep('hold', still, 0.0, 5.0),
        CommandStep(f'turn {turn:g} rad/s', still, turn, 5.0),
        CommandStep('still', still, 0.0, 3.0),
    ]
    return [
        step
        for before, step in pairwise([CommandStep('rest', still, 0.0, 0.0), *steps])
        if step[1:3] != before[1:3]
    ]


def fly_steps(parameters: MobilityParameters, steps: Sequence[CommandStep]) -> list[list[Sample]]:
    """Return the samples of each step, flown one after the other from rest."""
    body, time = Body(parameters, HIGH), 0.0
    flown = []
    for step in steps:
        body.command(step.velocity, step.yaw_rate, in_body=True)
        flown.append([])
        for _ in range(round(step.duration / parameters.update_rate)):
            body.step()
            time += parameters.update_rate
            flown[-1].append(_sample(time, body))
    return flown


def _sample(time: float, body: Body) -> Sample:
    motion, attitude, tilt = body.motion, body.attitude, 0.0
    vx, vy, vz = motion.velocity
    if attitude is not None:
        x, y, _, _ = attitude.rotation
        tilt = 2.0 * math.asin(min(1.0, math.sqrt(x * x + y * y)))
    velocity = (*rotate_z(vx, vy, -motion.yaw), vz)
    return Sample(time, velocity, motion.yaw_rate, tilt, motion.position[2] - HIGH[2])
