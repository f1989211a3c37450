"""A swarm put together from the launch files of its parts, in one launch of many."""

from pathlib import Path

import pytest

from soliton_encirclement_ros.core.run.finished_run import read_run
from support.recorded.run_folder import PICTURES, read_bag_with_rosbags
from support.ros.graph import domain
from support.ros.launched import described, included, later, launch, run_launch

__all__ = ['domain']

pytestmark = pytest.mark.ros

FIELD = """
run: {num_agents: 3}
failure: {failure_enable: false}
target: {target_motion: constant, target_motion_speed_xy: 0.0}
"""


@pytest.fixture
def field(tmp_path: Path) -> str:
    """Return the path of a scenario for three agents."""
    path = tmp_path / 'field.yaml'
    path.write_text(FIELD, encoding='utf-8')
    return str(path)


def test_parts_find_each_other_and_hold_the_ring(domain: int, tmp_path: Path, field: str) -> None:
    """Started in any order; the monitor ends it after its time, and its verdict is the exit code.

    The recorder keeps what all of them said.
    """
    part = {'scenario': field}
    bag = tmp_path / 'bag'
    assert run_launch(described(
        domain,
        included('recorder.launch.py', {'out': str(bag), 'topics': '/swarm/.*'}),
        included('vehicle.launch.py', {**part, 'id': '2'}),
        included('adversary.launch.py', part),
        included('target.launch.py', part),
        included('vehicle.launch.py', {**part, 'id': '1'}),
        later(8.0, included(
            'monitor.launch.py', {**part, 'duration': '12', 'out': str(tmp_path)}
        )),
        included('vehicle.launch.py', {**part, 'id': '3'}),
    )) == 0  # fmt: skip
    folder = tmp_path / 'latest'
    summary = read_run(folder).summary
    assert (summary['interrupted'], summary['verdict']['encircled']) == (False, True)
    assert {path.name for path in folder.glob('*.png')} == set(PICTURES)
    topics = set(read_bag_with_rosbags(bag))
    assert {'/swarm/agent_states', '/swarm/target_state', '/swarm/adversary_state',
            '/swarm/metrics'} <= topics  # fmt: skip
    assert all(topic.startswith('/swarm/') for topic in topics)


@pytest.mark.parametrize(
    ('name', 'arguments'),
    [
        ('adversary.launch.py', {'set': 'adversary.adversary_enable=false'}),
        ('target.launch.py', {'scenario': 'nope'}),
        ('safety.launch.py', {'id': '99'}),
        ('monitor.launch.py', {'duration': 'soon'}),
        ('recorder.launch.py', {'topics': '('}),
    ],
)
def test_what_is_refused_ends_the_launch_with_1(
    domain: int, tmp_path: Path, name: str, arguments: dict[str, str]
) -> None:
    """Nothing is left behind."""
    out = {} if name.startswith(('adversary', 'target')) else {'out': str(tmp_path / 'out')}
    assert launch(name, domain, {**arguments, **out}) == 1
    assert list(tmp_path.iterdir()) == []
