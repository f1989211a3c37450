"""Reports of the target that agents pass on to each other: which are told, which are taken.

An agent tells the newest report that it holds, as it heard it, with its age. Another one takes it
if it is younger than its own by more than half a control period. A report that goes round never
gets younger, so it is taken once by everybody and no echo keeps it alive: not even where clocks
differ, since what a clock adds on the way out it takes off on the way back.
"""

from velocity_mobility_ros.core.frames import is_plausible

PREFIX = 'relay_'
"""What the names of a report's fields in a broadcast state begin with."""

AGE = f'{PREFIX}age'
"""Field with the age [s] of the report when the message was sent, ``NOTHING_TOLD``: none."""

AHEAD = f'{PREFIX}ahead'
"""Field with the time [s] by which the message is younger than the sender's pose."""

REPORT = tuple(f'{PREFIX}{name}' for name in ('x', 'y', 'z', 'vx', 'vy', 'vz', 'omega_ref'))
FIELDS = (*REPORT, AGE, AHEAD)

NOTHING_TOLD = -1.0

FIRST_TAKEN = -2
"""Number of the first report that an agent takes from another one; the next ones count down.

The target's own numbers are not negative, so each report that a law gets has another number.
"""


def is_told(age: float, hold: float) -> bool:
    """Return whether an agent passes on its report.

    Args:
        age: Age of the report [s], infinite without one.
        hold: Age [s] beyond which the target is lost.
    """
    return 0.0 <= age <= hold and is_plausible(age)


def relayed_age(age: float, ahead: float, told: float) -> float:
    """Return the age [s] of a report from another agent.

    Args:
        age: Present age of the message that tells it [s]: that of the sender's pose.
        ahead: Time [s] by which the message is younger than the pose.
        told: Age of the report when the message was sent [s].
    """
    return max(0.0, age - ahead) + told


def is_taken(age: float, own_age: float, hold: float, period: float) -> bool:
    """Return whether an agent takes a report from another one in the place of its own.

    Args:
        age: Age of the report [s].
        own_age: Age of its own [s], infinite without one.
        hold: Age [s] beyond which the target is lost.
        period: Control period [s].
    """
    return 0.0 <= age <= hold and age < own_age - 0.5 * period
