"""The radio between the members: falsifies, delays and delivers their states.

Which are lost, and how long the others take, is in ``radio_loss_and_delay``.
"""

from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from soliton_encirclement_ros.core.byzantine_agents import (
    KIND_NUMBERS, byzantine_windows, false_place, mirror
)
from soliton_encirclement_ros.core.parameters.run_parameters import RadioParameters
from soliton_encirclement_ros.core.radio_loss_and_delay import (
    JITTER, LOSS, apparent_age_ns, clock_errors_ns, in_reach, is_lost, jitter_ns, link_number,
    message_key, open_groups, splits_of
)
from soliton_encirclement_ros.core.states.received_states import FIELDS
from soliton_encirclement_ros.core.states.states import AgentState, State, is_sound
from soliton_encirclement_ros.core.states.swarm_topics import TARGET, uav_id
from velocity_mobility_ros.core.step_time import to_ns, to_seconds
from velocity_mobility_ros.core.velocity_model import Vector


class QueuedMessage(NamedTuple):
    """A state sent at a time [ns]; ``order`` is the sender's index among the members."""

    sent_ns: int
    order: int
    count: int  # type: ignore[assignment]  # hides tuple.count
    state: State
    sound: bool


class MessageQueue:
    """Messages that wait until they are due.

    Of several messages of one sender that are due together only the newest valid one is delivered:
    receivers would drop the older ones at once.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._waiting: list[tuple[int, QueuedMessage]] = []

    def put(self, due_ns: int, message: QueuedMessage) -> None:
        """Add a message that is due at a time [ns]."""
        heappush(self._waiting, (due_ns, message))

    def take(self, now_ns: int) -> list[QueuedMessage]:
        """Remove and return messages due at a time [ns], by time sent and order of members."""
        newest: dict[int, QueuedMessage] = {}
        while self._waiting and self._waiting[0][0] <= now_ns:
            message = heappop(self._waiting)[1]
            known = newest.get(message.order)
            if known is None or _rank(known) < _rank(message):
                newest[message.order] = message
        return sorted(newest.values(), key=_place)


def _rank(message: QueuedMessage) -> tuple[bool, int, int]:
    return message.sound, message.sent_ns, message.count


def _place(message: QueuedMessage) -> tuple[int, int]:
    return message.sent_ns, message.order


def _as_before(state: State, first: State) -> State:
    if isinstance(state, AgentState) and isinstance(first, AgentState):
        state = state._replace(u=first.u)
    return state._replace(position=first.position, velocity=first.velocity)


CENTRE: Vector = (0.0, 0.0, 0.0)
"""Where the target is, for who does not say so [m]."""

SLACK_NS = 1
"""Times of ticks are rounded to whole nanoseconds, each by half of one at most."""


class Medium:
    """A radio, its byzantine agents, and the messages in transit."""

    def __init__(self, parameters: RadioParameters, seed: int, members: Sequence[str]) -> None:
        """Start without messages in transit.

        Args:
            parameters: Parameters of the radio.
            seed: Seed of the run.
            members: Names of all members in their order.

        Raises:
            ScenarioError: A schedule of the radio is refused.
        """
        self._parameters, self._seed = parameters, seed
        self._numbers = {member: link_number(member) for member in members}
        self._splits = splits_of(parameters.partitions, members)
        distance = parameters.communication_transmission_range
        self._range_sq = distance * distance
        self._delay_ns = to_ns(parameters.communication_delay)
        self._windows = byzantine_windows(parameters.byzantine, members)
        self._frozen: dict[int, State] = {}
        self._repeated: dict[int, list[tuple[float, State]]] = {}
        self._order = {member: order for order, member in enumerate(members)}
        self._clocks_ns = clock_errors_ns(parameters.clock_offset, seed, members)
        self._sender_ns = [*self._clocks_ns.values()]
        self._inboxes = {member: MessageQueue() for member in members}

    def is_reception_uniform(self, now: float, positions: Sequence[Vector]) -> bool:
        """Return whether all members receive all true states at once and alike at a time [s].

        Args:
            now: The time.
            positions: Where the members are [m]. A box around all of them whose diagonal is in
                range is sufficient; it avoids a check of every pair.
        """
        falsified = any(byzantine.window.is_open(now) for byzantine in self._windows)
        if falsified or not self._parameters.is_prompt or open_groups(self._splits, now):
            return False
        dx, dy, dz = (max(axis) - min(axis) for axis in zip(*positions, strict=True))
        return in_reach(dx, dy, dz, self._range_sq)

    def falsified(
        self, member: str, state: State, count: int, now: float, centre: Vector = CENTRE
    ) -> State:
        """Return the state that the receivers get from a member.

        Args:
            member: The sender.
            state: The true state.
            count: Which message of the member it is.
            now: When it is sent [s].
            centre: Where the target is [m].
        """
        for number, window in enumerate(self._windows):
            if window.member != member or not window.window.is_open(now):
                continue
            if window.kind == 'frozen':
                state = _as_before(state, self._frozen.setdefault(number, state))
            elif window.kind == 'repeat':
                for when, other in self._repeated.get(number, ()):
                    state = _as_before(state, other) if when < now else state
            elif window.kind != 'sybil':
                a, b, *_ = (*window.numbers, 0.0, 0.0)
                place = false_place(
                    KIND_NUMBERS[window.kind], state.position, centre, a, b, self._seed,
                    self._numbers[member], count,
                )  # fmt: skip
                state = state._replace(position=place)
        return state

    def _note_repeated(self, member: str, state: State, now: float) -> None:
        """Keep the last two states of a member that another one repeats."""
        for number, window in enumerate(self._windows):
            if window.kind == 'repeat' and window.other == member and window.window.is_open(now):
                last = self._repeated.get(number, [])
                self._repeated[number] = [*last[-1:], (now, state)]

    def _made_up(
        self, member: str, state: State, count: int, now: float, centre: Vector
    ) -> Iterator[tuple[str, State]]:
        """Iterate over states that a member sends in others' names, with these names."""
        for window in self._windows:
            own = window.member == member and window.window.is_open(now)
            if own and window.kind == 'sybil' and isinstance(state, AgentState):
                prop = tuple(pair for pair in state.prop if pair[0] not in FIELDS)
                yield window.other, state._replace(
                    agent_id=uav_id(window.other) or 0, seq=count, prop=prop, silent=(),
                    position=mirror(state.position, centre),
                )  # fmt: skip

    def receivers(
        self, sender: str, count: int, now: float, positions: Mapping[str, Vector]
    ) -> Iterator[tuple[str, int]]:
        """Iterate over the receivers of a message and their delays [ns].

        Args:
            sender: The sender.
            count: Which message of the sender it is.
            now: When it is sent [s].
            positions: Position of every member at that time [m].
        """
        (x, y, z), mine = positions[sender], self._numbers[sender]
        loss = message_key(self._seed, mine, count, LOSS)
        jitter = message_key(self._seed, mine, count, JITTER)
        rate, most = (
            self._parameters.communication_failure_rate,
            self._parameters.communication_jitter,
        )
        splits = open_groups(self._splits, now)
        for receiver, (px, py, pz) in positions.items():
            if receiver == sender or not in_reach(px - x, py - y, pz - z, self._range_sq):
                continue
            number = self._numbers[receiver]
            together = all(groups[sender] == groups[receiver] for groups in splits)
            if together and not is_lost(rate, loss, number):
                yield receiver, self._delay_ns + jitter_ns(most, jitter, number)

    def carry(
        self, sender: str, state: State, count: int, sent_ns: int, now: float,
        positions: Mapping[str, Vector],
    ) -> None:  # fmt: skip
        """Send a member's state to all members that receive it.

        Args:
            sender: The sender.
            state: Its state.
            count: Which message of the sender it is.
            sent_ns: When it is sent [ns].
            now: The same in seconds since the start of the run, for the schedules.
            positions: Position of every member at that time [m].
        """
        centre = positions.get(TARGET, CENTRE)
        self._note_repeated(sender, state, now)
        for name, made_up in self._made_up(sender, state, count, now, centre):
            silent = QueuedMessage(sent_ns, self._order[name], -count, made_up, is_sound(made_up))
            self._put(name, silent, count, now, positions)
        state = self.falsified(sender, state, count, now, centre)
        message = QueuedMessage(sent_ns, self._order[sender], count, state, is_sound(state))
        self._put(sender, message, count, now, positions)

    def _put(
        self, sender: str, message: QueuedMessage, count: int, now: float,
        positions: Mapping[str, Vector],
    ) -> None:  # fmt: skip
        """Put a message in the name of a member on its way to all that receive it."""
        for receiver, delay_ns in self.receivers(sender, count, now, positions):
            self._inboxes[receiver].put(message.sent_ns + delay_ns, message)

    def arrive(self, now_ns: int) -> dict[str, list[QueuedMessage]]:
        """Return the messages due at every member by a time [ns], with their age; oldest first."""
        aged: dict[tuple[int, int, int], QueuedMessage] = {}
        return {
            receiver: [
                self._judged(message, receiver, now_ns, aged)
                for message in inbox.take(now_ns + SLACK_NS)
            ]
            for receiver, inbox in self._inboxes.items()
        }

    def _judged(
        self,
        message: QueuedMessage,
        receiver: str,
        now_ns: int,
        known: dict[tuple[int, int, int], QueuedMessage],
    ) -> QueuedMessage:
        """Return a message with its age [s] at a time [ns]; receivers with the same share it."""
        ends = self._sender_ns[message.order], self._clocks_ns[receiver]
        travelled_ns = apparent_age_ns(now_ns - message.sent_ns, *ends)
        key = message.order, message.count, travelled_ns
        if key not in known:
            known[key] = message._replace(state=aged(message.state, travelled_ns))
        return known[key]


def aged(state: State, travelled_ns: int) -> State:
    """Return a state as it is received: its age grows by the time on the way [ns]."""
    return state._replace(age=to_seconds(travelled_ns + to_ns(state.age)))
