"""The operator of emulated PX4s: ``px4_operator.py SOCKET AGENT=WORDS...``.

Lets those take off that are ready, and engages those that hold or were left by their bridge, with
``swarm fly``. Tells a socket of each take-off, and each autopilot that somebody speaks (WORDS).
"""

import itertools
import json
import socket
import subprocess
import sys
import time

import rclpy
from diagnostic_msgs.msg import DiagnosticStatus
from rclpy.node import Node

from support.cli import SWARM
from velocity_mobility_ros.ros_io.endpoints import LATCHED

IN_THE_AIR = 'READY', 'HOLD', 'HOLD_REENTRY', 'EXTERNAL'
"""States of bridges that can be engaged in flight; one that has just started is ready."""

PATIENCE = 1.0
"""Time in such a state after which the operator acts [s]."""


def order_for(state: str, is_armed: bool) -> str:
    """Return what the operator orders a vehicle; empty: nothing."""
    if is_armed:
        return 'engage' if state in IN_THE_AIR else ''
    return 'takeoff' if state == 'READY' else ''


class Operator(Node):
    """What an operator sees, and does."""

    def __init__(self, sockets: dict[str, str], reports: str) -> None:
        """Watch the bridges of some agents."""
        super().__init__('chaos_operator')
        self._sockets, self._reports = sockets, reports
        self._out = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._states = dict.fromkeys(sockets, (('', False), 0.0))
        for name in sockets:
            self.create_subscription(
                DiagnosticStatus, f'/{name}/bridge_state',
                lambda message, name=name: self._hear(name, message), LATCHED,
            )  # fmt: skip

    def _hear(self, name: str, message: DiagnosticStatus) -> None:
        values = {pair.key: pair.value for pair in message.values}
        state = values['state'], values['armed'] == 'true'
        if state != self._states[name][0]:
            self._states[name] = state, time.monotonic()

    def act(self) -> None:
        """Give the next order, to all for whom it is the right one."""
        long_ago = time.monotonic() - PATIENCE
        wanted = sorted(
            (verb, name) for name, (state, since) in self._states.items()
            if (verb := order_for(*state)) and since < long_ago
        )  # fmt: skip
        for verb, pairs in itertools.groupby(wanted, key=lambda pair: pair[0]):
            self._order(verb, [name for _, name in pairs])

    def _order(self, verb: str, names: list[str]) -> None:
        report = {'at': time.monotonic(), 'order': verb, 'to': names}
        self._out.sendto(json.dumps(report).encode(), self._reports)
        print(f'{verb} {" ".join(names)}', flush=True)
        with subprocess.Popen((*SWARM, 'fly', verb, *names)) as process:
            while process.poll() is None:
                for name in names:  # it is asked for until it is carried out, at times in vain
                    self._out.sendto(b'word', self._sockets[name])
                rclpy.spin_once(self, timeout_sec=0.1)


def main() -> None:
    """Operate until killed."""
    reports, *words = sys.argv[1:]
    rclpy.init(args=[])
    operator = Operator(dict(word.split('=', 1) for word in words), reports)
    while True:
        rclpy.spin_once(operator, timeout_sec=0.1)
        operator.act()


if __name__ == '__main__':
    main()
