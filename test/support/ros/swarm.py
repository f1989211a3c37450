"""For tests that fly a swarm of real nodes in this process, and the same flight without ROS."""

from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple

from rclpy.node import Node

from soliton_encirclement_ros.cli.runs.node_host import make_node
from soliton_encirclement_ros.cli.runs.runner import missing_messages
from soliton_encirclement_ros.core.run.process_composition import AGENT_NODE
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import (
    NodeSpec, PlanOptions, placed, swarm_plan
)
from soliton_encirclement_ros.core.states.swarm_topics import ROOT, WORLD, Fleet
from soliton_encirclement_ros.nodes.actors.agent_group import AgentGroup
from soliton_encirclement_ros.nodes.observers.recorder_node import RecorderNode
from support.plain_loop import SwarmLoop
from support.ros.graph import Ros

MAX_FLIGHT = 60.0
"""Wall time [s] that a lockstep flight may take."""

LAST_SAMPLE = 24.0
"""Wall time [s] after the end of a flight in which the monitor evaluates its last tick: the
middleware repeats what got lost every three seconds."""


def scenario(**changes: dict[str, Any]) -> Scenario:
    """Return a short, lively scenario: four agents that fail often, and everybody moves."""
    lively: dict[str, dict[str, Any]] = {
        'run': {'num_agents': 4, 'sim_duration': 4.0, 'seed': 3, 'lockstep_timeout': 3.0},
        'failure': {'failure_mean_failures_per_min': 30.0, 'failure_off_time': 0.6},
        'target': {'target_swarm_spin_enable': True},
    }
    return Scenario('lively').with_changes(lively, 'test').with_changes(changes, 'test')


class Swarm:
    """The nodes of a plan, spinning in this process."""

    def __init__(
        self,
        ros: Ros,
        scenario: Scenario,
        options: PlanOptions,
        leave_out: Collection[str] = (),
        fleet: Fleet = ROOT,
        group: AgentGroup | None = None,
    ) -> None:
        """Create every node but those left out (names such as ``uav_3``, ``monitor_node``).

        With a ``group`` the agents send their states together, as in a process of their own.
        """
        self._agents = {'group': group} if group is not None else {}
        self.ros = ros
        self.scenario = scenario
        self.fleet = fleet
        plan = swarm_plan(scenario, options)
        self.plan = dict(zip(map(name_of, plan), placed(plan, fleet), strict=True))
        self.nodes: dict[str, Any] = {
            name: self._make(spec) for name, spec in self.plan.items() if name not in leave_out
        }

    def _make(self, spec: NodeSpec) -> Any:
        more = self._agents if spec.executable == AGENT_NODE else {}
        return self.ros.add(make_node(spec, **more))

    def add(self, name: str) -> Any:
        """Create a node that was left out."""
        self.nodes[name] = self._make(self.plan[name])
        return self.nodes[name]

    def __getitem__(self, name: str) -> Any:
        """Return a node."""
        return self.nodes[name]

    @property
    def samples(self) -> int:
        """Count the rows of metrics so far."""
        return len(self['monitor_node'].observer.series['time'])

    def fly(self) -> None:
        """Fly to the end of a lockstep run and put everything on disk."""
        world, monitor = self[WORLD], self['monitor_node']
        self.ros.until(lambda: world.finished, 'the end of the flight', MAX_FLIGHT)
        self.ros.until(lambda: self.samples >= self.scenario.ticks, 'the last sample', LAST_SAMPLE)
        recorders = [node for node in self.nodes.values() if isinstance(node, RecorderNode)]
        self.ros.until(
            lambda: not missing_messages(self.scenario, self.fleet, recorders),
            'the last messages in the bag', LAST_SAMPLE,
        )  # fmt: skip
        self.ros.meanwhile(0.1)
        monitor.close()


def name_of(spec: NodeSpec) -> str:
    """Return a short name for a node of a plan."""
    if spec.executable == f'{WORLD}_node':
        return WORLD
    return spec.namespace or spec.executable


def fly(ros: Ros, scenario: Scenario, folder: Path, **extra: Any) -> Swarm:
    """Fly a scenario in lockstep with all nodes in this process; the tables land in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    swarm = Swarm(ros, scenario, PlanOptions(True, str(folder), record=False), **extra)
    swarm.fly()
    return swarm


def take_down(ros: Ros, nodes: Collection[Node]) -> None:
    """Take nodes down, so that others can fly in the same context."""
    for node in list(nodes):
        ros.remove(node)


class PureFlight(NamedTuple):
    """The rows of both tables, as lists of numbers."""

    agents: list[list[float]]
    target: list[list[float]]


def fly_without_ros(scenario: Scenario) -> PureFlight:
    """Fly a scenario as a plain loop over the world and the three brains."""
    loop, rows = SwarmLoop(scenario), PureFlight([], [])
    loop.on_row = lambda row: rows.agents.append(
        [row.agent_id, row.time, *row.values, row.speed, *row.position, *row.velocity]
    )
    loop.on_sample = lambda one: rows.target.append([one.time, *one.metrics, *one.target])
    loop.fly()
    return rows
