"""``swarm fly console``: the state of all vehicles on the screen, and a key for each safe order.

The node stays connected, so that an order leaves at the key. Orders and answers are those of the
commands.
"""

import os
import select
import sys
import termios
import time
import tty
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text
from velocity_mobility_ros.core.interrupt import Interrupt

from soliton_encirclement_ros.cli.fly.fleet import unknown_fleet
from soliton_encirclement_ros.cli.fly.fly_node import FlyNode
from soliton_encirclement_ros.cli.fly.order_desk import SAFE_ORDERS, OrderDesk
from soliton_encirclement_ros.cli.fly.sighting import UNSEEN
from soliton_encirclement_ros.cli.operator.whom import Meant
from soliton_encirclement_ros.cli.views.fly_table import status_table
from soliton_encirclement_ros.core.errors import RunError

ORDERS = dict(zip('hlr', SAFE_ORDERS, strict=True))
STOP, ALL, NEXT, QUIT = 's', 'a', '\t', 'q'
HELP = (
    'h hold   l land   r return   s stop the agents   for: a all, TAB or a number one vehicle   '
    'q quit'
)

REFRESH = 0.2
"""Time between two pictures [s]."""

NUMBER_TIME = 1.0
"""Digits of one number follow each other within this time [s]."""

LINES = 12
"""Lines of the past that stay on the screen."""


class FlyConsole:
    """One operator at the keys."""

    def __init__(self, node: FlyNode, meant: Meant) -> None:
        """Begin with all vehicles.

        Args:
            node: The operator.
            meant: Who is expected.
        """
        self._node, self._meant = node, meant
        self._chosen = ''
        self._digits, self._digit_at = '', 0.0
        self._past: deque[str] = deque(maxlen=LINES)
        self._desk = OrderDesk(node, 'swarm fly console', self._say, self._complain)

    @property
    def whom(self) -> Meant:
        """Whom the next order is for."""
        return self._meant._replace(named=(self._chosen,)) if self._chosen else self._meant

    def press(self, key: str) -> bool:
        """Obey a key; return whether it ends the console."""
        if key in ORDERS:
            self._desk.order(ORDERS[key], self.whom)
        elif key == STOP:
            self._desk.stop(self.whom)
        elif key == ALL:
            self._chosen = ''
        elif key == NEXT:
            self._chosen = self._after(self._chosen)
        elif key.isdigit():
            self._choose(key)
        return key == QUIT

    def look(self) -> None:
        """Take what has arrived, and tell what has become of orders."""
        self._desk.look()

    def view(self) -> RenderableType:
        """Return the screen: the vehicles, what is chosen, the keys, the past."""
        seen = self._node.seen()
        fleet = self._node.whom(self._meant)
        texts = self._desk.texts()
        table = status_table({name: seen.get(name, UNSEEN) for name in fleet.names}, texts)
        lines = [] if fleet.is_complete else [unknown_fleet(fleet.names)]
        lines += [f'orders are for: {self._chosen or "ALL"}', HELP, *self._past]
        return Group(table, Text('\n'.join(lines)))

    def _names(self) -> list[str]:
        return self._node.whom(self._meant).names

    def _after(self, name: str) -> str:
        """Return the vehicle after one; empty after the last: all."""
        names = ['', *self._names()]
        return names[(names.index(name) + 1) % len(names)] if name in names else ''

    def _choose(self, digit: str) -> None:
        """Choose the vehicle with a number, digit by digit."""
        now = time.monotonic()
        before = self._digits if now - self._digit_at <= NUMBER_TIME else ''
        self._digits, self._digit_at = before + digit, now
        found = [name for name in self._names() if name.rpartition('_')[2] == self._digits]
        if found:
            self._chosen = found[0]
        else:
            self._complain(f'no vehicle has the number {self._digits}')

    def _say(self, line: str) -> None:
        self._past.append(f'{time.strftime("%H:%M:%S")}  {line}')

    def _complain(self, line: str) -> None:
        self._say(f'error: {line}')


def run_console(node: FlyNode, meant: Meant, interrupt: Interrupt) -> int:
    """Show and obey until the operator ends it; return the exit code.

    Args:
        node: The operator.
        meant: Who is expected.
        interrupt: The request to end.

    Raises:
        RunError: There is no terminal.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise RunError('swarm fly console needs a terminal: use swarm fly hold, land, rtl')
    console = FlyConsole(node, meant)
    screen = Console()
    shown, is_over = 0.0, False
    with _keys(), Live(console=screen, auto_refresh=False, screen=False) as live:
        while not (is_over or interrupt):
            for key in _pressed():
                is_over |= console.press(key)
            console.look()
            if time.monotonic() - shown >= REFRESH:
                shown = time.monotonic()
                live.update(console.view(), refresh=True)
    return 0


@contextmanager
def _keys() -> Iterator[None]:
    """Let the terminal give single keys, without showing them."""
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    tty.setcbreak(descriptor)
    try:
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _pressed() -> str:
    """Return the keys that wait."""
    if not select.select([sys.stdin], [], [], 0.0)[0]:
        return ''
    return os.read(sys.stdin.fileno(), 64).decode(errors='ignore')
