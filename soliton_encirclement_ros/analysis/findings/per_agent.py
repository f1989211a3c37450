"""The figures of one agent after the other."""

import math
from collections.abc import Sequence

from soliton_encirclement_ros.analysis.findings.command_tracking import (
    distance_flown,
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
from soliton_encirclement_ros.analysis.findings.participants import Participants, some
from soliton_encirclement_ros.analysis.findings.replay import Replay
from soliton_encirclement_ros.analysis.findings.sampling import ring_distances, target_places
from soliton_encirclement_ros.analysis.findings.separation import SeparationSeries
from soliton_encirclement_ros.analysis.recording import Floats, Member


def agent_findings(
    cast: Participants,
    settings: FindingSettings,
    replayed: Replay,
    encounters: SeparationSeries,
    at: Floats,
) -> tuple[AgentFindings, ...]:
    """Return the figures of all agents in order of their numbers.

    Args:
        cast: Who takes part.
        settings: What they are measured by.
        replayed: The data of the observer.
        encounters: How near they came to each other.
        at: (S,) times of the samples [s].
    """
    centre = target_places(cast, settings.target, at)
    distances = ring_distances(cast, centre, at, settings.timeout)
    return tuple(
        AgentFindings(
            agent_id=k,
            name=member.name,
            radial_error=rms_of_known(distances[k] - settings.radius)
            if k in distances else None,
            **_driving(member, settings),
            **_flight(member),
            **_health(k, cast, replayed),
            separation=_finite(encounters.smallest.get(member.name, math.inf)),
        )
        for k, member in cast.members.items()
    )  # fmt: skip


def _driving(member: Member, settings: FindingSettings) -> dict[str, float | None]:
    names = ('tracking_rms', 'tracking_p95', 'saturation', 'effort', 'effort_total')
    track, commands, told = map(some, (member.track, member.commands, member.telemetry))
    if commands is None:
        return dict.fromkeys(names)
    up = is_up(told, commands.time)
    followed = track and tracking(track, commands, is_up(told, track.time), up)
    full = saturation(commands, up, settings.max_speed_xy, settings.max_speed_z)
    found = (*(followed or (None, None)), full, *(effort(commands, up) or (None, None)))
    return dict(zip(names, found, strict=True))


def _flight(member: Member) -> dict[str, float | None]:
    path = some(member.track) or some(member.telemetry) or some(member.words)
    if path is None:
        return {'distance': None, 'mean_speed': None}
    distance, seen = distance_flown(path.position), float(path.time[-1] - path.time[0])
    return {'distance': distance, 'mean_speed': distance / seen if seen > 0.0 else None}


def _health(k: int, cast: Participants, replayed: Replay) -> dict[str, object]:
    told = cast.telemetry.get(k)
    if told is None:
        return dict.fromkeys(('failures', 'recoveries', 'outages', 'time_down', 'switches'))
    outages = outages_of(k, replayed.observer.events)
    return {
        'failures': len(outages),
        'recoveries': _count([outage.end for outage in outages]),
        'outages': outages,
        'time_down': time_down(outages, float(told.time[-1])),
        'switches': replayed.switches.get(k, 0),
    }


def _count(ends: Sequence[float | None]) -> int:
    return len([end for end in ends if end is not None])


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
