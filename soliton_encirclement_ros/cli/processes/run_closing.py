"""The end of a run over ROS: the last summary, the plots, and the result."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from velocity_mobility_ros.core.interrupt import Interrupt

from soliton_encirclement_ros.cli.output import print_error
from soliton_encirclement_ros.cli.views.run_report import Drawn, draw, report
from soliton_encirclement_ros.core.run.run_folder import SUMMARY, write_json
from soliton_encirclement_ros.core.run.run_outcome import Ending, concluded
from soliton_encirclement_ros.nodes.monitor.monitor_node import MonitorNode


def close_run(
    monitor: MonitorNode,
    ending: Ending,
    folder: Path,
    interrupt: Interrupt,
    console: Console,
    faults: Sequence[str] = (),
    pictures: bool = True,
) -> dict[str, Any]:
    """Write the summary, then draw the plots, then report; return the summary.

    Args:
        monitor: The monitor of the run; it is closed.
        ending: How the run ended.
        folder: The run's folder.
        interrupt: The request to stop; a further one skips the plots.
        console: Console for the report.
        faults: What is missing on disk, with the reasons.
        pictures: Whether there are memory and threads to draw plots.
    """
    summary = concluded(monitor.summary(), ending)
    found = [*faults]

    def fail(line: str) -> None:
        found.append(line)
        print_error(line)

    try:
        write_json(folder / SUMMARY, summary)
    except OSError as error:
        fail(f'{folder}: cannot write: {error.strerror}')
    drawn = Drawn(None, True)
    if pictures:
        with console.status('drawing the pictures'):
            drawn = draw(monitor.scenario, monitor.observer, folder, interrupt, fail)
    if not drawn.is_whole or len(found) > len(faults):
        summary['complete'] = False
    report(summary, folder, drawn.last, console, found)
    return summary
