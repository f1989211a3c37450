"""For tests: an operator and a controller of several vehicles, with standard messages only.

A thread of its own takes what bridges tell, and commands at 50 Hz, whatever the test waits for.
"""

import threading
import time
from typing import Any

import rclpy
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from rosgraph_msgs.msg import Clock
from std_srvs.srv import Trigger

from support.cli import wait_until
from support.ros.sent_messages import command_to_twist
from velocity_mobility_ros.ros_io.endpoints import COMMAND, LATCHED, STATE_INPUT
from velocity_mobility_ros.ros_io.node_time import ns_to_time
from velocity_mobility_ros.ros_io.process.node_process import make_executor

PERIOD = 0.02
SIMULATED_START = 1000.0
"""First simulated time [s]."""


class Vehicle:
    """What one bridge tells, and what it is told.

    Attributes:
        command: Velocity east, north, up [m/s] and yaw rate [rad/s]; None: silence.
        level: Level of its last ``bridge_state``.
        reason: Its text.
        values: Its values by name.
        history: All pairs of state and reason, each change once.
        odometry: Its odometry with the local time of its arrival [ns], in order.
        status: Its last values on ``/diagnostics``.
        reports: How often it has told its state.
        longest_tick: Longest time between two of its steps, by its own word [s].
    """

    def __init__(self, node: Node, number: int) -> None:
        self.command: tuple[float, float, float, float] | None = None
        self.level, self.reason, self.values = b'', '', {}
        self.history: list[tuple[str, str]] = []
        self.odometry: list[tuple[int, Odometry]] = []
        self.status: dict[str, str] = {}
        self.reports, self.longest_tick = 0, 0.0
        self._node, self.space = node, f'/uav_{number}'
        self._clients: dict[str, Any] = {}
        node.create_subscription(
            DiagnosticStatus, f'{self.space}/bridge_state', self._on_state, LATCHED
        )
        node.create_subscription(Odometry, f'{self.space}/odom', self._on_odometry, STATE_INPUT)
        self._publisher = node.create_publisher(Twist, f'{self.space}/cmd_vel', COMMAND)

    def _on_state(self, message: DiagnosticStatus) -> None:
        self.values = {pair.key: pair.value for pair in message.values}
        self.level, self.reason = message.level, message.message
        self.reports += 1
        self.longest_tick = max(self.longest_tick, 1e-3 * float(self.values['tick_ms']))
        if self.history[-1:] != [(self.state, self.reason)]:
            self.history.append((self.state, self.reason))

    def _on_odometry(self, message: Odometry) -> None:
        self.odometry.append((time.time_ns(), message))

    def send(self) -> None:
        """Publish the command, if there is one."""
        if self.command is not None:
            *velocity, yaw_rate = self.command
            self._publisher.publish(command_to_twist(tuple(velocity), yaw_rate))

    def publish(self, message: Twist) -> None:
        """Publish another command."""
        self._publisher.publish(message)

    @property
    def state(self) -> str:
        """Name of its state; empty before the first message."""
        return self.values.get('state', '')

    @property
    def position(self) -> tuple[float, float, float]:
        """Position by its last odometry [m]."""
        place = self.odometry[-1][1].pose.pose.position
        return place.x, place.y, place.z

    def ask(self, verb: str) -> tuple[bool, str]:
        """Call a service; return whether it was accepted, and the answer."""
        if verb not in self._clients:
            self._clients[verb] = self._node.create_client(Trigger, f'{self.space}/{verb}')
        client = self._clients[verb]
        wait_until(client.service_is_ready, f'service {verb} of {self.space}')
        future = client.call_async(Trigger.Request())
        wait_until(future.done, f'the answer to {verb} of {self.space}')
        return future.result().success, future.result().message

    def wait(self, *states: str, timeout: float = 60.0) -> None:
        """Wait until the bridge is in one of some states."""
        deadline = time.monotonic() + timeout
        while self.state not in states:
            assert time.monotonic() < deadline, (
                f'{self.space}: waited {timeout:g} s for {states}: {self.history[-8:]} '
                f'{self.values}'
            )
            time.sleep(0.01)


class Operator:
    """The operator of some vehicles; gone when the block is left."""

    def __init__(self, domain: int, numbers: tuple[int, ...]) -> None:
        """Listen and speak in a ROS domain."""
        self._context = rclpy.Context()
        rclpy.init(
            args=[], context=self._context, domain_id=domain,
            signal_handler_options=SignalHandlerOptions.NO,
        )  # fmt: skip
        self.node = Node('operator', context=self._context, start_parameter_services=False)
        self.vehicles = {number: Vehicle(self.node, number) for number in numbers}
        self.node.create_subscription(
            DiagnosticArray, '/diagnostics', self._on_diagnostics, COMMAND
        )
        self.node.create_timer(PERIOD, self._send)
        self._executor = make_executor(self._context)
        self._executor.add_node(self.node)
        self._is_over = False
        self._thread = threading.Thread(target=self._spin, daemon=True)
        self._thread.start()

    def tell_time(self, speed: float) -> None:
        """Publish a simulated time on ``/clock`` from now on, so many times as fast as the wall's.

        Args:
            speed: How many times.
        """
        publisher, begun = self.node.create_publisher(Clock, '/clock', 1), time.monotonic()

        def tell() -> None:
            now = SIMULATED_START + speed * (time.monotonic() - begun)
            publisher.publish(Clock(clock=ns_to_time(round(1e9 * now))))

        self.node.create_timer(PERIOD / 4.0, tell)

    def __enter__(self) -> 'Operator':
        return self

    def __exit__(self, *error: object) -> None:
        self._is_over = True
        self._thread.join()
        self._executor.remove_node(self.node)
        self._executor.shutdown(0)
        self.node.destroy_node()
        rclpy.try_shutdown(context=self._context)

    def __getitem__(self, number: int) -> Vehicle:
        return self.vehicles[number]

    def _spin(self) -> None:
        while not self._is_over:
            self._executor.spin_once(timeout_sec=0.05)

    def _send(self) -> None:
        for vehicle in self.vehicles.values():
            vehicle.send()

    def _on_diagnostics(self, message: DiagnosticArray) -> None:
        for status in message.status:
            number = status.hardware_id.removeprefix('uav_')
            if number.isdigit() and int(number) in self.vehicles:
                found = {pair.key: pair.value for pair in status.values}
                self.vehicles[int(number)].status = found | {'message': status.message}
