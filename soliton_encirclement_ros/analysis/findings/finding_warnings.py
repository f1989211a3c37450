"""Warnings about findings: estimated values, missing data, differences to the scenario."""

import math
from collections.abc import Iterator

from velocity_mobility_ros.core.shown import counted

from soliton_encirclement_ros.analysis.findings.finding_records import (
    ESTIMATED,
    UNKNOWN,
    Agreement,
    FindingSettings,
)
from soliton_encirclement_ros.analysis.findings.participants import Participants, nonempty
from soliton_encirclement_ros.analysis.findings.settings import median_distance
from soliton_encirclement_ros.core.files.name_list import named
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import uav_id

SAME = 1e-9
"""Metrics that differ by less than this from the published ones are equal."""


def finding_warnings(
    participants: Participants,
    settings: FindingSettings,
    live: Agreement | None,
    flown: Scenario | None = None,
) -> Iterator[str]:
    """Iterate over all warnings, one line each.

    Args:
        participants: Members with a role.
        settings: Reference values.
        live: Comparison with the published metrics, None without any.
        flown: The scenario of the run, None if unknown.
    """
    if flown is not None:
        yield from _count_warnings(participants, flown.run.num_agents)
    yield from _ring_warnings(participants, settings)
    yield from _source_warnings(participants, settings, flown)
    if live is not None:
        name, most = max(live.largest.items(), key=lambda pair: pair[1])
        if most > SAME:
            yield (
                f'metrics differ from those published in flight, most {name} by {most:.3g}: '
                'the monitor received other messages than the recorder'
            )


def _count_warnings(participants: Participants, flown: int) -> Iterator[str]:
    """Compare the number of agents in the bag with the scenario's."""
    recorded = len(participants.on_ring) + (uav_id(participants.target_name or '') is not None)
    agents = counted(recorded, 'agent')
    if recorded > flown:
        yield (
            f'the bag has {agents}, the scenario {flown}: the share alive counts those '
            'in the bag; check that the bag belongs to this run'
        )
    elif recorded < flown:
        yield (
            f'the bag has {agents}, the scenario {flown}: missing agents count as not alive'
        )


def _ring_warnings(participants: Participants, settings: FindingSettings) -> Iterator[str]:
    if not participants.members:
        yield 'no agents: nothing to evaluate'
    if settings.target is None:
        names = [participants.names[k] for k in participants.agents]
        wanted = f'one of {named(names)}' if len(names) > 1 else 'a member'
        yield (
            'no target: no member called target has a place in the bag, so metrics and verdict '
            f'are unknown; name {wanted} with --target NAME, or a fixed point with --target X,Y'
        )
    elif settings.radius_from == ESTIMATED:
        yield (
            f'radius unknown: estimated as {settings.radius:.3f} m, the median distance to the '
            'target in the second half; E_r is relative to it; set it with --radius'
        )
    elif settings.radius_from == UNKNOWN:
        yield _why_unknown(participants, settings)


def _why_unknown(participants: Participants, settings: FindingSettings) -> str:
    distance = median_distance(participants, settings.target, settings.step, settings.timeout)
    if math.isnan(distance):
        return (
            'radius unknown: target and agents were not received at the same time; set it with '
            '--radius'
        )
    return (
        f'radius unknown: the agents are at the target (median distance {distance:.3f} m in the '
        'second half), so it cannot be estimated and E_r is unknown; set it with --radius'
    )


def _source_warnings(
    participants: Participants, settings: FindingSettings, flown: Scenario | None
) -> Iterator[str]:
    if participants.members and participants.is_foreign:
        return  # what only this package's nodes publish is not missing there
    missing = [name for k, name in participants.names.items() if k not in participants.agents]
    if missing:
        yield f'no state was received from: {_listed(missing, 0)}'
    if participants.agents and not participants.uses_states:
        yield (
            'no agent states: odometry is used instead; an agent counts as lost when its '
            f'odometry is older than {settings.timeout:g} s'
        )
    if participants.target is not None and not participants.target.from_states:
        yield f'no target states: the odometry of {participants.target_name} is used instead'
    for kind, cost in (
        ('telemetry', 'failures, time down and neighbour switches'),
        ('commands', 'tracking error, saturation and effort'),
    ):
        without = [
            member.name
            for member in participants.members.values()
            if not _has(getattr(member, kind))
        ]
        if without:
            yield f'no {kind} of {_listed(without, len(participants.members))}: {cost} are unknown'
    if settings.max_speed_xy is None and any(
        _has(m.commands) for m in participants.members.values()
    ):
        yield 'no scenario: speed limits and the share of saturated commands are unknown'


def _listed(names: list[str], total: int) -> str:
    """Return the names as text, ``any agent`` if they are all ``total`` of them."""
    return 'any agent' if len(names) == total else named(names)


def _has(part: object) -> bool:
    return nonempty(part) is not None  # type: ignore[arg-type]
