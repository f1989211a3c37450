"""Flow control in lockstep: observers publish their progress, the world stays close to them.

Reliable DDS resends what was lost, but only seconds later, and a reader without CPU time does not
slow its writers down: the queues between processes overflow. So the world never has more in
transit than fits into them. Threading: one thread.
"""

from collections.abc import Callable, Iterable

from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from std_msgs.msg import Header

from soliton_encirclement_ros.core.states.swarm_topics import OBSERVER_PROGRESS, Fleet
from velocity_mobility_ros.core.step_time import to_ns
from velocity_mobility_ros.ros_io.node_time import ns_to_time, time_to_ns

IN_FLIGHT = 256
"""Messages that may be in transit to an observer: half of what a queue of Fast DDS between two
processes on one machine holds."""

FOLLOWING = QoSProfile(
    depth=IN_FLIGHT,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
)
"""Deep enough that no observer displaces another's message; also for late subscribers."""

PER_MEMBER = 5
"""Messages that a member causes at a tick: odometry, state, command, telemetry, metrics; one more
where the true motion is published beside the odometry."""

REPEAT = 0.5
"""Wall time [s] between two repetitions, in case one is lost."""


class ProgressPublisher:
    """The observer's side: publishes the stamp up to which it has received the run."""

    def __init__(self, node: Node, fleet: Fleet) -> None:
        """Publish that the node is present and has received nothing of a fleet yet."""
        self._name = node.get_name()
        self._seen_ns = 0
        self._publisher = node.create_publisher(
            Header, fleet.full_name(OBSERVER_PROGRESS), FOLLOWING
        )
        node.create_timer(REPEAT, self._publish)
        self._publish()

    def saw(self, stamp_ns: int) -> None:
        """Store the stamp [ns] of received data."""
        if stamp_ns > self._seen_ns:
            self._seen_ns = stamp_ns
            self._publish()

    def _publish(self) -> None:
        self._publisher.publish(Header(stamp=ns_to_time(self._seen_ns), frame_id=self._name))


class ObserverProgress:
    """The world's side: tracks the expected observers and their progress."""

    def __init__(
        self,
        node: Node,
        fleet: Fleet,
        expected: Iterable[str],
        lead: float,
        on_news: Callable[[], None],
    ) -> None:
        """Subscribe to the progress.

        Args:
            node: The node to subscribe with.
            fleet: Fleet of the observers.
            expected: Names of the observers; progress of other nodes is ignored.
            lead: How far [s] behind the present tick they may be when the next begins.
            on_news: Called when an observer has progressed.
        """
        self._lead_ns = to_ns(lead)
        self._on_news = on_news
        self._seen_ns: dict[str, int | None] = dict.fromkeys(expected)
        self._given_up: set[str] = set()
        if self._seen_ns:
            node.create_subscription(
                Header, fleet.full_name(OBSERVER_PROGRESS), self._on_header, FOLLOWING
            )

    @property
    def expected(self) -> int:
        """How many observers are expected."""
        return len(self._seen_ns)

    @property
    def missing(self) -> list[str]:
        """Names of the observers that have not appeared yet."""
        return [name for name, seen_ns in self._seen_ns.items() if seen_ns is None]

    @property
    def all_here(self) -> bool:
        """Whether all expected observers have appeared."""
        return not self.missing

    @property
    def given_up(self) -> list[str]:
        """Names of the observers that timed out and are not waited for."""
        return sorted(self._given_up)

    def behind(self, stamp_ns: int) -> list[str]:
        """Return the observers too far behind for the tick of a stamp [ns] to begin."""
        return [
            name
            for name, seen_ns in self._seen_ns.items()
            if name not in self._given_up and (seen_ns or 0) < stamp_ns - self._lead_ns
        ]

    def give_up(self, stamp_ns: int) -> list[str]:
        """Continue without the observers that are behind until they report; return their names."""
        names = self.behind(stamp_ns)
        self._given_up.update(names)
        return names

    def _on_header(self, message: Header) -> None:
        name, stamp_ns = message.frame_id, time_to_ns(message.stamp)
        if name not in self._seen_ns:
            return
        known_ns = self._seen_ns[name]
        if known_ns is None or stamp_ns > known_ns:
            self._seen_ns[name] = stamp_ns
            self._given_up.discard(name)
            self._on_news()


def lead_ticks(members: int, per_member: int = PER_MEMBER) -> int:
    """Return how many ticks may be in transit to the observers."""
    return max(1, IN_FLIGHT // (per_member * members))
