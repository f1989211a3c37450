"""Outcome of a run: the entries in its summary, and the exit code."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.run.finished_run import read_run
from soliton_encirclement_ros.core.run.run_folder import SUMMARY, write_json

FAILED = 1
INTERRUPTED = 130

FIRST = 'first_sample_s'
"""Key of the time of the first sample [s] in the summary of a run in real time."""

INCOMPLETE = 3
"""Exit code of a monitor whose summary says that data is missing; of a crash it is another."""


class Ending(NamedTuple):
    """Outcome of a run.

    Attributes:
        interrupted: Whether the user stopped it before the end.
        complete: Whether no process died and all observed data is on disk.
        ended_early: Why the run ended early, empty if it did not.
    """

    interrupted: bool = False
    complete: bool = True
    ended_early: str = ''


def concluded(summary: Mapping[str, Any], ending: Ending) -> dict[str, Any]:
    """Return a summary with the outcome of the run; the verdict on half a run is negative."""
    ended = {**summary, 'interrupted': ending.interrupted, 'complete': ending.complete}
    if ending.ended_early:
        ended['verdict'] = {'encircled': False, 'why': ending.ended_early}
    return ended


def amended_summary(
    folder: Path, deaths: Sequence[str], ended_early: str
) -> dict[str, Any] | None:
    """Return the summary that a monitor has written, completed; None without one.

    Args:
        folder: The run's folder, in which the summary is corrected as well.
        deaths: Processes that died, as text.
        ended_early: Why the run ended early, empty if it did not.
    """
    summary = dict(read_run(folder).summary)
    if not summary:
        return None
    if deaths:
        interrupted = summary['interrupted'] and not ended_early
        summary = concluded(summary, Ending(interrupted, False, ended_early))
        write_json(folder / SUMMARY, summary)
    return summary


def exit_code(summary: Mapping[str, Any]) -> int:
    """Return the exit code of a single run."""
    if summary['interrupted']:
        return INTERRUPTED
    return 0 if summary['verdict']['encircled'] and summary['complete'] else FAILED


def verdict_line(summary: Mapping[str, Any]) -> str:
    """Return verdict and reason in one line."""
    verdict = summary['verdict']
    return f'{"ENCIRCLED" if verdict["encircled"] else "NOT ENCIRCLED"}: {verdict["why"]}'
