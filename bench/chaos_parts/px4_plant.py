"""An emulated PX4, and what it really does: ``px4_plant.py SETTINGS SOCKET WORDS``.

Reports to SOCKET where the vehicle is, the velocities that it was asked for in OFFBOARD, whether
it is armed, and what strict mode found. Whatever comes on WORDS means that the operator speaks.
"""

import json
import math
import socket
import sys
import threading
import time
from typing import Any

from support.px4_emulator.constants import NavState
from support.px4_emulator.emulator import Px4Emulator
from support.px4_emulator.ros import main as emulator
from support.px4_emulator.ros.process import ROW
from velocity_mobility_ros.autopilot.swarm_frame import SwarmOrigin, to_swarm

PERIOD = 0.05
"""Time between two reports [s]."""

ORIGIN = SwarmOrigin(*ROW)


class WatchedPx4(Px4Emulator):
    """A PX4 that keeps the velocities it was asked for until they are reported."""

    def __init__(self, *settings: Any) -> None:
        """Start it."""
        super().__init__(*settings)
        self.commands: list[tuple[float, ...]] = []
        self._reported = 0
        threading.Thread(target=self._hear_operator, daemon=True).start()

    def _hear_operator(self) -> None:
        words = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        words.bind(sys.argv[3])
        while words.recv(64):
            self.operator_word()

    def receive(self, topic: str, message: Any, sent: float | None = None) -> None:
        """Take a message."""
        super().receive(topic, message, sent)
        if topic != 'trajectory_setpoint' or not self._is_in_offboard:
            return
        north, east, down = map(float, message.velocity)
        if all(map(math.isfinite, (north, east, down))):  # else it holds a position
            turn = 0.0, 0.0, 0.0
            self.commands.append((time.monotonic(), east, north, -down, *turn))

    @property
    def _is_in_offboard(self) -> bool:
        return self.firmware.commander.nav_state == NavState.OFFBOARD

    def report(self) -> list[object]:
        """Return name, position [m], velocity [m/s] in map, and the commands since."""
        body, commands = self.firmware.body.truth, self.commands
        self.commands = []
        position = to_swarm(ORIGIN, body.latitude, body.longitude, body.altitude)
        north, east, down = body.velocity
        name = f'uav_{self.settings.instance}'
        return [name, *position, east, north, -down, commands]

    def news(self) -> dict[str, object]:
        """Return whether it is armed, and what strict mode found since."""
        new = [list(one) for one in self.violations[self._reported :]]
        self._reported += len(new)
        firmware = self.firmware
        return {
            'autopilot': f'uav_{self.settings.instance}', 'armed': firmware.commander.armed,
            'crashed': firmware.body.has_crashed, 'violations': new,
        }  # fmt: skip


def main() -> None:
    """Fly until the input ends."""
    vehicles: list[WatchedPx4] = []
    out = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)

    def make(*settings: Any) -> WatchedPx4:
        vehicles.append(WatchedPx4(*settings))
        return vehicles[-1]

    def report(_: object) -> None:
        now = time.monotonic()
        for words in ([now, [one.report() for one in vehicles]],
                      {'at': now, **vehicles[0].news()}):  # fmt: skip
            out.sendto(json.dumps(words).encode(), sys.argv[2])

    emulator.Px4Emulator, emulator.say, emulator.TELL_EVERY = make, report, PERIOD
    sys.argv[1] = json.dumps({'vehicles': [json.loads(sys.argv[1])], 'speed': 1.0})
    emulator.main()


if __name__ == '__main__':
    main()
