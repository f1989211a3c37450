"""What a sweep warns of before its first run, on standard error."""

import sys
from pathlib import Path
from typing import Any

MAX_WARNINGS = 5


def warn_of_points(planned: Any) -> None:
    """Tell what is allowed but hardly meant, of the first points."""
    from soliton_encirclement_ros.core.scenario.overrides import varied_in_vain

    first = {run.point.number: run.scenario for run in reversed(planned.runs[:1000])}
    lines = [line for scenario in first.values() for line in scenario.warnings]
    warnings = dict.fromkeys([*varied_in_vain(planned.keys, first.values()), *lines])
    for line in list(warnings)[:MAX_WARNINGS]:
        print(f'warning: {line}', file=sys.stderr)
    if len(warnings) > MAX_WARNINGS:
        print(f'warning: {len(warnings) - MAX_WARNINGS} more of the kind', file=sys.stderr)


def warn_of_another_sweep(path: Path, text: str) -> None:
    """Say that the folder has been that of another sweep, or of an earlier state of this one."""
    try:
        other = path.read_text(encoding='utf-8')
    except (OSError, UnicodeDecodeError):
        return  # there is none, or none that can be told
    if other != text:
        print(
            f'warning: {path} is another sweep: all its runs are kept, and tables and pictures '
            'become those of this one',
            file=sys.stderr,
        )
