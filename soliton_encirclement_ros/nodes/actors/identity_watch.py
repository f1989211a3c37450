"""Detects another sender that uses an agent's number.

Two agents with the same number have sequence numbers that alternate. Of a vehicle with a
controller of its own, exactly one node says where it is.
"""

import math
import time
from collections import OrderedDict, defaultdict, deque
from collections.abc import Sequence

from rclpy.node import Node

from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.states.states import AgentState, State
from soliton_encirclement_ros.core.states.swarm_topics import MAX_MEMBERS, uav, uav_id
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.graph_faults import end_name
from velocity_mobility_ros.ros_io.polling import PollingNode

MAX_SENT = 128
"""Number of stored own messages: far more than fit into the queues between nodes."""

HELD_FOR = 1.0
"""Wall time [s] for which an agent waits for another one with its number to say something."""

ALONE_FOR = 5.0
"""Wall time [s] of sending without another sender after which the number is an agent's own."""

SAME_PLACE = 1.0
"""Distance [m] within which another sender speaks of the agent's own vehicle."""

SHOWN_FOR = 5.0
"""Wall time [s] for which a foreign state counts as present."""


class IdentityWatch:
    """Detects other senders under the agent's number: received states that it has not sent.

    States are numbered from an agent's start on. So of two senders with one number, the one with
    the lower sequence started later, and both can tell which of them it is. A sequence can be
    forged: an agent that has sent alone for a while gives way only to one whose stated place is
    that of its own vehicle, as of two agents of one vehicle. Were it silent, others would believe
    the forger.

    Attributes:
        place: Where its vehicle is [m, map].
    """

    def __init__(self, node: Node, agent_id: int, topic: str, gives_way: bool = False) -> None:
        """Begin without anything sent.

        Args:
            node: The agent's node.
            agent_id: Its number.
            topic: Where agents publish their states.
            gives_way: Whether the node commands nothing while an earlier sender is present.
        """
        self._node = node
        self._agent_id = agent_id
        self._topic, self._gives_way = topic, gives_way
        self.place: Vector = (0.0, 0.0, 0.0)
        self._sent: OrderedDict[int, Vector] = OrderedDict()
        self._last_seq = self._foreign_seq = 0
        self._foreign_at: float | None = None
        self._foreign_place = self._foreign_velocity = self.place
        self._alone_since: float | None = None
        self._is_settled = False

    def sent(self, state: AgentState) -> None:
        """Record a state that the agent sends."""
        self._last_seq = state.seq
        self._sent[state.seq] = state.position
        if len(self._sent) > MAX_SENT:
            self._sent.popitem(last=False)
        now = time.monotonic()
        if self._alone_since is None or self._is_heard(ALONE_FOR):
            self._alone_since = now
        self._is_settled |= now - self._alone_since >= ALONE_FOR

    def receive(self, states: tuple[State, ...]) -> None:
        """Check received states."""
        for state in states:
            is_own = isinstance(state, AgentState) and state.agent_id == self._agent_id
            if is_own and self._sent.get(state.seq) != state.position:
                self._foreign_seq, self._foreign_at = state.seq, time.monotonic()
                self._foreign_place, self._foreign_velocity = state.position, state.velocity

    def _is_heard(self, within: float) -> bool:
        """Return whether another sender has published in the last time [s]."""
        return self._foreign_at is not None and time.monotonic() - self._foreign_at <= within

    @property
    def is_second(self) -> bool:
        """Whether the node gives way to another sender, which started before it."""
        is_later = self._gives_way and self._foreign_seq > self._last_seq
        if not is_later or not self._is_heard(HELD_FOR):
            return False
        since = time.monotonic() - (self._foreign_at or 0.0)
        motion = zip(self._foreign_place, self._foreign_velocity, strict=True)
        there = [place + since * velocity for place, velocity in motion]
        return not self._is_settled or math.dist(there, self.place) <= SAME_PLACE

    def conditions(self) -> list[Condition]:
        """Return the fault if another sender has published lately."""
        if not self._is_heard(SHOWN_FOR):
            return []
        name, suspects = uav(self._agent_id), ', '.join(self._suspects()) or 'an unknown node'
        reason = (
            f'another agent publishes as {name}, probably {suspects} (message '
            f'{self._foreign_seq} is not from this node): give it another agent_id'
        )
        if self.is_second:
            reason = (
                f'another agent has published as {name} before, probably {suspects}: this one '
                'commands nothing until it is gone; stop it, or give this one another agent_id'
            )
        return [Condition(Level.ERROR, reason, f'agent_id {self._agent_id}')]

    def _suspects(self) -> list[str]:
        """Return which other nodes publish states and are not known to have another number."""
        own = self._node.get_fully_qualified_name()
        names = [*map(end_name, self._node.get_publishers_info_by_topic(self._topic))]
        if own in names:
            names.remove(own)
        numbers = ((name, uav_id(name.rpartition('/')[0].rpartition('/')[2])) for name in names)
        return sorted(name for name, k in numbers if k in (None, self._agent_id))


MAX_STEPS = 3
"""Steps back of the sequence number within a few seconds; a restart makes one."""

WITHIN = 5.0
"""Wall time [s] within which steps back count."""


class SequenceWatch:
    """Counts how often the sequence number of an agent does not grow."""

    def __init__(self) -> None:
        """Start without known agents."""
        self._last: dict[int, int] = {}
        self._steps: defaultdict[int, deque[float]] = defaultdict(lambda: deque(maxlen=MAX_STEPS))

    def see(self, state: AgentState) -> None:
        """Check a state in order of arrival."""
        if state.agent_id not in self._last and len(self._last) >= MAX_MEMBERS:
            self._last.clear()
            self._steps.clear()
        if state.seq <= self._last.get(state.agent_id, state.seq - 1):
            self.step_back(state.agent_id)
        self._last[state.agent_id] = state.seq

    def step_back(self, agent_id: int) -> None:
        """Record that an agent's state does not follow its previous one."""
        self._steps[agent_id].append(time.monotonic())

    def doubled(self) -> list[int]:
        """Return the numbers that more than one agent seems to use at present."""
        since = time.monotonic() - WITHIN
        return sorted(
            k for k, at in self._steps.items() if len(at) == MAX_STEPS and at[0] >= since
        )

    def conditions(self) -> list[Condition]:
        """Return the faults."""
        doubled = self.doubled()
        if not doubled:
            return []
        names = named([uav(k) for k in doubled])
        reason = f'more than one agent publishes as {names}: give each its own agent_id'
        return [Condition(Level.ERROR, reason, 'agent numbers')]


OF_VEHICLE = (
    'not heard and not avoided, but for those on the roster; find who sends this, set roster_size'
)
OF_TARGET = 'not heard, and have no place in the ring; find who sends this'


def crowd_conditions(is_full: bool, new_ones: str = OF_VEHICLE) -> list[Condition]:
    """Return the fault that a member has heard of more agents than a swarm has.

    Args:
        is_full: Whether it takes no new ones.
        new_ones: What becomes of them, and the remedy.
    """
    reason = (
        f'{MAX_MEMBERS} agents were named here, twice as many as a swarm has: new ones are '
        f'{new_ones}, and start this node again'
    )
    return [Condition(Level.ERROR, reason, 'number of agents')] if is_full else []


SILENT_AFTER = 2.0
"""Wall time [s] without a state of the vehicle after which it is reported."""


class Presence:
    """Watches the states with the number of a vehicle."""

    def __init__(self, node: PollingNode, agent_id: int, topic: str, is_telling: bool) -> None:
        """Start.

        Args:
            node: The node of the vehicle.
            agent_id: Its number.
            topic: Full name of the topic of agents' states.
            is_telling: Whether this node publishes them; else another one should.
        """
        self._agent_id, self._topic = agent_id, topic
        self._identity = IdentityWatch(node, agent_id, topic) if is_telling else None
        self._heard_at = time.monotonic()

    def receive(self, states: Sequence[State]) -> None:
        """Look at received states."""
        if self._identity is not None:
            self._identity.receive(tuple(states))
        elif any(isinstance(s, AgentState) and s.agent_id == self._agent_id for s in states):
            self._heard_at = time.monotonic()

    def sent(self, state: AgentState | None) -> None:
        """Note a state that this node publishes."""
        if self._identity is not None and state is not None:
            self._identity.sent(state)

    def conditions(self) -> list[Condition]:
        """Return the fault that two nodes publish the state of the vehicle, or none does."""
        if self._identity is not None:
            return self._identity.conditions()
        if time.monotonic() - self._heard_at <= SILENT_AFTER:
            return []
        name = uav(self._agent_id)
        reason = (
            f'nobody publishes the state of {name} on {self._topic}, so others do not avoid it: '
            'set publish_state to true, or start its agent'
        )
        return [Condition(Level.ERROR, reason, f'state of {name}')]
