"""What members that fly elsewhere say of themselves, as their states arrive."""

import time
from collections.abc import Callable, Collection, Iterator

from sensor_msgs.msg import JointState
from velocity_mobility_ros.core.time import to_ns
from velocity_mobility_ros.ros_io.node_diagnostics import Condition, Level, NodeDiagnostics
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.qos import POLLED_INPUT

from soliton_encirclement_ros.core.states.states import State, sender_of
from soliton_encirclement_ros.core.states.swarm_topics import (
    AGENT_STATES,
    TARGET,
    TARGET_STATE,
    Fleet,
)
from soliton_encirclement_ros.nodes.actors.actor_parameters import ActorParameters
from soliton_encirclement_ros.nodes.state_messages import StateReader

TOLERANCE_NS = to_ns(ActorParameters().stamp_tolerance)
"""Largest distance [ns] of a stamp from the present: that of an agent's node."""

SILENT = 1.0
"""Reported silence [s] of a member."""

Hear = Callable[[State, float], None]
"""Takes a state, and the time [s] of the flight of which it is."""


class ExternalInput:
    """Takes the states of external members; own messages, which come back, are left unread."""

    def __init__(
        self, node: PollingNode, fleet: Fleet, health: NodeDiagnostics, names: Collection[str]
    ) -> None:
        """Subscribe.

        Args:
            node: The node.
            fleet: Names of the swarm.
            health: Counts what is refused.
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
        """Pass on what has arrived.

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
        found, now = [], time.monotonic()
        for name, heard_at in self._heard_at.items():
            topic = self._fleet.full_name(_topic_of(name))
            if heard_at is None:
                reason = f'no state of {name} received yet on {topic}'
                found.append(Condition(Level.STALE, reason, unheard=topic))
            elif now - heard_at > SILENT:
                reason = f'{name} lost: last received {now - heard_at:.1f} s ago on {topic}'
                found.append(Condition(Level.ERROR, reason, f'{name} lost'))
        return found

    def _states(self, now_ns: int) -> Iterator[State]:
        for reader, take in self._topics:
            for data in take():
                if not any(sign in data for sign in self._signs):
                    continue
                yield from reader.take(data, now_ns, TOLERANCE_NS)


def _topic_of(name: str) -> str:
    return TARGET_STATE if name == TARGET else AGENT_STATES
