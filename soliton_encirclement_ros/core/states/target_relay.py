"""Reports of the target that agents pass on to each other: which are told, which are taken.

An agent tells the newest report that it holds, as it heard it, with its age. Another one takes it
if it is younger than its own by more than half a control period. A report that goes round never
gets younger, so it is taken once by everybody and no echo keeps it alive: not even where clocks
differ, since what a clock adds on the way out it takes off on the way back.
"""

from collections.abc import Mapping
from typing import NamedTuple

from velocity_mobility_ros.core.frames import is_plausible

from soliton_encirclement_ros.core.states.agent_cache import Receptions
from soliton_encirclement_ros.core.states.message_acceptance import age_at, is_unread
from soliton_encirclement_ros.core.states.shared_steps import shared_step
from soliton_encirclement_ros.core.states.states import TargetState

Fields = tuple[tuple[str, float], ...]
"""Names and values of a broadcast."""

PREFIX = 'relay_'
"""What the names of a report's fields in a broadcast state begin with."""

AGE = f'{PREFIX}age'
"""Field with the age [s] of the report when the message was sent, ``NOTHING_TOLD``: none."""

AHEAD = f'{PREFIX}ahead'
"""Field with the time [s] by which the message is younger than the sender's pose."""

REPORT = tuple(f'{PREFIX}{name}' for name in ('x', 'y', 'z', 'vx', 'vy', 'vz', 'omega_ref'))
FIELDS = (*REPORT, AGE, AHEAD)

NOTHING_TOLD = -1.0
SILENT: Fields = (*((name, 0.0) for name in REPORT), (AGE, NOTHING_TOLD), (AHEAD, 0.0))
"""The fields of an agent that knows nothing."""

FIRST_TAKEN = -2
"""Number of the first report that an agent takes from another one; the next ones count down.

The target's own numbers are not negative, so each report that a law gets has another number.
"""


class Relayed(NamedTuple):
    """A report of the target from another agent, without a number, and its age [s] now."""

    report: TargetState
    age: float


NOTHING = Relayed(TargetState(FIRST_TAKEN, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), NOTHING_TOLD)


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


def told_fields(report: TargetState, age: float, ahead: float) -> Fields:
    """Return the fields of a broadcast that tell a report.

    Args:
        report: The report as it was heard.
        age: Its age [s].
        ahead: Age [s] of the sender's pose.
    """
    values = (*report.position, *report.velocity, report.omega_ref, age, ahead)
    return tuple(zip(FIELDS, values, strict=True))


@shared_step
def youngest_told(known: Receptions, since: float, now: float, timeout: float) -> Relayed:
    """Return the youngest report in the messages that came after a time; ``NOTHING``: none.

    Of equally young ones it is that of the lowest number.

    Args:
        known: The last state from every agent.
        since: The time [s].
        now: The present [s].
        timeout: How long a message is valid [s].
    """
    youngest = NOTHING
    for number in sorted(known):
        state, received, _ = known[number]
        if not is_unread(received, since, now, timeout):
            continue
        found = _told(dict(state.prop), age_at(now, received, state.age))
        if found.age >= 0.0 and (youngest is NOTHING or found.age < youngest.age):
            youngest = found
    return youngest


def _told(fields: Mapping[str, float], age: float) -> Relayed:
    """Return the report in a broadcast of a present age [s]; ``NOTHING`` if there is none."""
    if fields.get(AGE, NOTHING_TOLD) < 0.0 or not all(name in fields for name in FIELDS):
        return NOTHING
    x, y, z, vx, vy, vz, omega_ref, told, ahead = (fields[name] for name in FIELDS)
    report = TargetState(FIRST_TAKEN, (x, y, z), (vx, vy, vz), (), omega_ref)
    return Relayed(report, relayed_age(age, ahead, told))
