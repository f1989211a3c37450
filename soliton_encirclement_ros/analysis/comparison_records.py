"""Records of a comparison: its results, and its sides from recordings and run folders.

A side has the figures of a run's summary or of a recording's findings, and a time 0 by which it is
aligned with the others.
"""

import math
import statistics
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from soliton_encirclement_ros.analysis.findings.finding_records import (
    AGENT_UNITS, Findings, started
)
from soliton_encirclement_ros.analysis.recording import SIMULATED, Floats, Motion
from soliton_encirclement_ros.analysis.report.viewer_data import replay
from soliton_encirclement_ros.core.errors import RunError, ScenarioError
from soliton_encirclement_ros.core.ring.metrics import SAMPLE_TEXTS
from soliton_encirclement_ros.core.run.finished_run import read_run, read_samples
from soliton_encirclement_ros.core.run.run_folder import AGENT_CSV, MANIFEST
from soliton_encirclement_ros.core.run.summary import FIGURES
from soliton_encirclement_ros.core.scenario.scenario import Scenario, scenario_of_run


class Side(NamedTuple):
    """One compared recording, in its own time [s], with its name in tables.

    Attributes:
        series: ``time`` [s] and the known series of ``SAMPLE_TEXTS``, (S,) each.
        figures: Values by name as in ``UNITS``; infinite: never, None: unknown.
        moved_at, failed_at: Times of the first motion and the first failure of an agent [s], None
            if none or unknown.
        scenario: The scenario of the run, None if unknown.
        replay: Data of the viewer, None without any position.
        motions: Those of its agents, by name.
        start_ns: Date of time 0 [ns], None if its clock tells none.
    """

    name: str
    path: Path
    clock: str
    duration: float
    agents: int
    series: Mapping[str, Floats]
    figures: Mapping[str, float | None]
    moved_at: float | None
    failed_at: float | None
    scenario: Scenario | None
    problems: tuple[str, ...]
    replay: Mapping[str, Any] | None = None
    motions: Mapping[str, Motion] = MappingProxyType({})
    start_ns: int | None = None


class FigureRow(NamedTuple):
    """One figure of all sides, in their order; the first side is the reference.

    Values are infinite for never, and None if unknown. Differences and ratios are those to the
    value of the first side; None if undefined.
    """

    name: str
    unit: str
    values: tuple[float | None, ...]
    differences: tuple[float | None, ...]
    ratios: tuple[float | None, ...]


class Deviation(NamedTuple):
    """Differences of a side's curve to that of the first side, at times where both are known.

    The means are those of both curves at these times; ``bias`` is the mean of the difference, this
    minus first, ``rms`` its root mean square, and ``largest`` its largest size, ``at`` an aligned
    time [s].
    """

    curve: str
    unit: str
    side: str
    samples: int
    mean_first: float
    mean: float
    bias: float
    rms: float
    largest: float
    at: float


class TrackDeviation(NamedTuple):
    """Distances [m] of an agent of a side to the same one of the first side, at aligned times.

    ``largest`` is the largest, ``at`` an aligned time [s].
    """

    agent: str
    side: str
    samples: int
    mean: float
    rms: float
    largest: float
    at: float


class RecordingComparison(NamedTuple):
    """Result of a comparison of at least two recordings, aligned by one of ``ALIGNMENTS``.

    Attributes:
        zeros: Time of each side that becomes time 0 [s].
        time: (T,) common time base [s], from the latest begin to the earliest end; its step is
            the longest of the usual steps of the sides.
        curves: By name, by side in order: (T,) values on that base, None where a side has none.
        differing: Scenario values that differ, as ``section.key``.
        notes: Warnings about the comparison, one line each.
        tracks: How far agents are from their tracks in the first side.
        distances: By side: (T,) mean of these distances [m] on that base, None without any.
    """

    sides: tuple[Side, ...]
    align: str
    zeros: tuple[float, ...]
    time: Floats
    curves: Mapping[str, tuple[Floats | None, ...]]
    rows: tuple[FigureRow, ...]
    deviations: tuple[Deviation, ...]
    differing: tuple[str, ...]
    notes: tuple[str, ...]
    tracks: tuple[TrackDeviation, ...] = ()
    distances: tuple[Floats | None, ...] = ()

    @property
    def letters(self) -> list[str]:
        """Labels of the sides: A, B, ... Z, then R27, R28."""
        return [chr(ord('A') + i) if i < 26 else f'R{i + 1}' for i in range(len(self.sides))]

    @property
    def letter_of(self) -> dict[str, str]:
        """Labels of the sides by their names."""
        return dict(zip((side.name for side in self.sides), self.letters, strict=True))


MOTION, START, FAILURE, DATE, NONE = 'motion', 'start', 'failure', 'date', 'none'
ALIGNMENTS = (MOTION, START, FAILURE, DATE, NONE)
"""The first motion of an agent, first sample, first failure, dates of clocks, or as recorded."""

MOVING = 0.5
"""Speed [m/s] above which a body moves; noise gives a standing body a small speed."""

MIN_DURATION = 0.5
"""Minimum duration of a motion [s]; excludes outliers."""


def zero_of(side: Side, align: str, first: Side) -> float:
    """Return the time [s] of a side that becomes time 0, by dates that of the first side.

    Raises:
        RunError: The side has no such event, or one of both no date.
    """
    if align == DATE:
        if side.start_ns is None or first.start_ns is None:
            name = side.name if side.start_ns is None else first.name
            raise RunError(f'{name}: its clock tells no date; use another alignment (--align)')
        return (first.start_ns - side.start_ns) / 1e9
    if align == NONE:
        return 0.0
    if align == START:
        return float(side.series['time'][0])
    event_time = side.moved_at if align == MOTION else side.failed_at
    if event_time is None:
        reason = (
            f'no agent moved faster than {MOVING:g} m/s for {MIN_DURATION:g} s'
            if align == MOTION
            else 'no failure of an agent was recorded'
        )
        raise RunError(f'{side.name}: {reason}; use --align start or --align none')
    return event_time


def start_of_motion(time: Floats, speed: Floats) -> float | None:
    """Return the time [s] of the first motion in (K,) times [s] and speeds [m/s], None without.

    The speed is interpolated linearly, so that the result hardly depends on the sample rate.
    """
    moving = np.concatenate(([False], speed > MOVING, [False]))
    edges = np.flatnonzero(np.diff(moving.astype(int)))
    for begin, end in zip(edges[::2], edges[1::2], strict=True):
        if time[end - 1] - time[begin] >= MIN_DURATION:
            return _crossing(time, speed, begin)
    return None


def _crossing(time: Floats, speed: Floats, first: int) -> float:
    """Return the time [s] at which the speed crosses the bound."""
    if first == 0 or not speed[first - 1] <= MOVING:
        return float(time[first])
    share = (MOVING - speed[first - 1]) / (speed[first] - speed[first - 1])
    return float(time[first - 1] + share * (time[first] - time[first - 1]))


SETTLING = 'settling time'
"""Figure relative to time 0 of the comparison."""

MEDIAN = ' (median agent)'

OF_AGENTS = {
    f'radial error{MEDIAN}': ('radial_error', 'm'),
    f'tracking RMS{MEDIAN}': ('tracking_rms', 'm/s'),
    f'tracking P95{MEDIAN}': ('tracking_p95', 'm/s'),
    f'saturated commands{MEDIAN}': ('saturation', '%'),
    f'control effort{MEDIAN}': ('effort', AGENT_UNITS['effort']),
    f'distance{MEDIAN}': ('distance', 'm'),
    f'mean speed{MEDIAN}': ('mean_speed', 'm/s'),
}
"""Fields of ``AgentFindings`` and units of the figures that are medians over agents."""

UNITS = {
    'duration': 's',
    'agents': '',
    **{figure.name: figure.unit for figure in FIGURES},
    'collisions': '',
    'failures': '',
    'time down': 's',
    **{name: unit for name, (_, unit) in OF_AGENTS.items()},
}
"""Every figure and its unit, in the order of the table; metrics are means of the last fifth."""


def from_summary(summary: Mapping[str, Any]) -> dict[str, float | None]:
    """Return the figures of a run's summary."""
    known = {key: value for key, value in summary.items() if value is not None}
    values = {figure.name: figure.value(known) for figure in FIGURES}
    return {'duration': known.get('duration_s'), 'agents': known.get('agents'), **values}


def from_findings(findings: Findings) -> dict[str, float | None]:
    """Return the figures of a recording; None for those without data."""
    values = from_summary(findings.summary)
    if findings.encircled is None:
        values[SETTLING] = None
    nearest = findings.min_separation
    return {
        **values,
        'duration': findings.recording.duration,
        'agents': len(findings.agents),
        'min separation': None if nearest is None else nearest.distance,
        'collisions': len(findings.collisions),
        'failures': _of_agents(findings, 'failures', math.fsum),
        'time down': _of_agents(findings, 'time_down', math.fsum),
        **{
            name: _of_agents(findings, field, statistics.median, 100.0 if unit == '%' else 1.0)
            for name, (field, unit) in OF_AGENTS.items()
        },
    }


def _of_agents(
    findings: Findings, name: str, combine: Callable[[list[float]], float], scale: float = 1.0
) -> float | None:
    """Return the sum or median of a figure over the agents of which it is known."""
    values = [getattr(agent, name) for agent in findings.agents]
    known = [value for value in values if value is not None and math.isfinite(value)]
    return scale * combine(known) if known else None


def side_from_recording(name: str, findings: Findings) -> Side:
    """Return a recording as a side."""
    recording = findings.recording
    agents = {agent.name: recording.members[agent.name].motion for agent in findings.agents}
    motions = {agent: motion for agent, motion in agents.items() if motion}
    moved = [
        start_of_motion(motion.time, np.linalg.norm(motion.velocity, axis=1))
        for motion in motions.values()
    ]
    failed = [event.time for event in findings.events if event.failed]
    series = {
        key: np.asarray(values, float)
        for key, values in findings.series.items()
        if key == 'time' or (key in SAMPLE_TEXTS and np.isfinite(values).any())
    }
    return Side(
        name=name,
        path=recording.path,
        clock=recording.clock,
        duration=recording.duration,
        agents=len(findings.agents),
        series={**series, 'time': np.asarray(findings.series['time'], float)},
        figures=from_findings(findings),
        moved_at=min((at for at in moved if at is not None), default=None),
        failed_at=min(failed, default=None),
        scenario=recording.scenario,
        problems=findings.problems,
        replay=replay(findings) if findings.agents else None,
        motions=motions,
        start_ns=recording.start_ns if started(recording) else None,
    )


def side_from_tables(name: str, folder: Path) -> Side:
    """Return a run with tables but no bag as a side: metrics and summary only.

    Raises:
        RunError: A file cannot be read, or the run has no samples of its metrics.
    """
    run = read_run(folder)
    series = {key: np.array(values) for key, values in read_samples(folder).items()}
    problems = ['no bag: only its tables and its summary are used', *filter(None, [run.flaw])]
    try:
        scenario = scenario_of_run(run.scenario, MANIFEST)
    except ScenarioError as error:
        scenario = None
        problems.append(f'its scenario cannot be used: {error}')
    return Side(
        name=name,
        path=folder,
        clock=SIMULATED,
        duration=float(series['time'][-1]),
        agents=run.scenario['run']['num_agents'],
        series=series,
        figures=from_summary(run.summary) if run.summary else {},
        moved_at=_first_motion(folder / AGENT_CSV),
        failed_at=None,
        scenario=scenario,
        problems=tuple(problems),
    )


def _first_motion(path: Path) -> float | None:
    """Return the time of the first motion in a table [s], None if it has none or is unreadable."""
    columns = ['timestamp', 'velocity_norm']
    try:
        table = pd.read_csv(path, usecols=['node_id', *columns], float_precision='round_trip')
        agents = table.astype(float).sort_values(columns).groupby('node_id')
    except (OSError, ValueError):
        return None
    starts = [start_of_motion(*rows[columns].to_numpy().T) for _, rows in agents]
    return min((at for at in starts if at is not None), default=None)
