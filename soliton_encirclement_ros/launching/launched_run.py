"""A run under launch: its vital nodes, its end, and its result."""

from collections.abc import Sequence
from pathlib import Path

from launch import LaunchContext
from launch.action import Action
from launch.actions import LogInfo, Shutdown, TimerAction
from launch.events.process import ProcessExited
from velocity_mobility_ros.core.interrupt import SIGNALS

from soliton_encirclement_ros.core.run.run_outcome import (
    FAILED,
    INCOMPLETE,
    amended_summary,
    exit_code,
    verdict_line,
)
from soliton_encirclement_ros.core.scenario.swarm_plan import OBSERVERS, NodeSpec
from soliton_encirclement_ros.launching.launch_failure import fail
from soliton_encirclement_ros.launching.launched_process import LaunchedProcess

VITAL = ('world_node', *OBSERVERS)
"""Executables whose end ends the run."""

END_LIMIT = 60.0
"""Wall time [s] for the monitor to end after the world."""


class LaunchedRun:
    """Tracks the processes of a run until they end."""

    def __init__(self, folder: Path, specs: Sequence[NodeSpec], goes_on: bool = False) -> None:
        """Start; no process has ended yet.

        Args:
            folder: The run's folder.
            specs: The nodes that are started.
            goes_on: Whether nothing but an interrupt ends the run: real vehicles fly.
        """
        self._folder, self._goes_on = folder, goes_on
        self._open = {spec.executable for spec in specs} & set(OBSERVERS)
        self._failures: list[str] = []
        self._ended_early = ''
        self._over = False
        self._stopped = False

    def after(
        self, process: LaunchedProcess, event: ProcessExited, context: LaunchContext
    ) -> list[Action]:
        """Return the actions when a process has ended; the end of the monitor ends the run."""
        watched = process.runs(*OBSERVERS)
        self._stopped = context.is_shutdown and not self._over
        # A signal kills a process in which Python is still starting.
        well = (0, INCOMPLETE, *(-number for number in SIGNALS if self._stopped))
        if event.returncode not in well and (watched or not context.is_shutdown):
            self._failures.append(f'{process.name} ended with exit code {event.returncode}')
        if self._goes_on and not context.is_shutdown:
            return reported(process, event, context)
        actions = [] if context.is_shutdown else self._next(process, event.returncode)
        self._over = self._over or bool(actions)
        self._open -= process.executables
        return actions + (self._conclude() if watched and not self._open else [])

    def _next(self, process: LaunchedProcess, code: int) -> list[Action]:
        if process.runs(*VITAL) and code not in (0, INCOMPLETE):
            self._ended_early = f'{process.name} died'
            return [Shutdown(reason=self._ended_early)]
        if process.runs('monitor_node'):
            return [Shutdown(reason='the run has ended')]
        if process.runs('world_node'):
            end = Shutdown(reason=f'the monitor did not end {END_LIMIT:g} s after the world')
            return [TimerAction(period=END_LIMIT, actions=[end])]
        return []

    def _conclude(self) -> list[Action]:
        """Return the result of the run: a line, and exit code 1 if it failed."""
        summary = amended_summary(self._folder, self._failures, self._ended_early)
        if summary is None and self._stopped:
            return [LogInfo(msg=f'interrupted before the run began: no data in {self._folder}')]
        if summary is None:
            return fail('; '.join([*self._failures, f'{self._folder}: no summary was written']))
        line = '; '.join([verdict_line(summary), *self._failures])
        is_judged = not self._goes_on or bool(self._failures)  # a flight has a take-off, too
        if is_judged and exit_code(summary) == FAILED:
            return fail(line)
        return [LogInfo(msg=line)]


def reported(
    process: LaunchedProcess, event: ProcessExited, context: LaunchContext
) -> list[Action]:
    """Name a process that has ended; nothing else ends for it."""
    if context.is_shutdown:
        return []
    line = f'error: {process.name} ended with exit code {event.returncode}; all others go on'
    return [LogInfo(msg=line)]
