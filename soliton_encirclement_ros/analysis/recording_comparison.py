"""Compares recordings: figures, curves on a common time base, and scenarios.

Its form for ``json`` has no NaN and no infinity.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from soliton_encirclement_ros.analysis.comparison_records import (
    SETTLING, UNITS, Deviation, FigureRow, RecordingComparison, Side, TrackDeviation, zero_of
)
from soliton_encirclement_ros.analysis.recording import Floats
from soliton_encirclement_ros.analysis.resampling import SAME, interpolated, usual_step
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.flight_statistics.sample_statistics import root_mean_square
from soliton_encirclement_ros.core.ring.metrics import SAMPLE_TEXTS
from soliton_encirclement_ros.core.run.run_folder import to_plain
from soliton_encirclement_ros.core.run.scenario_differences import differences


def common_times(times: Sequence[Floats]) -> Floats:
    """Return times [s] that all sides, (S,) each, ascending, cover, at their longest usual step.

    If all sides have the same times within the common range, these are returned.

    Raises:
        RunError: There is no time that all of them cover.
    """
    filled = [time for time in times if len(time)]
    begin = max((time[0] for time in filled), default=0.0)
    end = min((time[-1] for time in filled), default=-1.0)
    if len(filled) < len(times) or end < begin:
        raise RunError(
            'the aligned recordings have no time in common: use another alignment '
            '(--align start), or leave one out'
        )
    inside = [time[(time >= begin - SAME) & (time <= end + SAME)] for time in filled]
    first = inside[0]
    if all(
        len(side_times) == len(first) and np.allclose(side_times, first, 0.0, SAME)
        for side_times in inside
    ):
        return first
    step = max(map(usual_step, filled))
    if step <= 0.0:
        return np.array([begin])
    return begin + step * np.arange(np.floor((end - begin) / step + SAME) + 1)


ROUNDING = 1e-9
"""A figure below this is a rounding error of zero."""

LENGTH_TOLERANCE = 0.1
"""Share by which a recording may exceed the common time without a note."""


def compare_sides(sides: Sequence[Side], align: str) -> RecordingComparison:
    """Compare recordings with the first of them, aligned by one of ``ALIGNMENTS``.

    Raises:
        RunError: There are fewer than two, one cannot be aligned, or they share no time.
    """
    if len(sides) < 2:
        raise RunError('one recording cannot be compared; name two or more')
    for side in sides:
        if not len(side.series['time']):
            raise RunError(f'{side.name}: has no samples of any metric, so it cannot be compared')
    zeros = tuple(zero_of(side, align, sides[0]) for side in sides)
    times = [side.series['time'] - zero for side, zero in zip(sides, zeros, strict=True)]
    base = common_times(times)
    curves = {
        name: tuple(
            interpolated(time, side.series[name], base, steps=name == 'alive')
            if name in side.series else None
            for side, time in zip(sides, times, strict=True)
        )
        for name in SAMPLE_TEXTS if any(name in side.series for side in sides)
    }  # fmt: skip
    distances = [
        _distances(side, zero, sides[0], zeros[0])
        for side, zero in zip(sides, zeros, strict=True)
    ]
    return RecordingComparison(
        sides=tuple(sides),
        align=align,
        zeros=zeros,
        time=base,
        curves=curves,
        rows=_rows(sides, zeros),
        deviations=tuple(filter(None, (
            _deviation(name, side.name, base, first, other)
            for name, (first, *others) in curves.items()
            for side, other in zip(sides[1:], others, strict=True)
            if first is not None and other is not None
        ))),
        differing=_differing(sides),
        notes=tuple(_notes(sides, base)),
        tracks=tuple(
            _track_deviation(agent, side.name, *distance)
            for side, of_agents in zip(sides[1:], distances[1:], strict=True)
            for agent, distance in of_agents.items()
        ),
        distances=(None, *(_mean_distance(of_agents, base) for of_agents in distances[1:])),
    )  # fmt: skip


def _rows(sides: Sequence[Side], zeros: Sequence[float]) -> tuple[FigureRow, ...]:
    rows = []
    for name, unit in UNITS.items():
        values = [side.figures.get(name) for side in sides]
        if name == SETTLING:
            values = [
                None if value is None else value - zero
                for value, zero in zip(values, zeros, strict=True)
            ]
        if any(value is not None for value in values):
            rows.append(_row(name, unit, values))
    return tuple(rows)


def _row(name: str, unit: str, values: Sequence[float | None]) -> FigureRow:
    first, differences, ratios = values[0], [None], [None]
    for value in values[1:]:
        is_known = None not in (first, value) and math.isfinite(first) and math.isfinite(value)
        # No ratio of a rounding error to a figure, or of a figure to one.
        is_sensible = is_known and abs(first) > ROUNDING
        has_ratio = is_sensible and (value == 0.0 or abs(value) > ROUNDING)
        differences.append(value - first if is_known else None)
        ratios.append(value / first if has_ratio else None)
    return FigureRow(name, unit, tuple(values), tuple(differences), tuple(ratios))


def _deviation(
    name: str, side: str, base: Floats, first: Floats, other: Floats
) -> Deviation | None:
    known = np.isfinite(first) & np.isfinite(other)
    if not known.any():
        return None
    first, other, time = first[known], other[known], base[known]
    difference = other - first
    worst = int(np.abs(difference).argmax())
    return Deviation(
        curve=name,
        unit=SAMPLE_TEXTS[name].unit,
        side=side,
        samples=len(time),
        mean_first=float(first.mean()),
        mean=float(other.mean()),
        bias=float(difference.mean()),
        rms=root_mean_square(difference),
        largest=float(abs(difference[worst])),
        at=float(time[worst]),
    )


def _distances(
    side: Side, zero: float, first: Side, first_zero: float
) -> dict[str, tuple[Floats, Floats]]:
    """Return aligned times [s] and how far agents are from their tracks in the first side [m].

    The only agent of each is the same one by any name.
    """
    are_alone = len(side.motions) == len(first.motions) == 1
    distances = {}
    for agent, motion in side.motions.items():
        reference = next(iter(first.motions.values())) if are_alone else first.motions.get(agent)
        if reference is None:
            continue
        at = reference.time - first_zero
        places = interpolated(motion.time - zero, motion.position, at)
        apart = np.linalg.norm(places - reference.position, axis=1)
        known = np.isfinite(apart)
        if known.any():
            distances[agent] = at[known], apart[known]
    return distances


def _track_deviation(agent: str, side: str, at: Floats, apart: Floats) -> TrackDeviation:
    worst = int(apart.argmax())
    return TrackDeviation(
        agent, side, len(apart), float(apart.mean()), root_mean_square(apart),
        float(apart[worst]), float(at[worst]),
    )  # fmt: skip


def _mean_distance(of_agents: Mapping[str, tuple[Floats, Floats]], base: Floats) -> Floats | None:
    """Return the mean over the agents that are known at a time, NaN where none is."""
    curves = np.array([interpolated(*distance, base) for distance in of_agents.values()])
    known = np.isfinite(curves).sum(axis=0)
    return np.nansum(curves, axis=0) / np.where(known, known, np.nan) if len(curves) else None


def _differing(sides: Sequence[Side]) -> tuple[str, ...]:
    """Return the names of differing scenario values, controller and seed included."""
    known = [side.scenario for side in sides if side.scenario is not None]
    names: dict[str, None] = {}
    for other in known[1:]:
        for name in ('control.controller', 'run.seed'):
            section, _, key = name.partition('.')
            if getattr(getattr(known[0], section), key) != getattr(getattr(other, section), key):
                names[name] = None
        names.update(dict.fromkeys(differences(known[0].as_dict(), other.as_dict())))
    return tuple(names)


def _notes(sides: Sequence[Side], base: Floats) -> list[str]:
    lines = []
    if len({side.agents for side in sides}) > 1:
        counts = ', '.join(f'{side.name} {side.agents}' for side in sides)
        lines.append(f'the numbers of agents differ: {counts}')
    covered = float(base[-1] - base[0])
    for side in sides:
        length = float(side.series['time'][-1] - side.series['time'][0])
        if length > covered * (1.0 + LENGTH_TOLERANCE):
            lines.append(
                f'{side.name}: curves are compared over {covered:.1f} s of its {length:.1f} s; '
                'its figures cover all of it'
            )
    return lines


MAX_SAMPLES = 1000


def as_json(comparison: RecordingComparison) -> dict[str, Any]:
    """Return a comparison for JSON; null: unknown, ``never``: infinite."""
    stride = -(-len(comparison.time) // MAX_SAMPLES)
    recordings = [
        {
            'name': side.name,
            'path': str(side.path),
            'clock': side.clock,
            'duration_s': side.duration,
            'agents': side.agents,
            'time_zero_s': zero,
            'problems': side.problems,
        }
        for side, zero in zip(comparison.sides, comparison.zeros, strict=True)
    ]
    curves = {
        name: {
            'unit': SAMPLE_TEXTS[name].unit,
            'values': [
                None if values is None else _column(values[::stride]) for values in columns
            ],
        }
        for name, columns in comparison.curves.items()
    }
    return {
        'align': comparison.align,
        'recordings': to_plain(recordings, infinite='never'),
        'differing': list(comparison.differing),
        'notes': list(comparison.notes),
        'figures': to_plain(comparison.rows, infinite='never'),
        'deviations': to_plain(comparison.deviations, infinite='never'),
        'tracks': to_plain(comparison.tracks),
        'curves': {'time_s': _column(comparison.time[::stride]), **curves},
    }


def _column(values: Floats) -> list[float | None]:
    return to_plain(np.round(values, 9).tolist())
