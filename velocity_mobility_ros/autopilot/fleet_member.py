"""One bridge in its fleet, without ROS: reports of others, orders, and its own report.

Bridges learn which vehicles belong to a fleet as they hear of each other. Somebody who looks for
all vehicles at once, and finds them one after the other, asks any bridge whom it knows.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from velocity_mobility_ros.autopilot import fleet_orders
from velocity_mobility_ros.autopilot.bridge import OperatorFacts
from velocity_mobility_ros.autopilot.engage.engage_records import Outputs, Request
from velocity_mobility_ros.autopilot.fleet_orders import FleetOrder, OrderMemory
from velocity_mobility_ros.core.user_errors import NAME, ParameterError, cut, shown

SILENT = 2.0
"""Age of the last report from which on a bridge is silent [s]: each reports twice a second."""

FORGOTTEN = 60.0
"""Time after which a silent vehicle is forgotten that stood, disarmed: it was switched off [s]."""

MAX_PEERS = 1000
"""Vehicles that are remembered."""


class Peer(NamedTuple):
    """Another vehicle, by the last report of its bridge.

    Attributes:
        heard_at: When it came [monotonic s].
        what: What the bridge did, in words.
        is_armed: Whether the vehicle was armed, or may have been.
    """

    heard_at: float
    what: str
    is_armed: bool


Peers = Mapping[str, Peer]
"""By name of the vehicle."""


def with_peer(peers: Peers, name: str, peer: Peer) -> Peers:
    """Return the vehicles after a report of one."""
    if name not in peers and len(peers) >= MAX_PEERS:
        return peers
    return {**peers, name: peer}


def remembered(peers: Peers, now: float) -> Peers:
    """Return the known vehicles at a time [s]: one seen in the air is never dropped."""
    return {
        name: peer for name, peer in peers.items()
        if peer.is_armed or now - peer.heard_at <= FORGOTTEN
    }  # fmt: skip


def silent_peers(peers: Peers, now: float) -> dict[str, str]:
    """Return the silent bridges at a time [s], each with its last report and its age."""
    return {
        name: f'{peer.what} {now - peer.heard_at:.0f} s ago'
        for name, peer in sorted(peers.items())
        if now - peer.heard_at > SILENT
    }


def _check_names(place: str, names: Iterable[str]) -> None:
    for name in names:
        if not NAME.fullmatch(name):
            raise ParameterError(
                f'{place}: {shown(name)} is no name of a vehicle: it must be letters, digits and '
                'underscores, 80 at most, no digit first, such as uav_1'
            )


Ask = Callable[[Request, OperatorFacts], Outputs]
"""Makes a step of the bridge with a request."""


class FleetMember:
    """The memory of one bridge; all times are its own monotonic ones [s].

    Attributes:
        name: The vehicle.
    """

    def __init__(self, name: str, member_id: str, stated: str, ask: Ask) -> None:
        """Start without peers.

        Args:
            name: The vehicle.
            member_id: Which process this is.
            stated: Names of all vehicles of the fleet, separated by commas; empty: not known.
            ask: Makes a step of the bridge with a request.

        Raises:
            ParameterError: A name is none of a vehicle: no other bridge would hear it.
        """
        self.name, self._id, self._ask = name, member_id, ask
        self._stated = sorted(filter(None, map(str.strip, stated.split(','))))
        _check_names('namespace', filter(None, [name]))
        _check_names('fleet', self._stated)
        self._memory, self._armed_at = OrderMemory(), -math.inf
        self._peers: Peers = {}

    def armed(self, is_armed: bool, now: float) -> None:
        """Store whether the vehicle is armed: earlier orders do not count then."""
        if not is_armed:
            self._armed_at = -math.inf
        elif self._armed_at == -math.inf:
            self._armed_at = now

    @property
    def has_orders(self) -> bool:
        """Whether there was an order for this vehicle, which must not be carried out twice."""
        return bool(self._memory.known)

    def operator(self, now: float) -> OperatorFacts:
        """Return the state of the operator."""
        return OperatorFacts(age=fleet_orders.operator_age(self._memory, now))

    def take(self, copies: Iterable[FleetOrder], now: float, wall_ns: int) -> None:
        """Read copies of orders; those for this vehicle become requests to its bridge.

        Args:
            copies: The copies, oldest order first.
            now: The time.
            wall_ns: The clock of this computer [ns since 1970].
        """
        for order in copies:
            if order.is_for(self.name):
                self._take(order, now, wall_ns)

    def _take(self, order: FleetOrder, now: float, wall_ns: int) -> None:
        outcome = fleet_orders.received(self._memory, order, now, wall_ns, self._armed_at)
        self._memory = outcome.memory
        if outcome.request is None:
            return
        out = self._ask(outcome.request, OperatorFacts(outcome.together, 0.0))
        if outcome.request is not Request.GO or out.refused:
            self._memory = fleet_orders.answered(self._memory, order, not out.refused, out.reason)

    def hear(self, name: str, values: Mapping[str, str], now: float) -> None:
        """Take the report of another bridge; one without a valid name does not count."""
        if NAME.fullmatch(name) and name != self.name:
            what = cut(values.get('state', ''))
            peer = Peer(now, what, values.get('armed') != 'false')
            self._peers = with_peer(self._peers, name, peer)

    def values(self, now: float) -> Mapping[str, str]:
        """Return the vehicles heard, and the last order with its outcome, for a report."""
        self._peers = remembered(self._peers, now)
        silent, answered = silent_peers(self._peers, now), self._memory.answered
        return {
            'bridge_id': self._id,
            'fleet': ','.join(self._stated or sorted({self.name, *self._peers})),
            'fleet_is_stated': str(bool(self._stated)).lower(),
            'hears': ','.join(sorted(set(self._peers) - set(silent))),
            'silent': '; '.join(f'{name}: {text}' for name, text in silent.items()),
            'order_id': answered.order_id,
            'order': answered.kind,
            'order_by': answered.source,
            'order_accepted': str(answered.accepted).lower(),
            'order_answer': answered.text,
        }
