"""One order to a fleet: given at once, followed, and judged by what the vehicles report."""

from collections.abc import Callable, Sequence

from soliton_encirclement_ros.cli.fly.fleet import Whom
from soliton_encirclement_ros.cli.fly.fleet_link import FleetLink
from soliton_encirclement_ros.cli.fly.fly_order import FlyOrder
from soliton_encirclement_ros.cli.fly.sighting import UNSEEN
from soliton_encirclement_ros.cli.fly.standing import (
    Attempt,
    Each,
    Progress,
    Standings,
    of,
    standing,
)
from soliton_encirclement_ros.cli.operator.whom import Meant

ABSENT = 15.0
"""Time after which a vehicle of which nothing is heard is not waited for any longer [s]."""

LATEST_REPEAT = 1.0
"""Time after which an order is confirmed although somebody has not answered the first time [s]."""


class Execution:
    """One order.

    Attributes:
        whom: The vehicles whose answers are waited for.
        order_id: Which order it is.
        began: When it was given [monotonic s].
    """

    def __init__(
        self, node: FleetLink, order: FlyOrder, meant: Meant, patience: float = ABSENT
    ) -> None:
        """Give the order; whoever is found later hears it, too.

        Args:
            node: The operator.
            order: The order.
            meant: Whom it is for.
            patience: How long to wait for a vehicle of which nothing is heard [s].
        """
        self._node, self._order, self._meant = node, order, meant
        self._patience = patience
        self._give(meant.named)
        self._rounds = 1
        self.began = self._node.now()
        self.whom = Whom([], False)

    def _give(self, members: Sequence[str]) -> None:
        self._attempts: dict[str, Attempt] = {}
        self._read: dict[str, int] = {}
        self.order_id = self._node.give(self._order.request, members, self._order.start)

    def release(self, order: FlyOrder) -> None:
        """Release a take-off on which all agree, and go on with what then has to be done."""
        self._node.release(self.order_id)
        self._order = order

    def run(self, within: float, each: Each, at_first_failure: bool = False) -> Standings:
        """Go on until the order is carried out or has failed everywhere; return how it stands.

        Args:
            within: Longest time from now on [s].
            each: Shows how it stands.
            at_first_failure: Whether to return as soon as it has failed with one vehicle.
        """
        began = self._node.now()
        while True:
            found = self.step()
            is_late = self._node.now() - began >= within
            has_failed = at_first_failure and bool(of(found, Progress.FAILED))
            if each(found) or is_late or has_failed or self.is_over(found):
                return found

    def step(self) -> Standings:
        """Take what has arrived; return how the order stands with each vehicle."""
        self._node.turn()
        return self.standings()

    def standings(self) -> Standings:
        """Return how the order stands with each vehicle, by what has arrived."""
        seen = self._node.seen()
        self.whom = self._node.whom(self._meant)
        age = self._node.now() - self.began
        for name in self.whom.names:
            self._attempts[name] = self._updated(name)
        if self._order.calls > self._rounds:
            self._repeat(age)
        return {
            name: standing(
                self._order,
                self._attempts.get(name, Attempt())._replace(age=age, seen=seen.get(name, UNSEEN)),
            )
            for name in self.whom.names
        }

    def is_over(self, found: Standings) -> bool:
        """Return whether nothing is waited for any more."""
        waiting = of(found, Progress.UNDER_WAY)
        if self._node.now() - self.began > self._patience:
            waiting = [name for name in waiting if self._node.report_count(name)]
            return not waiting
        return self.whom.is_complete and not waiting

    def _updated(self, name: str) -> Attempt:
        """Return what was tried with a vehicle, after its latest reports."""
        attempt = self._attempts.get(name, Attempt())
        for report in self._node.reports_since(name, self._read.get(name, 0)):
            is_ours = report.order_id == self.order_id
            if is_ours:
                attempt = attempt._replace(
                    accepted=report.order_accepted, answer=report.order_answer, overruled=''
                )
            elif attempt.accepted is not None and report.order_accepted:
                attempt = attempt._replace(overruled=f'{report.order} of {report.order_by}')
        self._read[name] = self._node.report_count(name)
        return attempt

    def _repeat(self, age: float) -> None:
        """Give an order again that has to be confirmed, to whoever has refused the first one."""
        waits = any(one.accepted is None for one in self._attempts.values())
        refused = [name for name, one in self._attempts.items() if one.accepted is False]
        if refused and (not waits or age > LATEST_REPEAT):
            self._rounds += 1
            self._give(refused)


def find(
    node: FleetLink, meant: Meant, within: float, ends: Callable[[], bool] = lambda: False
) -> Whom:
    """Wait until all vehicles that are meant report; return them.

    Args:
        node: The operator.
        meant: What he says.
        within: Longest time to wait [s].
        ends: Returns whether the operator wants to end.
    """
    began = node.now()
    while True:
        node.turn()
        seen = node.seen()
        found = node.whom(meant)
        is_live = all(name in seen and seen[name].is_live for name in found.names)
        is_over = ends() or node.now() - began >= within
        if (found.is_complete and is_live) or is_over:
            return found
