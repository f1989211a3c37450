"""Layouts for RViz and Foxglove: they can be read, and show what the monitor publishes."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.states.swarm_topics import (
    DIAGNOSTICS, MARKERS, METRICS, ROOT, SHOWN
)

PUBLISHED = (*METRIC_NAMES, 'alive', 'min_separation')
"""Names of the values on the metrics topic, by position."""


@pytest.fixture(scope='module')
def rviz(repository: Path) -> dict[str, Any]:
    """Return what RViz is to show."""
    path = repository / 'config' / 'rviz' / 'swarm.rviz'
    return yaml.safe_load(path.read_text(encoding='utf-8'))['Visualization Manager']


@pytest.fixture(scope='module')
def foxglove(repository: Path) -> dict[str, Any]:
    """Return the layout for Foxglove."""
    path = repository / 'config' / 'foxglove' / 'swarm.json'
    return json.loads(path.read_text(encoding='utf-8'))


def panels(layout: Any) -> Iterator[str]:
    """Walk the names of all panels that a layout places."""
    if isinstance(layout, str):
        yield layout
        return
    assert layout['direction'] in ('row', 'column')
    yield from panels(layout['first'])
    yield from panels(layout['second'])


def test_rviz_shows_what_its_launch_moves_into_a_namespace(rviz: dict[str, Any]) -> None:
    """A topic that were not moved would be that of the fleet at the root."""
    topics = {found['Topic']['Value'] for found in rviz['Displays'] if 'Topic' in found}
    assert topics == {ROOT.full_name(name) for name in SHOWN}
    assert rviz['Global Options']['Fixed Frame'] == 'map'


def test_rviz_asks_for_what_is_offered(rviz: dict[str, Any]) -> None:
    """Odometry as best effort, so that a driver that offers no more is heard; never latched."""
    topics = [found['Topic'] for found in rviz['Displays'] if 'Topic' in found]
    assert {topic['Durability Policy'] for topic in topics} == {'Volatile'}
    reliable = {t['Value'] for t in topics if t['Reliability Policy'] == 'Reliable'}
    assert reliable == {ROOT.full_name(MARKERS)}


def test_foxglove_places_every_panel_once(foxglove: dict[str, Any]) -> None:
    """No panel without a configuration, no configuration without a place."""
    assert sorted(panels(foxglove['layout'])) == sorted(foxglove['configById'])
    scene = next(p for name, p in foxglove['configById'].items() if name.startswith('3D!'))
    assert scene['followTf'] == 'map'
    assert scene['topics'][ROOT.full_name(MARKERS)]['visible']
    topics = {panel.get('topicToRender') for panel in foxglove['configById'].values()}
    assert {DIAGNOSTICS, '/rosout'} <= topics


def test_foxglove_plots_the_metrics_by_their_names(foxglove: dict[str, Any]) -> None:
    """Every published value is plotted once, and the label fits the position."""
    shown = {}
    for name, panel in foxglove['configById'].items():
        for path in panel['paths'] if name.startswith('Plot!') else ():
            match = re.fullmatch(rf'{ROOT.full_name(METRICS)}\.position\[(\d+)\]', path['value'])
            assert match is not None, path['value']
            shown[int(match[1])] = path['label']
    assert shown == dict(enumerate(PUBLISHED))
