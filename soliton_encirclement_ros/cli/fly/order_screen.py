"""Where the lines of one order go: to the terminal, or to the program that has given it."""

from collections.abc import Sequence

from rich.console import Console

from soliton_encirclement_ros.cli.fly.fleet_state import AddressedFleet
from soliton_encirclement_ros.cli.fly.fly_node import FlyNode
from soliton_encirclement_ros.cli.fly.fly_order import (
    Execution, FlyOrder, OrderProgress, OrderStatuses, not_done, of
)
from soliton_encirclement_ros.cli.fly.fly_view import FlyView, conclude, refuse
from soliton_encirclement_ros.cli.fly.gate import Faults
from soliton_encirclement_ros.cli.output import print_error, say
from soliton_encirclement_ros.cli.views.terminal_display import wide_console
from soliton_encirclement_ros.core.errors import NotReadyError, OrderError
from velocity_mobility_ros.core.environment.unix_process import Interrupt


class OrderScreen:
    """What an operator sees of one order, from its first word to its end."""

    def __init__(self, node: FlyNode, console: Console, interrupt: Interrupt | None) -> None:
        """Say nothing yet.

        Args:
            node: The operator.
            console: Where the order is shown while it is carried out.
            interrupt: The request to end; None: the process ends at once.
        """
        self._shown = console, node.snapshots, interrupt

    def view(self) -> FlyView:
        """Return what shows how the order stands."""
        return FlyView(*self._shown)

    def say(self, line: str) -> None:
        """Tell what was done."""
        say(line)

    def complain(self, line: str) -> None:
        """Tell what was not."""
        print_error(line)

    def refuse(self, what: str, names: Sequence[str], faults: Faults) -> int:
        """Tell what kept vehicles at the gate; return the exit code."""
        return refuse(what, names, faults, self.complain)

    def follow(self, execution: Execution, order: FlyOrder, within: float) -> int:
        """Show an order without a gate until it is carried out; return the exit code.

        Args:
            execution: The order, which has been given.
            order: What it is.
            within: Longest time to wait [s].
        """
        with self.view() as view:
            found = execution.run(within, view.show_statuses)
        return self.conclude(order, found, execution.fleet)

    def conclude(self, order: FlyOrder, found: OrderStatuses, fleet: AddressedFleet) -> int:
        """Tell who does as ordered, and who does not; return the exit code."""
        return conclude(order, found, fleet, self.say, self.complain)


class QuietScreen(OrderScreen):
    """Keeps what is told of an order.

    Attributes:
        done: The vehicles that do as ordered.
    """

    def __init__(self, node: FlyNode, interrupt: Interrupt) -> None:
        """Begin before an order; ``interrupt`` is the request to end."""
        super().__init__(node, wide_console(quiet=True), interrupt)
        self.done: list[str] = []
        self._complaints: list[str] = []
        self._reasons: dict[str, list[str]] = {}
        self._kind = OrderError

    def say(self, line: str) -> None:
        """Tell nobody: ``done`` has it."""

    def complain(self, line: str) -> None:
        """Keep a line for the error."""
        self._complaints.append(line)

    def refuse(self, what: str, names: Sequence[str], faults: Faults) -> int:
        """Keep what kept vehicles at the gate; return the exit code."""
        self._kind, self._reasons = NotReadyError, faults
        return super().refuse(what, names, faults)

    def conclude(self, order: FlyOrder, found: OrderStatuses, fleet: AddressedFleet) -> int:
        """Keep who does as ordered, and who does not; return the exit code."""
        self.done = vehicles_with(found, OrderProgress.DONE)
        self._reasons = {name: [found[name].text] for name in not_done(found)}
        return super().conclude(order, found, fleet)

    def raise_unless_done(self, code: int) -> None:
        """Raise what the exit code of an order and its lines amount to.

        Raises:
            OrderError: The code is not 0.
        """
        if code:
            raise self._kind('; '.join(self._complaints), self._reasons)
