"""Load and latency of ``px4_bridge_node``: an emulated PX4 1.17, commands at 50 Hz.

    python bench/bridge.py [SECONDS]

Processor time of the bridge's process in flight, and the time from a ``cmd_vel`` to the
TrajectorySetpoint that carries it. The emulator sends odometry at 99 Hz, local position at 50 Hz.
The calibration is the processor time of some fixed work [ms]: on a machine half as fast it
doubles.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

import soliton_encirclement_ros  # noqa: F401  both before the folders of their tests, which have
import velocity_mobility_ros  # noqa: F401  their names

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'test'))

import numpy as np
import rclpy
from geometry_msgs.msg import Twist
from machine import calibration, describe
from rclpy.qos import QoSProfile, ReliabilityPolicy
from std_srvs.srv import Trigger

from support.autopilot.bridge_process import BridgeProcess
from support.px4_emulator.ros.process import EmulatedPx4s, px4_environment

DOMAIN, RELEASE, PERIOD = '88', '1.17', 0.02
TICKS_PER_S = os.sysconf('SC_CLK_TCK')
STEP = 0.002
"""Difference of two commands, by which a setpoint tells which one it carries [m/s]."""

AT_ONCE = 0.001
"""Lag of the reference so short that it is where the command is after one step [s]."""

NEWEST = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)


class Pilot:
    """Commands the vehicle, and listens to what the bridge sends."""

    def __init__(self, kind: type) -> None:
        self.node = rclpy.create_node('pilot')
        self.sent, self.latencies = {}, []
        self.setpoints, self._count, self.is_flying = 0, 0, False
        self._commands = self.node.create_publisher(Twist, '/uav_1/cmd_vel', 1)
        topic = '/px4_1/fmu/in/trajectory_setpoint'
        self.node.create_subscription(kind, topic, self._hear, NEWEST)
        self.node.create_timer(PERIOD, self._command)

    def _command(self) -> None:
        self._count += 1
        message = Twist()
        message.linear.x = STEP * (self._count % 1000) if self.is_flying else 0.0
        self.sent[self._count % 1000] = time.monotonic()
        self._commands.publish(message)

    def _hear(self, message: object) -> None:
        east = float(message.velocity[1])
        self.setpoints += 1
        sent = None if np.isnan(east) else self.sent.pop(round(east / STEP), None)
        if sent is not None:
            self.latencies.append(time.monotonic() - sent)

    def ask(self, service: str) -> None:
        """Ask the bridge for something until it is accepted."""
        client = self.node.create_client(Trigger, f'/uav_1/{service}')
        client.wait_for_service()
        for _ in range(100):
            future = client.call_async(Trigger.Request())
            rclpy.spin_until_future_complete(self.node, future)
            if future.result().success:
                return
            self.spin(0.3)
        sys.exit(f'{service}: {future.result().message}')

    def spin(self, seconds: float) -> None:
        """Let time pass."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0.0:
            rclpy.spin_once(self.node, timeout_sec=left)


def processor_time(pid: int) -> float:
    """Return the processor time of a process so far [s]."""
    fields = Path(f'/proc/{pid}/stat').read_text(encoding='ascii').rpartition(') ')[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_S


def measure(seconds: float, folder: Path) -> str:
    """Fly, and return the row of the table."""
    from px4_msgs.msg import TrajectorySetpoint

    rclpy.init()
    pilot = Pilot(TrajectorySetpoint)
    vehicles = [{'instance': 1, 'parameters': {'com_obl_rc_act': 5, 'com_rcl_except': 4}}]
    with (
        EmulatedPx4s(folder, DOMAIN, vehicles, RELEASE) as px4s,
        BridgeProcess(DOMAIN, folder, 1, RELEASE, reference_tau_xy=AT_ONCE) as bridge,
    ):
        px4s.do(1, 'operator_word')
        pilot.ask('arm_takeoff')
        px4s.wait(lambda: pilot.spin(0.1) or px4s[1].height > 1.3, 'the take-off')
        pilot.spin(3.0)
        pilot.ask('engage')
        pilot.is_flying = True
        pilot.spin(3.0)
        pilot.latencies.clear()
        pilot.sent.clear()
        pilot.setpoints = 0
        before, begun = processor_time(bridge.pid), time.monotonic()
        pilot.spin(seconds)
        took = time.monotonic() - begun
        load = (processor_time(bridge.pid) - before) / took
    late = 1e3 * np.percentile(pilot.latencies, (50, 99, 100))
    return (
        f'| {pilot.setpoints / took:.0f} | {100.0 * load:.1f} | {late[0]:.2f} | {late[1]:.2f} | '
        f'{late[2]:.2f} | {1e3 * calibration():.2f} |'
    )


def main() -> int:
    """Print the table."""
    if 'px4_msgs' not in os.environ.get('PYTHONPATH', ''):  # the messages are those of the tests
        os.execve(sys.executable, [sys.executable, *sys.argv], px4_environment(DOMAIN, RELEASE))
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 20.0
    print('| setpoints [Hz] | processor [%] | latency p50 [ms] | p99 | longest | calibration |')
    print('| --- ' * 6 + '|')
    with tempfile.TemporaryDirectory() as folder:
        print(measure(seconds, Path(folder)))
    print(describe())
    return 0


if __name__ == '__main__':
    sys.exit(main())
