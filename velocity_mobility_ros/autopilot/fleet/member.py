"""One bridge as part of its fleet, without ROS: what it hears, does and says."""

import math
from collections.abc import Callable, Iterable, Mapping

from velocity_mobility_ros.autopilot.bridge.bridge_records import OperatorFacts
from velocity_mobility_ros.autopilot.engage.records import Outputs, Request
from velocity_mobility_ros.autopilot.fleet import orders, peers
from velocity_mobility_ros.autopilot.fleet.orders import FleetOrder, OrderMemory
from velocity_mobility_ros.autopilot.fleet.peers import Peer, Peers

Ask = Callable[[Request, OperatorFacts], Outputs]
"""Makes a step of the bridge with a request."""


class FleetMember:
    """The memory of one bridge; all times are its own monotonic ones [s].

    Attributes:
        name: The vehicle.
    """

    def __init__(self, name: str, member_id: str, stated: str, ask: Ask) -> None:
        """Know nobody.

        Args:
            name: The vehicle.
            member_id: Which process this is.
            stated: Names of all vehicles of the fleet, separated by commas; empty: not known.
            ask: Makes a step of the bridge with a request.
        """
        self.name, self._id, self._ask = name, member_id, ask
        self._stated = sorted(filter(None, map(str.strip, stated.split(','))))
        self._memory, self._armed_at = OrderMemory(), -math.inf
        self._peers: Peers = {}

    def armed(self, is_armed: bool, now: float) -> None:
        """Note whether the vehicle is armed: no order from before counts then."""
        if not is_armed:
            self._armed_at = -math.inf
        elif self._armed_at == -math.inf:
            self._armed_at = now

    def operator(self, now: float) -> OperatorFacts:
        """Return what is known of the operator."""
        return OperatorFacts(age=orders.operator_age(self._memory, now))

    def take(self, copies: Iterable[FleetOrder], now: float, wall_ns: int) -> None:
        """Take copies of orders; what is for this vehicle is asked of its bridge.

        Args:
            copies: The copies, oldest order first.
            now: The time.
            wall_ns: The clock of this computer [ns since 1970].
        """
        for order in copies:
            if order.is_for(self.name):
                self._take(order, now, wall_ns)

    def _take(self, order: FleetOrder, now: float, wall_ns: int) -> None:
        taken = orders.received(self._memory, order, now, wall_ns, self._armed_at)
        self._memory = taken.memory
        if taken.request is None:
            return
        out = self._ask(taken.request, OperatorFacts(taken.together, 0.0))
        if taken.request is not Request.GO or out.refused:
            self._memory = orders.answered(self._memory, order, not out.refused, out.reason)

    def hear(self, name: str, values: Mapping[str, str], now: float) -> None:
        """Take the report of another bridge."""
        if name and name != self.name:
            peer = Peer(now, values.get('state', ''), values.get('armed') != 'false')
            self._peers = peers.with_peer(self._peers, name, peer)

    def values(self, now: float) -> Mapping[str, str]:
        """Return who is there, and what the last order was and became, for a report."""
        self._peers = peers.remembered(self._peers, now)
        silent, told = peers.silent(self._peers, now), self._memory.answered
        return {
            'bridge_id': self._id,
            'fleet': ','.join(self._stated or sorted({self.name, *self._peers})),
            'fleet_is_stated': str(bool(self._stated)).lower(),
            'hears': ','.join(sorted(set(self._peers) - set(silent))),
            'silent': '; '.join(f'{name}: {what}' for name, what in silent.items()),
            'order_id': told.order_id,
            'order': told.kind,
            'order_by': told.source,
            'order_accepted': str(told.accepted).lower(),
            'order_answer': told.text,
        }
