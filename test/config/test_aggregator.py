"""The configuration of diagnostic_aggregator: every status of every node has one place in it."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from soliton_encirclement_ros.cli.runs.node_host import NODES, make_nodes
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import (
    NodeSpec, PlanOptions, placed, swarm_plan
)
from soliton_encirclement_ros.core.states.swarm_topics import ROOT, Fleet
from support.ros.graph import Ros, domain, ros
from support.ros.told import Told
from velocity_mobility_ros.nodes.twist_limiter_node import TwistLimiterNode

__all__ = ['domain', 'ros']

pytestmark = pytest.mark.ros

Analyzer = Mapping[str, Any]


@pytest.fixture
def analyzers(repository: Path) -> dict[str, Analyzer]:
    """Return the analyzers by name."""
    path = repository / 'config' / 'diagnostics' / 'aggregator.yaml'
    content = yaml.safe_load(path.read_text(encoding='utf-8'))
    parameters = content['analyzers']['ros__parameters']
    return {name: value for name, value in parameters.items() if isinstance(value, dict)}


def matches(analyzer: Analyzer, name: str) -> bool:
    """Say whether a GenericAnalyzer takes a status: by one of four ways to look at its name."""
    return (
        any(re.fullmatch(pattern, name) for pattern in analyzer.get('regex', ()))
        or name in analyzer.get('expected', ())
        or any(name.startswith(text) for text in analyzer.get('startswith', ()))
        or any(text in name for text in analyzer.get('contains', ()))
    )


def everybody(folder: Path, fleet: Fleet) -> list[NodeSpec]:
    """Return the plan of a small swarm in real time, with a vehicle of its own besides."""
    scenario = Scenario().with_changes({'run': {'num_agents': 2}}, 'test')
    plan = swarm_plan(scenario, PlanOptions(False, str(folder), True))
    vehicle = NodeSpec('mobility_node', 'uav_9', {}, ())
    return placed([*plan, vehicle], fleet)


@pytest.mark.parametrize('fleet', [ROOT, Fleet('/fleet')])
def test_every_status_has_exactly_one_analyzer(
    ros: Ros, tmp_path: Path, analyzers: dict[str, Analyzer], fleet: Fleet
) -> None:
    told = Told(ros)
    plan = everybody(tmp_path, fleet)
    assert {spec.executable for spec in plan} == set(NODES)
    nodes = [ros.add(node) for node in make_nodes(plan)]
    nodes.append(ros.make(TwistLimiterNode, nodes[-1].get_namespace()))
    ros.until(lambda: len(told.names()) >= len(nodes), 'a status of every node')
    for name in told.names():
        taken = [key for key, analyzer in analyzers.items() if matches(analyzer, name)]
        assert len(taken) == 1, f'{name}: {taken}'
    assert all(name.startswith(fleet.namespace.lstrip('/')) for name in told.names())


def test_every_analyzer_is_one_of_the_aggregator_and_has_a_place(
    analyzers: dict[str, Analyzer],
) -> None:
    known = {'type', 'path', 'contains', 'startswith', 'regex', 'expected', 'timeout'}
    for analyzer in analyzers.values():
        assert analyzer['type'] == 'diagnostic_aggregator/GenericAnalyzer'
        assert set(analyzer) <= known
    assert len({analyzer['path'] for analyzer in analyzers.values()}) == len(analyzers)
