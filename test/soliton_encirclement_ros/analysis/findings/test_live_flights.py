"""Bags of real runs: what is found in them is what was found in flight."""

import json

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.bag import read_recording
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


@pytest.mark.ros
def test_a_lockstep_run_over_ros_as_its_monitor_saw_it(ros, tmp_path):
    flown = scenario()
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


def test_a_bag_of_the_simulation_as_it_was_flown(tmp_path):
    flown = scenario(run={'sim_duration': 20.0})
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
    assert {name for name, value in found.means.items() if value > 0.0} == {*METRIC_NAMES}
