"""The runner: starts the plan's processes, and loses nothing of what they said."""

import itertools
import time

import pytest

from soliton_encirclement_ros.cli.runs.runner import Runner
from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions
from support.cli import processes_that_mention
from support.recorded.run_folder import read_bag_with_rosbags, read_table
from support.ros.swarm import scenario

pytestmark = pytest.mark.ros


@pytest.fixture
def own_domain(domain, monkeypatch):
    """Let the runner and its processes use the domain of the tests."""
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    return domain


class SlowExecutor:
    """An executor that now and then does nothing for a long while, as on a loaded machine."""

    def __init__(self, executor, every, pause):
        """Slow an executor down."""
        self._executor = executor
        self._turns = itertools.count(1)
        self._every = every
        self._pause = pause

    def spin_once(self, timeout_sec):
        """Spin once, or sleep first."""
        if next(self._turns) % self._every == 0:
            time.sleep(self._pause)
        self._executor.spin_once(timeout_sec)

    def __getattr__(self, name):
        """Hand on the rest."""
        return getattr(self._executor, name)


@pytest.mark.nightly
def test_a_runner_that_falls_behind_loses_nothing(own_domain, tmp_path):
    flown = scenario(run={'num_agents': 2, 'sim_duration': 1.0}, failure={'failure_enable': False})
    runner = Runner(flown, PlanOptions(True, str(tmp_path), record=True), 1)
    try:
        runner.start()
        runner._executor = SlowExecutor(runner._executor, 100, 0.7)
        monitor = runner.monitor
        runner.spin(lambda: False, lambda: time.sleep(0.002))
    finally:
        runner.finish(lambda: False)
    assert runner.deaths == []
    assert runner.faults == []
    assert len(monitor.observer.series['time']) == flown.ticks
    _, rows = read_table(tmp_path / 'target_telemetry.csv')
    recorded = read_bag_with_rosbags(tmp_path / 'bag')
    assert [m.stamp_ns / 1e9 for m in recorded['/swarm/metrics']] == [row[0] for row in rows]
    assert len(rows) == flown.ticks
    for topic in ('/clock', '/uav_1/odom', '/uav_2/telemetry', '/target/cmd_vel'):
        assert recorded[topic][-1].stamp_ns == 1_000_000_000, topic
    assert processes_that_mention(str(tmp_path)) == {}


@pytest.mark.nightly
def test_it_stops_everybody_when_asked(own_domain, tmp_path):
    flown = scenario(run={'num_agents': 2, 'sim_duration': 600.0})
    runner = Runner(flown, PlanOptions(False, str(tmp_path), record=False), None)
    names = {'world', 'uav_1', 'uav_2', 'target', 'adversary'}
    try:
        runner.start()
        runner.spin(lambda: len(runner.monitor.observer.series['time']) > 10, lambda: None)
        running = processes_that_mention(str(tmp_path / 'plan.json'))
    finally:
        runner.finish(lambda: True)
    assert {path.stem for path in (tmp_path / 'log').glob('*.log')} >= names
    assert len(running) == len(names)
    assert processes_that_mention(str(tmp_path / 'plan.json')) == {}
    assert runner.deaths == []
