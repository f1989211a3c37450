"""The picture of ``engine.py``: speed and peak memory over the number of agents."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import matplotlib as mpl
from engine_parts.cases import Outcome
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullLocator

mpl.use('Agg')

ORIGINAL = 1400.0
"""Agent-ticks per second of the original experiment, as published."""

ORIGINAL_AGENTS = 10

Outcomes = Mapping[tuple[str, str, int], Outcome]
"""Outcomes by kind, law and number of agents."""


class Line(NamedTuple):
    """How a kind and its law are drawn."""

    kind: str
    law: str
    label: str
    colour: str
    marker: str


LINES = (
    Line('engine', 'soliton', 'engine, soliton', '#1f78e6', 'o'),
    Line('engine', 'two_channel', 'engine, two_channel', '#1aa64d', 's'),
    Line('engine', 'soliton_v1', 'engine, soliton_v1', '#f28c1a', '^'),
    Line('gradysim', 'idle', 'gradysim, bodies only', '#888888', 'D'),
    Line('gradysim', 'telemetry', 'gradysim, bodies and telemetry', '#888888', 'v'),
    Line('loop', 'soliton', 'plain Python loop, soliton', '#7a4fbf', 'P'),
)
RED = '#d92626'
NAMES = ((1e9, 'G'), (1e6, 'M'), (1e3, 'k'))


def draw(path: Path, outcomes: Outcomes) -> None:
    """Draw what was found.

    Args:
        path: The picture's file.
        outcomes: At least one case of the engine.
    """
    figure = Figure(figsize=(10, 4.6), layout='constrained')
    rates, memory = figure.subplots(1, 2, width_ratios=(3, 2))
    for line in LINES:
        cases = {n: outcomes[kind, law, n] for kind, law, n in outcomes if (kind, law) == line[:2]}
        _plot(rates, line, {n: outcome.rate for n, outcome in cases.items()})
        _plot(memory, line, {n: outcome.peak for n, outcome in cases.items()})
    rates.plot(ORIGINAL_AGENTS, ORIGINAL, '*', color=RED, markersize=13,
               label='original experiment, as published')  # fmt: skip
    _finish(rates, 'agent-ticks per second')
    _finish(memory, 'peak memory [MB]')
    rates.set_ylim(bottom=ORIGINAL / 2.0)
    memory.set_ylim(10.0, 1000.0)
    figure.legend(*rates.get_legend_handles_labels(), loc='outside lower center', ncols=3,
                  frameon=False, fontsize=9)  # fmt: skip
    figure.savefig(path, dpi=130)


def _plot(axes: Axes, line: Line, values: Mapping[int, float]) -> None:
    if values:
        sizes = sorted(values)
        axes.plot(sizes, [values[n] for n in sizes], color=line.colour, marker=line.marker,
                  markersize=5, label=line.label)  # fmt: skip


def _finish(axes: Axes, title: str) -> None:
    axes.set(xscale='log', yscale='log', xlabel='agents')
    axes.set_title(title, loc='left', fontsize=11)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(_short))
        axis.set_minor_locator(NullLocator())
    axes.grid(alpha=0.4)
    axes.spines[['top', 'right']].set_visible(False)


def _short(value: float, _: object) -> str:
    """Return 10 k for 10000."""
    for unit, name in NAMES:
        if value >= unit:
            return f'{value / unit:g} {name}'
    return f'{value:g}'
