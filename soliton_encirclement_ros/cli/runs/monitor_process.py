"""The monitor's process: shows the progress of a run, and closes its folder like ``swarm run``.

A run over ROS is closed with the last summary, the plots, and the result.
"""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from soliton_encirclement_ros.cli.output import draw_into_files, print_error
from soliton_encirclement_ros.cli.views.run_report import RunProgress, conclude, report
from soliton_encirclement_ros.core.run.finished_run import INCOMPLETE, Ending, with_ending
from soliton_encirclement_ros.core.run.run_folder import SUMMARY, write_json
from soliton_encirclement_ros.nodes.observers.monitor_node import MonitorNode
from velocity_mobility_ros.core.environment.unix_process import Interrupt
from velocity_mobility_ros.ros_io.process.node_process import run_nodes


def close_run(
    monitor: MonitorNode,
    ending: Ending,
    folder: Path,
    interrupt: Interrupt,
    console: Console,
    faults: Sequence[str] = (),
) -> dict[str, Any]:
    """Write the summary, then draw the plots, then report; return the summary.

    Args:
        monitor: The monitor of the run; it is closed.
        ending: How the run ended.
        folder: The run's folder.
        interrupt: The request to stop; a further one skips the plots.
        console: Console for the report.
        faults: What is missing on disk, with the reasons.
    """
    summary = with_ending(monitor.summary(), ending)
    try:
        write_json(folder / SUMMARY, summary)
    except OSError as error:
        faults = [*faults, f'{folder}: cannot write: {error.strerror}']
        print_error(faults[-1])
        summary['complete'] = False
    return conclude(
        summary, monitor.scenario, monitor.observer, folder, interrupt, console, faults
    )


QUIET = 2.0
"""Wall time [s] without a message after which nothing more of a finished run is expected."""

WIDTH = 160
"""Columns of what is printed: a launch reads it through a pipe."""


class MonitorProcess:
    """A monitor, and its display."""

    def __init__(self) -> None:
        """Prepare; there is no node yet."""
        self._console = Console(width=WIDTH, force_terminal=False, no_color=True)
        self._seen = (0, time.monotonic())

    def make(self) -> Sequence[MonitorNode]:
        """Create the node."""
        self.monitor = MonitorNode()
        self._progress = RunProgress(
            self._console,
            self.monitor.scenario,
            self.monitor.observer,
            lambda: self.monitor.run_length,
            self.monitor.who_is_missing,
            lambda: self.monitor.stopped,
        )
        return [self.monitor]

    def turn(self) -> bool:
        """Show the progress; return whether to end: it is over, and everything has arrived."""
        self._progress.update()
        return self.monitor.is_over and self._is_quiet()

    def conclude(self, _: Sequence[MonitorNode]) -> int:
        """Say what was seen, close the run's folder, if there is one; return the exit code."""
        monitor = self.monitor
        has_end = monitor.mode.world or monitor.mode.watch_duration > 0.0
        stopped = has_end and not monitor.is_over
        ending = Ending(interrupted=stopped, complete=monitor.complete)
        if not monitor.mode.run_folder:
            report(with_ending(monitor.summary(), ending), None, None, self._console)
            return 0
        folder = Path(monitor.mode.run_folder)
        summary = close_run(
            monitor, ending, folder, Interrupt(), self._console, monitor.faults
        )
        return 0 if summary['complete'] else INCOMPLETE

    def _is_quiet(self) -> bool:
        """Return whether no more messages arrive; in real time the others go on forever."""
        progress, now = self.monitor.progress, time.monotonic()
        if progress != self._seen[0]:
            self._seen = (progress, now)
        return not self.monitor.mode.lockstep or now - self._seen[1] > QUIET


def main(args: Sequence[str] | None = None) -> int:
    """Run the monitor; the exit code is 3 if data is missing."""
    draw_into_files()
    process = MonitorProcess()
    return run_nodes(process.make, args, process.turn, process.conclude)
