"""Laws of nodes as machine code: fifty times as fast as in plain Python, and the same bits.

Gains and memory lie in rows of numbers, and what an agent sees of the ring in arrays. A step costs
little more than handing them over.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.controllers import Decision, Law, Setup, View
from soliton_encirclement_ros.core.laws.law import Memory, Message, RingView
from soliton_encirclement_ros.core.laws.record_rows import Packing, packing
from soliton_encirclement_ros.core.laws.ring_messages import COMMON_FIELDS
from soliton_encirclement_ros.sim.compilation.compiled import bound, compiled
from soliton_encirclement_ros.sim.compilation.law_unit import once, over_rows, packed
from soliton_encirclement_ros.sim.kernel.flags import FINE
from soliton_encirclement_ros.sim.kernel.flight_memory import Floats

DECISION = 6
"""Numbers of a decision: velocity, neighbours, spacing error."""

Stepped = tuple[Memory, Message, Decision]


class Layout(NamedTuple):
    """What lies where in the row of an agent.

    Attributes:
        memory: Its memory, at the beginning.
        message: Its message, from ``sent`` on.
        sent: Index.
        decided: Index of its decision.
        recorded: Index of the values that are recorded.
        size: Length of the row.
    """

    memory: Packing
    message: Packing
    sent: int
    decided: int
    recorded: int
    size: int


def layout(law: Law) -> Layout:
    """Return the layout of the row of a law."""
    memory, message = packing(law.rest), packing(law.no_message, COMMON_FIELDS)
    decided = memory.size + message.size
    recorded = decided + DECISION
    size = recorded + len(law.telemetry)
    return Layout(memory, message, memory.size, decided, recorded, size)


def compiled_law(law: Law, setup: Setup) -> Law:
    """Return a law that decides the same by machine code.

    Its gains and its memory are rows; its message and its decision are records as before.

    Args:
        law: A law that comes along.
        setup: The parameters of the agent.
    """
    at = layout(law)

    def row_of(memory: Memory) -> Floats:
        """Return the row of a memory."""
        row = np.zeros(at.size)
        at.memory.pack(memory, row)
        row[at.recorded :] = law.values(memory)
        return row

    def reset(row: Floats) -> Floats:
        """Return the row with which an agent goes on after a failure."""
        return row_of(law.reset(at.memory.unpack(row.tolist())))

    return law._replace(
        rest=row_of(law.rest),
        gains=lambda setup: packed(law.gains(setup)),
        step=stepping_by_rows(law, setup, row_of),
        reset=reset,
        values=lambda row: row[at.recorded :].tolist(),
    )


def stepping_by_rows(
    law: Law, setup: Setup, row_of: Callable[[Memory], Floats]
) -> Callable[[Floats, Floats, View], Stepped]:
    """Return the step of a law over rows.

    Args:
        law: The law.
        setup: The parameters of an agent.
        row_of: Returns the row of a memory.
    """
    at, stepped = layout(law), entry(law, setup)
    unpack_gains = packing(law.gains(setup)).unpack

    def step(gains: Floats, row: Floats, view: View) -> Stepped:
        """Advance by one control period."""
        after, seen = np.empty_like(row), View(*view[:-2], SEEN.of(view.ring), view[-1])
        if stepped(gains, row, after, seen) != FINE:
            return in_plain_python(gains, row, view)
        numbers = after[at.sent : at.recorded].tolist()
        x, y, z, pred, succ, e_tau = numbers[-DECISION:]
        decision = Decision((x, y, z), int(pred), int(succ), e_tau)
        return after, at.message.unpack(numbers), decision

    def in_plain_python(gains: Floats, row: Floats, view: View) -> Stepped:
        """Let the law say what is wrong."""
        memory = at.memory.unpack(row.tolist())
        after, message, decision = law.step(unpack_gains(gains.tolist()), memory, view)
        return row_of(after), message, decision

    return step


@once
def entry(law: Law, setup: Setup) -> Callable[..., int]:
    """Return the machine code of a law; what it is called with has always the same types."""
    return bound(compiled(stepping_into(law, setup)))


@once
def stepping_into(law: Law, setup: Setup) -> Callable[..., int]:
    """Return a law's step over rows."""
    _, _, sent, decided, recorded, _ = layout(law)
    step_rows, _, record_row = over_rows(law, setup)

    def step_into(gains: Floats, before: Floats, after: Floats, view: View) -> int:
        """Advance; write memory, message, decision and what is recorded into a row.

        Returns:
            What went wrong.
        """
        for k in range(sent):
            after[k] = before[k]
        status = step_rows(gains, after[:sent], after[sent:decided], after[decided:], view)
        record_row(after[:sent], after[recorded:])
        return status

    return step_into


NOBODY_HEARD = np.zeros((0, 1))
"""The states of a ring of which nobody was heard."""


class RingArrays:
    """Rings in arrays; agents that see the same one after the other share them."""

    def __init__(self) -> None:
        """Begin without a ring."""
        self._seen: RingView | None = None
        self._columns: tuple[Floats, ...] = ()
        self._states = NOBODY_HEARD

    def of(self, ring: RingView) -> RingView:
        """Return a ring, whose columns never change, in arrays."""
        last = self._seen
        if last is None or ring.thetas is not last.thetas:
            floats = [np.array(one) for one in (ring.thetas, ring.rates, ring.weights)]
            ids, rows = (np.array(one, dtype=np.int64) for one in (ring.ids, ring.rows))
            self._columns = ids, *floats, rows
        if last is None or ring.states is not last.states:
            self._states = np.array(ring.states) if ring.states else NOBODY_HEARD
        self._seen = ring
        return RingView(ring.count, ring.place, *self._columns, self._states)


SEEN = RingArrays()
