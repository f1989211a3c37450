"""``swarm fly console``: the state of all vehicles on the screen, and a key for each safe order.

The node stays connected, so that an order leaves at the key. Orders and answers are those of the
commands. Pages give their orders at the same desk.
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

from soliton_encirclement_ros.cli.fly.agent_stop import STOP_TIME, stop_scopes
from soliton_encirclement_ros.cli.fly.fleet_state import NOT_HEARD, unknown_fleet
from soliton_encirclement_ros.cli.fly.fly_node import FlyNode
from soliton_encirclement_ros.cli.fly.fly_order import HOLD, LAND, RETURN, Execution, FlyOrder
from soliton_encirclement_ros.cli.fly.fly_view import Tell, conclude, status_table
from soliton_encirclement_ros.cli.operator.addressees import Addressees
from soliton_encirclement_ros.cli.operator.operator_nodes import operator_name
from soliton_encirclement_ros.cli.operator.stop_session import StopExecution
from soliton_encirclement_ros.cli.operator.stop_verb import conclude_stop
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import named
from velocity_mobility_ros.core.environment.unix_process import Interrupt

SAFE_ORDERS = (HOLD, LAND, RETURN)
"""Orders without a gate."""


class OrderDesk:
    """The orders of one operator that are under way."""

    def __init__(self, node: FlyNode, verb: str, say: Tell, complain: Tell) -> None:
        """Begin without orders.

        Args:
            node: The operator.
            verb: The command that gives them, for whoever asks who has stopped him.
            say: Takes what was done.
            complain: Takes what was not.
        """
        self._node, self._verb, self._say, self._complain = node, verb, say, complain
        self._orders: list[tuple[FlyOrder, Execution, float]] = []
        self._stops: list[tuple[StopExecution, float]] = []

    def order(self, order: FlyOrder, meant: Addressees) -> None:
        """Give one of the safe orders."""
        self._orders.append((order, Execution(self._node, order, meant), time.monotonic()))
        self._say(f'{order.request.value} ordered: {named(meant.named) or "all"}')

    def stop(self, meant: Addressees) -> None:
        """Stop agents: they command zero velocity."""
        source = operator_name(self._verb)
        expected = () if meant.named else meant.expected
        execution = StopExecution(self._node, stop_scopes(meant.named), True, source, expected)
        self._stops.append((execution, time.monotonic()))
        self._say(f'stop ordered: {named(meant.named) or "all"} (release: swarm stop --release)')

    def look(self) -> None:
        """Take what has arrived, and tell what has become of orders."""
        self._node.turn()
        now = time.monotonic()
        orders, stops, self._orders, self._stops = self._orders, self._stops, [], []
        for order, execution, began in orders:
            statuses = execution.statuses()
            if execution.is_over(statuses) or now - began >= order.within:
                conclude(order, statuses, execution.fleet, self._say, self._complain)
            else:
                self._orders.append((order, execution, began))
        for stop, began in stops:
            outcome = stop.look()
            if stop.is_over or now - began >= STOP_TIME:
                conclude_stop(outcome, True, self._say, self._complain)
            else:
                self._stops.append((stop, began))

    def texts(self) -> dict[str, str]:
        """Return how the orders stand that are under way, by vehicle."""
        return {
            name: f'{order.request.value}: {status.text}'
            for order, execution, _ in self._orders
            for name, status in execution.statuses().items()
        }


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

    def __init__(self, node: FlyNode, meant: Addressees) -> None:
        """Begin with all vehicles.

        Args:
            node: The operator.
            meant: The expected vehicles.
        """
        self._node, self._meant = node, meant
        self._chosen = ''
        self._digits, self._digit_at = '', 0.0
        self._past: deque[str] = deque(maxlen=LINES)
        self._desk = OrderDesk(node, 'swarm fly console', self._say, self._complain)

    @property
    def addressees(self) -> Addressees:
        """The addressees of the next order."""
        return self._meant._replace(named=(self._chosen,)) if self._chosen else self._meant

    def press(self, key: str) -> bool:
        """Obey a key; return whether it ends the console."""
        if key in ORDERS:
            self._desk.order(ORDERS[key], self.addressees)
        elif key == STOP:
            self._desk.stop(self.addressees)
        elif key == ALL:
            self._chosen = ''
        elif key == NEXT:
            names = ['', *self._names()]  # after the last: all
            place = names.index(self._chosen) + 1 if self._chosen in names else 0
            self._chosen = names[place % len(names)]
        elif key.isdigit():
            self._choose(key)
        return key == QUIT

    def look(self) -> None:
        """Take what has arrived, and tell what has become of orders."""
        self._desk.look()

    def view(self) -> RenderableType:
        """Return the screen: the vehicles, what is chosen, the keys, the past."""
        seen = self._node.snapshots()
        fleet = self._node.addressed_fleet(self._meant)
        texts = self._desk.texts()
        table = status_table({name: seen.get(name, NOT_HEARD) for name in fleet.names}, texts)
        lines = [] if fleet.is_complete else [unknown_fleet(fleet.names)]
        lines += [f'orders are for: {self._chosen or "ALL"}', HELP, *self._past]
        return Group(table, Text('\n'.join(lines)))

    def _names(self) -> list[str]:
        return self._node.addressed_fleet(self._meant).names

    def _choose(self, digit: str) -> None:
        """Choose the vehicle with a number, digit by digit."""
        now = time.monotonic()
        before = self._digits if now - self._digit_at <= NUMBER_TIME else ''
        self._digits, self._digit_at = before + digit, now
        matches = [name for name in self._names() if name.rpartition('_')[2] == self._digits]
        if matches:
            self._chosen = matches[0]
        else:
            self._complain(f'no vehicle has the number {self._digits}')

    def _say(self, line: str) -> None:
        self._past.append(f'{time.strftime("%H:%M:%S")}  {line}')

    def _complain(self, line: str) -> None:
        self._say(f'error: {line}')


def run_console(node: FlyNode, meant: Addressees, interrupt: Interrupt) -> int:
    """Show and obey until the operator ends it; return the exit code.

    Args:
        node: The operator.
        meant: The expected vehicles.
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
