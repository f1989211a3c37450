"""The executor: the fastest there is, and the plain one elsewhere."""

import sys

import pytest
from rclpy.executors import SingleThreadedExecutor
from velocity_mobility_ros.ros_io.process.executor import make_executor

pytestmark = pytest.mark.ros


def test_the_events_executor_is_used_where_it_exists(ros):
    pytest.importorskip('rclpy.experimental')
    executor = make_executor()
    assert type(executor).__name__ == 'EventsExecutor'
    executor.shutdown(0)


def test_without_it_the_plain_one_does(ros, monkeypatch):
    monkeypatch.setitem(sys.modules, 'rclpy.experimental', None)
    executor = make_executor()
    assert isinstance(executor, SingleThreadedExecutor)
    executor.shutdown(0)


def test_it_runs_timers(ros):
    fired = []
    ros.tester.create_timer(0.01, lambda: fired.append(1))
    ros.until(lambda: len(fired) >= 3, 'three firings')
