"""The executor that nodes are spun by."""

import sys

import pytest
from rclpy.executors import SingleThreadedExecutor

from velocity_mobility_ros.ros_io.process.node_process import make_executor

pytestmark = pytest.mark.ros


def test_the_events_executor_is_used_where_it_exists(ros):
    executor = make_executor()
    assert type(executor).__name__ == 'EventsExecutor'
    executor.shutdown(0)


def test_without_it_the_plain_one_does(ros, monkeypatch):
    monkeypatch.setitem(sys.modules, 'rclpy.experimental', None)
    executor = make_executor()
    assert isinstance(executor, SingleThreadedExecutor)
    executor.shutdown(0)
