"""Orders that leave at once, and what becomes of them: for consoles that stay connected."""

import time
from collections.abc import Callable

from soliton_encirclement_ros.cli.fly.conclusion import conclude
from soliton_encirclement_ros.cli.fly.execution import Execution
from soliton_encirclement_ros.cli.fly.fly_node import FlyNode
from soliton_encirclement_ros.cli.fly.fly_order import HOLD, LAND, RETURN, FlyOrder
from soliton_encirclement_ros.cli.fly.swarm_stop import scopes_of
from soliton_encirclement_ros.cli.operator.operator_node import operator_name
from soliton_encirclement_ros.cli.operator.stop import conclude_stop
from soliton_encirclement_ros.cli.operator.stop_session import StopExecution
from soliton_encirclement_ros.cli.operator.whom import Meant
from soliton_encirclement_ros.core.files.name_list import named

SAFE_ORDERS = (HOLD, LAND, RETURN)
"""What is ordered without a gate."""

STOP_TIME = 5.0
"""Longest time to wait until a stop is confirmed [s]."""

Tell = Callable[[str], None]
"""Takes a line."""


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

    def order(self, order: FlyOrder, meant: Meant) -> None:
        """Give one of the safe orders."""
        self._orders.append((order, Execution(self._node, order, meant), time.monotonic()))
        self._say(f'{order.request.value} ordered: {named(meant.named) or "all"}')

    def stop(self, meant: Meant) -> None:
        """Stop agents: they command zero velocity."""
        source = operator_name(self._verb)
        expected = () if meant.named else meant.expected
        execution = StopExecution(self._node, scopes_of(meant.named), True, source, expected)
        self._stops.append((execution, time.monotonic()))
        self._say(f'stop ordered: {named(meant.named) or "all"} (release: swarm stop --release)')

    def look(self) -> None:
        """Take what has arrived, and tell what has become of orders."""
        self._node.turn()
        now = time.monotonic()
        orders, stops, self._orders, self._stops = self._orders, self._stops, [], []
        for order, execution, began in orders:
            found = execution.standings()
            if execution.is_over(found) or now - began >= order.within:
                conclude(order, found, execution.whom, self._say, self._complain)
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
            name: f'{order.request.value}: {one.text}'
            for order, execution, _ in self._orders
            for name, one in execution.standings().items()
        }
