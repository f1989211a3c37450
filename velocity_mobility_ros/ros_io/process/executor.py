"""Selects the executor of the nodes: the events executor, the fastest, where it exists."""

import rclpy
from rclpy.executors import Executor, SingleThreadedExecutor


def make_executor(context: rclpy.Context | None = None) -> Executor:
    """Return the fastest single-threaded executor of this ROS distribution."""
    try:
        from rclpy.experimental import EventsExecutor
    except ImportError:  # Humble
        return SingleThreadedExecutor(context=context)
    return EventsExecutor(context=context)
