"""An agent's own motion when its next command takes effect, from the commands on the way.

A pose is as old as the odometry is late, and a command acts after the delay of the vehicle. The
motion over both is known: the model of the vehicle with the commands that were sent in the
meantime (a Smith predictor). So the law closes its loop without the latency in it.
"""

from typing import NamedTuple

from velocity_mobility_ros.core.model import Limits, Vector, step

from soliton_encirclement_ros.core.laws.law import View
from soliton_encirclement_ros.core.stability.own_prediction import KEPT, ROUNDING

Commands = tuple[
    float, float, float, float, float, float, float, float, float, float, float, float,
    float, float, float, float, float, float, float, float, float, float, float, float,
]  # fmt: skip
"""The last ``KEPT`` horizontal commands [m/s, map], x and y of the newest first."""

NONE_SENT: Commands = (0.0,) * (2 * KEPT)  # type: ignore[assignment]


class Prediction(NamedTuple):
    """How an own motion is predicted.

    Attributes:
        is_on: Whether it is.
        delay: Time until a command takes effect [s].
        period: Control period [s].
        limits: The vehicle, as ``velocity_mobility_ros.core.model`` has it, with the lag that is
            right for steps of a period.
    """

    is_on: bool
    delay: float
    period: float
    limits: Limits


def with_command(sent: Commands, command: Vector) -> Commands:
    """Return the commands with the one of the last tick [m/s] in front."""
    return (
        command[0], command[1], sent[0], sent[1], sent[2], sent[3], sent[4], sent[5], sent[6],
        sent[7], sent[8], sent[9], sent[10], sent[11], sent[12], sent[13], sent[14], sent[15],
        sent[16], sent[17], sent[18], sent[19], sent[20], sent[21],
    )  # fmt: skip


def own_motion(view: View, sent: Commands, prediction: Prediction) -> tuple[Vector, Vector]:
    """Return position [m] and velocity [m/s] in map when the next command takes effect.

    What lies farther back than the kept commands is not predicted; the height is.

    Args:
        view: Inputs of the agent.
        sent: The commands up to the last tick.
        prediction: How to predict.
    """
    position, velocity = view.position, view.velocity
    late = prediction.delay + view.pose_age
    if not prediction.is_on or late < ROUNDING:
        return position, velocity
    period = prediction.period
    whole = int(late / period + ROUNDING)
    rest = late - whole * period
    if whole < KEPT and rest > ROUNDING:
        command = (sent[2 * whole], sent[2 * whole + 1], velocity[2])
        position, velocity = step(position, velocity, command, rest, prediction.limits)
    for k in range(min(whole, KEPT) - 1, -1, -1):
        command = (sent[2 * k], sent[2 * k + 1], velocity[2])
        position, velocity = step(position, velocity, command, period, prediction.limits)
    return position, velocity
