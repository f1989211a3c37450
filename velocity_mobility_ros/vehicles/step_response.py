"""Step responses of a vehicle: flown, and in figures as control engineers give them."""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from velocity_mobility_ros.core.coordinate_frames import rotate_z
from velocity_mobility_ros.core.velocity_model import MobilityParameters, Vector
from velocity_mobility_ros.vehicles.simulated_body import Body

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
    flown: list[list[Sample]] = []
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


LAG = 1.0 - math.exp(-1.0)
"""Share of the step at which a first-order lag has taken its time constant."""

REST = CommandStep('rest', (0.0, 0.0, 0.0), 0.0, 0.0)


class StepFigures(NamedTuple):
    """Figures of a step response; NaN for those that were not reached.

    Attributes:
        name: Name of the step.
        lag: Time [s] until 63 % of the step: that of a first-order lag.
        rise: Time [s] from 10 to 90 %.
        t90: Time [s] until 90 %.
        overshoot: Share of the step by which it is exceeded.
        tilt: Largest tilt [rad].
        height: Largest change of height [m], of a step of level flight.
    """

    name: str
    lag: float
    rise: float
    t90: float
    overshoot: float
    tilt: float
    height: float


def step_figures(
    steps: Sequence[CommandStep], flown: Sequence[Sequence[Sample]]
) -> Iterator[StepFigures]:
    """Iterate over the figures of steps, flown one after the other from rest."""
    before, start = REST, 0.0
    for step, samples in zip(steps, flown, strict=True):
        yield _figures(before, step, samples, start)
        before, start = step, samples[-1].time


def _figures(
    before: CommandStep, step: CommandStep, samples: Sequence[Sample], start: float
) -> StepFigures:
    shares = [_share(before, step, sample) for sample in samples]
    t10, t63, t90 = (
        next((sample.time - start for sample, part in zip(samples, shares, strict=True)
              if part >= level), math.nan)
        for level in (0.1, LAG, 0.9)
    )  # fmt: skip
    is_level = step.velocity[2] == before.velocity[2] == 0.0
    heights = [abs(sample.height - samples[0].height) for sample in samples]
    return StepFigures(
        step.name, t63, t90 - t10, t90, max(0.0, max(shares) - 1.0),
        max(sample.tilt for sample in samples), max(heights) if is_level else math.nan,
    )  # fmt: skip


def _share(before: CommandStep, step: CommandStep, sample: Sample) -> float:
    """Return which share of the change that a step commands is done; beyond it more than 1."""
    old, new = (*before.velocity, before.yaw_rate), (*step.velocity, step.yaw_rate)
    now = (*sample.velocity, sample.yaw_rate)
    change = [b - a for a, b in zip(old, new, strict=True)]
    done = sum((value - a) * d for value, a, d in zip(now, old, change, strict=True))
    return done / sum(d * d for d in change)
