"""The memory of a process that flies agents of its own and receives the states of all others.

Members are rows in the order of numbers: own agents and every other one that a message has named;
then target and adversary. A received state takes the place of an older one of its sender, so a
few layers are enough.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.laws.filter_codes import NOBODY
from soliton_encirclement_ros.core.laws.law import U
from soliton_encirclement_ros.core.named_rows import Table, table_of_objects
from soliton_encirclement_ros.core.states.received_states import MAX_GOSSIP
from soliton_encirclement_ros.safety.filter import RESULT
from soliton_encirclement_ros.safety.filter_records import SCRATCH_COLUMNS, SCRATCH_ROWS, SPAN
from soliton_encirclement_ros.swarm import memory as at, memory_rows as rows
from soliton_encirclement_ros.swarm.agent import DECISION_COLUMNS
from soliton_encirclement_ros.swarm.memory import (
    CommonBodies, Doubts, FlightMemory, GuardArrays, Links, RelayArrays, RingArrays, ScratchSpace
)
from soliton_encirclement_ros.swarm.rules import Rules
from soliton_encirclement_ros.swarm.separation import NOT_COMMON
from soliton_encirclement_ros.swarm.target_report import new_estimators

LAYERS = 2
"""States stored of a sender: the one in use, and the one that comes."""


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


def new_memory(rules: Rules, numbers: Sequence[int], space: Space) -> FlightMemory:
    """Return the memory of an agent for others of some numbers, before any message.

    Tables by receiver have one row: that of the agent.

    Args:
        rules: The constants, for as many agents.
        numbers: Those of the agents, sorted.
        space: How its parts are made.
    """
    table, floats, counts, alike, _, _ = space
    count, no_message = len(numbers), _no_message(rules)
    message = len(no_message)
    agents = table(rows.AgentMemory, count)
    for i in range(count):
        agents[i].number = numbers[i]
    sent, bodies = floats(LAYERS, count + 2, U + message), floats(count + 2, at.BODY_COLUMNS)
    weights, held = floats(LAYERS, count), floats(count)
    for row in (*weights, held):
        for k in range(count):
            row[k] = math.nan  # none was sent
    laws, messages = floats(count, len(rules.law.rest)), floats(count, message)
    for i in range(count):
        laws[i][:], messages[i][:] = rules.law.rest, no_message
    status, common = table(rows.Status), counts(count)
    status.shared = False
    common[:] = [NOT_COMMON] * count
    return FlightMemory(
        status=status,
        figures=None,
        bodies=bodies,
        truth=None,
        sensing=None,
        estimator=new_estimators(
            rules.estimator, count if rules.estimator.on else 0, count, floats
        ),
        relay=RelayArrays(table(rows.RelayedReport, LAYERS, count), alike(held, count)),
        vehicles=None,
        speeds=None,
        sent=sent,
        rows=flat(sent),
        weights=weights,
        omega=floats(LAYERS),
        reports=table(rows.TargetReport, count),
        agents=agents,
        laws=laws,
        messages=messages,
        decision=floats(DECISION_COLUMNS),
        outgoing=None,
        counted=table(rows.MessageCounts),
        health=None,
        target=None,
        spin=None,
        new_weights=None,
        adversary=None,
        path_rows=counts(count + 2),
        external=None,
        known=alike(table(rows.KnownBody, count), count),
        common=CommonBodies(table(rows.KnownBody, count), common, floats(count + 2, SPAN + 1)),
        gossip=table(rows.GossipBody, LAYERS, count, MAX_GOSSIP),
        doubts=Doubts(
            alike(table(rows.Doubt, rows.MAX_DOUBTS), count),
            *(alike(floats(rows.MAX_DOUBTS, at.POSE), count) for _ in range(2)),
        ),
        guard=GuardArrays(
            floats(count + 2, SPAN + 1), floats(SCRATCH_ROWS, SCRATCH_COLUMNS), floats(3),
            floats(3), floats(count, RESULT), table(rows.TargetReport, count),
            table(rows.FilterResult, count), None, floats(len(rules.safety.settings[0])),
        ),
        ring=RingArrays(
            *(floats(count) for _ in range(2)), *(counts(count) for _ in range(3)),
            *(floats(count) for _ in range(3)), *(counts(count) for _ in range(2)),
            *(floats(count) for _ in range(3)),
        ),
        links=Links(
            alike(table(rows.Link, count), count), alike(counts(count), count), counts(count),
            *(None for _ in range(5)),
        ),
        schedule=None,
        target_cache=None,
        observer_cache=None,
        record=None,
        met=None,
        efforts=None,
        scratch=ScratchSpace._make(
            (*(floats(count) for _ in range(5)), counts(count + 2), counts(count + 2))
        ),
    )  # fmt: skip


def flat(sent: Any) -> Any:
    """Return the states of all layers, one a row, in the same memory."""
    if isinstance(sent, list):
        return [row for layer in sent for row in layer]
    return sent.reshape(-1, sent.shape[-1])


def _no_message(rules: Rules) -> list[float]:
    """Return the message of an agent at the start: of its law, then of its estimator."""
    own = [0.0, *rules.estimator.no_message] if rules.estimator.on else []
    return [*rules.law.no_message, *own]


def grow_memory(
    old: FlightMemory, new: FlightMemory, places: Sequence[int], i: int, space: Space
) -> FlightMemory:
    """Move the states of some members to a memory for more.

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
    ]  # fmt: skip
    if len(old.estimator.memories):
        own += zip(old.estimator[:3], new.estimator[:3], strict=True)
    for before, after in own:
        after[me] = before[i]
    move(new.links.rows[me], old.links.rows[i], agents)
    move(new.known[me], old.known[i], agents)
    move(new.relay.weights[me], old.relay.weights[i], agents)
    for p in range(old.agents[i].doubts):
        for before, after in zip(old.doubts, new.doubts, strict=True):
            after[me][p] = before[i][p]
        new.doubts.rows[me][p].who = places[new.doubts.rows[me][p].who]
    for p in range(len(agents)):
        new.links.order[me][p] = places[old.links.order[i][p]]
    for layer in range(LAYERS):
        new.omega[layer] = old.omega[layer]
        move(new.sent[layer], old.sent[layer], places)
        move(new.weights[layer], old.weights[layer], agents)
        move(new.relay.gossip[layer], old.relay.gossip[layer], agents)
        move(new.gossip[layer], old.gossip[layer], agents)
        for place in agents:
            gossip, p = new.gossip[layer][place], 0
            while p < MAX_GOSSIP and gossip[p].who != NOBODY:
                gossip[p].who = places[gossip[p].who]
                p += 1
    return new._replace(rows=flat(new.sent))
