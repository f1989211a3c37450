"""For tests of the emergency stop: an operator's messages, and commands before and after."""

import itertools
import time
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import Twist, TwistStamped
from std_srvs.srv import SetBool

from soliton_encirclement_ros.core.emergency_stop import (
    EVERYBODY, HEARTBEAT, TO_RELEASE, TO_STOP, StopMessage
)
from soliton_encirclement_ros.nodes.stop_topic import stop_message
from support.ros.graph import Ros
from velocity_mobility_ros.ros_io.endpoints import LATCHED

TOPIC = '/swarm/stop'


def call_stop(ros: Ros, service: str, stop: bool) -> SetBool.Response:
    """Call a service of the emergency stop."""
    return ros.call(SetBool, service, SetBool.Request(data=stop))


class Operator:
    """A publisher of orders and heartbeats in the tester's node."""

    def __init__(self, ros: Ros, readers: int = 1, topic: str = TOPIC) -> None:
        """Wait for readers."""
        self.ros = ros
        self.voice = ros.voice(DiagnosticArray, topic, LATCHED, readers)

    def say(self, word: StopMessage) -> None:
        """Say one thing."""
        self.voice.publish(stop_message([word], time.time_ns()))

    def order(self, stop: bool, scope: str = EVERYBODY, stamp_ns: int | None = None) -> int:
        """Give an order; return its stamp [ns]."""
        stamp_ns = stamp_ns or time.time_ns()
        self.say(StopMessage(TO_STOP if stop else TO_RELEASE, scope, 'the tester', stamp_ns))
        return stamp_ns

    def beat(self, timeout: float) -> None:
        """Send a heartbeat."""
        self.say(StopMessage(HEARTBEAT, source='the tester', timeout=timeout))

    def leave(self) -> None:
        """Go away."""
        self.ros.tester.destroy_publisher(self.voice)


def is_zero(command: Twist | TwistStamped) -> bool:
    """Say whether a command, stamped or not, is exactly zero."""
    twist = getattr(command, 'twist', command)
    numbers = (twist.linear.x, twist.linear.y, twist.linear.z, twist.angular.z)
    return numbers == (0.0, 0.0, 0.0, 0.0)


def moving_after(commands: list[Any], count: int) -> int:
    """Return how many commands after the first ones were not zero; none may follow a zero."""
    later = list(itertools.dropwhile(lambda one: not is_zero(one), commands[count:]))
    assert all(map(is_zero, later))
    return len(commands[count:]) - len(later)
