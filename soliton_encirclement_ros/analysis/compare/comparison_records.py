"""What is compared, and what comes out: plain records."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from soliton_encirclement_ros.analysis.recording import Floats
from soliton_encirclement_ros.core.scenario.scenario import Scenario


class Side(NamedTuple):
    """One recording, in its own time.

    Attributes:
        name: What it is called in tables, one line.
        path: Where it lies.
        clock: Which clock its times are of.
        duration: From its time 0 to its end [s].
        agents: How many it has.
        series: ``time`` [s] and what is known of ``SAMPLE_TEXTS``, (S,) each.
        figures: Values by name, as in ``figures.NAMES``; infinite for never, None for unknown.
        moved_at: When an agent first moved [s], None if none ever did or nobody knows.
        failed_at: When an agent first went down [s], None if none did or nobody knows.
        scenario: What was flown, None if unknown.
        problems: One line for everything that is doubtful.
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


class FigureRow(NamedTuple):
    """One figure of all sides, same order; the first side is what the others are held against.

    Attributes:
        name: Of the figure.
        unit: Its unit, empty for none.
        values: Infinite for never, None for unknown.
        differences: Value minus that of the first side; None where that means nothing.
        ratios: Value by that of the first side; None where that means nothing.
    """

    name: str
    unit: str
    values: tuple[float | None, ...]
    differences: tuple[float | None, ...]
    ratios: tuple[float | None, ...]


class Deviation(NamedTuple):
    """One curve of one side against that of the first, where both are known.

    Attributes:
        curve: Its name.
        unit: Its unit.
        side: Name of the side.
        samples: On how many times of the common base both are known.
        mean_first: Mean of the first side there.
        mean: Mean of this side there.
        bias: Mean of the difference, this minus first.
        rms: Root mean square of the difference.
        largest: Largest size of the difference.
        at: When that is, in aligned time [s].
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
    """Some recordings beside each other.

    Attributes:
        sides: The recordings; at least two.
        align: How they were aligned.
        zeros: Time of each side that is time 0 here [s].
        time: (T,) common time base [s], from the latest begin to the earliest end; its step is
            the longest of the usual steps of the sides.
        curves: By name, by side in order: (T,) values on that base, None where a side has none.
        rows: The figures.
        deviations: Curve by curve, side by side.
        differing: Scenario values that differ, as ``section.key``.
        notes: One line for everything that makes the comparison doubtful.
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
