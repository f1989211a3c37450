"""Runs a plan: the swarm in its own processes, monitor and recorder in this one."""

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Optional

import rclpy
from rclpy.executors import Executor
from rclpy.logging import LoggingSeverity, set_logger_level
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from velocity_mobility_ros.core.errors import MobilityError
from velocity_mobility_ros.core.shortage import ShortageError, shortage
from velocity_mobility_ros.ros_io.effective_parameters import check_parameters
from velocity_mobility_ros.ros_io.process.entry import close, keep_for_good, release
from velocity_mobility_ros.ros_io.process.executor import make_executor
from velocity_mobility_ros.ros_io.process.start_errors import one_line_errors
from velocity_mobility_ros.ros_io.process.teardown import destroy, shut_down

from soliton_encirclement_ros.cli.processes.draining import SPIN_TIMEOUT, drain, missing_at_the_end
from soliton_encirclement_ros.cli.processes.neighbour_search import refuse_neighbours
from soliton_encirclement_ros.cli.processes.node_factory import AGENT_NODE, make_node
from soliton_encirclement_ros.cli.processes.run_processes import Host, stop_all
from soliton_encirclement_ros.core.run.run_folder import PARAMETERS
from soliton_encirclement_ros.core.scenario.composition import composition
from soliton_encirclement_ros.core.scenario.plan_file import PLAN, save_plan
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import (
    OBSERVERS,
    PlanOptions,
    placed,
    swarm_plan,
)
from soliton_encirclement_ros.core.states.swarm_topics import ROOT, Fleet
from soliton_encirclement_ros.nodes.monitor.monitor_node import MonitorNode


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
            options: What takes part.
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
        self.was_refused = self.is_starved = False

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
            ShortageError: There is too little memory, or there are no threads left.
            StartupError: ROS, or a node, cannot start.
        """
        try:
            with one_line_errors():
                self._start()
        except MobilityError as error:
            self.was_refused = True
            self.is_starved = isinstance(error, ShortageError)
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
                check_parameters(node, table=table)
        keep_for_good()
        path = self._folder / PLAN
        save_plan(path, self._plan)
        for group in self._groups:
            self._hosts.append(Host(group, self._folder, path))

    def spin(self, stop: Callable[[], bool], each_turn: Callable[[], None]) -> None:
        """Spin until the world is done, ``stop`` returns true, or memory or threads run out."""
        try:
            while not stop() and not self._is_over():
                self._executor.spin_once(timeout_sec=SPIN_TIMEOUT)
                each_turn()
        except Exception as error:
            self.ended_early = self._name_shortage(error)

    def _name_shortage(self, error: Exception) -> str:
        """Add a shortage to the errors, once, and return it; raise any other error again."""
        line = shortage(error)
        if line is None:
            raise error
        self.is_starved = True
        if line not in self.deaths:
            self.deaths.append(line)
        return line

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

        After a complete run the writers live on until their readers have everything. If memory
        or threads are missing, the nodes are closed but not destroyed: that can crash the
        process, which is about to end.

        Args:
            stop: Returns whether the user does not want to wait for a last expected message.
        """
        if not (self._finished and self._options.lockstep):
            stop_all(self._hosts)
        if self._executor is not None and self._nodes and not self.was_refused:
            self._drain_if_possible(stop)
        stop_all(self._hosts)
        if self.is_starved:
            with contextlib.suppress(Exception):  # the same shortage again, already reported
                close(self._nodes)
            return
        if self._executor is not None:
            release(self._executor, self._nodes)
        close(self._nodes)
        destroy(self._nodes)
        set_logger_level('', LoggingSeverity.INFO)
        shut_down()

    def _drain_if_possible(self, stop: Callable[[], bool]) -> None:
        """Receive the messages in transit, as far as there are memory and threads for it."""
        if self.is_starved:
            return
        try:
            self.deaths += drain(self._executor, self._nodes, self._missing, stop)
        except Exception as error:
            self._name_shortage(error)

    def _missing(self) -> list[str]:
        """Return what the observers have not received yet of a finished lockstep run, as text."""
        if not (self._finished and self._options.lockstep):
            return []
        executables = [{self._plan[k].executable for k in group.numbers} for group in self._groups]
        agent_processes = sum(AGENT_NODE in each for each in executables)
        return missing_at_the_end(self._scenario, self._fleet, self._nodes, agent_processes)
