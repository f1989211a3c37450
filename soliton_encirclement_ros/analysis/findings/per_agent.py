"""Figures per agent."""

import math
from collections.abc import Sequence

from soliton_encirclement_ros.analysis.findings.command_tracking import (
    effort,
    is_up,
    rms_of_known,
    saturation,
    tracking,
)
from soliton_encirclement_ros.analysis.findings.finding_records import (
    AgentFindings,
    FindingSettings,
)
from soliton_encirclement_ros.analysis.findings.outages import outages_of, time_down
from soliton_encirclement_ros.analysis.findings.participants import Participants, nonempty
from soliton_encirclement_ros.analysis.findings.path_length import path_length
from soliton_encirclement_ros.analysis.findings.replay import Replay
from soliton_encirclement_ros.analysis.findings.sampling import ring_distances, target_positions
from soliton_encirclement_ros.analysis.findings.separation import SeparationSeries
from soliton_encirclement_ros.analysis.findings.silent_agents import Silent
from soliton_encirclement_ros.analysis.recording import Floats, Member


def agent_findings(
    participants: Participants,
    settings: FindingSettings,
    replayed: Replay,
    separations: SeparationSeries,
    silent: Silent,
    at: Floats,
) -> tuple[AgentFindings, ...]:
    """Return the figures of all agents in order of their numbers.

    Args:
        participants: Members with a role.
        settings: Reference values.
        replayed: The data of the observer.
        separations: Distances between agents.
        silent: When agents were silent that have no telemetry.
        at: (S,) times of the samples [s].
    """
    centre = target_positions(participants, settings.target, at)
    distances = ring_distances(participants, centre, at, settings.timeout)
    return tuple(
        AgentFindings(
            agent_id=k,
            name=member.name,
            radial_error=rms_of_known(distances[k] - settings.radius)
            if k in distances else None,
            **_command_tracking(member, settings),
            **_flight(member, participants.is_foreign),
            **_failures(k, participants, replayed, silent),
            separation=_finite(separations.smallest.get(member.name, math.inf)),
        )
        for k, member in participants.members.items()
    )  # fmt: skip


def _command_tracking(member: Member, settings: FindingSettings) -> dict[str, float | None]:
    names = ('tracking_rms', 'tracking_p95', 'saturation', 'effort', 'effort_total')
    track, commands, telemetry = map(nonempty, (member.track, member.commands, member.telemetry))
    if commands is None:
        return dict.fromkeys(names)
    up = is_up(telemetry, commands.time)
    error = track and tracking(track, commands, is_up(telemetry, track.time), up)
    saturated = saturation(commands, up, settings.max_speed_xy, settings.max_speed_z)
    found = (*(error or (None, None)), saturated, *(effort(commands, up) or (None, None)))
    return dict(zip(names, found, strict=True))


def _flight(member: Member, is_foreign: bool) -> dict[str, float | None]:
    path = nonempty(member.track) or nonempty(member.telemetry) or nonempty(member.states)
    if path is None:
        return {'distance': None, 'mean_speed': None}
    distance, recorded = path_length(path.time, path.position, is_foreign)
    return {'distance': distance, 'mean_speed': distance / recorded if recorded > 0.0 else None}


def _failures(
    k: int, participants: Participants, replayed: Replay, silent: Silent
) -> dict[str, object]:
    telemetry = participants.telemetry.get(k)
    if telemetry is None and k not in silent:
        return dict.fromkeys(('failures', 'recoveries', 'outages', 'time_down', 'switches'))
    outages = outages_of(k, replayed.observer.events)
    last = replayed.observer.series['time'][-1] if telemetry is None else telemetry.time[-1]
    return {
        'failures': len(outages),
        'recoveries': _count([outage.end for outage in outages]),
        'outages': outages,
        'time_down': time_down(outages, float(last)),
        'switches': None if telemetry is None else replayed.switches.get(k, 0),
    }


def _count(ends: Sequence[float | None]) -> int:
    return len([end for end in ends if end is not None])


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
