"""The service that stops or releases all members of a fleet, and keeps the stop for late nodes."""

from collections.abc import Callable

from rclpy.clock import Clock, ClockType
from std_srvs.srv import SetBool
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.polling import PollingNode

from soliton_encirclement_ros.core.emergency_stop import EVERYBODY, StopOrder
from soliton_encirclement_ros.core.states.swarm_topics import SWARM_EMERGENCY_STOP, Fleet
from soliton_encirclement_ros.nodes.stop.stop_topic import StopTopic

PERIOD = 0.2
"""Wall time [s] between two looks at the topic."""


class SwarmStop:
    """The emergency stop of a fleet, served by a node that is no member."""

    def __init__(
        self, node: PollingNode, fleet: Fleet, refuse: Callable[[str, str], None],
        is_member: Callable[[str], bool],
    ) -> None:  # fmt: skip
        """Serve it.

        Args:
            node: The node.
            fleet: Its fleet.
            refuse: Takes topic and reason of a refused message.
            is_member: Returns whether the fleet has a member of a name: an order for a name that
                nobody has stops nobody.
        """
        self._node, self._is_member = node, is_member
        self._topic = StopTopic(node, fleet, '', refuse)
        self._service = fleet.full_name(SWARM_EMERGENCY_STOP)
        node.create_service(SetBool, self._service, self._on_request)
        node.create_timer(PERIOD, self._look, clock=Clock(clock_type=ClockType.STEADY_TIME))

    @property
    def stopped(self) -> list[str]:
        """Who is stopped by order: names of members, ``all`` for everybody."""
        return sorted(order.scope or 'all' for order in self._in_force())

    def conditions(self) -> list[Condition]:
        """Return the fault that a stop is in force."""
        orders = self._in_force()
        text = '; '.join(f'{order.scope or "all"} by {order.source}' for order in orders[:3])
        return [Condition(Level.ERROR, f'emergency stop of {text}')] if orders else []

    def _in_force(self) -> list[StopOrder]:
        """Return the orders that stop somebody."""
        return [
            one
            for one in self._topic.latch.orders.values()
            if one.stop and (one.scope == EVERYBODY or self._is_member(one.scope))
        ]

    def _look(self) -> None:
        """Listen; a missing heartbeat becomes an order, which reaches nodes started later, too."""
        self._topic.update()
        silence = self._topic.latch.silence
        everybody = self._topic.latch.orders.get(EVERYBODY)
        if silence and not (everybody is not None and everybody.stop):
            self._topic.give(EVERYBODY, True, silence)
        self._topic.keep()

    def _on_request(
        self, request: SetBool.Request, response: SetBool.Response
    ) -> SetBool.Response:
        """Order it; the members confirm it in their diagnostics."""
        self._topic.give(EVERYBODY, request.data, f'a call of {self._service}')
        what = 'stop' if request.data else 'release'
        self._node.get_logger().warning(f'emergency stop: {what} ordered to all members')
        response.success, response.message = True, f'{what} ordered to all members'
        return response
