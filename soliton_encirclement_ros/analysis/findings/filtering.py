"""Commands of a recording: their counts and effort, and the share that is filtered over time."""

from collections.abc import Iterable, Mapping

import numpy as np

from soliton_encirclement_ros.analysis.findings.finding_records import FindingSettings
from soliton_encirclement_ros.analysis.findings.participants import Participants
from soliton_encirclement_ros.analysis.recording import Floats, Telemetry
from soliton_encirclement_ros.analysis.resampling import zero_order_hold
from soliton_encirclement_ros.core.laws.filter_codes import NONE
from soliton_encirclement_ros.core.laws.telemetry import FILTER_NAMES
from soliton_encirclement_ros.core.run.figures.command_effort import (
    CHANGE,
    JERK,
    effort_facts,
    no_effort,
    note_effort,
)
from soliton_encirclement_ros.core.run.separation.flight_bounds import (
    BEYOND,
    NOT_FINITE,
    is_broken,
    is_unlimited,
)


def is_filtered(telemetry: Iterable[Telemetry]) -> bool:
    """Return whether any agent tells what a filter did."""
    return any(FILTER_NAMES[0] in one.values for one in telemetry)


def filtered_share(telemetry: Mapping[int, Telemetry], at: Floats) -> Floats:
    """Return the share of agents in flight whose last command the filter changed.

    Args:
        telemetry: Telemetry of the agents.
        at: (S,) times [s].

    Returns:
        (S,) NaN while no agent flies; all NaN if none tells what a filter did.
    """
    flying, changed = np.zeros(len(at)), np.zeros(len(at))
    for one in telemetry.values():
        reasons = one.values.get(FILTER_NAMES[0])
        if reasons is None:
            continue
        up = zero_order_hold(one.time, one.failed, at) == 0.0
        flying += up
        changed += up & (zero_order_hold(one.time, reasons, at, missing=NONE) != NONE)
    with np.errstate(invalid='ignore'):
        return changed / flying


def command_facts(
    participants: Participants, settings: FindingSettings, period: float
) -> dict[str, float | None]:
    """Return what a world tells of all commands, None where it is not known.

    Args:
        participants: The agents.
        settings: Limits of the commands.
        period: Time between two commands [s]; NaN if it is not known.

    Returns:
        How many are beyond the limits or not finite, and how much they change.
    """
    known = [
        one.commands.velocity.T
        for one in participants.members.values() if one.commands is not None
    ]  # fmt: skip
    if not known:
        return dict.fromkeys((BEYOND, NOT_FINITE, CHANGE, JERK))
    most_xy, most_z = settings.max_speed_xy, settings.max_speed_z
    beyond = None
    if most_xy is not None and most_z is not None:
        beyond = sum(int(is_unlimited(one, most_xy, most_z).sum()) for one in known)
    with np.errstate(invalid='ignore'):
        broken = sum(int(is_broken(one).sum()) for one in known)
    efforts = effort_facts((_effort(one.T) for one in known), period)
    return {BEYOND: beyond, NOT_FINITE: broken, **efforts}


def _effort(commands: Floats) -> list[float]:
    """Return the row of an agent for ``effort_facts`` after its commands (K, 3)."""
    row = no_effort()
    for velocity in commands.tolist():
        note_effort(row, *velocity)
    return row
