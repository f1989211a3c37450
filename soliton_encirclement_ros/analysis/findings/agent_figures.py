"""Figures per agent: outages, path, how its vehicle tracks commands, how near it came to others.

Command tracking is velocity error, saturation and control effort; only times when the agent was up
count, as a failed agent is commanded to stop at once. The length of a path is measured neither
across gaps nor along the noise of its positions.

Tracks have K samples, commands C; flags (K,) or (C,) tell whether the agent was up then.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.findings.finding_records import (
    AgentFindings, Collision, FindingSettings, Outage, Separation
)
from soliton_encirclement_ros.analysis.findings.finding_settings import (
    ring_distances, target_positions
)
from soliton_encirclement_ros.analysis.findings.message_replay import Replay
from soliton_encirclement_ros.analysis.findings.participants import (
    Participants, Silences, nonempty
)
from soliton_encirclement_ros.analysis.recording import (
    Commands, Flags, Floats, Member, Telemetry, Track
)
from soliton_encirclement_ros.analysis.resampling import (
    NEVER, latest, longest_gap, zero_order_hold
)
from soliton_encirclement_ros.core.flight_statistics.gap_recovery import RingEvent
from soliton_encirclement_ros.core.flight_statistics.sample_statistics import root_mean_square
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY

MAX_HOLD = 1.0
"""Age [s] above which a command is no longer compared."""

FULL = 0.999
"""Share of the speed limit from which a command counts as saturated."""


def tracking(
    track: Track, commands: Commands, flying: Flags, up: Flags
) -> tuple[float, float] | None:
    """Return RMS and 95th percentile of commanded minus flown velocity [m/s].

    None if commands and odometry never overlap. At every odometry sample the velocity is compared
    with the last command before it, at most ``MAX_HOLD`` old. Delay is not compensated: the lag of
    the vehicle is part of the error.
    """
    index = latest(commands.time, track.time, strictly=True)
    known = np.flatnonzero((index != NEVER) & flying)
    command = index[known]
    used = up[command] & (track.time[known] - commands.time[command] <= MAX_HOLD)
    if not used.any():
        return None
    difference = commands.velocity[command[used]] - track.velocity[known[used]]
    error = np.linalg.norm(difference, axis=1)
    return root_mean_square(error), float(np.percentile(error, 95.0))


def saturation(
    commands: Commands, up: Flags, max_speed_xy: float | None, max_speed_z: float | None
) -> float | None:
    """Return the share of commands at a speed limit [m/s], 0 to 1; None without any limit.

    If several commands have one stamp, the last one counts: the startup handshake repeats
    commands.
    """
    is_last = np.diff(commands.time, append=np.inf) > 0.0
    velocity = commands.velocity[up & is_last]
    limits = ((np.hypot(velocity[:, 0], velocity[:, 1]), max_speed_xy),
              (np.abs(velocity[:, 2]), max_speed_z))  # fmt: skip
    reached = [speed >= FULL * limit for speed, limit in limits if limit]
    if not reached or not len(velocity):
        return None
    return float(np.any(reached, axis=0).mean())


def effort(commands: Commands, up: Flags) -> tuple[float, float] | None:
    """Return mean rate of change of the command [m/s^2], and the sum of all changes [m/s].

    None for fewer than two commands. Changes are those between two commands at most ``MAX_HOLD``
    apart while the agent was up; their rate is ``sum(|dv|) / sum(dt)``. Rates are not computed per
    command, because ``dt`` jitters in flight and would dominate their RMS.
    """
    dt = np.diff(commands.time)
    dv = np.linalg.norm(np.diff(commands.velocity, axis=0), axis=1)
    used = up[1:] & up[:-1] & (dt > 0.0) & (dt <= MAX_HOLD)
    if not used.any():
        return None
    total = float(dv[used].sum())
    return total / float(dt[used].sum()), total


def is_up(telemetry: Telemetry | None, at: Floats) -> Flags:
    """Return whether an agent was up at some times (S,) [s]; without telemetry it always was."""
    if telemetry is None:
        return np.ones(len(at), bool)
    return zero_order_hold(telemetry.time, telemetry.failed, at) != 1.0


def rms_of_known(values: Floats) -> float | None:
    """Return the RMS of the finite values, None without any."""
    finite = values[np.isfinite(values)]
    return root_mean_square(finite) if len(finite) else None


def outages_of(agent_id: int, events: Iterable[RingEvent]) -> tuple[Outage, ...]:
    """Return the outages of an agent from the events of all agents, in order of time."""
    outages: list[Outage] = []
    for event in events:
        if event.agent_id != agent_id:
            continue
        if event.failed:
            outages.append(Outage(event.time, None))
        elif outages:
            outages[-1] = Outage(outages[-1].begin, event.time)
    return tuple(outages)


def time_down(outages: Iterable[Outage], last: float) -> float:
    """Return the length of all outages [s]; one without end lasts until ``last`` [s]."""
    return math.fsum((last if end is None else end) - begin for begin, end in outages)


ORDER = 6
"""Order of the differences that show the noise: a motion that is sampled finely has none left."""

BEYOND = 12.0
"""Displacements above so many standard deviations of the noise count."""

PER_DEVIATION = 0.6745
"""Median size of a normal variable, in its standard deviations."""


def path_length(time: Floats, position: Floats, is_noisy: bool) -> tuple[float, float]:
    """Return the length of a path (K, 3) [m], and the time in which it was recorded [s].

    Motion in a gap is not known and does not count. Noise adds length at every sample, even for a
    hovering body. So on a noisy path only displacements count that exceed the noise: from one
    position to the first that is farther away than ``BEYOND`` standard deviations, and so on.
    """
    cuts = np.flatnonzero(np.diff(time) > longest_gap(time)) + 1
    segments = list(zip(np.split(time, cuts), np.split(position, cuts), strict=True))
    min_displacement = BEYOND * _noise([place for _, place in segments]) if is_noisy else 0.0
    lengths = [_length(place, min_displacement) for _, place in segments]
    return math.fsum(lengths), math.fsum(float(times[-1] - times[0]) for times, _ in segments)


def _noise(segments: list[Floats]) -> float:
    """Return the standard deviation of the noise of the noisiest coordinate [m]."""
    differences = np.concatenate([np.diff(place, ORDER, axis=0) for place in segments])
    if not len(differences):
        return 0.0
    size = np.median(np.abs(differences), axis=0) / PER_DEVIATION
    return float(size.max()) / math.sqrt(math.comb(2 * ORDER, ORDER))


def _length(place: Floats, min_displacement: float) -> float:
    """Return the length of a path without gaps [m], of displacements above the least one [m]."""
    if not min_displacement > 0.0:
        return float(np.linalg.norm(np.diff(place, axis=0), axis=1).sum())
    lengths, (position, *later) = [], place.tolist()
    for later_position in later:
        length = math.dist(position, later_position)
        if length > min_displacement:
            lengths.append(length)
            position = later_position
    return math.fsum(lengths)


MAX_DISTANCES = 1 << 20
"""Upper limit of distances computed at once, more than those of one pair; bounds the memory."""

END_TIME = 1.0
"""A collision ends when two bodies stay apart for longer than this [s]."""


class SeparationSeries(NamedTuple):
    """Smallest separation of two agents, smallest of each agent by name, and collisions."""

    closest: Separation | None
    smallest: Mapping[str, float]
    collisions: tuple[Collision, ...]


NO_SEPARATIONS = SeparationSeries(None, {}, ())


def find_separations(
    participants: Participants, at: Floats, timeout: float, too_near: float
) -> SeparationSeries:
    """Return separations and collisions in three dimensions at the times of samples (S,) [s].

    Separations are between agents, including failed ones; collisions also count target and
    adversary. An agent without telemetry counts as lost after the timeout [s]; two bodies collide
    below the distance ``too_near`` [m].
    """
    names, places = _bodies(participants, at, timeout)
    agents = names[: len(participants.members)]
    smallest, collisions, pairs = dict.fromkeys(agents, math.inf), [], []
    for first, second, distances in _distances(names, places):
        collisions += _collisions(first, second, distances, too_near, at)
        if second in smallest and np.isfinite(distances).any():
            sample = int(distances.argmin())
            pair = Separation(float(distances[sample]), float(at[sample]), first, second)
            pairs.append(pair)
            for name in (first, second):
                smallest[name] = min(smallest[name], pair.distance)
    collisions.sort(key=lambda collision: (collision.begin, collision.first, collision.second))
    closest = min(pairs, key=lambda pair: pair[:2], default=None)  # the earliest of equal ones
    return SeparationSeries(closest, smallest, tuple(collisions))


def _bodies(
    participants: Participants, at: Floats, timeout: float
) -> tuple[list[str], list[Floats]]:
    """Return names and positions (S, 3) of all bodies, agents first; NaN where unknown.

    Telemetry gives the position of an agent even while it is down; states only until the timeout.
    A vehicle on the ground cannot collide: its position is NaN, too.
    """
    names, places = [], []
    for k, name in participants.names.items():
        telemetry, body = participants.telemetry.get(k), participants.agents.get(k)
        names.append(name)
        if telemetry is not None:
            places.append(zero_order_hold(telemetry.time, telemetry.position, at))
        elif body is not None:
            places.append(zero_order_hold(body.time, body.position, at, timeout))
        else:
            places.append(np.full((len(at), 3), math.nan))
    for name, body in (
        (participants.target_name, participants.target),
        (ADVERSARY, participants.adversary),
    ):
        if body is not None:
            names.append(name)
            places.append(zero_order_hold(body.time, body.position, at, timeout))
    for name, place in zip(names, places, strict=True):
        place[participants.stands(name, at)] = math.nan
    return names, places


def _distances(
    names: Sequence[str], places: Sequence[Floats]
) -> Iterator[tuple[str, str, Floats]]:
    """Iterate over all pairs of bodies and their distances (S,) [m]; unknown is inf."""
    for i, place in enumerate(places):
        group = max(1, MAX_DISTANCES // max(1, len(place)))
        for start in range(i + 1, len(places), group):
            dx, dy, dz = np.moveaxis(np.stack(places[start : start + group]) - place, 2, 0)
            distances = np.sqrt(dx * dx + dy * dy + dz * dz)
            distances[np.isnan(distances)] = math.inf
            for name, distances_to in zip(names[start:], distances, strict=False):
                yield names[i], name, distances_to


def _collisions(
    first: str, second: str, distances: Floats, too_near: float, at: Floats
) -> Iterator[Collision]:
    """Iterate over the collisions of two bodies."""
    near = np.flatnonzero(distances < too_near)
    apart = (np.diff(near) > 1) & (np.diff(at[near]) > END_TIME)
    for encounter in np.split(near, np.flatnonzero(apart) + 1) if len(near) else ():
        nearest = encounter[distances[encounter].argmin()]
        begin, end, time = at[[encounter[0], encounter[-1], nearest]].tolist()
        yield Collision(first, second, begin, end, float(distances[nearest]), time)


def agent_findings(
    participants: Participants,
    settings: FindingSettings,
    replayed: Replay,
    separations: SeparationSeries,
    silent: Silences,
    at: Floats,
) -> tuple[AgentFindings, ...]:
    """Return the figures of all agents in order of their numbers, with samples at times (S,)."""
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
            separation=nearest if math.isfinite(nearest) else None,
        )
        for k, member in participants.members.items()
        for nearest in [separations.smallest.get(member.name, math.inf)]
    )  # fmt: skip


def _command_tracking(member: Member, settings: FindingSettings) -> dict[str, float | None]:
    names = ('tracking_rms', 'tracking_p95', 'saturation', 'effort', 'effort_total')
    track, commands, telemetry = map(nonempty, (member.track, member.commands, member.telemetry))
    if commands is None:
        return dict.fromkeys(names)
    up = is_up(telemetry, commands.time)
    error = track and tracking(track, commands, is_up(telemetry, track.time), up)
    saturated = saturation(commands, up, settings.max_speed_xy, settings.max_speed_z)
    figures = (*(error or (None, None)), saturated, *(effort(commands, up) or (None, None)))
    return dict(zip(names, figures, strict=True))


def _flight(member: Member, is_foreign: bool) -> dict[str, float | None]:
    path = nonempty(member.track) or nonempty(member.telemetry) or nonempty(member.states)
    if path is None:
        return {'distance': None, 'mean_speed': None}
    distance, recorded = path_length(path.time, path.position, is_foreign)
    return {'distance': distance, 'mean_speed': distance / recorded if recorded > 0.0 else None}


def _failures(
    k: int, participants: Participants, replayed: Replay, silent: Silences
) -> dict[str, object]:
    telemetry = participants.telemetry.get(k)
    if telemetry is None and k not in silent:
        return dict.fromkeys(('failures', 'recoveries', 'outages', 'time_down', 'switches'))
    outages = outages_of(k, replayed.observer.events)
    last = replayed.observer.series['time'][-1] if telemetry is None else telemetry.time[-1]
    return {
        'failures': len(outages),
        'recoveries': len([outage for outage in outages if outage.end is not None]),
        'outages': outages,
        'time_down': time_down(outages, float(last)),
        'switches': None if telemetry is None else replayed.switches.get(k, 0),
    }
