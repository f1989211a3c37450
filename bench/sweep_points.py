"""The points of a sweep by their names, without the check of all its runs."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.user_files import read_text, read_yaml
from soliton_encirclement_ros.experiments.design import LAW, DesignPoint, Values, design_points
from soliton_encirclement_ros.experiments.sweep_file import (
    apply_changes, base_scenario, find_sweep
)


class SweepPoints(NamedTuple):
    """The base scenario of a sweep, and its points by law and by their other names."""

    path: Path
    base: Scenario
    points: Mapping[tuple[str, str], DesignPoint]

    @property
    def labels(self) -> list[str]:
        """What the points are called, the law apart: ``calm, lag 0.2 s``."""
        return list(dict.fromkeys(label for _, label in self.points))

    def scenario(self, law: str, label: str, changes: Values | None = None) -> Scenario:
        """Return the scenario of a point, with further changes."""
        point = self.points[law, label]
        return apply_changes(
            self.base, point._replace(changes={**point.changes, **(changes or {})}),
            self.path.parent,
        )  # fmt: skip


def read_points(name: str) -> SweepPoints:
    """Return the points of an installed sweep, or of a file."""
    path = find_sweep(name)
    content = read_yaml(read_text(path, 'sweep'), path)
    points = {}
    for point in design_points(content.get('design'), str(path)):
        others = [name for axis, name in point.names.items() if axis != LAW]
        points[point.names.get(LAW, ''), ', '.join(reversed(others))] = point
    return SweepPoints(path, base_scenario(content, path), points)
