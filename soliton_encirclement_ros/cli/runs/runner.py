"""Runs a plan: the swarm in its own processes, monitor and recorder in this one.

Each process hosts some nodes of the plan and logs into the run's folder. At the end the observers
are spun until they have received what is expected.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Optional

import rclpy
from rclpy.executors import Executor
from rclpy.logging import LoggingSeverity, set_logger_level
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions

from soliton_encirclement_ros.cli.operator.ros_context import refuse_neighbours
from soliton_encirclement_ros.cli.runs.node_host import make_node
from soliton_encirclement_ros.core.run.process_composition import (
    AGENT_NODE, ProcessGroup, composition
)
from soliton_encirclement_ros.core.run.run_folder import LOG, PARAMETERS
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import (
    OBSERVERS, PLAN, PlanOptions, messages_per_tick, placed, save_plan, swarm_plan
)
from soliton_encirclement_ros.core.states.swarm_topics import ROOT, Fleet
from soliton_encirclement_ros.nodes.observers.monitor_node import MonitorNode
from soliton_encirclement_ros.nodes.observers.recorder_node import RecorderNode
from velocity_mobility_ros.core.environment.parameter_files import TABLE
from velocity_mobility_ros.core.environment.unix_process import to_child
from velocity_mobility_ros.core.step_time import step_ns
from velocity_mobility_ros.core.user_errors import MobilityError
from velocity_mobility_ros.ros_io.process.clock_watch import watch_clock
from velocity_mobility_ros.ros_io.process.node_process import (
    close, keep_for_good, make_executor, release
)
from velocity_mobility_ros.ros_io.process.parameter_sources import tell_parameters
from velocity_mobility_ros.ros_io.process.start_errors import one_line_errors
from velocity_mobility_ros.ros_io.process.teardown import destroy, shut_down

DRAIN_LIMIT = 12.0
"""Wall time [s] without messages after which expected ones are given up: a writer resends what
a reader has missed within three seconds, and the monitor gives up before that."""

MAX_DRAIN = 60.0
"""Wall time [s] after which it ends in any case: other nodes may publish forever."""

IDLE_TURNS = 25
"""Idle turns of the executor after which no more messages are expected. Turns, not time:
a starved process handles nothing for a while although messages are waiting."""

SPIN_TIMEOUT = 0.02

Observers = Sequence[MonitorNode | RecorderNode]


def drain(
    executor: Executor,
    observers: Observers,
    missing: Callable[[], list[str]],
    stop: Callable[[], bool],
) -> list[str]:
    """Spin until all expected messages have arrived and no more arrive; return what is missing.

    Args:
        executor: Spins the observers.
        observers: Monitor and recorders.
        missing: Returns what has not arrived yet, as text.
        stop: Returns whether the user does not want to wait for it.
    """
    idle, last_progress, start = 0, None, time.monotonic()
    changed = start
    while idle < IDLE_TURNS or (missing() and not stop()):
        executor.spin_once(timeout_sec=SPIN_TIMEOUT)
        progress = [node.progress for node in observers]
        idle = idle + 1 if progress == last_progress else 0
        if progress != last_progress:
            last_progress, changed = progress, time.monotonic()
        given_up = idle >= IDLE_TURNS and time.monotonic() - changed > DRAIN_LIMIT
        if given_up or time.monotonic() - start > MAX_DRAIN:
            return missing()
    return []


def missing_messages(
    scenario: Scenario, fleet: Fleet, observers: Observers, agent_processes: int | None = None
) -> list[str]:
    """Return what observers of a finished lockstep run have not received yet, as text.

    Args:
        scenario: The scenario of the run.
        fleet: The fleet that flew.
        observers: Monitor and recorders.
        agent_processes: How many processes the agents share; None: each has its own.
    """
    lines = []
    last_ns = step_ns(scenario.ticks, scenario.swarm.control_period)
    for node in observers:
        if isinstance(node, MonitorNode):
            ticks = scenario.ticks - node.samples
            lines += [f'{ticks} ticks never reached the monitor'] if ticks > 0 else []
            continue
        promised = messages_per_tick(scenario, fleet, agent_processes).items()
        short = [topic for topic, n in promised if node.count_at(topic, last_ns) < n]
        if short and node.complete:
            lines.append(f'the bag lacks the end of {", ".join(short)}')
    return lines


STOP_TIMEOUT = 5.0
"""Wall time [s] that a process has to end by itself."""

NO_SECOND_LOG = ('--ros-args', '--disable-external-lib-logs')
"""ROS would write all that a process says into a file as well, named by its process id."""


class Host:
    """One process with some nodes of the plan."""

    def __init__(self, group: ProcessGroup, folder: Path, plan: Path) -> None:
        """Start the process.

        Args:
            group: Its nodes; its name is that of the log file.
            folder: The run's folder.
            plan: The saved plan.
        """
        self.name, numbers, self.is_vital = group
        self.log = folder / LOG / f'{self.name}.log'
        self.log.parent.mkdir(exist_ok=True)
        module = 'soliton_encirclement_ros.cli.runs.node_host'
        command = [sys.executable, '-m', module, str(plan), *map(str, numbers), *NO_SECOND_LOG]
        with self.log.open('wb') as log:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={
                    **os.environ,
                    **to_child(),
                    'ROS_LOG_DIR': str(self.log.parent),
                    TABLE: str(folder / PARAMETERS),
                },
                start_new_session=True,  # ctrl-C is for the runner, which then stops us in order
            )

    @property
    def exit_code(self) -> int | None:
        """The exit code, None while the process lives."""
        return self._process.poll()

    def interrupt(self) -> None:
        """Ask the process to end."""
        if self.exit_code is None:
            self._process.send_signal(signal.SIGINT)

    def end(self, deadline: float) -> None:
        """Wait until a deadline (monotonic clock [s]), then kill the process."""
        try:
            self._process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def reason(self) -> str:
        """Return why it ended: the signal, or the last line of its log above the level INFO."""
        code = self.exit_code or 0
        if code < 0:
            return f'signal {-code}, {signal.strsignal(-code) or "unknown"}'
        lines = self.log.read_text(encoding='utf-8', errors='replace').strip().splitlines()
        output = [line for line in lines if not line.startswith('[INFO]')]
        return f'exit code {code}: {output[-1] if output else "no output"}'


def stop_all(hosts: Sequence[Host]) -> None:
    """Ask all processes to end, and kill those that do not."""
    for host in reversed(hosts):  # the world comes first in a plan, and is needed by all others
        host.interrupt()
    deadline = time.monotonic() + STOP_TIMEOUT
    for host in hosts:
        host.end(deadline)


class Runner:
    """One run from start to closed files."""

    def __init__(
        self,
        scenario: Scenario,
        options: PlanOptions,
        processes: Optional[int],
        fleet: Fleet = ROOT,
    ) -> None:
        """Prepare a run; nothing is started yet.

        Args:
            scenario: The scenario.
            options: The parts of the run.
            processes: How many processes the nodes share, besides this one, which observes;
                None: one per node.
            fleet: Names of the swarm.

        Raises:
            ScenarioError: Nodes cannot run the scenario, or there are fewer than processes.
        """
        self._scenario = scenario
        self._options = options
        self._folder = Path(options.run_folder)
        self._fleet = fleet
        plan = swarm_plan(scenario, options)
        self._groups = composition(plan, processes)
        self._plan = placed(plan, fleet)
        self._hosts: list[Host] = []
        self._nodes: list[Node] = []
        self._executor: Executor | None = None
        self.deaths: list[str] = []
        self.ended_early = ''
        self._finished = False
        self.was_refused = False

    @property
    def monitor(self) -> MonitorNode:
        """The monitor of the run."""
        return next(node for node in self._nodes if isinstance(node, MonitorNode))

    @property
    def faults(self) -> list[str]:
        """Processes that died, and what is missing on disk, with the reasons."""
        return [*self.deaths, *(line for node in self._nodes for line in node.faults)]

    def start(self) -> None:
        """Start observers first, so that they miss no message, then all others.

        Raises:
            RunError: Another swarm uses the same namespace of the same domain.
            StartupError: ROS, or a node, cannot start.
        """
        try:
            with one_line_errors():
                self._start()
        except MobilityError:
            self.was_refused = True
            raise

    def _start(self) -> None:
        rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
        set_logger_level('', LoggingSeverity.WARN)  # the display shows the rest
        refuse_neighbours(self._fleet)
        self._executor = make_executor()
        table = str(self._folder / PARAMETERS)
        for spec in self._plan:
            if spec.executable in OBSERVERS:
                node = make_node(spec)
                self._nodes.append(node)
                self._executor.add_node(node)
                tell_parameters(node, table)
        keep_for_good()
        path = self._folder / PLAN
        save_plan(path, self._plan)
        for group in self._groups:
            self._hosts.append(Host(group, self._folder, path))

    def spin(self, stop: Callable[[], bool], each_turn: Callable[[], None]) -> None:
        """Spin until the world is done, or ``stop`` returns true."""
        with watch_clock(self._executor):
            while not stop() and not self._is_over():
                self._executor.spin_once(timeout_sec=SPIN_TIMEOUT)
                each_turn()

    def _is_over(self) -> bool:
        """Whether the run has been observed to its end, or a vital process has ended."""
        if self._options.lockstep and self.monitor.samples >= self._scenario.ticks:
            self._finished = True
            return True
        if not self._options.lockstep and self.monitor.is_over:
            self._finished = True  # the world goes on, and nobody misses it before the end
            return True
        for host in [host for host in self._hosts if host.exit_code is not None]:
            self._hosts.remove(host)
            if host.exit_code != 0:
                self.deaths.append(f'{host.name} died: {host.reason()} (see {host.log})')
            if host.is_vital:
                self._finished = host.exit_code == 0
                self.ended_early = '' if self._finished else f'{host.name} died'
                return True
        return False

    def finish(self, stop: Callable[[], bool]) -> None:
        """Stop every process, receive the messages in transit, close the files.

        After a complete run the writers live on until their readers have everything.

        Args:
            stop: Returns whether the user does not want to wait for a last expected message.
        """
        if not (self._finished and self._options.lockstep):
            stop_all(self._hosts)
        if self._executor is not None and self._nodes and not self.was_refused:
            self.deaths += drain(self._executor, self._nodes, self._missing, stop)
        stop_all(self._hosts)
        if self._executor is not None:
            release(self._executor, self._nodes)
        close(self._nodes)
        destroy(self._nodes)
        set_logger_level('', LoggingSeverity.INFO)
        shut_down()

    def _missing(self) -> list[str]:
        """Return what the observers have not received yet of a finished lockstep run, as text."""
        if not (self._finished and self._options.lockstep):
            return []
        executables = [{self._plan[k].executable for k in group.numbers} for group in self._groups]
        agent_processes = sum(AGENT_NODE in each for each in executables)
        return missing_messages(self._scenario, self._fleet, self._nodes, agent_processes)
