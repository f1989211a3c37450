"""A gain that is changed while a whole swarm flies: the ring closes at once, the bag shows it."""

import pytest

from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
from soliton_encirclement_ros.analysis.findings import find
from soliton_encirclement_ros.analysis.findings.alarms import grouped_updates
from soliton_encirclement_ros.core.run.run_folder import create_run_folder
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions
from soliton_encirclement_ros.core.states.swarm_topics import uav
from support.ros.graph import Ros, set_parameters
from support.ros.swarm import Swarm

pytestmark = pytest.mark.ros

SLOW = Scenario('tuned').with_changes(
    {
        'run': {'num_agents': 3, 'sim_duration': 8.0, 'seed': 3, 'init_radius_range': 0.0},
        'control': {'controller': 'soliton', 'k_s': 0.01},
        'failure': {'failure_enable': False},
        'target': {'target_motion_speed_xy': 0.0},
        'adversary': {'adversary_enable': False},
    },
    'test',
)
"""Agents start unevenly on the ring and hardly care about it."""

HALF = 80
"""Ticks after which they are told to care."""


def tell_all(ros: Ros, k_s: float) -> None:
    """Give every agent another gain."""
    for k in SLOW.agent_ids:
        assert set_parameters(ros, f'/{uav(k)}/agent', k_s=k_s) == ['']


def assert_closed_by_the_change(swarm: Swarm, folder: object) -> float:
    """Compare both halves of a flight; return when the bag says that the gain changed [s]."""
    found = find(read_recording(folder))
    (change,) = grouped_updates(found.recording.changes)
    assert (change.name, change.old, change.new) == ('k_s', 0.01, 1.5)
    assert sorted(change.nodes) == [f'/{uav(k)}/agent' for k in SLOW.agent_ids]
    time, spacing = found.series['time'], found.series['E_gap']
    whole = found.series['alive'] == SLOW.run.num_agents
    first, last = spacing[whole & (time <= change.time)], spacing[-1]
    assert first[-1] > 0.8 * first[0] > 0.1 > 4.0 * last
    turned = swarm['monitor_node'].observer.series['E_gap']
    assert turned[-1] == pytest.approx(last, abs=1e-3)
    return change.time


def test_in_lockstep(ros, tmp_path):
    """The change counts from the tick on at which it was made."""
    folder = create_run_folder(tmp_path, SLOW, ['test'])
    swarm = Swarm(ros, SLOW, PlanOptions(True, str(folder), record=True))
    ros.until(lambda: swarm['world'].world.tick >= HALF, 'half of the flight')
    tell_all(ros, 1.5)
    swarm.fly()
    swarm['recorder_node'].close()
    assert 4.0 <= assert_closed_by_the_change(swarm, folder) <= 7.0
