"""The simulated vehicles of a computer, and what they really do: ``plant.py PLAN SOCKET``.

Runs the vehicle nodes of the package. Beside ROS, which a fault may hit, it sends to a socket
of the file system where each body is and what it was commanded: what the watcher believes.
"""

import json
import socket
import struct
import sys
import time
from pathlib import Path

from rclpy.clock import Clock, ClockType
from rclpy.node import Node

from soliton_encirclement_ros.cli.runs import node_host
from soliton_encirclement_ros.core.scenario.swarm_plan import load_plan
from velocity_mobility_ros.core.environment.unix_process import end_process
from velocity_mobility_ros.nodes.mobility_node import MobilityNode
from velocity_mobility_ros.ros_io.process.node_process import run_nodes

PERIOD = 0.05
"""Time between two reports [s]."""

HOSTILE_MARK = 77_777.0
"""Turn rate about x that a fault gives its own commands, so that nobody takes them for those of
an agent; vehicles do not look at it."""


class WatchedVehicle(MobilityNode):
    """A simulated vehicle that keeps the commands it got until they are reported."""

    def __init__(self, **options: object) -> None:
        """Start it."""
        self.commands: list[tuple[float, ...]] = []
        super().__init__(**options)

    def _take(self, data: bytes) -> None:
        if len(data) >= 52:
            values = struct.unpack_from('<6d', data, 4)
            if values[3] != HOSTILE_MARK:
                self.commands.append((time.monotonic(), *values))
        super()._take(data)

    def report(self) -> list[object]:
        """Return its name, position [m], velocity [m/s] in map, and the commands since."""
        motion, commands = self._body.motion, self.commands
        self.commands = []
        return [self.get_namespace()[1:], *motion.position, *motion.velocity, commands]


class Reporter:
    """Sends reports of all vehicles of the process."""

    def __init__(self, path: str, vehicles: list[WatchedVehicle]) -> None:
        """Report from now on."""
        self._path, self._vehicles = path, vehicles
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        vehicles[0].create_timer(
            PERIOD, self._send, clock=Clock(clock_type=ClockType.STEADY_TIME)
        )

    def _send(self) -> None:
        now = time.monotonic()
        report = json.dumps([now, [vehicle.report() for vehicle in self._vehicles]])
        try:
            self._socket.sendto(report.encode(), self._path)
        except OSError as error:
            print(f'report not sent: {error}', file=sys.stderr)


def make_vehicles(plan: Path, path: str) -> list[Node]:
    """Create the vehicles of a plan."""
    node_host.NODES['mobility_node'] = WatchedVehicle
    vehicles = node_host.make_nodes(load_plan(plan))
    vehicles[0].reporter = Reporter(path, vehicles)
    return vehicles


if __name__ == '__main__':
    end_process(run_nodes(lambda: make_vehicles(Path(sys.argv[1]), sys.argv[2]), []))
