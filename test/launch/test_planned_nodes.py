"""What a plan starts exists, and takes every parameter: real nodes, without launch."""

import ast
import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from soliton_encirclement_ros.cli.executables import MODULES
from soliton_encirclement_ros.cli.runs.node_host import NODES, make_node
from soliton_encirclement_ros.core.scenario.launch_arguments import BRIDGES
from soliton_encirclement_ros.core.scenario.scenario import load_scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions, body_spec, swarm_plan
from support.ros.graph import Ros, domain, ros

__all__ = ['domain', 'ros']

pytestmark = pytest.mark.ros

FOLDER = Path(__file__).resolve().parents[2] / 'config' / 'scenarios'
SCENARIOS = sorted(path for path in FOLDER.glob('*.yaml') if path.stem != 'original')
"""All but ``original``, which no nodes fly."""


def executables(repository: Path) -> set[str]:
    """Return the names that setup.py installs."""
    tree = ast.parse((repository / 'setup.py').read_text(encoding='utf-8'))
    for node in tree.body:
        if isinstance(node, ast.Assign) and node.targets[0].id == 'EXECUTABLES':
            return {key.value for key in node.value.keys}
    raise AssertionError('setup.py has no EXECUTABLES')


FEW = 10

ON_THEIR_OWN = {'safety_node', 'trajectory_node', 'twist_limiter_node'}
"""Nodes that a user starts beside a vehicle."""


def same(given: Any, found: Any) -> bool:
    """Compare two parameter values; NaN is like NaN."""
    if isinstance(given, float) and math.isnan(given):
        return math.isnan(found)
    return type(given) is type(found) and given == found


def test_every_node_is_installed(repository: Path) -> None:
    """``ros2 run`` and the built-in runner know the same nodes, but for those of real vehicles."""
    others = {'swarm', 'node_host', *ON_THEIR_OWN, *BRIDGES.values()}
    assert set(NODES) == executables(repository) - others
    assert set(BRIDGES.values()) < executables(repository)
    assert set(MODULES) == executables(repository) - {'swarm'}


@pytest.mark.one_in(4)
@pytest.mark.parametrize('lockstep', [True, False], ids=['lockstep', 'real time'])
@pytest.mark.parametrize('path', SCENARIOS, ids=lambda path: path.stem)
def test_plan_becomes_nodes(ros: Ros, tmp_path: Path, path: Path, lockstep: bool) -> None:
    """Names differ, and each node declares everything it is given, with that very value.

    Agents of one swarm are given the same; a few show it.
    """
    options = PlanOptions(lockstep=lockstep, run_folder=str(tmp_path))
    scenario = load_scenario(path)
    few = {'run': {'num_agents': min(scenario.run.num_agents, FEW)}}
    plan = swarm_plan(scenario.with_changes(few, 'few'), options)
    names: Counter[str] = Counter()
    for spec in plan:
        node = ros.add(make_node(spec))
        names[node.get_fully_qualified_name()] += 1
        for name, value in spec.parameters.items():
            assert same(value, node.get_parameter(name).value), (spec.executable, name)
    assert len(names) == len(plan)


def test_vehicles_become_nodes(ros: Ros) -> None:
    """A vehicle that runs on its own takes the scenario's mobility, a missing lag included."""
    scenario = load_scenario(SCENARIOS[0]).with_changes({'mobility': {'tau_xy': None}}, 'x')
    for agent_id in scenario.agent_ids:
        spec = body_spec(scenario, f'uav_{agent_id}')
        node = ros.add(make_node(spec))
        assert node.get_namespace() == f'/uav_{agent_id}'
        for name, value in spec.parameters.items():
            assert same(value, node.get_parameter(name).value), name
