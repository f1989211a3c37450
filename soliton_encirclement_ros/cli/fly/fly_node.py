"""The node of an operator who flies: finds the bridges of a swarm, listens, and calls them."""

from diagnostic_msgs.msg import DiagnosticStatus
from velocity_mobility_ros.ros_io.process.executor import make_executor
from velocity_mobility_ros.ros_io.vehicle_topics import BRIDGE_STATE

from soliton_encirclement_ros.cli.fly.call import Call
from soliton_encirclement_ros.cli.fly.fly_order import FlyOrder
from soliton_encirclement_ros.cli.fly.sighting import Sighting
from soliton_encirclement_ros.cli.fly.vehicle_link import VehicleLink
from soliton_encirclement_ros.cli.fly.vehicle_report import VehicleReport
from soliton_encirclement_ros.cli.operator.operator_node import OperatorNode
from soliton_encirclement_ros.core.states.fleet_names import Fleet

TURN = 0.02
"""Longest wait for a message [s]."""

KIND = f'diagnostic_msgs/msg/{DiagnosticStatus.__name__}'


class FlyNode(OperatorNode):
    """One operator, who also speaks to the bridges.

    Attributes:
        heard: All reports of every vehicle since it was found, by name, in order.
    """

    def __init__(self, fleet: Fleet) -> None:
        """Listen to a fleet."""
        super().__init__(fleet)
        self._links: dict[str, VehicleLink] = {}
        self.heard: dict[str, list[VehicleReport]] = {}
        self._executor = make_executor()
        self._executor.add_node(self)

    def turn(self) -> None:
        """Wait for messages for a moment, take what has arrived, and look for further bridges."""
        self._executor.spin_once(timeout_sec=TURN)
        self.update()
        self._search()
        for link in self._links.values():
            link.update()

    def expect(self, name: str) -> None:
        """Listen to a vehicle, whether it is there or not."""
        if name in self._links:
            return
        reports = self.heard[name] = []
        namespace = self._fleet.namespace_of(name)
        self._links[name] = VehicleLink(self, namespace, reports.append)

    @property
    def vehicles(self) -> list[str]:
        """Names of all vehicles that are known or expected."""
        return sorted(self._links, key=_by_number)

    def seen(self) -> dict[str, Sighting]:
        """Return what is known about each now."""
        return {name: self._links[name].seen() for name in self.vehicles}

    def call(self, name: str, order: FlyOrder) -> Call | None:
        """Call the service of a vehicle for an order; None if it is not there yet."""
        client = self._links[name].client(order.service)
        return Call(client, order.calls) if client.service_is_ready() else None

    def close(self) -> None:
        """Stop to listen."""
        self._executor.remove_node(self)
        self._executor.shutdown(0)

    def _search(self) -> None:
        ending = f'/{BRIDGE_STATE}'
        for topic, kinds in self.get_topic_names_and_types():
            space = topic.removesuffix(ending)
            if space != topic and KIND in kinds and self._has(space):
                self.expect(space.rpartition('/')[2])


def _by_number(name: str) -> tuple[str, int, str]:
    """Return what sorts uav_10 after uav_9."""
    head = name.rstrip('0123456789')
    digits = name[len(head) :]
    return head, int(digits or 0), digits
