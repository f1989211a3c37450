"""The metrics of a summary as a table, and the effort of the commands in words."""

from collections.abc import Mapping
from typing import Any

from rich.markup import escape
from rich.table import Table

from soliton_encirclement_ros.cli.views.terminal_tables import plain
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES, SCALES, told_metrics
from soliton_encirclement_ros.core.run.figures.command_effort import CHANGE, JERK
from soliton_encirclement_ros.core.run.figures.steady_means import STEADY, STEADY_SHARE


def metric_table(summary: Mapping[str, Any], title: str) -> Table:
    """Return the means of the last fifth, those of the steady samples, and the last values."""
    rows = {'metrics_mean': 'mean of the last 20 %, judged'}
    if summary.get(STEADY_SHARE):
        rows[STEADY] = f'steady, {100.0 * summary[STEADY_SHARE]:.0f} % of the time'
    rows['metrics_last'] = 'at the end'
    spacing = {name: [summary[key].get(name) for key in rows] for name in ('E_gap', 'E_wgap')}
    names = told_metrics(METRIC_NAMES, spacing)
    table = Table('', *names, title=escape(title), caption=SCALES, caption_justify='left')
    for key, label in rows.items():
        table.add_row(label, *[plain(summary[key].get(name), '.3f') for name in names])
    return table


def effort_text(summary: Mapping[str, Any]) -> str:
    """Return how much the commands change, empty if it is not known."""
    change, jerk = summary.get(CHANGE), summary.get(JERK)
    if change is None:
        return ''
    found = f'commands change by {change:.3f} m/s per tick'
    return found if jerk is None else f'{found}, jerk {jerk:.0f} m/s^3'
