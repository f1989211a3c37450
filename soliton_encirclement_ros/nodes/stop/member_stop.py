"""The emergency stop of one member: its service, its faults, its lines in the log.

Both the topic of the fleet and the service end in the same latch; the member asks for it at every
tick, and once a second while no tick comes.
"""

from collections.abc import Callable

from rclpy.node import Node
from std_srvs.srv import SetBool
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.vehicle_topics import EMERGENCY_STOP

from soliton_encirclement_ros.core.emergency_stop import ITSELF, newest_ns
from soliton_encirclement_ros.core.states.swarm_topics import OWN_STOP, STOP_STAMP, STOPPED, Fleet
from soliton_encirclement_ros.nodes.stop.stop_topic import StopTopic

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
        before, self.reason = self.reason, self._topic.update()
        if bool(before) != bool(self.reason):
            self._is_news = True
            self._log()
        return bool(self.reason)

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
        self._topic.give(self._name, request.data, f'a call of {service_name(self._node)}')
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


def service_name(node: Node) -> str:
    """Return the full name of a member's service."""
    return node.resolve_service_name(EMERGENCY_STOP)
