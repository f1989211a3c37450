"""A run under launch: which nodes it needs, when it is over, and what it came to."""

import signal
from collections.abc import Sequence
from pathlib import Path

from launch import LaunchContext
from launch.action import Action
from launch.actions import LogInfo, Shutdown, TimerAction
from launch.events.process import ProcessExited

from soliton_encirclement_ros.core.run.run_outcome import (
    FAILED,
    amended_summary,
    exit_code,
    verdict_line,
)
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec
from soliton_encirclement_ros.launching.launch_failure import fail

OBSERVERS = ('monitor_node', 'recorder_node')
VITAL = ('world_node', *OBSERVERS)
"""Executables without which a run is over."""

END_LIMIT = 60.0
"""Wall time [s] after the world's end in which the monitor must have ended as well."""


class LaunchedRun:
    """Follows the processes of a run to their end."""

    def __init__(self, folder: Path, specs: Sequence[NodeSpec]) -> None:
        """Begin; nothing has ended yet.

        Args:
            folder: The run's folder.
            specs: The nodes that are started.
        """
        self._folder = folder
        self._open = {spec.executable for spec in specs} & set(OBSERVERS)
        self._deaths: list[str] = []
        self._ended_early = ''
        self._over = False
        self._stopped = False

    def after(self, spec: NodeSpec, event: ProcessExited, context: LaunchContext) -> list[Action]:
        """Return what to do when a node has ended: the monitor's end is the end of the run."""
        watched = spec.executable in OBSERVERS
        self._stopped = context.is_shutdown and not self._over
        # Ctrl-C ends a process at once that Python has not quite started yet.
        well = (0, -signal.SIGINT) if self._stopped else (0,)
        if event.returncode not in well and (watched or not context.is_shutdown):
            name = f'{spec.namespace}/{spec.executable}'.strip('/')
            self._deaths.append(f'{name} ended with exit code {event.returncode}')
        actions = [] if context.is_shutdown else self._next(spec.executable, event.returncode)
        self._over = self._over or bool(actions)
        self._open.discard(spec.executable)
        return actions + (self._conclude() if watched and not self._open else [])

    def _next(self, executable: str, code: int) -> list[Action]:
        if executable in VITAL and code != 0:
            self._ended_early = f'{executable} died'
            return [Shutdown(reason=self._ended_early)]
        if executable == 'monitor_node':
            return [Shutdown(reason='the run is over')]
        if executable == 'world_node':
            end = Shutdown(reason=f'the run is over, and the monitor after {END_LIMIT:g} s not')
            return [TimerAction(period=END_LIMIT, actions=[end])]
        return []

    def _conclude(self) -> list[Action]:
        """Return what the run came to: a line, and exit code 1 if it failed."""
        summary = amended_summary(self._folder, self._deaths, self._ended_early)
        if summary is None and self._stopped:
            return [LogInfo(msg=f'interrupted before the run began: no flight in {self._folder}')]
        if summary is None:
            return fail('; '.join([*self._deaths, f'{self._folder}: no summary was written']))
        line = '; '.join([verdict_line(summary), *self._deaths])
        if exit_code(summary) == FAILED:
            return fail(line)
        return [LogInfo(msg=line)]
