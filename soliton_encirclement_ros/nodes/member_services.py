"""Services that stop or release one member or all members of a fleet, and let an agent fail.

Both the topic of the fleet and the service of a member end in the same latch; the member asks for
it at every tick, and once a second while no tick comes. The service for all keeps the stop for
nodes that start later. Those of an agent's failures are ``fail`` and ``recover``.
"""

from collections.abc import Callable

from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from std_srvs.srv import SetBool, Trigger

from soliton_encirclement_ros.core.emergency_stop import EVERYBODY, ITSELF, StopOrder, newest_ns
from soliton_encirclement_ros.core.states.swarm_topics import (
    OWN_STOP, STOP_STAMP, STOPPED, SWARM_EMERGENCY_STOP, Fleet
)
from soliton_encirclement_ros.nodes.stop_topic import StopTopic
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.vehicle_topics import EMERGENCY_STOP

LISTEN_FIRST = 0.5
"""Wall time [s] in which a member that has started learns that it is stopped, before it acts."""

LONGEST_WAIT = 5.0
"""Wall time [s] for which a member in lockstep waits for an order that somebody publishes."""


class MemberStop:
    """Whether a member is stopped, and why."""

    def __init__(
        self,
        node: PollingNode,
        fleet: Fleet,
        name: str,
        refuse: Callable[[str, str], None],
        hover: Callable[[], None],
        after: str,
    ) -> None:
        """Listen, and offer the service.

        Args:
            node: The member's node.
            fleet: Its fleet.
            name: The member's name.
            refuse: Takes topic and reason of a refused message.
            hover: Commands zero velocity, with the stamp of now or of the last tick.
            after: What the member does after a release.
        """
        self._node, self._name, self._hover, self._after = node, name, hover, after
        self._topic = StopTopic(node, fleet, name, refuse)
        self.reason = ''
        self._is_news = self._may_begin = False
        self._ticks = 0
        node.create_service(SetBool, EMERGENCY_STOP, self._on_request)

    def update(self) -> bool:
        """Return whether the member is stopped now; log when that changes."""
        previous, self.reason = self.reason, self._topic.update()
        if bool(previous) != bool(self.reason):
            self._is_news = True
            self._log()
        return bool(self.reason)

    @property
    def has_order(self) -> bool:
        """Whether the member is stopped, or will be if an operator falls silent."""
        return bool(self.reason or self._topic.latch.beats)

    def take_news(self) -> bool:
        """Return whether the member was stopped or released since the last call."""
        news, self._is_news = self._is_news, False
        return news

    def is_waiting(self, lockstep: bool) -> bool:
        """Return whether a stop from before the start may still be on its way.

        Args:
            lockstep: Whether the world waits for the member; then nothing is waited for that
                nobody is known to publish.
        """
        if not self._may_begin:
            waits = self.is_order_on_its_way if lockstep else self._is_listening_first
            self._may_begin = not waits
        return not self._may_begin

    @property
    def _is_listening_first(self) -> bool:
        return not self._topic.has_heard and self._topic.listening_for < LISTEN_FIRST

    @property
    def is_order_on_its_way(self) -> bool:
        """Whether somebody publishes orders of which none has arrived yet."""
        self._topic.update()
        if self._topic.has_heard or self._topic.listening_for > LONGEST_WAIT:
            return False
        return self._node.count_publishers(self._topic.topic) > 0

    def stop_itself(self, reason: str) -> None:
        """Stop the member, from the next tick on, until it or everybody is released."""
        self._topic.stop_itself(reason)

    def look(self, ticks: int) -> None:
        """Obey also while no tick comes, and keep a stop for others; call it once a second.

        Args:
            ticks: How many ticks there were: without a world, or while simulated time rests,
                there are no new ones.
        """
        is_idle, self._ticks = ticks == self._ticks, ticks
        if self.update() and is_idle:
            self._hover()
        self._topic.keep()

    def values(self) -> dict[str, object]:
        """Return key values for the diagnostics."""
        own = self._topic.latch.own
        return {
            STOPPED: str(bool(self.reason)).lower(),
            STOP_STAMP: newest_ns(self._topic.latch),
            'operator_heartbeats': len(self._topic.latch.beats),
            OWN_STOP: '' if own is None else own.source,
        }

    def conditions(self) -> list[Condition]:
        """Return the fault that the member is stopped."""
        if not self.reason:
            return []
        by = '' if self.reason.startswith(ITSELF) else 'the operator: '
        return [Condition(Level.ERROR, f'stopped by {by}{self.reason}')]

    def _log(self) -> None:
        logger = self._node.get_logger()
        if self.reason:
            logger.error(f'emergency stop by {self.reason}: it stands still until released')
        else:
            logger.warning(f'emergency stop released: {self._after}')

    def _on_request(
        self, request: SetBool.Request, response: SetBool.Response
    ) -> SetBool.Response:
        """Stop or release this vehicle alone; a stop of the swarm stays."""
        service = self._node.resolve_service_name(EMERGENCY_STOP)
        self._topic.give(self._name, request.data, f'a call of {service}')
        is_stopped = self.update()
        response.success = is_stopped == request.data
        if request.data:
            response.message = 'stopped until called with false'
        elif is_stopped:
            response.message = f'still stopped: {self.reason}'
        else:
            response.message = 'released'
        if is_stopped:
            self._hover()
        return response


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
            order
            for order in self._topic.latch.orders.values()
            if order.stop and (order.scope == EVERYBODY or self._is_member(order.scope))
        ]

    def _look(self) -> None:
        """Listen; a missing heartbeat becomes an order, which reaches nodes started later, too."""
        self._topic.update()
        silence = self._topic.latch.silence
        everybody = self._topic.latch.orders.get(EVERYBODY)
        if silence is not None and not (everybody is not None and everybody.stop):
            self._topic.give(EVERYBODY, True, silence.source)
        self._topic.keep()

    def _on_request(
        self, request: SetBool.Request, response: SetBool.Response
    ) -> SetBool.Response:
        """Order it; the members confirm it in their diagnostics."""
        self._topic.give(EVERYBODY, request.data, f'a call of {self._service}')
        order = 'stop' if request.data else 'release'
        self._node.get_logger().warning(f'emergency stop: {order} ordered to all members')
        response.success, response.message = True, f'{order} ordered to all members'
        return response


def offer_failures(
    node: Node, agent: str, fail: Callable[[], bool], recover: Callable[[], bool]
) -> None:
    """Create the services of an agent; both succeed where there is nothing to do.

    Args:
        node: The node that offers them.
        agent: Full name of the agent; empty: the namespace of the node.
        fail: Takes the agent down; returns whether it was up.
        recover: Lets it come back; returns whether it was down.
    """
    prefix = f'{agent}/' if agent else ''

    def on_fail(_: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        was_up = fail()
        response.success = True
        response.message = f'{"down" if was_up else "already down,"} until recover is called'
        return response

    def on_recover(_: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        was_down = recover()
        response.success, response.message = True, 'up again' if was_down else 'already up'
        return response

    node.create_service(Trigger, f'{prefix}fail', on_fail)
    node.create_service(Trigger, f'{prefix}recover', on_recover)
