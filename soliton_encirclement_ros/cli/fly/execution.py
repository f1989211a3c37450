"""One order to several vehicles at once: called, followed, and judged by their reports."""

import time
from collections.abc import Sequence

from soliton_encirclement_ros.cli.fly.call import Call
from soliton_encirclement_ros.cli.fly.fly_node import FlyNode
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
from soliton_encirclement_ros.cli.operator.stop_session import SETTLED


class _Asked:
    """The order to one vehicle."""

    def __init__(self, call: Call, heard: int) -> None:
        """Begin, with the number of reports until now."""
        self.call, self.heard_before = call, heard
        self.accepted: bool | None = None
        self.answer, self.heard_at_answer = '', heard

    def update(self, heard: int) -> None:
        """Take the answer."""
        response = self.call.update() if self.accepted is None else None
        if response is not None:
            self.accepted, self.answer = response.success, response.message
            self.heard_at_answer = heard


class Execution:
    """One order to some vehicles."""

    def __init__(self, node: FlyNode, order: FlyOrder, names: Sequence[str] = ()) -> None:
        """Order nothing yet.

        Args:
            node: The operator.
            order: The order.
            names: The vehicles; empty: all that are found.
        """
        self._node, self._order, self._names = node, order, list(names)
        self._asked: dict[str, _Asked] = {}
        self._began = self._changed = time.monotonic()
        self._known: list[str] = []
        for name in names:
            node.expect(name)

    def run(self, within: float, each: Each, at_first_failure: bool = False) -> Standings:
        """Go on until the order is carried out or has failed everywhere; return how it stands.

        Args:
            within: Longest time from now on [s].
            each: Shows how it stands.
            at_first_failure: Whether to return as soon as it has failed with one vehicle.
        """
        began = time.monotonic()
        while True:
            found = self._step()
            is_late = time.monotonic() - began >= within
            has_failed = at_first_failure and bool(of(found, Progress.FAILED))
            if each(found) or is_late or has_failed or self._is_over(found):
                return found

    def wait_for_answers(self, within: float) -> None:
        """Wait until all that were asked have answered, asking nobody else.

        An order to another service of the same bridge may otherwise come before this one.

        Args:
            within: Longest time to wait [s].
        """
        began = time.monotonic()
        while any(one.accepted is None for one in self._asked.values()):
            if time.monotonic() - began >= within:
                return
            self._node.turn()
            for name, one in self._asked.items():
                one.update(len(self._node.heard[name]))

    def _step(self) -> Standings:
        self._node.turn()
        known = self._names or self._node.vehicles
        if known != self._known:
            self._known, self._changed = known, time.monotonic()
        seen = self._node.seen()
        for name in known:
            self._ask(name)
        return {
            name: standing(self._order, self._attempt(name)._replace(seen=seen.get(name, UNSEEN)))
            for name in known
        }

    def _ask(self, name: str) -> None:
        heard = len(self._node.heard[name])
        if name not in self._asked:
            call = self._node.call(name, self._order)
            if call is not None:
                self._asked[name] = _Asked(call, heard)
        else:
            self._asked[name].update(heard)

    def _attempt(self, name: str) -> Attempt:
        asked, heard = self._asked.get(name), self._node.heard[name]
        if asked is None:
            return Attempt(age=time.monotonic() - self._began)
        states = (report.state for report in heard[asked.heard_before :])
        return Attempt(
            time.monotonic() - asked.call.began,
            asked.accepted,
            asked.answer,
            frozenset(filter(None, states)),
            0 if asked.accepted is None else len(heard) - asked.heard_at_answer,
        )

    def _is_over(self, found: Standings) -> bool:
        if not found or of(found, Progress.UNDER_WAY):
            return False
        # where discovery is slow, what is still missing may take as long again
        slow = self._changed - self._began
        return bool(self._names) or time.monotonic() - self._changed >= SETTLED + slow
