"""Records of a comparison: its inputs and its results."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from soliton_encirclement_ros.analysis.recording import Floats
from soliton_encirclement_ros.core.scenario.scenario import Scenario


class Side(NamedTuple):
    """One compared recording, in its own time.

    Attributes:
        name: Name in tables, one line.
        path: Path of the recording.
        clock: Clock of its times.
        duration: From its time 0 to its end [s].
        agents: Number of agents.
        series: ``time`` [s] and the known series of ``SAMPLE_TEXTS``, (S,) each.
        figures: Values by name as in ``recording_figures.UNITS``; infinite: never, None: unknown.
        moved_at: Time of the first motion of an agent [s], None if none or unknown.
        failed_at: Time of the first failure of an agent [s], None if none or unknown.
        scenario: The scenario of the run, None if unknown.
        problems: Warnings, one line each.
        replay: What a viewer shows of it, None if it does not tell where anybody was.
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


class FigureRow(NamedTuple):
    """One figure of all sides, in their order; the first side is the reference.

    Attributes:
        name: Name of the figure.
        unit: Its unit, empty for none.
        values: Infinite: never, None: unknown.
        differences: Value minus that of the first side; None if undefined.
        ratios: Value divided by that of the first side; None if undefined.
    """

    name: str
    unit: str
    values: tuple[float | None, ...]
    differences: tuple[float | None, ...]
    ratios: tuple[float | None, ...]


class Deviation(NamedTuple):
    """Differences of one curve to that of the first side, at times where both are known.

    Attributes:
        curve: Its name.
        unit: Its unit.
        side: Name of the side.
        samples: Number of times at which both are known.
        mean_first: Mean of the first side at these times.
        mean: Mean of this side at these times.
        bias: Mean of the difference, this minus first.
        rms: Root mean square of the difference.
        largest: Largest absolute difference.
        at: Its aligned time [s].
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


class RecordingComparison(NamedTuple):
    """Result of a comparison.

    Attributes:
        sides: The recordings; at least two.
        align: One of ``alignment.ALIGNMENTS``.
        zeros: Time of each side that becomes time 0 [s].
        time: (T,) common time base [s], from the latest begin to the earliest end; its step is
            the longest of the usual steps of the sides.
        curves: By name, by side in order: (T,) values on that base, None where a side has none.
        rows: The figures.
        deviations: Curve by curve, side by side.
        differing: Scenario values that differ, as ``section.key``.
        notes: Warnings about the comparison, one line each.
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
