"""Stretches of a recording without gaps, and the velocities that the law predicts for them.

The updates lie between the samples of the odometry. An update in which a command arrives is split
there, so that the prediction is continuous in the delay, also with active limits. The measured
start velocity of a stretch is noisy, which would bias the parameters. Therefore it is estimated
for every set of parameters by one Gauss-Newton step (exact if no limit is active).
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from velocity_mobility_ros.core.velocity_model import Limits, next_velocity
from velocity_mobility_ros.vehicles.second_order import Lagged, Lags, followed

from soliton_encirclement_ros.analysis.fit.fit_records import (
    DELAY,
    FitSettings,
    acceleration_lags_of,
    limits_of,
)
from soliton_encirclement_ros.analysis.recording import Commands, Floats, Member
from soliton_encirclement_ros.analysis.resampling import latest

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


def roll_out(
    begin: Floats, start: Floats, wanted: Floats, dt: Floats, limits: Limits, flown: Floats
) -> None:
    """Simulate every stretch from its start velocity, without further measurements.

    A plain function over arrays, so that callers can compile it.

    Args:
        begin: (S + 1,) integers: index of every stretch's first update, and the end.
        start: (S, 3) velocity before the first update [m/s].
        wanted: (K, 3) commanded velocity during each update [m/s].
        dt: (K,) length of each update [s].
        limits: ``MobilityParameters.limits``.
        flown: (K, 3) output: velocity after each update [m/s].
    """
    for s in range(start.shape[0]):
        v = (start[s, 0], start[s, 1], start[s, 2])
        for k in range(begin[s], begin[s + 1]):
            v = next_velocity(v, (wanted[k, 0], wanted[k, 1], wanted[k, 2]), dt[k], limits)
            flown[k, 0] = v[0]
            flown[k, 1] = v[1]
            flown[k, 2] = v[2]


def follow(
    begin: Floats, start: Floats, reference: Floats, dt: Floats, lags: Lags, flown: Floats
) -> None:
    """Let the velocities of ``second_order`` follow those of the velocity model.

    A plain function over arrays, as ``roll_out``.

    Args:
        begin: (S + 1,) integers: index of every stretch's first update, and the end.
        start: (S, 3) velocity before the first update, also that of the reference [m/s].
        reference: (K, 3) velocity of the velocity model after each update [m/s].
        dt: (K,) length of each update [s].
        lags: Lags of the acceleration [s].
        flown: (K, 3) output: velocity after each update [m/s].
    """
    for s in range(start.shape[0]):
        v = (start[s, 0], start[s, 1], start[s, 2])
        lagged = Lagged(v, v, v)
        for k in range(begin[s], begin[s + 1]):
            r = (reference[k, 0], reference[k, 1], reference[k, 2])
            lagged = followed(lagged, r, dt[k], lags)
            flown[k, 0] = lagged.velocity[0]
            flown[k, 1] = lagged.velocity[1]
            flown[k, 2] = lagged.velocity[2]


class Timeline(NamedTuple):
    """K updates of S stretches with n samples, the first of each stretch not counted.

    Attributes:
        begin: (S + 1,) index of every stretch's first update, and the end.
        dt: (K,) length of each update [s], some of them 0.
        wanted: (K, 3) commanded velocity during each [m/s].
        sampled: (n,) update that ends at each sample.
    """

    begin: np.ndarray
    dt: Floats
    wanted: Floats
    sampled: np.ndarray


def grid(time: Floats, update: float) -> Floats:
    """Return times of updates: all samples, and evenly spaced ones between them.

    Args:
        time: (n,) of the samples [s], ascending.
        update: Nominal length of an update [s].
    """
    gaps = np.diff(time)
    counts = np.maximum(1, np.rint(gaps / update)).astype(np.int64)
    first = np.cumsum(counts) - counts
    number = np.arange(counts.sum()) - np.repeat(first, counts)
    begins = np.repeat(time[:-1], counts) + number * np.repeat(gaps / counts, counts)
    return np.append(begins, time[-1])


def timeline(parts: Sequence[Stretch], grids: Sequence[Floats], delay: float) -> Timeline:
    """Return the updates of all stretches if commands take effect after a delay [s]."""
    dt, wanted, sampled, begin = [], [], [], [0]
    for part, times in zip(parts, grids, strict=True):
        arrivals = part.command_time + delay
        edges = np.sort(np.concatenate([times, np.clip(arrivals, times[0], times[-1])]))
        index = latest(arrivals, edges[:-1])
        dt.append(np.diff(edges))
        wanted.append(part.command[np.maximum(index, 0)])
        sampled.append(begin[-1] + np.searchsorted(edges, part.time[1:], 'right') - 2)
        begin.append(begin[-1] + len(edges) - 1)
    return Timeline(np.array(begin), *map(np.concatenate, (dt, wanted, sampled)))


RollOut = Callable[[np.ndarray, Floats, Floats, Floats, Limits, Floats], None]
Follow = Callable[[np.ndarray, Floats, Floats, Floats, Lags, Floats], None]

NUDGE = 1e-3
"""Step of the start velocity [m/s] for numeric derivatives."""

FIRST_PART = 0.3
"""Time [s] whose samples give the initial guess of a start velocity."""

TRUST = 0.04
"""Weight of the initial guess, in samples; an active limit hides the start velocity."""

FAR = 4.0
"""Residuals above this many deviations get less weight for the start velocity."""


class JoinedStretches:
    """Stretches as arrays: K updates, n samples, S stretches.

    The first sample of a stretch is its start and not counted.
    """

    def __init__(
        self,
        parts: Sequence[Stretch],
        update: float,
        fly: RollOut = roll_out,
        follow: Follow = follow,
    ) -> None:
        """Concatenate stretches.

        Args:
            parts: At least one stretch.
            update: Nominal length of an update [s]; adjusted to divide each sample interval.
            fly: ``roll_out`` or a compiled copy of it.
            follow: ``rollout.follow`` or a compiled copy of it.
        """
        self.parts = tuple(parts)
        self._fly = fly
        self._follow = follow
        self._grids = [grid(part.time, update) for part in parts]
        self._line: tuple[float, Timeline] | None = None
        counts = [len(part.time) - 1 for part in parts]
        self.measured = np.concatenate([part.velocity[1:] for part in parts])
        self.time = np.concatenate([part.time[1:] for part in parts])
        self.first = np.cumsum([0, *counts[:-1]])
        self.stretch = np.repeat(np.arange(len(parts)), counts)
        self._guess = np.array([_start(part) for part in parts])

    def line(self, values: Floats) -> Timeline:
        """Return the updates for the delay in the given values."""
        delay = float(values[DELAY])
        if self._line is None or self._line[0] != delay:
            self._line = delay, timeline(self.parts, self._grids, delay)
        return self._line[1]

    def flown(self, values: Floats, start: Floats) -> Floats:
        """Return the velocities of the velocity model after every update (K, 3).

        Args:
            values: The values; lags of the acceleration have no effect.
            start: (S, 3) start velocities [m/s].
        """
        line = self.line(values)
        flown = np.empty_like(line.wanted)
        self._fly(line.begin, start, line.wanted, line.dt, limits_of(values), flown)
        return flown

    def each(self, values: Floats, before: Floats) -> Floats:
        """Return the velocity after every update (K, 3), each from a given one before (K, 3)."""
        line = self.line(values)
        flown = np.empty_like(before)
        alone = np.arange(len(before) + 1)
        self._fly(alone, before, line.wanted, line.dt, limits_of(values), flown)
        return flown

    def _at_samples(self, values: Floats, start: Floats) -> Floats:
        line, flown = self.line(values), self.flown(values, start)
        lags = acceleration_lags_of(values)
        if lags is not None:
            reference, flown = flown, np.empty_like(flown)
            self._follow(line.begin, start, reference, line.dt, lags, flown)
        return flown[line.sampled]

    def rough(self, values: Floats) -> Floats:
        """Return the predicted velocities at the samples (n, 3) from the guessed starts."""
        return self._at_samples(values, self._guess)

    def predicted(self, values: Floats, scale: Floats) -> Floats:
        """Return the predicted velocities at the samples (n, 3) from the best starts.

        Args:
            values: The values.
            scale: (3,) standard deviation of a sample [m/s].
        """
        return self._at_samples(values, self.starts(values, scale))

    def starts(self, values: Floats, scale: Floats) -> Floats:
        """Return the best start velocities (S, 3)."""
        rough = self.rough(values)
        by_x, by_y = (
            (self._at_samples(values, self._guess + nudge) - rough) / NUDGE
            for nudge in (np.array([NUDGE, 0.0, NUDGE]), np.array([0.0, NUDGE, 0.0]))
        )
        missed = self.measured - rough
        weight = 1.0 / np.maximum(1.0, np.abs(missed) / (FAR * scale))
        start = self._guess.copy()
        start[:, :2] += self._best_xy(by_x, by_y, missed, weight)
        squares = self._total(weight[:, 2] * by_x[:, 2] ** 2) + TRUST
        start[:, 2] += self._total(weight[:, 2] * by_x[:, 2] * missed[:, 2]) / squares
        return start

    def _best_xy(self, by_x: Floats, by_y: Floats, missed: Floats, weight: Floats) -> Floats:
        """Solve the normal equations of every stretch, 2 by 2."""
        x, y, w, r = by_x[:, :2], by_y[:, :2], weight[:, :2], missed[:, :2]
        xx, xy, yy, rx, ry = (
            self._total(np.einsum('na,na,na->n', w, one, other))
            for one, other in ((x, x), (x, y), (y, y), (x, r), (y, r))
        )
        xx, yy = xx + TRUST, yy + TRUST
        determinant = xx * yy - xy * xy
        return np.stack([yy * rx - xy * ry, xx * ry - xy * rx], axis=1) / determinant[:, None]

    def _total(self, values: Floats) -> Floats:
        return np.add.reduceat(values, self.first)


def _start(part: Stretch) -> Floats:
    """Return the first value of a line fitted to the first samples by medians."""
    count = max(3, int(np.searchsorted(part.time, part.time[0] + FIRST_PART)))
    time, velocity = part.time[:count] - part.time[0], part.velocity[:count]
    one, other = np.triu_indices(count, 1)
    slopes = (velocity[other] - velocity[one]) / (time[other] - time[one])[:, None]
    return np.median(velocity - np.median(slopes, axis=0) * time[:, None], axis=0)
