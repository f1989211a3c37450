"""Output of an order: to the terminal, or as an error to the calling program."""

from collections.abc import Sequence

from rich.console import Console

from soliton_encirclement_ros.cli.fly.fleet_state import AddressedFleet
from soliton_encirclement_ros.cli.fly.fly_node import FlyNode
from soliton_encirclement_ros.cli.fly.fly_order import (
    Execution, FlyOrder, OrderProgress, OrderStatuses, not_done, vehicles_with
)
from soliton_encirclement_ros.cli.fly.fly_view import FlyView, conclude, refuse
from soliton_encirclement_ros.cli.fly.gate import Faults
from soliton_encirclement_ros.cli.output import print_error, say
from soliton_encirclement_ros.cli.views.terminal_display import wide_console
from soliton_encirclement_ros.core.errors import NotReadyError, OrderError
from velocity_mobility_ros.core.environment.unix_process import Interrupt


class OrderScreen:
    """Shows one order on a terminal."""

    def __init__(self, node: FlyNode, console: Console, interrupt: Interrupt | None) -> None:
        """Store the terminal; print nothing yet.

        Args:
            node: The operator.
            console: Where the order is shown while it is carried out.
            interrupt: The request to end; None: the process ends at once.
        """
        self._shown = console, node.snapshots, interrupt

    def view(self) -> FlyView:
        """Return a view that shows the status of the order."""
        return FlyView(*self._shown)

    def say(self, line: str) -> None:
        """Print what was done."""
        say(line)

    def complain(self, line: str) -> None:
        """Print an error."""
        print_error(line)

    def refuse(self, what: str, names: Sequence[str], faults: Faults) -> int:
        """Print the faults at the gate; return the exit code."""
        return refuse(what, names, faults, self.complain)

    def follow(self, execution: Execution, order: FlyOrder, within: float) -> int:
        """Show an order without a gate until it is carried out; return the exit code.

        Args:
            execution: The order, which has been given.
            order: What it is.
            within: Longest time to wait [s].
        """
        with self.view() as view:
            statuses = execution.run(within, view.show_statuses)
        return self.conclude(order, statuses, execution.fleet)

    def conclude(self, order: FlyOrder, statuses: OrderStatuses, fleet: AddressedFleet) -> int:
        """Print which vehicles have done the order, and which not; return the exit code."""
        return conclude(order, statuses, fleet, self.say, self.complain)


class QuietScreen(OrderScreen):
    """Stores the result of an order, and prints nothing.

    Attributes:
        done: The vehicles that have done the order.
    """

    def __init__(self, node: FlyNode, interrupt: Interrupt) -> None:
        """Start without a result; ``interrupt`` is the request to end."""
        super().__init__(node, wide_console(quiet=True), interrupt)
        self.done: list[str] = []
        self._complaints: list[str] = []
        self._reasons: dict[str, list[str]] = {}
        self._kind = OrderError

    def say(self, line: str) -> None:
        """Print nothing: ``done`` has it."""

    def complain(self, line: str) -> None:
        """Store a line for the error."""
        self._complaints.append(line)

    def refuse(self, what: str, names: Sequence[str], faults: Faults) -> int:
        """Store the faults at the gate; return the exit code."""
        self._kind, self._reasons = NotReadyError, faults
        return super().refuse(what, names, faults)

    def conclude(self, order: FlyOrder, statuses: OrderStatuses, fleet: AddressedFleet) -> int:
        """Store which vehicles have done the order, and which not; return the exit code."""
        self.done = vehicles_with(statuses, OrderProgress.DONE)
        self._reasons = {name: [statuses[name].text] for name in not_done(statuses)}
        return super().conclude(order, statuses, fleet)

    def raise_unless_done(self, code: int) -> None:
        """Raise the error of an order that has failed, with its lines.

        Raises:
            OrderError: The code is not 0.
        """
        if code:
            raise self._kind('; '.join(self._complaints), self._reasons)
