"""Saves and loads a plan of nodes."""

import json
from collections.abc import Sequence
from pathlib import Path

from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec

PLAN = 'plan.json'
"""Name of the plan in a run's folder."""


def save_plan(path: Path, plan: Sequence[NodeSpec]) -> None:
    """Write a plan for ``load_plan``."""
    path.write_text(json.dumps([spec._asdict() for spec in plan], indent=1), encoding='utf-8')


def load_plan(path: Path) -> list[NodeSpec]:
    """Read a saved plan."""
    return [
        NodeSpec(**{**spec, 'remappings': tuple(map(tuple, spec['remappings']))})
        for spec in json.loads(path.read_text(encoding='utf-8'))
    ]
