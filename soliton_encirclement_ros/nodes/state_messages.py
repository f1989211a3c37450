"""JointState messages that carry states, in pairs; refusals are counted, never raised.

The stamp of a serialized message is read without deserialising it. Who is there follows from the
states that a node receives: the names of members for its diagnostics.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from soliton_encirclement_ros.core.errors import MalformedStateError
from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.states.bounded_cache import BoundedCache
from soliton_encirclement_ros.core.states.state_codec import (
    MemberCoordinates, StateDecoder, are_small, encode, parse_layout, plain_agent
)
from soliton_encirclement_ros.core.states.states import AgentState, State, older, sender_of
from soliton_encirclement_ros.core.states.swarm_topics import MAX_MEMBERS, MORE_MEMBERS, uav
from velocity_mobility_ros.core.cdr import JOINT_STATE, ORIGIN, STAMP_SIZE, Layout, first_stamp_ns
from velocity_mobility_ros.core.cdr_readers import MAX_LAYOUTS
from velocity_mobility_ros.core.step_time import to_seconds
from velocity_mobility_ros.core.user_errors import MalformedMessageError, shown
from velocity_mobility_ros.ros_io.messages.message_conversion import StampError, check_stamp
from velocity_mobility_ros.ros_io.messages.serialized_messages import (
    CoordinateReader, Coordinates, CoordinateWriter, StampedReader, joint_texts, split_stamp
)
from velocity_mobility_ros.ros_io.node_diagnostics import NodeDiagnostics
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME

MAX_BATCH = 100
"""States in a message, at most: about 26 kB, which no transport cuts into pieces."""


class StateWriter:
    """Serializes messages with states."""

    def __init__(self) -> None:
        """Begin."""
        self._bytes = CoordinateWriter()

    def write(self, stamp_ns: int, states: Iterable[State], odom_age: float = 0.0) -> bytes:
        """Return states, all valid at one time [ns], as a message.

        In lockstep it says the age [s] of the odometry that the receiver has then.
        """
        return self._bytes.write(stamp_ns, *encode(states, odom_age))

    def batches(self, stamp_ns: int, states: Sequence[State]) -> Iterator[bytes]:
        """Iterate over messages with states, all valid at one time [ns]."""
        for first in range(0, len(states), MAX_BATCH):
            yield self.write(stamp_ns, states[first : first + MAX_BATCH])

    def silence(self, stamp_ns: int, name: str) -> bytes:
        """Return the lockstep answer of a member without a state at this tick."""
        return self._bytes.write(stamp_ns, (), (), frame=name)


def wrong_frame(frame: str) -> str:
    """Return the fault of named coordinates in a frame that is not map."""
    return f'header.frame_id = {shown(frame)} must be {MAP_FRAME!r}'


class StateMessage(NamedTuple):
    """A message with states."""

    stamp_ns: int
    frame: str
    is_silence: bool
    states: tuple[State, ...]
    problems: tuple[str, ...]
    """What was refused of the states; empty if they are all there."""
    odom_age: float = 0.0
    """Age of the receiver's odometry [s]: lockstep."""


REMEMBERED = 64
"""Messages remembered: nodes of one process that receive the same one decode it once."""

_coordinates, _decoder = CoordinateReader(MAX_LAYOUTS), StateDecoder()
_messages: BoundedCache[bytes, StateMessage] = BoundedCache(REMEMBERED)


class _SingleAgent(NamedTuple):
    """The fixed part of messages with the state of one agent only.

    Attributes:
        member: Where its numbers stand; None: it is no such message.
        count: How many positions there are; as many velocities follow.
    """

    member: MemberCoordinates | None
    count: int


def _single_agent(layout: Layout) -> _SingleAgent:
    texts = joint_texts(layout)
    count = len(texts.names)
    if texts.frame != MAP_FRAME or not count == texts.positions == texts.velocities:
        return _SingleAgent(None, count)
    try:
        parsed = parse_layout(texts.names)
    except MalformedStateError:
        return _SingleAgent(None, count)
    is_only = len(parsed.members) == 1 and not parsed.weights and parsed.odom_age < 0
    return _SingleAgent(parsed.members[0] if is_only else None, count)


_single_agents: StampedReader[_SingleAgent]
_single_agents = StampedReader('JointState', JOINT_STATE, _single_agent, MAX_LAYOUTS)
"""Messages of one agent: all that arrive where each has a process of its own."""


def _decoded(data: bytes) -> StateMessage:
    message = _messages.find(data)
    if message is None:
        message = _messages.keep(data, decoded(_coordinates.read(data)), len(data))
    return message


def decoded(coordinates: Coordinates) -> StateMessage:
    """Return the states among named coordinates."""
    stamp_ns, frame, names, positions, velocities = coordinates
    try:
        parsed = _decoder.decode(names, positions, velocities)
    except MalformedStateError as error:
        return StateMessage(stamp_ns, frame, not names, (), (str(error),))
    states, problems, odom_age = parsed
    return StateMessage(stamp_ns, frame, not names, tuple(states), tuple(problems), odom_age)


class StateReader:
    """Reads states from messages of one topic."""

    def __init__(
        self, topic: str, health: NodeDiagnostics,
        on_late: Callable[[Sequence[State], int], None] = lambda states, elapsed_ns: None,
    ) -> None:  # fmt: skip
        """Report refusals of ``topic`` to ``health``.

        Args:
            topic: The topic.
            health: Counts what is refused.
            on_late: Called with what is refused for its stamp, and its age by that [ns].
        """
        self._topic = topic
        self._health = health
        self._on_late = on_late

    def parse(self, data: bytes) -> StateMessage | None:
        """Return the content of a serialized message, None if it is no JointState."""
        try:
            return _decoded(data)
        except MalformedMessageError as error:
            self._health.refuse(self._topic, str(error), 'bytes')
            return None

    def read(self, message: StateMessage) -> Sequence[State]:
        """Return the states of a message, without the malformed ones."""
        if message.frame != MAP_FRAME and not message.is_silence:
            self._health.refuse(self._topic, wrong_frame(message.frame), 'frame')
            return ()
        for problem in message.problems:
            self._health.refuse(self._topic, problem)
        return message.states

    def spoken(self, message: StateMessage) -> list[tuple[str, State | None]]:
        """Return the senders in lockstep and their states; None: the member has none."""
        if message.is_silence:
            return [(message.frame, None)]
        return [(sender_of(state), state) for state in self.read(message)]

    def take(self, data: bytes, now_ns: int, tolerance_ns: int) -> Sequence[State]:
        """Return the states in a serialized message, with their age, as the next method does.

        That of a single agent is read at once, which is the fastest for the only reader in its
        process; others are remembered.
        """
        try:
            (member, count), unpack = _single_agents.find(data)
            stamp_ns, numbers = split_stamp(unpack(data)) if member is not None else (0, ())
        except MalformedMessageError as error:
            self._health.refuse(self._topic, str(error), 'bytes')
            return ()
        elapsed_ns = now_ns - stamp_ns
        numbers = numbers[: 2 * count]  # efforts may follow
        if member is not None and abs(elapsed_ns) <= tolerance_ns and are_small(numbers):
            since_stamp = max(0.0, to_seconds(elapsed_ns))
            state = plain_agent(member, numbers[:count], numbers[count:], since_stamp)
            if state is not None:
                return (state,)
        message = self.parse(data)
        if message is None:
            return ()
        return self.read_fresh(message, now_ns, tolerance_ns)

    def read_fresh(self, message: StateMessage, now_ns: int, tolerance_ns: int) -> list[State]:
        """Return the states of a message whose stamp is near the present, with their age.

        Args:
            message: The message.
            now_ns: The present [ns].
            tolerance_ns: Largest distance of the stamp from the present [ns].
        """
        elapsed = self._since(message, now_ns, tolerance_ns)
        if elapsed is None:
            return []
        return [older(state, elapsed) for state in self.read(message)]

    def _since(self, message: StateMessage, now_ns: int, tolerance_ns: int) -> float | None:
        """Return the time since the stamp of a message [s]; None: it is refused."""
        if abs(now_ns - message.stamp_ns) <= tolerance_ns:
            return max(0.0, to_seconds(now_ns - message.stamp_ns))
        try:
            check_stamp(message.stamp_ns, now_ns, to_seconds(tolerance_ns), 'stamp_tolerance')
        except StampError as error:
            names = named([sender_of(state) for state in message.states]) or 'nobody'
            self._health.refuse(self._topic, f'{names}: {error}', f'stamp of {names}')
            if message.stamp_ns != 0:
                self._on_late(message.states, now_ns - message.stamp_ns)
        return None


STAMPED_FIRST = {
    'diagnostic_msgs/msg/DiagnosticArray',
    'geometry_msgs/msg/TwistStamped',
    'geometry_msgs/msg/Vector3Stamped',
    'nav_msgs/msg/Odometry',
    'rosgraph_msgs/msg/Clock',
    'sensor_msgs/msg/JointState',
}
"""Types whose serialized form begins with a stamp."""


def stamp_ns(kind: str, data: bytes) -> int | None:
    """Return the stamp at the start of a serialized message [ns] (CDR, either byte order).

    Args:
        kind: Its type.
        data: The message.

    Returns:
        The stamp; None for a type that does not begin with one, or a message that is too short.
    """
    return leading_stamp_ns(data) if kind in STAMPED_FIRST else None


def leading_stamp_ns(data: bytes) -> int | None:
    """Return the stamp [ns] of a message of a type that begins with one; None: too short."""
    return first_stamp_ns(data) if len(data) >= ORIGIN + STAMP_SIZE else None


MOST_NAMED = 100
"""Members that are named; of more, the last name is ``MORE_MEMBERS``."""

Sender = int | str
"""A member: the number of an agent, the name of another one."""


def name_of(member: Sender) -> str:
    """Return the name of a member."""
    return uav(member) if isinstance(member, int) else member


def sender(state: State) -> Sender:
    """Return the member that a state belongs to."""
    return state.agent_id if isinstance(state, AgentState) else sender_of(state)


def members_text(members: Collection[Sender]) -> str:
    """Return the names of members, agents by number first: ``uav_1,uav_2,target``."""
    agents = sorted(member for member in members if isinstance(member, int))
    others = sorted((member for member in members if isinstance(member, str)), reverse=True)
    names = [name_of(member) for member in (*agents, *others)[:MOST_NAMED]]
    return ','.join(names if len(members) <= MOST_NAMED else [*names, MORE_MEMBERS])


class MembersHeard:
    """The members that a node has heard since its start, itself left out.

    One that has fallen silent is not forgotten: it may fly where nobody hears it. Further ones
    than ``MAX_MEMBERS`` are left out.
    """

    def __init__(self, own: str) -> None:
        """Begin without members.

        Args:
            own: Name of the node's own member.
        """
        self._own = own
        self._last: frozenset[Sender] | None = None
        self._recent: set[frozenset[Sender]] = set()
        self._heard: frozenset[Sender] = frozenset()

    def receive(self, states: tuple[State, ...]) -> None:
        """Store the senders of states."""
        senders = frozenset(map(sender, states))
        if senders != self._last and len(self._heard) < MAX_MEMBERS:
            self._last = senders
            self._recent.add(senders)

    def text(self) -> str:
        """Return their names; call it about once a second."""
        return members_text(self._others())

    def agents(self) -> int:
        """Return how many of them are agents, or other vehicles that publish agents' states."""
        return sum(isinstance(sender, int) for sender in self._others())

    def _others(self) -> list[Sender]:
        if self._recent:
            new = frozenset().union(*self._recent) - self._heard
            first = sorted(new, key=lambda member: (isinstance(member, int), member))
            self._heard = self._heard.union(first[: MAX_MEMBERS - len(self._heard)])
        self._last = None
        self._recent.clear()
        return [sender for sender in self._heard if name_of(sender) != self._own]
