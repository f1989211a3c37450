"""Nodes of a plan as actions of launch, alone or sharing processes, and the run they make.

A run under launch has vital nodes, an end, and a result.
"""

import os
import sys
from collections.abc import Callable, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from launch import LaunchContext
from launch.action import Action
from launch.actions import LogInfo, SetEnvironmentVariable, Shutdown, TimerAction
from launch.events.process import ProcessExited
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

from soliton_encirclement_ros.core.run.finished_run import (
    FAILED, INCOMPLETE, amended_summary, exit_code, verdict_line
)
from soliton_encirclement_ros.core.run.process_composition import ProcessGroup
from soliton_encirclement_ros.core.run.run_folder import LOG, PARAMETERS, create_run_folder
from soliton_encirclement_ros.core.scenario.launch_arguments import BRIDGES, node_files
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import OBSERVERS, PACKAGE, NodeSpec
from soliton_encirclement_ros.launching.arguments import ArgumentValues, ended, fail, in_namespace
from velocity_mobility_ros.core.environment.parameter_files import TABLE
from velocity_mobility_ros.core.environment.unix_process import SIGNALS, to_child


class LaunchedProcess(NamedTuple):
    """One process with one node or several.

    Attributes:
        name: Its name in messages.
        executables: Executables of its nodes.
    """

    name: str
    executables: frozenset[str]

    def runs(self, *executables: str) -> bool:
        """Return whether one of these is in the process."""
        return not self.executables.isdisjoint(executables)


ExitHandler = Callable[[LaunchedProcess, ProcessExited, LaunchContext], list[Action]]
"""Returns the actions when a process has ended."""


def process_of_node(spec: NodeSpec) -> LaunchedProcess:
    """Return the process of a node that has one of its own."""
    name = f'{spec.namespace}/{spec.executable}'.strip('/')
    return LaunchedProcess(name, frozenset([spec.executable]))


def process_of_group(group: ProcessGroup, plan: Sequence[NodeSpec]) -> LaunchedProcess:
    """Return the process that some nodes of a plan share."""
    return LaunchedProcess(group.name, frozenset(plan[k].executable for k in group.numbers))


NODE_TIMEOUT = '10'
"""Wall time [s] for a node to close its files, before SIGTERM and again before SIGKILL."""

BRIDGE_TIMEOUT = '20'
"""The same for a bridge, which hands its vehicle over to the autopilot before it ends."""

MONITOR_TIMEOUT = '60'
"""The same for the monitor, which draws plots; at SIGTERM it skips the rest."""


class LaunchSettings(NamedTuple):
    """Settings of the nodes besides the plan.

    Attributes:
        log_level: Log level.
        use_sim_time: Whether they use the time of ``/clock``.
        files: Parameter files of each node, in the order of the plan.
    """

    log_level: str
    use_sim_time: bool = False
    files: Sequence[Sequence[str]] = ()


def settings(given: ArgumentValues, plan: Sequence[NodeSpec] = ()) -> LaunchSettings:
    """Return the settings of the nodes from the arguments of a launch.

    Args:
        given: The arguments.
        plan: The nodes that may have parameter files; ``params_file`` is for the first of them.

    Raises:
        ScenarioError: There is no such parameter file.
    """
    files = node_files(plan, given.get('params_file', ''), given.get('bridge_file', ''))
    return LaunchSettings(given['log_level'], given.get('use_sim_time') == 'true', files)


def start(specs: Sequence[NodeSpec], chosen: LaunchSettings, after: ExitHandler) -> list[Action]:
    """Return the actions that start nodes.

    Args:
        specs: The nodes; first those with parameter files, in the order of the settings.
        chosen: Their settings.
        after: Returns the actions when the process of a node has ended.
    """
    pairs = zip_longest(specs, chosen.files, fillvalue=())
    return [_node(spec, chosen, files, after) for spec, files in pairs]


def new_run_folder(given: ArgumentValues, scenario: Scenario) -> Path:
    """Create a run folder in the folder ``out``, and return its absolute path.

    Raises:
        RunError: It cannot be created.
    """
    return create_run_folder(Path(given['out']), scenario, sys.argv).resolve()


def run_actions(folder: Path, given: ArgumentValues, actions: Sequence[Action]) -> list[Action]:
    """Return the actions of a launch with a run folder: its path as a line, and its logs.

    Nodes log into it unless ROS_LOG_DIR is set.

    Raises:
        ParameterError: The namespace is invalid.
    """
    has_log = 'ROS_LOG_DIR' in os.environ
    return [
        LogInfo(msg=f'run folder: {folder}'),
        *([] if has_log else [SetEnvironmentVariable('ROS_LOG_DIR', str(folder / LOG))]),
        SetEnvironmentVariable(TABLE, str(folder / PARAMETERS)),
        *in_namespace(given['namespace'], actions),
    ]


def _node(
    spec: NodeSpec, chosen: LaunchSettings, files: Sequence[str], after: ExitHandler
) -> Node:
    parameters: list[object] = [{name: _as_is(value) for name, value in spec.parameters.items()}]
    if chosen.use_sim_time:
        parameters.append({'use_sim_time': True})
    return process_action(
        process_of_node(spec),
        chosen,
        after,
        executable=spec.executable,
        namespace=spec.namespace or None,
        parameters=[*parameters, *files],
        remappings=list(spec.remappings),
    )


def process_action(
    process: LaunchedProcess, chosen: LaunchSettings, after: ExitHandler, **options: Any
) -> Node:
    """Return the action that starts a process of this package.

    Args:
        process: The process.
        chosen: Its settings.
        after: Returns the actions when it has ended.
        options: Options of ``launch_ros.actions.Node``.
    """
    bridge_timeout = BRIDGE_TIMEOUT if process.runs(*BRIDGES.values()) else NODE_TIMEOUT
    timeout = MONITOR_TIMEOUT if process.runs('monitor_node') else bridge_timeout
    return Node(
        package=PACKAGE,
        ros_arguments=['--log-level', chosen.log_level],
        output='screen',
        additional_env=to_child(),
        sigterm_timeout=timeout,
        sigkill_timeout=timeout,
        on_exit=lambda event, context: after(process, event, context),
        **options,
    )


def _as_is(value: object) -> object:
    """Return a parameter value that launch does not parse as YAML: the text '1' stays a text."""
    return ParameterValue(value, value_type=str) if isinstance(value, str) else value


HOST = 'node_host'
"""Executable that runs some nodes of a saved plan."""


def start_composed(
    plan: Sequence[NodeSpec],
    groups: Sequence[ProcessGroup],
    saved: Path,
    given: ArgumentValues,
    after: ExitHandler,
) -> list[Action]:
    """Return the actions that start the processes of a run; the observers have their own.

    Args:
        plan: The nodes.
        groups: Which of them share a process.
        saved: The plan in the run's folder, with the full namespaces.
        given: The arguments of the launch.
        after: Returns the actions when a process has ended.
    """
    hosts = [
        process_action(
            process_of_group(group, plan), settings(given), after,
            executable=HOST, exec_name=group.name,
            arguments=[str(saved), *map(str, group.numbers)],
        )
        for group in groups
    ]  # fmt: skip
    observers = [spec for spec in plan if spec.executable in OBSERVERS]
    return [*hosts, *start(observers, settings(given), after)]


OTHERS_GO_ON = 'all others go on'

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
        expected_codes = (0, INCOMPLETE, *(-number for number in SIGNALS if self._stopped))
        if event.returncode not in expected_codes and (watched or not context.is_shutdown):
            self._failures.append(f'{process.name} ended with exit code {event.returncode}')
        if self._goes_on and not context.is_shutdown:
            return ended(process.name, event, context, OTHERS_GO_ON)
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
