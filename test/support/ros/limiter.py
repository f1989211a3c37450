"""For tests of the twist limiter: the node in simulated time, tick by tick."""

import itertools
import math
import time
from typing import Any

from geometry_msgs.msg import TwistStamped
from rclpy.duration import Duration
from rosgraph_msgs.msg import Clock
from std_srvs.srv import SetBool

from support.ros.graph import PATIENCE, Heard, Ros
from support.ros.sent_messages import command_to_stamped
from support.ros.told import Told
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.nodes.twist_limiter_node import TwistLimiterNode
from velocity_mobility_ros.ros_io.endpoints import COMMAND
from velocity_mobility_ros.ros_io.node_time import ns_to_time, time_to_ns

S = 1_000_000_000
PERIOD_NS = 20_000_000
NODE = '/uav_1/twist_limiter'
STATUS = 'uav_1/twist_limiter: smoothing'


class Limiter:
    """The node in the namespace /uav_1, a clock, a voice for commands, an ear for the output."""

    def __init__(self, ros: Ros, start_ns: int = 1000 * S, **parameters: Any) -> None:
        """Start it, and the time."""
        self.ros = ros
        self.told = Told(ros)
        given = {'use_sim_time': True, 'enable_stamped_cmd_vel': True, **parameters}
        self.node = ros.make(TwistLimiterNode, '/uav_1', **given)
        self.output: Heard = ros.listen(TwistStamped, '/uav_1/cmd_vel', COMMAND)
        ros.until(lambda: self.node.count_subscribers('/uav_1/cmd_vel') >= 1, 'the ear')
        self.voice = ros.voice(TwistStamped, '/uav_1/cmd_vel_raw')
        self._clock = ros.voice(Clock, '/clock')
        self.now_ns = start_ns
        self.set_time(start_ns)

    def set_time(self, now_ns: int) -> None:
        """Publish a time until the node has it, and wait until its timer has rested."""
        self.now_ns = now_ns
        deadline = time.monotonic() + PATIENCE
        while self.node.get_clock().now().nanoseconds != now_ns:
            assert time.monotonic() < deadline, 'the node did not follow the clock'
            self._clock.publish(Clock(clock=ns_to_time(now_ns)))
            self.ros.meanwhile(0.005)

    def tick(self, count: int = 1, wanted: Vector | None = None, yaw_rate: float = 0.0) -> None:
        """Let time pass period by period, each with a command before it and an output after it."""
        for _ in range(count):
            if wanted is not None:
                self.say(wanted, yaw_rate)
            heard = len(self.output)
            self.set_time(self.now_ns + PERIOD_NS)
            self.ros.until(lambda heard=heard: len(self.output) > heard, 'an output')

    def say(
        self, velocity: Vector, yaw_rate: float = 0.0, frame: str = 'map', age_ns: int = 0
    ) -> None:
        """Command, and wait until the node has it."""
        message = command_to_stamped(velocity, yaw_rate, self.now_ns - age_ns, frame)
        self.send(message)

    def send(self, message: TwistStamped) -> None:
        """Send any message, and wait until the node has it."""
        self.voice.publish(message)
        assert self.voice.wait_for_all_acked(Duration(seconds=PATIENCE))

    def stop(self, on: bool) -> SetBool.Response:
        """Call the emergency stop."""
        request = SetBool.Request(data=on)
        return self.ros.call(SetBool, '/uav_1/emergency_stop', request)

    @property
    def velocity(self) -> Vector:
        """The newest output [m/s]."""
        linear = self.output.last.twist.linear
        return linear.x, linear.y, linear.z

    @property
    def stamps(self) -> list[int]:
        """The stamps of all outputs [ns]."""
        return [time_to_ns(message.header.stamp) for message in self.output]

    def accelerations(self) -> list[tuple[float, float]]:
        """Return acceleration [m/s^2] and yaw acceleration [rad/s^2] between the outputs."""
        found = []
        stamped = zip(self.stamps, self.output, strict=True)
        for (t0, one), (t1, other) in itertools.pairwise(stamped):
            a, b, dt = one.twist.linear, other.twist.linear, (t1 - t0) / S
            change = math.dist((a.x, a.y, a.z), (b.x, b.y, b.z))
            found.append((change / dt, abs(other.twist.angular.z - one.twist.angular.z) / dt))
        return found

    def value(self, key: str) -> str:
        """Return a value of the next status."""
        heard = len(self.told.statuses(STATUS))
        self.ros.until(lambda: len(self.told.statuses(STATUS)) > heard, 'a status')
        return next(one.value for one in self.told.statuses(STATUS)[-1].values if one.key == key)
