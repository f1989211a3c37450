"""The radio medium between the members: falsifies, delays and delivers their states.

Byzantine agents are those of a text such as
``30..60: 2 offset 5 -3; 40..: 4 frozen; 10..20: 5 random 8; 50..55: 6 nan``.

A member's states are falsified on their way to the receivers; its odometry and the records of
the run keep the true values. Sequence numbers continue unchanged. Kinds:

    frozen        position, velocity and u of the first message inside the window
    offset DX DY  position shifted by (DX, DY) [m]
    random S      position uniform within S [m] of the true one in x and in y, drawn per message
    nan           position is NaN: every receiver refuses the state
    mirrored      position on the other side of the target, velocity as measured
    repeat K      position, velocity and u of the last message of agent K inside the window
    sybil K       its own states are true; mirrored ones are sent in the name of agent K, as long
                  as K itself is silent
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from soliton_encirclement_ros.core.parameters.run_parameters import RadioParameters
from soliton_encirclement_ros.core.radio_loss_and_delay import (
    JITTER, LOSS, OFFSET_X, OFFSET_Y, apparent_age_ns, clock_errors_ns, in_reach, is_lost,
    jitter_ns, link_noise, link_number, message_key, open_groups, splits_of
)
from soliton_encirclement_ros.core.schedules import Window, parse_windows, refusal, to_member
from soliton_encirclement_ros.core.states.message_acceptance import FIELDS
from soliton_encirclement_ros.core.states.states import AgentState, State, is_sound
from soliton_encirclement_ros.core.states.swarm_topics import TARGET, uav_id
from velocity_mobility_ros.core.parameter_declaration import LARGEST_COORDINATE
from velocity_mobility_ros.core.step_time import to_ns, to_seconds
from velocity_mobility_ros.core.velocity_model import Vector

NAME = 'radio.byzantine'
FROZEN, OFFSET, SCATTER, NO_NUMBER, MIRRORED, REPEAT, SYBIL = range(7)
KIND_NUMBERS = {
    'frozen': FROZEN, 'offset': OFFSET, 'random': SCATTER, 'nan': NO_NUMBER,
    'mirrored': MIRRORED, 'repeat': REPEAT, 'sybil': SYBIL,
}  # fmt: skip
OF_ANOTHER = 'repeat', 'sybil'
"""Kinds whose value is the number of another agent."""

NUMBER = re.compile(r'[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?', re.ASCII)


class ByzantineWindow(NamedTuple):
    """One window of one byzantine agent; ``numbers`` are the values of the kind [m].

    ``other`` is the agent of which the kind says the number, empty for most.
    """

    window: Window
    member: str
    kind: str
    numbers: tuple[float, ...]
    other: str


def mirror(position: Vector, centre: Vector) -> Vector:
    """Return the position [m] on the other side of a centre [m], at the same height."""
    return 2.0 * centre[0] - position[0], 2.0 * centre[1] - position[1], position[2]


def false_place(
    kind: int, position: Vector, centre: Vector, a: float, b: float, seed: int, number: int,
    count: int,
) -> Vector:  # fmt: skip
    """Return the falsified position [m].

    Args:
        kind: ``OFFSET``, ``SCATTER``, ``NO_NUMBER`` or ``MIRRORED``.
        position: The true position [m].
        centre: Where the target is [m].
        a: First value of the falsification [m].
        b: Second value of the falsification [m].
        seed: Seed of the run.
        number: Number of the byzantine agent on the radio.
        count: Which of its messages it is.
    """
    x, y, z = position
    if kind == OFFSET:
        return x + a, y + b, z
    if kind == SCATTER:
        dx, dy = scatter(seed, number, count, a)
        return x + dx, y + dy, z
    if kind == MIRRORED:
        return mirror(position, centre)
    return math.nan, math.nan, math.nan


def scatter(seed: int, number: int, count: int, size: float) -> tuple[float, float]:
    """Return the position offset of a byzantine agent [m], uniform within ``size`` [m].

    Args:
        seed: Seed of the run.
        number: Number of the byzantine agent on the radio.
        count: Which of its messages it is.
        size: Largest offset.
    """
    u_x = link_noise(seed, number, number, count, OFFSET_X)
    u_y = link_noise(seed, number, number, count, OFFSET_Y)
    return size * (2.0 * u_x - 1.0), size * (2.0 * u_y - 1.0)


def _as_before(state: State, first: State) -> State:
    if isinstance(state, AgentState) and isinstance(first, AgentState):
        state = state._replace(u=first.u)
    return state._replace(position=first.position, velocity=first.velocity)


KINDS: Mapping[str, tuple[int, str, Callable[[tuple[float, ...]], bool]]] = {
    'frozen': (0, 'frozen', lambda numbers: True),
    'offset': (2, 'offset DX DY', lambda numbers: True),
    'random': (1, 'random S with S at least 0', lambda numbers: numbers[0] >= 0.0),
    'nan': (0, 'nan', lambda numbers: True),
    'mirrored': (0, 'mirrored', lambda numbers: True),
    'repeat': (1, 'repeat K with the number K of another agent', lambda numbers: True),
    'sybil': (1, 'sybil K with the number K of another agent', lambda numbers: True),
}
"""Number of values of a kind, its syntax, and whether its values are valid."""


def byzantine_windows(text: str, members: Sequence[str]) -> list[ByzantineWindow]:
    """Return the falsifications of a text, in its order.

    Args:
        text: The schedule.
        members: Names of all members.

    Raises:
        ScenarioError: The text is not a schedule, or names unknown members or kinds.
    """
    return [_byzantine_window(window, members) for window in parse_windows(text, NAME)]


def _byzantine_window(window: Window, members: Sequence[str]) -> ByzantineWindow:
    text = ' '.join(window.words)
    if len(window.words) < 2:
        raise refusal(NAME, text, 'must be WHO KIND NUMBERS, as 2 offset 5 -3')
    who, kind, *rest = window.words
    if kind not in KINDS:
        raise refusal(NAME, text, f'has the kind {kind!r}, must be one of {", ".join(KINDS)}')
    count, form, makes_sense = KINDS[kind]
    numbers = tuple(float(word) for word in rest if NUMBER.fullmatch(word))
    sane = len(numbers) == len(rest) == count and makes_sense(numbers)
    if not sane or any(abs(number) > LARGEST_COORDINATE for number in numbers):
        raise refusal(NAME, text, f'must be WHO {form}, numbers in m')
    member, other = to_member(who, members, NAME), ''
    if kind in OF_ANOTHER:
        other = to_member(rest[0], members, NAME)
        if other == member or not (uav_id(member) and uav_id(other)):
            raise refusal(NAME, text, f'must be WHO {form}')
        numbers = ()
    return ByzantineWindow(window, member, kind, numbers, other)


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
