"""The topics of a published flight: states of its members, and of those that fly elsewhere.

A thousand agents have thousands of topics and services, and to make them takes longer than to make
the agents. So they are made while the flight waits for its next tick, and published only where
somebody listens. Members that fly elsewhere are heard as their states arrive.
"""

import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence

from rclpy.node import Node
from rclpy.publisher import Publisher
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.core.states.states import State, sender_of
from soliton_encirclement_ros.core.states.swarm_topics import (
    AGENT_STATES, CLOCK, SWARM, TARGET, TARGET_STATE, Fleet
)
from soliton_encirclement_ros.nodes.node_parameters import ActorParameters
from soliton_encirclement_ros.nodes.observers.topic_discovery import message_class
from soliton_encirclement_ros.nodes.state_messages import StateReader
from soliton_encirclement_ros.sim.sinks.chunk_messages import SourceMessages, TopicSource
from velocity_mobility_ros.core.step_time import to_ns
from velocity_mobility_ros.ros_io.endpoints import POLLED_INPUT, STATE, make_publisher
from velocity_mobility_ros.ros_io.node_diagnostics import Condition, Level, NodeDiagnostics
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.vehicle_topics import CMD_VEL

LOOK_PERIOD = 0.5
"""Wall time [s] between two counts of subscribers."""


class TopicOutputs:
    """Publishes the topics that have subscribers.

    States of agents come from elsewhere. There is no clock: time is real. Commands are not
    published, so that no vehicle that listens to one can fly by a simulation.
    """

    def __init__(
        self, node: Node, fleet: Fleet, sources: Sequence[TopicSource],
        external: Collection[str] = (),
    ) -> None:  # fmt: skip
        """Make the topics of the swarm.

        Args:
            node: The node that publishes.
            fleet: Names of the swarm.
            sources: Sources of the messages.
            external: Members that nodes of their own fly, which publish for them.
        """
        self._node, self._fleet, self._sources = node, fleet, sources
        self._publishers: dict[int, Publisher] = {}
        self._wanted: tuple[int, ...] = ()
        self._looked = -LOOK_PERIOD
        self._waiting: deque[Callable[[], None]] = deque()
        for index, source in enumerate(sources):
            if not _is_published(source, external):
                continue
            if source.topic.startswith(SWARM):
                self._make(index)
            else:
                self.later(lambda index=index: self._make(index))

    @property
    def waiting(self) -> int:
        """How many topics and services are still to be made."""
        return len(self._waiting)

    def later(self, make: Callable[[], None]) -> None:
        """Make something when there is time for it."""
        self._waiting.append(make)

    def make_next(self) -> None:
        """Make the next one; it takes up to ten milliseconds."""
        self._waiting.popleft()()

    def wanted(self) -> tuple[int, ...]:
        """Return the sources to publish: the swarm's, and those with subscribers just now."""
        now = time.monotonic()
        if now - self._looked >= LOOK_PERIOD:
            self._looked = now
            self._wanted = tuple(
                index for index, publisher in self._publishers.items()
                if self._sources[index].topic.startswith(SWARM)  # few: always published
                or publisher.get_subscription_count() > 0
            )  # fmt: skip
        return self._wanted

    def publish(self, output: SourceMessages) -> None:
        """Publish the messages of a source."""
        publisher = self._publishers[output.source]
        for message, is_sent in zip(output.messages, output.sent, strict=True):
            if is_sent:
                publisher.publish(message)

    def _make(self, index: int) -> None:
        source = self._sources[index]
        kind, topic = message_class(source.kind), self._fleet.full_name(source.topic)
        self._publishers[index] = make_publisher(self._node, kind, topic, STATE)


def _is_published(source: TopicSource, external: Collection[str]) -> bool:
    member, _, name = source.topic.rpartition('/')
    owner = TARGET if source.topic == TARGET_STATE else member
    comes_from_elsewhere = source.agent is not None or owner in external
    return not comes_from_elsewhere and source.topic != CLOCK and name != CMD_VEL


TOLERANCE_NS = to_ns(ActorParameters().stamp_tolerance)
"""Largest distance [ns] of a stamp from the present: that of an agent's node."""

SILENT = 1.0
"""Reported silence [s] of a member."""

Hear = Callable[[State, float], None]
"""Takes a state, and its time in the flight [s]."""


class ExternalInput:
    """Takes the states of external members; own messages, which come back, are left unread."""

    def __init__(
        self, node: PollingNode, fleet: Fleet, health: NodeDiagnostics, names: Collection[str]
    ) -> None:
        """Subscribe.

        Args:
            node: The node.
            fleet: Names of the swarm.
            health: Counts refused messages.
            names: Names of the members.
        """
        self._fleet = fleet
        self._heard_at: dict[str, float | None] = dict.fromkeys(names)
        self._signs = [f'{name}/x'.encode() for name in names]
        topics = sorted({_topic_of(name) for name in names})
        self._topics = [
            (StateReader(topic, health), node.poll(JointState, topic, POLLED_INPUT))
            for topic in map(fleet.full_name, topics)
        ]

    def take(self, now_ns: int, now: float, hear: Hear) -> None:
        """Pass on the states that have arrived.

        Args:
            now_ns: The present [ns].
            now: The same as time of the flight [s].
            hear: Takes it.
        """
        for state in self._states(now_ns):
            name = sender_of(state)
            if name in self._heard_at:
                self._heard_at[name] = time.monotonic()
                hear(state, now - state.age)

    def conditions(self) -> list[Condition]:
        """Return the members that have not been heard, or not for a while."""
        conditions, now = [], time.monotonic()
        for name, heard_at in self._heard_at.items():
            topic = self._fleet.full_name(_topic_of(name))
            if heard_at is None:
                reason = f'no state of {name} received yet on {topic}'
                conditions.append(Condition(Level.STALE, reason, unheard=topic))
            elif now - heard_at > SILENT:
                reason = f'{name} lost: last received {now - heard_at:.1f} s ago on {topic}'
                conditions.append(Condition(Level.ERROR, reason, f'{name} lost'))
        return conditions

    def _states(self, now_ns: int) -> Iterator[State]:
        for reader, take in self._topics:
            for data in take():
                if not any(sign in data for sign in self._signs):
                    continue
                yield from reader.take(data, now_ns, TOLERANCE_NS)


def _topic_of(name: str) -> str:
    return TARGET_STATE if name == TARGET else AGENT_STATES
