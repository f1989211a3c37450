"""The agents of a recording to fit, and their data for the fit and for validation.

Data are cut into stretches: intervals without a gap in which the commands are known.
Commands that a bridge to an autopilot did not pass on are left out: an agent goes on commanding
while its vehicle holds, lands or is flown by a pilot. Vehicles that drive along their heading, as
cars and robots with two wheels do, turn their velocity with themselves, at once; only their speed
lags behind the command. In map the turning would look like a response without any lag, and even
ahead of commands that are held while they turn. Along their heading they follow the law.
"""

import difflib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.fit.fit_records import FitSettings
from soliton_encirclement_ros.analysis.recording import (
    BridgeChange, Commands, Floats, Member, Recording
)
from soliton_encirclement_ros.analysis.resampling import latest
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET
from velocity_mobility_ros.autopilot.engage.engage_records import State
from velocity_mobility_ros.core.coordinate_frames import levelled_to_world
from velocity_mobility_ros.core.user_errors import shown

FEWEST_SAMPLES = 20
SHORTEST = 1.0
"""Minimum length of a stretch [s], which also has to determine its start velocity."""


class Stretch(NamedTuple):
    """An interval without gaps: n measured and m commanded velocities of an agent.

    Attributes:
        time, velocity: (n,) of the odometry [s], (n, 3) [m/s].
        command_time: (m,) times of the commands [s], from ``longest_delay`` before the first
            sample.
        command: (m, 3) commanded velocity [m/s], held until the next.
    """

    agent: str
    time: Floats
    velocity: Floats
    command_time: Floats
    command: Floats

    @property
    def length(self) -> float:
        """Time from the first to the last sample [s]."""
        return float(self.time[-1] - self.time[0])


def stretches(member: Member, settings: FitSettings) -> list[Stretch]:
    """Return the usable stretches of a member with track and commands, in order of time."""
    track, commands = member.flown, member.commands
    if track is None or commands is None:
        return []
    is_known = np.isfinite(commands.time) & np.isfinite(commands.velocity).all(axis=1)
    commands = Commands(*(column[is_known] for column in commands))
    is_sound = np.isfinite(track.time) & np.isfinite(track.velocity).all(axis=1)
    time, first = np.unique(track.time[is_sound], return_index=True)
    velocity, result = track.velocity[is_sound][first], []
    for begin, end in _known_intervals(commands.time, settings) if is_known.any() else ():
        inside = np.flatnonzero((time >= begin) & (time <= end))
        for run in _parts(time, inside, settings):
            if is_usable(at := time[run]):
                first, last = at[0] - settings.longest_delay, at[-1] - settings.shortest_delay
                begins, ends = np.searchsorted(commands.time, (first, last), 'right')
                used = slice(max(0, begins - 1), ends)
                result.append(Stretch(
                    member.name, at, velocity[run], commands.time[used], commands.velocity[used]
                ))  # fmt: skip
    return result


def part_of(stretch: Stretch, selected: np.ndarray) -> Stretch | None:
    """Return some samples (n,) of a stretch, None if they are too few or too short."""
    if not is_usable(stretch.time[selected]):
        return None
    return stretch._replace(time=stretch.time[selected], velocity=stretch.velocity[selected])


def is_usable(time: Floats) -> bool:
    """Return whether samples at some times [s] are enough for a stretch."""
    return len(time) >= FEWEST_SAMPLES and time[-1] - time[0] >= SHORTEST


def _known_intervals(time: Floats, settings: FitSettings) -> Iterator[tuple[float, float]]:
    """Iterate over begin and end [s] of intervals with all relevant commands known.

    Without commands a vehicle may hold its velocity or brake, which the law does not describe.
    """
    gaps = np.diff(time)
    usual = float(np.median(gaps)) if len(gaps) else 0.0
    longest = max(settings.silence, 3.0 * usual)
    breaks = np.flatnonzero(gaps > longest)
    firsts = np.concatenate(([0], breaks + 1))
    lasts = np.concatenate((breaks, [len(time) - 1]))
    for first, last in zip(firsts, lasts, strict=True):
        end = time[last] + max(settings.silence, usual) + settings.shortest_delay
        yield float(time[first]) + settings.longest_delay, float(end)


def _parts(time: Floats, inside: np.ndarray, settings: FitSettings) -> Iterator[np.ndarray]:
    """Iterate over runs of samples without a gap, cut into pieces of similar length."""
    if len(inside) == 0:
        return
    gaps = np.diff(time[inside])
    for run in np.split(inside, np.flatnonzero(gaps > settings.odometry_gap) + 1):
        length = time[run[-1]] - time[run[0]]
        pieces = max(1, int(np.ceil(length / settings.longest_stretch)))
        ends = time[run[0]] + length * np.arange(1, pieces) / pieces
        yield from np.split(run, np.searchsorted(time[run], ends))


class FitData(NamedTuple):
    """Stretches before and after the split time ``until`` [s]."""

    fitted: tuple[Stretch, ...]
    held_out: tuple[Stretch, ...]
    until: float


def gather(members: Sequence[Member], settings: FitSettings) -> FitData:
    """Return the usable data of vehicles of one type.

    Raises:
        RunError: There is too little data.
    """
    usable = [stretch for member in members for stretch in stretches(member, settings)]
    if not usable:
        names = ', '.join(member.name for member in members)
        raise RunError(
            f'{names}: cmd_vel and odom were never both recorded for 1 s without a gap; '
            'name other topics with --map'
        )
    times = np.sort(np.concatenate([stretch.time for stretch in usable]))
    split_time = float(times[min(len(times) - 1, int((1.0 - settings.hold_out) * len(times)))])
    fitted = [part for stretch in usable if (part := part_of(stretch, stretch.time <= split_time))]
    held_out = [
        part for stretch in usable if (part := part_of(stretch, stretch.time > split_time))
    ]
    if not fitted or not held_out:
        end = max(stretch.time[-1] for stretch in usable)
        length = end - min(stretch.time[0] for stretch in usable)
        raise RunError(
            f'the usable flight is {length:.1f} s long: too short to fit one part and '
            'predict the rest; record a manoeuvre of 20 s or more'
        )
    return FitData(most_excited(fitted, settings, settings.most_updates),
                most_excited(held_out, settings, settings.most_updates), split_time)  # fmt: skip


def most_excited(
    parts: Sequence[Stretch], settings: FitSettings, most: int
) -> tuple[Stretch, ...]:
    """Return the stretches with the largest commanded changes of velocity, in order of time.

    All together have at most ``most`` updates, but at least one stretch is returned.
    """
    demands = []
    for part in parts:
        at = np.maximum(latest(part.command_time, part.time), 0)
        demands.append(float(((part.command[at] - part.velocity) ** 2).sum(axis=1).mean()))
    room, chosen = most, []
    for i in sorted(range(len(parts)), key=lambda i: -demands[i]):
        updates = max(len(parts[i].time), parts[i].length / settings.update_rate)
        if not chosen or updates <= room:
            chosen.append(i)
            room -= updates
    return tuple(parts[i] for i in sorted(chosen))


def with_flown_commands(member: Member, bridges: Sequence[BridgeChange]) -> Member:
    """Return a member with the commands given while its bridge, if it has one, tracked them."""
    own = [change for change in bridges if change.name == member.name]
    if not own or member.commands is None:
        return member
    tracked = np.array([False, *(change.state == State.TRACK.name for change in own)])
    at = latest(np.array([change.time for change in own]), member.commands.time)
    was_tracked = tracked[at + 1]
    return member._replace(commands=Commands(*(column[was_tracked] for column in member.commands)))


LOSSES = ('left out', 'not used', 'cannot be decoded')
"""Parts of problem lines about unused messages."""

MIN_SIMILARITY = 0.85
"""Similarity of a suggested name; high, because the names of agents are similar."""

MAX_LOSSES = 3


def select_members(recording: Recording, names: Sequence[str]) -> list[Member]:
    """Return the members to fit, with the commands that bridges to autopilots passed on.

    Without names these are all agents with commands and odometry.

    Raises:
        RunError: An agent does not exist, or has no commands or no odometry.
    """
    if names:
        members = [_named_member(recording, name) for name in dict.fromkeys(names)]
    else:
        members = _agents(recording)
    return [with_flown_commands(member, recording.bridges) for member in members]


def _agents(recording: Recording) -> list[Member]:
    """Return every agent with commands and odometry."""
    agents = [
        member for member in recording.members.values() if member.name not in (TARGET, ADVERSARY)
    ]
    usable = [member for member in agents if not _missing(member)]
    if not usable:
        missing = '; '.join(f'{member.name} has no {_missing(member)}' for member in agents[:3])
        raise RunError(
            f'{recording.path}: no agent has both cmd_vel and odom ({missing or "no agents"}); '
            'name other topics with --map; bags of swarm simulate contain no commands, those of '
            f'swarm run do{_losses(recording)}'
        )
    return usable


def _named_member(recording: Recording, name: str) -> Member:
    member = recording.members.get(name)
    if member is None:
        matches = difflib.get_close_matches(name, recording.members, 1, MIN_SIMILARITY)
        names = ', '.join(recording.members) or 'none'
        hint = f'did you mean {matches[0]!r}?' if matches else f'members are {names}'
        raise RunError(f'{recording.path}: no agent {shown(name)}; {hint}')
    if _missing(member):
        raise RunError(
            f'{recording.path}: {name} has no {_missing(member)}; name its topics with --map'
            + _losses(recording)
        )
    return member


def _losses(recording: Recording) -> str:
    """Return the problem lines about unused messages, which may be the missing ones."""
    lines = [line for line in recording.problems if any(word in line for word in LOSSES)]
    return ''.join(f'; {line}' for line in lines[:MAX_LOSSES])


def _missing(member: Member) -> str:
    """Return the topic that a member lacks, empty for none."""
    if member.flown is None or not len(member.flown.time):
        return 'odom'
    return '' if member.commands is not None and len(member.commands.time) else 'cmd_vel'


ACROSS = 0.05
"""Largest share of commands and velocity across the heading, in RMS."""

TURNED = 0.5
"""A vehicle that turns by less [rad] is the same in any frame."""


def along_heading(member: Member) -> Member:
    """Return a vehicle that drives along its heading with velocities along and across it.

    Others are returned as they are: in map, a command and its lag do not turn with the vehicle.
    """
    track, commands = member.flown, member.commands
    known = [] if track is None else np.flatnonzero(np.isfinite(track.yaw))
    if commands is None or not len(known):
        return member
    yaw = np.unwrap(track.yaw[known])
    if np.ptp(yaw) < TURNED:
        return member
    velocity = levelled_to_world(-track.yaw, track.velocity)
    commanded = levelled_to_world(-np.interp(commands.time, track.time[known], yaw),
                               commands.velocity)  # fmt: skip
    if not (_is_along(velocity) and _is_along(commanded)):
        return member
    turned = track._replace(velocity=velocity)
    return member._replace(
        **{'track' if member.truth is None else 'truth': turned},
        commands=commands._replace(velocity=commanded),
    )


def heading_lines(members: Sequence[Member], fitted: Sequence[Member]) -> Iterator[str]:
    """Iterate over a line on vehicles that are fitted along their heading."""
    pairs = zip(members, fitted, strict=True)
    names = [member.name for member, driven in pairs if member is not driven]
    if names:
        yield (
            f'{named(names)}: driven along the heading, with which the velocity turns at once: '
            'fitted along it; the mobility law, in map, turns the velocity with its lag'
        )


def _is_along(velocity: Floats) -> bool:
    """Return whether velocities (K, 3) are along the first axis, horizontally."""
    known = velocity[np.isfinite(velocity).all(axis=1)]
    along, across = np.sqrt((known[:, :2] ** 2).sum(axis=0))
    return bool(across < ACROSS * along)
