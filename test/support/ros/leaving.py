"""Processes that leave the ROS graph at the same moment: ``python leaving.py ROUNDS``.

Prints how many of them had not ended after ``PATIENCE``.
"""

import os
import signal
import sys
import time

import rclpy
from rclpy.signals import SignalHandlerOptions
from std_msgs.msg import Header

from velocity_mobility_ros.core.environment.unix_process import Interrupt
from velocity_mobility_ros.ros_io.process.node_process import make_executor, release
from velocity_mobility_ros.ros_io.process.teardown import destroy

PROCESSES = 8
TOPICS = 12
TOGETHER = 1.2
"""Wall time [s] that they have to find each other."""

PATIENCE = 6.0
"""Wall time [s]; without help about one in ten takes longer."""


def member(number: int) -> None:
    interrupt = Interrupt()
    rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
    node = rclpy.create_node(f'member_{number}')
    for topic in range(TOPICS):
        node.create_publisher(Header, f'topic_{topic}', 10)
        node.create_subscription(Header, f'topic_{topic}', lambda _: None, 10)
    executor = make_executor()
    executor.add_node(node)
    while not interrupt:
        executor.spin_once(timeout_sec=0.02)
    release(executor, [node])
    destroy([node])
    rclpy.try_shutdown()
    os._exit(0)


def leave_together() -> int:
    """Return how many of some processes hang."""
    members = []
    for number in range(PROCESSES):
        pid = os.fork()
        if pid == 0:
            member(number)
        members.append(pid)
    time.sleep(TOGETHER)
    for pid in members:
        os.kill(pid, signal.SIGINT)
    begun = time.monotonic()
    while members and time.monotonic() - begun < PATIENCE:
        members = [pid for pid in members if os.waitpid(pid, os.WNOHANG)[0] == 0]
        time.sleep(0.02)
    for pid in members:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return len(members)


if __name__ == '__main__':
    print(sum(leave_together() for _ in range(int(sys.argv[1]))))
