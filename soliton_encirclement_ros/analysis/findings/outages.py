"""Outages of agents: intervals in which an agent was down."""

import math
from collections.abc import Iterable

from soliton_encirclement_ros.analysis.findings.finding_records import Outage
from soliton_encirclement_ros.core.run.figures.gap_recovery import RingEvent


def outages_of(agent_id: int, events: Iterable[RingEvent]) -> tuple[Outage, ...]:
    """Return the outages of an agent from the events of all agents, in order of time."""
    found: list[Outage] = []
    for event in events:
        if event.agent_id != agent_id:
            continue
        if event.failed:
            found.append(Outage(event.time, None))
        elif found:
            found[-1] = Outage(found[-1].begin, event.time)
    return tuple(found)


def time_down(outages: Iterable[Outage], last: float) -> float:
    """Return the length of all outages [s]; one without end lasts until ``last`` [s]."""
    return math.fsum((last if end is None else end) - begin for begin, end in outages)
