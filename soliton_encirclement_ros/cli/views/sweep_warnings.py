"""Warnings of a sweep before its first run, on standard error."""

import sys
from pathlib import Path
from typing import Any

from velocity_mobility_ros.core.shown import counted

MAX_WARNINGS = 5


def warn_of_points(planned: Any) -> None:
    """Warn of unlikely values in the first points, and of points that fly alike."""
    from soliton_encirclement_ros.core.scenario.overrides import flown_alike, varied_in_vain

    first = {run.point.number: run.scenario for run in reversed(planned.runs[:1000])}
    lines = [line for scenario in first.values() for line in scenario.warnings]
    vain = varied_in_vain(planned.keys, first.values()) or flown_alike(
        planned.keys, first.values(), len(planned.seeds)
    )
    warnings = dict.fromkeys([*vain, *lines])
    for line in list(warnings)[:MAX_WARNINGS]:
        print(f'warning: {line}', file=sys.stderr)
    if len(warnings) > MAX_WARNINGS:
        more = counted(len(warnings) - MAX_WARNINGS, 'more warning')
        print(f'warning: {more} of this kind', file=sys.stderr)


def warn_of_another_sweep(path: Path, text: str) -> None:
    """Warn if the folder belongs to another sweep, or to an earlier version of this one."""
    try:
        other = path.read_text(encoding='utf-8')
    except (OSError, UnicodeDecodeError):
        return  # there is none, or it cannot be read
    if other != text:
        print(
            f'warning: {path} is another sweep: its runs are kept, its tables and pictures '
            'are replaced',
            file=sys.stderr,
        )
