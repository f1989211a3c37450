"""Figures of step responses, as control engineers give them."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from velocity_mobility_ros.vehicles.step_response import CommandStep, Sample

LAG = 1.0 - math.exp(-1.0)
"""Share of the step at which a first-order lag has taken its time constant."""

REST = CommandStep('rest', (0.0, 0.0, 0.0), 0.0, 0.0)


class StepFigures(NamedTuple):
    """What a step of the command showed; NaN for what did not happen within it.

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
    before, begun = REST, 0.0
    for step, samples in zip(steps, flown, strict=True):
        yield _figures(before, step, samples, begun)
        before, begun = step, samples[-1].time


def _figures(
    before: CommandStep, step: CommandStep, samples: Sequence[Sample], begun: float
) -> StepFigures:
    shares = [_share(before, step, one) for one in samples]
    t10, t63, t90 = (
        next((one.time - begun for one, part in zip(samples, shares, strict=True)
              if part >= level), math.nan)
        for level in (0.1, LAG, 0.9)
    )  # fmt: skip
    is_level = step.velocity[2] == before.velocity[2] == 0.0
    heights = [abs(one.height - samples[0].height) for one in samples]
    return StepFigures(
        step.name, t63, t90 - t10, t90, max(0.0, max(shares) - 1.0),
        max(one.tilt for one in samples), max(heights) if is_level else math.nan,
    )  # fmt: skip


def _share(before: CommandStep, step: CommandStep, sample: Sample) -> float:
    """Return which share of the change that a step commands is done; beyond it more than 1."""
    old, new = (*before.velocity, before.yaw_rate), (*step.velocity, step.yaw_rate)
    now = (*sample.velocity, sample.yaw_rate)
    change = [b - a for a, b in zip(old, new, strict=True)]
    done = sum((value - a) * d for value, a, d in zip(now, old, change, strict=True))
    return done / sum(d * d for d in change)
