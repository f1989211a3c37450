"""Which executor runs the nodes: where it exists the events executor, which is the fastest."""

import rclpy
from rclpy.executors import Executor, SingleThreadedExecutor


def make_executor(context: rclpy.Context | None = None) -> Executor:
    """Return the fastest single-threaded executor of this ROS distribution."""
    try:
        from rclpy.experimental import EventsExecutor
    except ImportError:  # Humble
        return SingleThreadedExecutor(context=context)
    return EventsExecutor(context=context)
