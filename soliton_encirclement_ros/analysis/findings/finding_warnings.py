"""Warnings for the reader of the findings: estimated values, and missing data."""

import math
from collections.abc import Iterator

from soliton_encirclement_ros.analysis.findings.finding_records import (
    ESTIMATED,
    UNKNOWN,
    Agreement,
    FindingSettings,
)
from soliton_encirclement_ros.analysis.findings.participants import Participants, some
from soliton_encirclement_ros.analysis.findings.settings import median_distance
from soliton_encirclement_ros.core.files.name_list import named
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import uav_id

SAME = 1e-9
"""Metrics that differ by less from those published live are the same."""


def finding_warnings(
    cast: Participants,
    settings: FindingSettings,
    live: Agreement | None,
    flown: Scenario | None = None,
) -> Iterator[str]:
    """Iterate over all doubts, one line each.

    Args:
        cast: Who takes part.
        settings: What is measured by.
        live: The metrics against those published in flight, None if there are none.
        flown: The scenario of the run, None if it is not known.
    """
    if flown is not None:
        yield from _about_the_count(cast, flown.run.num_agents)
    yield from _about_the_ring(cast, settings)
    yield from _about_sources(cast, settings)
    if live is not None:
        name, most = max(live.largest.items(), key=lambda pair: pair[1])
        if most > SAME:
            yield (
                f'metrics differ from those published in flight, most {name} by {most:.3g}: '
                'the monitor heard other words than the recorder'
            )


def _about_the_count(cast: Participants, flown: int) -> Iterator[str]:
    """Compare how many agents the bag has with how many the scenario has."""
    recorded = len(cast.members) + (uav_id(cast.target_name or '') is not None)
    if recorded > flown:
        yield (
            f'the bag has {recorded} agents, the scenario {flown}: the share alive is of those in '
            'the bag; is it the bag of another run?'
        )
    elif recorded < flown:
        yield (
            f'the bag has {recorded} agents, the scenario {flown}: who is missing counts as not '
            'alive'
        )


def _about_the_ring(cast: Participants, settings: FindingSettings) -> Iterator[str]:
    if not cast.members:
        yield 'no agents: nothing to judge'
    if settings.target is None:
        yield (
            'no target: its words and odometry are missing; name a member with --target NAME, '
            'or a fixed point with --target X,Y; until then metrics and verdict are unknown'
        )
    elif settings.radius_from == ESTIMATED:
        yield (
            f'radius unknown: taken as {settings.radius:.3f} m, the median distance to the '
            'target in the second half; E_r is measured against it; set it with --radius'
        )
    elif settings.radius_from == UNKNOWN:
        yield _why_unknown(cast, settings)


def _why_unknown(cast: Participants, settings: FindingSettings) -> str:
    distance = median_distance(cast, settings.target, settings.step, settings.timeout)
    if math.isnan(distance):
        return 'radius unknown: no agent was near the target in time; set it with --radius'
    return (
        f'radius unknown: the agents are at the target ({distance:.3f} m, the median distance in '
        'the second half), so it cannot be estimated and E_r is not measured; set it with '
        '--radius'
    )


def _about_sources(cast: Participants, settings: FindingSettings) -> Iterator[str]:
    silent = [name for k, name in cast.names.items() if k not in cast.agents]
    if silent:
        yield f'never heard: {_listed(silent, 0)}'
    if cast.agents and not cast.spoken:
        yield (
            'no agent spoke: everybody is judged by odometry, and counts as gone when it is '
            f'older than {settings.timeout:g} s'
        )
    if cast.target is not None and not cast.target.said:
        yield f'no words of the target: {cast.target_name} is known by its odometry'
    for kind, cost in (
        ('telemetry', 'failures, time down and neighbour switches'),
        ('commands', 'tracking error, saturation and effort'),
    ):
        lacking = [
            member.name for member in cast.members.values() if not _has(getattr(member, kind))
        ]
        if lacking:
            yield f'no {kind} of {_listed(lacking, len(cast.members))}: {cost} are unknown'
    if settings.max_speed_xy is None and any(_has(m.commands) for m in cast.members.values()):
        yield 'speed limits unknown without a scenario: so is the share of saturated commands'


def _listed(names: list[str], everybody: int) -> str:
    """Return some of many names; ``everybody`` is how many there could be, 0 for no matter."""
    return 'any agent' if len(names) == everybody else named(names)


def _has(part: object) -> bool:
    return some(part) is not None  # type: ignore[arg-type]
