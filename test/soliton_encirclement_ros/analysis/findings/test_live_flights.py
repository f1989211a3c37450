"""Bags of real runs: what is found in them is what was found in flight."""

import json

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
from soliton_encirclement_ros.analysis.findings import find
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.run.observer import SAMPLE_NAMES
from soliton_encirclement_ros.core.run.run_folder import create_run_folder
from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions
from soliton_encirclement_ros.sim import Simulation
from soliton_encirclement_ros.sim.recorded_data import recording_of as formats_of
from support.ready import NO_HURRY, laws
from support.ros.graph import domain, ros
from support.ros.swarm import Swarm, scenario

__all__ = ['domain', 'laws', 'ros']

pytestmark = NO_HURRY

EXACT = 1e-12


def assert_same_flight(found, live):
    """Compare findings with the observer that watched in flight."""
    for name, values in live.series.items():
        np.testing.assert_allclose(found.series[name], values, rtol=0.0, atol=EXACT, err_msg=name)
    assert [*found.events] == sorted(live.events)
    assert found.min_separation.distance == pytest.approx(live.min_separation, abs=EXACT)


SENSED = {
    'position_noise_xy': 0.5, 'velocity_noise_xy': 0.2, 'position_drift_xy': 0.5,
    'odom_latency': 0.12, 'dropouts_per_min': 20.0, 'dropout_time': 0.5, 'command_latency': 0.1,
}  # fmt: skip
SENSING = pytest.mark.parametrize('sensing', [{}, SENSED], ids=['exact', 'noisy and late'])


def assert_measured(found, sensing):
    """Check the errors of the odometry against what was asked for."""
    measured = [one for one in found.measurements if one.name.startswith('uav')]
    assert bool(measured) == bool(sensing)
    for one in measured:
        assert 0.3 < one.position_rms < 3.0 and 0.2 < one.velocity_rms < 0.4
        assert one.position_max > one.position_rms and one.longest_gap >= 0.05


@pytest.mark.ros
@SENSING
def test_a_lockstep_run_over_ros_as_its_monitor_saw_it(ros, tmp_path, sensing):
    flown = scenario(mobility=sensing)
    folder = create_run_folder(tmp_path, flown, ['test'])
    swarm = Swarm(ros, flown, PlanOptions(True, str(folder), record=True))
    swarm.fly()
    swarm['recorder_node'].close()
    found = find(read_recording(folder))
    observer = swarm['monitor_node'].observer
    assert_same_flight(found, observer)
    assert found.observer.switches == observer.switches
    assert found.observer.uptime == pytest.approx(observer.uptime, abs=EXACT)
    assert found.live.samples == flown.ticks
    assert max(found.live.largest.values()) <= EXACT
    told = json.loads((folder / 'summary.json').read_text(encoding='utf-8'))
    same = {key: found.summary[key] for key in told if key in found.summary}
    assert same == {key: told[key] for key in same}
    assert {'settling_time_s', 'verdict', 'failures', 'neighbour_switches_per_min'} <= {*same}
    assert all(one.tracking_rms > 0.0 and one.effort > 0.0 for one in found.agents)
    assert found.problems == ()
    assert_measured(found, sensing)


@SENSING
def test_a_bag_of_the_simulation_as_it_was_flown(tmp_path, sensing):
    flown = scenario(run={'sim_duration': 20.0}, mobility=sensing)
    folder = create_run_folder(tmp_path, flown, ['test'])
    simulation = Simulation(flown, folder, formats_of(flown, ('bag',), None, False, False))
    summary = simulation.fly(lambda: False, lambda: None)
    recording = read_recording(folder)
    found = find(recording)
    for name in SAMPLE_NAMES:
        live = recording.metrics[name]
        np.testing.assert_allclose(found.series[name], live, rtol=0.0, atol=EXACT, err_msg=name)
    told = {key: value for key, value in found.summary.items() if key in summary}
    assert told == {key: summary[key] for key in told}
    assert {name for name, value in found.averages.items() if value > 0.0} == {*METRIC_NAMES}
    assert_measured(found, sensing)
