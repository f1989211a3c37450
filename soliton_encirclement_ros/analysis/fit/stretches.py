"""Cuts a recording into stretches: intervals without gaps in commands and odometry."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.fit.fit_records import FitSettings
from soliton_encirclement_ros.analysis.recording import Commands, Floats, Member

FEWEST_SAMPLES = 20
SHORTEST = 1.0
"""Minimum length of a stretch [s], which also has to determine its start velocity."""


class Stretch(NamedTuple):
    """An interval without gaps.

    Attributes:
        agent: Name of the agent.
        time: (n,) times of the odometry [s].
        velocity: (n, 3) measured [m/s].
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
    commands = _finite(member.commands)
    if commands is None or len(commands.time) == 0:
        return []
    time, velocity = _ascending(member)
    found = []
    for begin, end in _known(commands, settings):
        inside = np.flatnonzero((time >= begin) & (time <= end))
        for part in _parts(time, inside, settings):
            stretch = _stretch(member.name, time[part], velocity[part], commands, settings)
            if len(part) >= FEWEST_SAMPLES and stretch.length >= SHORTEST:
                found.append(stretch)
    return found


def until(whole: Stretch, moment: float) -> Stretch | None:
    """Return the part up to a time [s], None if it is too short."""
    return _piece(whole, whole.time <= moment)


def after(whole: Stretch, moment: float) -> Stretch | None:
    """Return the part after a time [s], None if it is too short."""
    return _piece(whole, whole.time > moment)


def _piece(whole: Stretch, chosen: np.ndarray) -> Stretch | None:
    piece = whole._replace(time=whole.time[chosen], velocity=whole.velocity[chosen])
    if len(piece.time) < FEWEST_SAMPLES or piece.length < SHORTEST:
        return None
    return piece


def _ascending(member: Member) -> tuple[Floats, Floats]:
    """Return times and velocities of the motion: finite, ascending, without duplicates."""
    track = member.flown
    if track is None:
        return np.empty(0), np.empty((0, 3))
    sound = np.isfinite(track.time) & np.isfinite(track.velocity).all(axis=1)
    time, velocity = track.time[sound], track.velocity[sound]
    time, first = np.unique(time, return_index=True)
    return time, velocity[first]


def _finite(commands: Commands | None) -> Commands | None:
    """Return the commands without those that are not finite."""
    if commands is None:
        return None
    sound = np.isfinite(commands.time) & np.isfinite(commands.velocity).all(axis=1)
    return Commands(*(column[sound] for column in commands))


def _known(commands: Commands, settings: FitSettings) -> Iterator[tuple[float, float]]:
    """Iterate over begin and end [s] of intervals with all relevant commands known.

    Without commands a vehicle may hold its velocity or brake, which the law does not describe.
    """
    time = commands.time
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


def _stretch(
    agent: str, time: Floats, velocity: Floats, commands: Commands, settings: FitSettings
) -> Stretch:
    if len(time) == 0:
        return Stretch(agent, np.zeros(1), np.zeros((1, 3)), np.zeros(1), np.zeros((1, 3)))
    begin = np.searchsorted(commands.time, time[0] - settings.longest_delay, 'right') - 1
    end = np.searchsorted(commands.time, time[-1] - settings.shortest_delay, 'right')
    chosen = slice(max(0, int(begin)), int(end))
    return Stretch(agent, time, velocity, commands.time[chosen], commands.velocity[chosen])
