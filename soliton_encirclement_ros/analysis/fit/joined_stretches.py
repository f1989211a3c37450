"""Concatenated stretches and the velocities that the law predicts for them.

The measured start velocity of a stretch is noisy, which would bias the parameters. Therefore it is
estimated for every set of parameters by one Gauss-Newton step (exact if no limit is active).
"""

from collections.abc import Callable, Sequence

import numpy as np
from velocity_mobility_ros.core.model import Limits
from velocity_mobility_ros.vehicles.second_order import Lags

from soliton_encirclement_ros.analysis.fit.parameter_vector import (
    DELAY,
    acceleration_lags_of,
    limits_of,
)
from soliton_encirclement_ros.analysis.fit.rollout import follow, roll_out
from soliton_encirclement_ros.analysis.fit.stretches import Stretch
from soliton_encirclement_ros.analysis.fit.timeline import Timeline, grid, timeline
from soliton_encirclement_ros.analysis.recording import Floats

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
