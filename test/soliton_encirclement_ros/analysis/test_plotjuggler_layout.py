"""The layout for PlotJuggler shows what our bags hold."""

import re
from xml.etree import ElementTree

import pytest

from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions
from soliton_encirclement_ros.core.states.swarm_topics import TARGET, uav
from support.recorded.run_folder import read_bag_with_mcap
from support.ros.graph import domain, ros
from support.ros.swarm import Swarm, scenario

__all__ = ['domain', 'ros']

AGENTS = 10


@pytest.fixture(scope='module')
def layout(repository):
    return ElementTree.parse(repository / 'config' / 'plotjuggler' / 'swarm.xml').getroot()


def names(layout):
    """Return the names of all series that are drawn, over time and against each other."""
    curves = [*layout.iter('curve')]
    across = [curve.get(axis) for curve in curves for axis in ('curve_x', 'curve_y')]
    plain = [curve.get('name') for curve in curves if not curve.get('curve_x')]
    return {name for name in (*plain, *across) if name}


def series(topic, message):
    """Return the names that PlotJuggler's parser of ROS gives to the numbers in a message."""
    if hasattr(message, 'effort'):
        for kind in ('position', 'velocity'):
            for name, _ in zip(message.name, getattr(message, kind), strict=False):
                yield f'{topic}/{name}/{kind}'
        return
    for field in message.__slots__:
        value = getattr(message, field)
        if isinstance(value, (int, float)):
            yield f'{topic}/{field}'
        elif hasattr(value, '__slots__'):
            yield from series(f'{topic}/{field}', value)


@pytest.mark.ros
def test_every_series_is_in_a_bag_of_ten(layout, ros, tmp_path):
    flown = scenario(run={'num_agents': AGENTS, 'sim_duration': 0.5})
    swarm = Swarm(ros, flown, PlanOptions(True, str(tmp_path), record=True))
    swarm.fly()
    swarm['recorder_node'].close()
    found = {
        name
        for topic, messages in read_bag_with_mcap(tmp_path / 'bag').items()
        for one in messages
        for name in series(topic, one.message)
    }
    assert names(layout) - found == set()


def test_every_agent_of_the_demo_is_seen_from_above(layout):
    across = [curve.get('curve_x') for curve in layout.iter('curve') if curve.get('curve_x')]
    bodies = {re.match('/([^/]+)/', name)[1] for name in across}
    assert bodies >= {TARGET, *map(uav, range(1, AGENTS + 1))}
    for curve in layout.iter('curve'):
        if curve.get('curve_x'):
            assert curve.get('curve_y') == curve.get('curve_x')[:-1] + 'y'


def test_splitters_count_their_parts(layout):
    assert layout.tag == 'root' and len([*layout.iter('Tab')]) == 4
    for splitter in layout.iter('DockSplitter'):
        sizes = splitter.get('sizes').split(';')
        assert int(splitter.get('count')) == len(splitter) == len(sizes)
        assert sum(map(float, sizes)) == pytest.approx(1.0, abs=1e-5)
