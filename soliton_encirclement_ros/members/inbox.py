"""Reception of an agent of a node: states as rows, and which of them it accepts.

A state is written as a row once for all agents of a process that receive it; each puts the rows
into its own memory and decides by the functions of the engine which it accepts.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.estimation.estimator import TargetMeasurement
from soliton_encirclement_ros.core.laws.filter_codes import NOBODY
from soliton_encirclement_ros.core.laws.law import U_SS, U
from soliton_encirclement_ros.core.named_rows import values_of
from soliton_encirclement_ros.core.states.received_states import (
    AGE, FIELDS, MAX_GOSSIP, NO_REPORT, Size, is_fresh
)
from soliton_encirclement_ros.core.states.states import AgentState, SilentBody, State, TargetState
from soliton_encirclement_ros.members.member_memory import Space
from soliton_encirclement_ros.swarm import memory_rows as rows
from soliton_encirclement_ros.swarm.agent import steer
from soliton_encirclement_ros.swarm.memory import MADE_NS, NUMBER, POSE, FlightMemory, layer_of
from soliton_encirclement_ros.swarm.reception import (
    accept_agent, accept_single, accept_target, note_message
)
from soliton_encirclement_ros.swarm.rules import Rules
from soliton_encirclement_ros.swarm.separation import accept_body, merge_gossip, write_gossip
from soliton_encirclement_ros.swarm.target_report import write_target_report
from velocity_mobility_ros.core.step_time import to_ns
from velocity_mobility_ros.core.velocity_model import finite_or_zero


class Fields(NamedTuple):
    """Fields of a broadcast, in the order of the columns from ``U`` on behind ``u`` and ``u_ss``.

    Attributes:
        law: Names of the law's message.
        estimator: Those of the estimator's, the time by which it is younger first.
        relays: Whether reports of the target are passed on.
    """

    law: tuple[str, ...]
    estimator: tuple[str, ...]
    relays: bool

    @property
    def width(self) -> int:
        """Columns of a state in the memory of states."""
        return U_SS + 1 + len(self.law) + len(self.estimator)

    @property
    def all(self) -> tuple[str, ...]:
        """All names in the order in which they are sent."""
        return (*self.law, *self.estimator, *(FIELDS if self.relays else ()))


def unknown(places: Mapping[int, int], states: Iterable[State]) -> set[int]:
    """Return numbers of agents in states that have no place yet."""
    numbers: set[int] = set()
    for state in states:
        if type(state) is AgentState:
            if state.agent_id not in places:
                numbers.add(state.agent_id)
            for body in state.silent:
                if body.agent_id not in places:
                    numbers.add(body.agent_id)
        elif type(state) is TargetState:
            numbers.update([number for number, _ in state.lambdas if number not in places])
    return numbers


def of_known(places: Mapping[int, int], states: Iterable[State]) -> list[State]:
    """Return the states of those that have a place, without what they tell of others."""
    known: list[State] = []
    for state in states:
        if type(state) is AgentState:
            if state.agent_id in places:
                silent = tuple([body for body in state.silent if body.agent_id in places])
                known.append(state._replace(silent=silent))
        elif type(state) is TargetState:
            lambdas = tuple([arc for arc in state.lambdas if arc[0] in places])
            known.append(state._replace(lambdas=lambdas))
        else:
            known.append(state)
    return known


class Inbox(NamedTuple):
    """States that have come at one time, at most one of each sender, sorted by sender.

    Attributes:
        count: How many there are.
        senders: Index of the sender of each, ``slots`` that of its state.
        weights: Weights of the arcs in the target's state, and at the end its omega_ref.
        rows: States, as in the memory of states.
        members: Whether each is a member of the ring.
        gossip: The silent agents in each, by number.
        reports: The target's report in each.
    """

    count: Size
    senders: Any
    slots: Any
    weights: Any
    rows: Any
    members: Any
    gossip: Any
    reports: Any


class ReceivedStates:
    """States of one time as rows: agents of a process that receive the same share them."""

    def __init__(self, space: Space, knows_all: bool = False) -> None:
        """Begin without a state.

        Args:
            space: How rows are made.
            knows_all: Whether all agents of the process make room for each other at once.
        """
        self._space, self._of = space, None
        self._knows_all, self._numbers = knows_all, set()
        self._slots: dict[tuple, int] = {}
        self._states: list[State] = []
        self._size, self._fields = 0, Fields((), (), False)
        self._make(0)

    def _make(self, size: int) -> None:
        """Make room for states with the present fields; those that are there are lost."""
        self._size, self._slots, self._states = size, {}, []
        width, reports = self._fields.width, size if self._fields.relays else 0
        self.rows, self.members = self._space.floats(size, width), self._space.counts(size)
        self.gossip = self._space.table(rows.GossipBody, size, MAX_GOSSIP)
        self.reports = self._space.table(rows.RelayedReport, reports)

    def known_with(self, numbers: Iterable[int]) -> set[int]:
        """Return the numbers for which an agent makes room that knows some."""
        if not self._knows_all:
            return {*numbers}
        self._numbers.update(numbers)
        return self._numbers

    def begin(self, now: float, fields: Fields, most: int) -> None:
        """Be ready for so many states that are received at a time [s] and name some fields."""
        if now != self._of:
            self._of, self._slots, self._states = now, {}, []
        if self._size < len(self._states) + most or fields != self._fields:
            self._fields = fields
            self._make(2 * (len(self._states) + most))

    def slot_of(self, state: State) -> int:
        """Return the row of a state, written at the first time."""
        if type(state) is AgentState:
            key = state.agent_id, state.seq, state.age, state.position
        else:
            key = type(state), state.seq, state.age, state.position
        slot = self._slots.get(key)
        if slot is None:
            slot = self._slots[key] = len(self._states)
        elif self._states[slot] == state:
            return slot
        else:  # two senders say so, or a radio that falsifies
            slot = len(self._states)
        self._states.append(state)
        self._write(slot, state)
        return slot

    def _write(self, slot: int, state: State) -> None:
        row, fields = self.rows[slot], self._fields
        row[:NUMBER] = (*state.position, *state.velocity, state.seq)
        row[MADE_NS] = to_ns(self._of) - to_ns(state.age)
        if not isinstance(state, AgentState):
            return
        self.members[slot] = int(state.ring_member)
        row[U], row[U_SS] = state.u, state.u_ss
        if fields.all:
            values = published_values(fields, state)
            own = fields.width - U_SS - 1
            row[U_SS + 1 :] = [*map(finite_or_zero, values[:own])]
            if fields.relays:
                self._space.put(self.reports, slot, values[own:])
        gossip = self.gossip[slot]
        for p, body in enumerate(state.silent[:MAX_GOSSIP]):
            values = (*body.position, *body.velocity, body.agent_id, body.age)
            self._space.put(gossip, p, values)
        if len(state.silent) < MAX_GOSSIP:
            gossip[len(state.silent)].who = NOBODY


def published_values(fields: Fields, state: AgentState) -> Sequence[float]:
    """Return the further values of an agent, in the order of its fields; missing ones are 0."""
    names, values = zip(*state.prop, strict=True) if state.prop else ((), ())
    if names == fields.all:
        return values
    published = dict(state.prop)
    if not all(name in published for name in FIELDS):
        published[AGE] = NO_REPORT
    return [published.get(name, 0.0) for name in fields.all]


def accept_states(rules: Rules, flight: FlightMemory, inbox: Inbox, i: int, now: float) -> None:
    """Let an agent receive states: store them, and accept those that are new."""
    agents, numbers, links = rules.swarm.agents, flight.scratch.order, flight.links.rows[i]
    for k in range(inbox.count.count):
        j = inbox.senders[k]
        numbers[k] = 0
        if j == i:
            continue
        if j < agents:
            link = links[j]
            numbers[k] = number = link.number + 1
            store_state(rules, flight, inbox, k, number)
            if inbox.members[inbox.slots[k]]:
                if link.received == now:
                    note_message(flight, i, j)
                elif link.number > 0 and not is_fresh(
                    link.received, now, rules.swarm.agent_timeout
                ):
                    flight.agents[i].timeouts += 1
                accept_agent(rules, flight, i, j, number, now)
        elif j == agents:
            number = max(flight.reports[i].number, 0) + 1
            store_state(rules, flight, inbox, k, number)
            if not rules.estimator.on:
                accept_target(rules, flight, i, number, now)
        elif rules.safety.on:
            known = flight.guard.adversary[i]
            number = known.number + 1
            store_state(rules, flight, inbox, k, number)
            accept_single(rules, flight, known, j, i, number, now)
    if rules.safety.on:
        accept_bodies(rules, flight, inbox, i, now)


def accept_bodies(rules: Rules, flight: FlightMemory, inbox: Inbox, i: int, now: float) -> None:
    """Store the bodies of all senders, then the silent agents in their messages."""
    numbers, has_gossip = flight.scratch.order, False
    for k in range(inbox.count.count):
        if numbers[k] > 0 and inbox.gossip[inbox.slots[k]][0].who == NOBODY:
            accept_body(rules, flight, i, inbox.senders[k], numbers[k], now)
            numbers[k] = 0
        elif numbers[k] > 0:
            has_gossip = True
            if not accept_body(rules, flight, i, inbox.senders[k], numbers[k], now):
                numbers[k] = 0
    for k in range(inbox.count.count if has_gossip else 0):
        if numbers[k] > 0:
            merge_gossip(rules, flight, i, inbox.senders[k], numbers[k], now)


def decide(
    rules: Rules, flight: FlightMemory, i: int, now: float, measurement: TargetMeasurement
) -> None:
    """Let an agent that is up decide on its command, and write its message."""
    steer(rules, flight, i, now, measurement)
    write_message(rules, flight, i, now)


def write_message(rules: Rules, flight: FlightMemory, i: int, now: float) -> None:
    """Write gossip and relayed report into the message of an agent."""
    if rules.safety.on:
        write_gossip(rules, flight, i, flight.gossip[0][i], now)
    if rules.law.relays:
        write_target_report(rules, flight, i, flight.relay.gossip[0][i], now)


def store_state(
    rules: Rules, flight: FlightMemory, inbox: Inbox, k: int, number: int
) -> None:
    """Store a state that has come under a number."""
    j, slot, layer = inbox.senders[k], inbox.slots[k], layer_of(flight, number)
    row, incoming = flight.sent[layer][j], inbox.rows[slot]
    for column in range(len(incoming)):
        row[column] = incoming[column]
    row[NUMBER] = number
    if j == rules.swarm.agents:
        weights = flight.weights[layer]
        for p in range(len(weights)):
            weights[p] = inbox.weights[p]
        flight.omega[layer] = inbox.weights[len(weights)]
    elif j < rules.swarm.agents:
        if rules.law.relays:
            copy_report(flight.relay.gossip[layer][j], inbox.reports[slot])
        gossip, received, p = flight.gossip[layer][j], inbox.gossip[slot], 0
        while p < MAX_GOSSIP and received[p].who != NOBODY:
            copy_gossip(gossip[p], received[p])
            gossip[p].who = index_of(flight, received[p].who)
            p += 1
        if p < MAX_GOSSIP:
            gossip[p].who = NOBODY


def index_of(flight: FlightMemory, number: int) -> int:
    """Return the index of an agent that is known by its number."""
    low, high = 0, len(flight.agents)
    while low < high:
        middle = (low + high) // 2
        if flight.agents[middle].number < number:
            low = middle + 1
        else:
            high = middle
    return low


def copy_report(row: rows.RelayedReport, other: rows.RelayedReport) -> None:
    """Copy a relayed report of the target."""
    row.x, row.y, row.z = other.x, other.y, other.z
    row.vx, row.vy, row.vz = other.vx, other.vy, other.vz
    row.omega_ref, row.age, row.ahead = other.omega_ref, other.age, other.ahead


def copy_gossip(row: rows.GossipBody, other: rows.GossipBody) -> None:
    """Copy a silent agent in a message, but for its index."""
    row.x, row.y, row.z = other.x, other.y, other.z
    row.vx, row.vy, row.vz = other.vx, other.vy, other.vz
    row.age = other.age


def gossip_bodies(rows: Any, numbers: Sequence[int]) -> tuple[SilentBody, ...]:
    """Return the silent agents in a message, as it is sent."""
    if rows[0].who == NOBODY:
        return ()
    bodies = []
    for x, y, z, vx, vy, vz, who, age in values_of(rows):
        if who == NOBODY:
            break
        bodies.append(SilentBody(numbers[who], (x, y, z), (vx, vy, vz), age))
    return tuple(bodies)


def report_fields(rows: Any, i: int) -> tuple[tuple[str, float], ...]:
    """Return the fields of a broadcast with a report of the target, or without one."""
    (values,) = values_of(rows[i : i + 1])
    if values[-2] < 0.0:
        values = (0.0,) * (POSE + 1) + (NO_REPORT, 0.0)
    return tuple(zip(FIELDS, values, strict=True))
