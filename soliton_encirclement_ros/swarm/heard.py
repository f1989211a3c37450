"""The memory of a process that flies agents of its own and hears all others, and what it hears.

Members are rows in the order of numbers: own agents and every other one that was heard or told of;
then target and adversary. A state that is heard takes the place of an older one of its sender, so
a few layers are enough.
"""

import bisect
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from velocity_mobility_ros.core.time import to_ns

from soliton_encirclement_ros.core.estimation.estimator import Sight
from soliton_encirclement_ros.core.laws.finite import finite_or_zero
from soliton_encirclement_ros.core.laws.ring_messages import U_SS, U
from soliton_encirclement_ros.core.run.figures.command_effort import EFFORT_COLUMNS
from soliton_encirclement_ros.core.states.message_acceptance import MOST_TOLD, is_fresh
from soliton_encirclement_ros.core.states.states import AgentState, SilentBody, State, TargetState
from soliton_encirclement_ros.core.states.target_relay import AGE, FIELDS, NOTHING_TOLD
from soliton_encirclement_ros.safety.calling import RESULT
from soliton_encirclement_ros.safety.codes import NOBODY, SCRATCH_COLUMNS, SCRATCH_ROWS, SPAN
from soliton_encirclement_ros.swarm import memory as at
from soliton_encirclement_ros.swarm.agent import DECISION_COLUMNS, steer
from soliton_encirclement_ros.swarm.memory import (
    MADE_NS,
    NUMBER,
    POSE,
    CommonBodies,
    FlightMemory,
    GuardArrays,
    Links,
    RelayArrays,
    RingArrays,
    ScratchSpace,
    layer_of,
)
from soliton_encirclement_ros.swarm.reception import (
    accept_agent,
    accept_single,
    accept_target,
    note_message,
)
from soliton_encirclement_ros.swarm.rows import Table, table_of_objects, values_of
from soliton_encirclement_ros.swarm.rules import Rules
from soliton_encirclement_ros.swarm.separation import (
    NOT_COMMON,
    accept_body,
    hear_of_silent,
    tell_of_silent,
)
from soliton_encirclement_ros.swarm.target_report import new_sights, tell_of_target

LAYERS = 2
"""States kept of a sender: the one in use, and the one that comes."""


class Space(NamedTuple):
    """How the parts of a memory are made.

    Attributes:
        table: Rows of named numbers.
        floats: ``(*shape)``: rows of floats, all 0.
        counts: ``(size)``: whole numbers, all 0.
        alike: ``(row, count)``: so many times the same row.
        put: ``(rows, index, values)``: writes all values of a row of named numbers.
        move: ``(after, before, places)``: puts rows at other places of a table.
    """

    table: Table
    floats: Callable[..., Any]
    counts: Callable[[int], Any]
    alike: Callable[[Any, int], Any]
    put: Callable[[Any, int, Sequence[float]], None]
    move: Callable[[Any, Any, Sequence[int]], None]


def lists(*shape: int) -> Any:
    """Return nested lists of floats, all 0."""
    if len(shape) == 1:
        return [0.0] * shape[0]
    return [lists(*shape[1:]) for _ in range(shape[0])]


def put_values(rows: Any, index: int, values: Sequence[float]) -> None:
    """Write all values of a row."""
    row = rows[index]
    for name, value in zip(row.__slots__, values, strict=True):
        setattr(row, name, value)


def move_rows(after: Any, before: Any, places: Sequence[int]) -> None:
    """Put rows at other places of a table."""
    for place, row in zip(places, before, strict=True):
        after[place] = row


PLAIN = Space(
    table_of_objects, lists, lambda size: [0] * size, lambda row, count: [row] * count, put_values,
    move_rows,
)
"""Lists and objects: for plain Python, which they suit better than arrays."""


def heard_memory(rules: Rules, numbers: Sequence[int], space: Space) -> FlightMemory:
    """Return the memory of an agent that knows others by their numbers, before it heard any.

    Tables of what a receiver knows have one row for all receivers: that of the agent.

    Args:
        rules: The constants, for as many agents.
        numbers: Those of the agents, sorted.
        space: How its parts are made.
    """
    table, floats, counts, alike, _, _ = space
    count, message = len(numbers), len(rules.law.no_message) + _sight_size(rules)
    agents = table(at.AgentMemory, count)
    for i in range(count):
        agents[i].number = numbers[i]
    sent, bodies = floats(LAYERS, count + 2, U + message), floats(count + 2, at.BODY_COLUMNS)
    weights, held = floats(LAYERS, count), floats(count)
    for row in (*weights, held):
        for k in range(count):
            row[k] = math.nan  # none was sent
    laws, messages = floats(count, len(rules.law.rest)), floats(count, message)
    for i in range(count):
        laws[i][:], messages[i][:] = rules.law.rest, _no_message(rules)
    status, common = table(at.Status), counts(count)
    status.shared = False
    common[:] = [NOT_COMMON] * count
    return FlightMemory(
        status=status,
        figures=None,
        bodies=bodies,
        truth=None,
        sensing=None,
        sight=new_sights(rules.sight, count if rules.sight.on else 0, count, floats),
        relay=RelayArrays(table(at.ToldReport, LAYERS, count), alike(held, count)),
        vehicles=None,
        speeds=None,
        sent=sent,
        rows=flat(sent),
        weights=weights,
        omega=floats(LAYERS),
        reports=table(at.TargetReport, count),
        agents=agents,
        laws=laws,
        messages=messages,
        decision=floats(DECISION_COLUMNS),
        outgoing=None,
        counted=table(at.MessageCounts),
        health=None,
        target=None,
        spin=None,
        new_weights=None,
        adversary=None,
        path_rows=counts(count + 2),
        external=None,
        known=alike(table(at.KnownBody, count), count),
        common=CommonBodies(table(at.KnownBody, count), common, floats(count + 2, SPAN + 1)),
        told=table(at.ToldBody, LAYERS, count, MOST_TOLD),
        guard=GuardArrays(
            floats(count + 2, SPAN + 1), floats(SCRATCH_ROWS, SCRATCH_COLUMNS), floats(3),
            floats(3), floats(count, RESULT), table(at.TargetReport, count),
            table(at.FilterDone, count), None, floats(len(rules.safety.settings[0])),
        ),
        ring=RingArrays(
            *(floats(count) for _ in range(2)), *(counts(count) for _ in range(3)),
            *(floats(count) for _ in range(3)), *(counts(count) for _ in range(2)),
            *(floats(count) for _ in range(3)),
        ),
        links=Links(
            alike(table(at.Link, count), count), alike(counts(count), count), counts(count),
            *(None for _ in range(5)),
        ),
        schedule=None,
        target_keeps=None,
        observer_keeps=None,
        record=None,
        met=None,
        efforts=floats(count, EFFORT_COLUMNS),
        scratch=ScratchSpace(
            *(floats(count) for _ in range(5)), counts(count + 2), counts(count + 2)
        ),
    )  # fmt: skip


def flat(sent: Any) -> Any:
    """Return the states of all layers, one a row, in the same memory."""
    if isinstance(sent, list):
        return [row for layer in sent for row in layer]
    return sent.reshape(-1, sent.shape[-1])


def _sight_size(rules: Rules) -> int:
    return 1 + len(rules.sight.no_message) if rules.sight.on else 0


def _no_message(rules: Rules) -> list[float]:
    """Return the message of an agent at the start: of its law, then of its estimator."""
    own = [0.0, *rules.sight.no_message] if rules.sight.on else []
    return [*rules.law.no_message, *own]


def moved(
    old: FlightMemory, new: FlightMemory, places: Sequence[int], i: int, space: Space
) -> FlightMemory:
    """Move what is known of some members to a memory for more.

    Args:
        old: The memory.
        new: The one for more members; it gets the parts of the other.
        places: Index of every agent, target and adversary there.
        i: Index of the agent whose memory it is, before.
        space: How the parts are made.
    """
    agents, me, move = places[:-2], places[i], space.move
    own = [
        (old.reports, new.reports), (old.laws, new.laws), (old.messages, new.messages),
        (old.agents, new.agents), (old.guard.results, new.guard.results),
        (old.guard.adversary, new.guard.adversary), (old.guard.done, new.guard.done),
        (old.bodies, new.bodies), (old.path_rows, new.path_rows),
        (old.links.sizes, new.links.sizes),
        *(zip(old.sight[:3], new.sight[:3], strict=True) if len(old.sight.memories) else ()),
    ]  # fmt: skip
    for before, after in own:
        after[me] = before[i]
    move(new.links.rows[me], old.links.rows[i], agents)
    move(new.known[me], old.known[i], agents)
    move(new.relay.weights[me], old.relay.weights[i], agents)
    for p in range(len(agents)):
        new.links.order[me][p] = places[old.links.order[i][p]]
    for layer in range(LAYERS):
        new.omega[layer] = old.omega[layer]
        move(new.sent[layer], old.sent[layer], places)
        move(new.weights[layer], old.weights[layer], agents)
        move(new.relay.told[layer], old.relay.told[layer], agents)
        move(new.told[layer], old.told[layer], agents)
        for place in agents:
            told, p = new.told[layer][place], 0
            while p < MOST_TOLD and told[p].who != NOBODY:
                told[p].who = places[told[p].who]
                p += 1
    return new._replace(rows=flat(new.sent))


class Fields(NamedTuple):
    """What a broadcast names, in the order of the columns from ``U`` on behind ``u`` and ``u_ss``.

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
    found: set[int] = set()
    for state in states:
        if type(state) is AgentState:
            if state.agent_id not in places:
                found.add(state.agent_id)
            for body in state.silent:
                if body.agent_id not in places:
                    found.add(body.agent_id)
        elif type(state) is TargetState:
            found.update([number for number, _ in state.lambdas if number not in places])
    return found


def place_of(numbers: Sequence[int], number: int) -> int:
    """Return the index of an agent among sorted numbers."""
    return bisect.bisect_left(numbers, number)


class Inbox(NamedTuple):
    """States that have come at one time, at most one of each sender, sorted by sender.

    Attributes:
        count: How many there are.
        senders: Index of the sender of each, ``slots`` that of its state.
        weights: Weights of the arcs in the target's state, and at the end its omega_ref.
        rows: States, as in the memory of states.
        members: Whether each is a member of the ring.
        told: Whom each tells of, by number.
        reports: What each tells of the target.
    """

    count: at.Size
    senders: Any
    slots: Any
    weights: Any
    rows: Any
    members: Any
    told: Any
    reports: Any


class HeardStates:
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
        self.told = self._space.table(at.ToldBody, size, MOST_TOLD)
        self.reports = self._space.table(at.ToldReport, reports)

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
            values = said_values(fields, state)
            own = fields.width - U_SS - 1
            row[U_SS + 1 :] = [*map(finite_or_zero, values[:own])]
            if fields.relays:
                self._space.put(self.reports, slot, values[own:])
        told = self.told[slot]
        for p, body in enumerate(state.silent[:MOST_TOLD]):
            values = (*body.position, *body.velocity, body.agent_id, body.age)
            self._space.put(told, p, values)
        if len(state.silent) < MOST_TOLD:
            told[len(state.silent)].who = NOBODY


def said_values(fields: Fields, state: AgentState) -> Sequence[float]:
    """Return what else an agent says, in the order of its fields; what it does not say is 0."""
    names, values = zip(*state.prop, strict=True) if state.prop else ((), ())
    if names == fields.all:
        return values
    said = dict(state.prop)
    if not all(name in said for name in FIELDS):
        said[AGE] = NOTHING_TOLD
    return [said.get(name, 0.0) for name in fields.all]


def take_in(rules: Rules, flight: FlightMemory, inbox: Inbox, i: int, now: float) -> None:
    """Let an agent receive states: into the memory of states, and what it makes of them."""
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
            if not rules.sight.on:
                accept_target(rules, flight, i, number, now)
        elif rules.safety.on:
            known = flight.guard.adversary[i]
            number = known.number + 1
            store_state(rules, flight, inbox, k, number)
            accept_single(rules, flight, known, j, i, number, now)
    if rules.safety.on:
        take_in_bodies(rules, flight, inbox, i, now)


def take_in_bodies(rules: Rules, flight: FlightMemory, inbox: Inbox, i: int, now: float) -> None:
    """Store where all are that have been heard, then whom they tell of."""
    numbers, telling = flight.scratch.order, False
    for k in range(inbox.count.count):
        if numbers[k] > 0 and inbox.told[inbox.slots[k]][0].who == NOBODY:
            accept_body(rules, flight, i, inbox.senders[k], numbers[k], now)
            numbers[k] = 0
        elif numbers[k] > 0:
            telling = True
            if not accept_body(rules, flight, i, inbox.senders[k], numbers[k], now):
                numbers[k] = 0
    for k in range(inbox.count.count if telling else 0):
        if numbers[k] > 0:
            hear_of_silent(rules, flight, i, inbox.senders[k], numbers[k], now)


def decide(rules: Rules, flight: FlightMemory, i: int, now: float, seen: Sight) -> None:
    """Let an agent that is up decide on its command, and on what it tells of others."""
    steer(rules, flight, i, now, seen)
    tell(rules, flight, i, now)


def tell(rules: Rules, flight: FlightMemory, i: int, now: float) -> None:
    """Write what an agent tells of others into its own row among what is told."""
    if rules.safety.on:
        tell_of_silent(rules, flight, i, flight.told[0][i], now)
    if rules.law.relays:
        tell_of_target(rules, flight, i, flight.relay.told[0][i], now)


def store_state(
    rules: Rules, flight: FlightMemory, inbox: Inbox, k: int, number: int
) -> None:
    """Store a state that has come under a number."""
    j, slot, layer = inbox.senders[k], inbox.slots[k], layer_of(flight, number)
    row, came = flight.sent[layer][j], inbox.rows[slot]
    for column in range(len(came)):
        row[column] = came[column]
    row[NUMBER] = number
    if j == rules.swarm.agents:
        weights = flight.weights[layer]
        for p in range(len(weights)):
            weights[p] = inbox.weights[p]
        flight.omega[layer] = inbox.weights[len(weights)]
    elif j < rules.swarm.agents:
        if rules.law.relays:
            copy_report(flight.relay.told[layer][j], inbox.reports[slot])
        told, tells, p = flight.told[layer][j], inbox.told[slot], 0
        while p < MOST_TOLD and tells[p].who != NOBODY:
            copy_told(told[p], tells[p])
            told[p].who = index_of(flight, tells[p].who)
            p += 1
        if p < MOST_TOLD:
            told[p].who = NOBODY


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


def copy_report(row: at.ToldReport, other: at.ToldReport) -> None:
    """Copy what is told of the target."""
    row.x, row.y, row.z = other.x, other.y, other.z
    row.vx, row.vy, row.vz = other.vx, other.vy, other.vz
    row.omega_ref, row.age, row.ahead = other.omega_ref, other.age, other.ahead


def copy_told(row: at.ToldBody, other: at.ToldBody) -> None:
    """Copy what is told of a silent agent, but for its index."""
    row.x, row.y, row.z = other.x, other.y, other.z
    row.vx, row.vy, row.vz = other.vx, other.vy, other.vz
    row.age = other.age


def told_bodies(rows: Any, numbers: Sequence[int]) -> tuple[SilentBody, ...]:
    """Return whom a message tells of, as it is sent."""
    if rows[0].who == NOBODY:
        return ()
    found = []
    for x, y, z, vx, vy, vz, who, age in values_of(rows):
        if who == NOBODY:
            break
        found.append(SilentBody(numbers[who], (x, y, z), (vx, vy, vz), age))
    return tuple(found)


def told_report(rows: Any, i: int) -> tuple[tuple[str, float], ...]:
    """Return the fields of a broadcast that tell a report of the target, or that there is none."""
    (values,) = values_of(rows[i : i + 1])
    if values[-2] < 0.0:
        values = (0.0,) * (POSE + 1) + (NOTHING_TOLD, 0.0)
    return tuple(zip(FIELDS, values, strict=True))
