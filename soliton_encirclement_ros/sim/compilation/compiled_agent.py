"""Law and separation filter of nodes as machine code, where many agents share a process.

Both are fifty times as fast as in plain Python, with the same bits. Gains and memory lie in rows,
and what an agent sees of the ring in arrays; a step costs little more than handing them over.
Loading it takes a second, which a few agents do not win back. Compiling it takes half a minute of
a slow machine: ``swarm run`` does it before it starts the nodes, under launch the first process
that needs it.
"""

import functools
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.actors.agent_code import PLAIN, AgentCode
from soliton_encirclement_ros.actors.command_filter import CommandFilter, OtherBodies, Row
from soliton_encirclement_ros.controllers import Decision, Law, Setup, View, kind_of
from soliton_encirclement_ros.core.laws.law import Memory, Message, RingView
from soliton_encirclement_ros.core.laws.law_registry import is_of_user
from soliton_encirclement_ros.core.laws.record_rows import Packing, field_names, packing
from soliton_encirclement_ros.core.laws.ring_messages import COMMON_FIELDS, FIELDS
from soliton_encirclement_ros.core.scenario.section_records import record_of
from soliton_encirclement_ros.core.states.known_bodies import NO_ROW
from soliton_encirclement_ros.safety.calling import RESULT, filter_into
from soliton_encirclement_ros.safety.codes import (
    COLUMNS,
    EMPTY,
    KIND,
    SCRATCH_COLUMNS,
    SCRATCH_ROWS,
)
from soliton_encirclement_ros.safety.records import (
    START,
    Filtered,
    FilterMemory,
    FilterSettings,
    OwnState,
    Rows,
)
from soliton_encirclement_ros.sim.compilation.compiled import bound, compiled
from soliton_encirclement_ros.sim.compilation.law_unit import VIEW, once, over_rows, packed
from soliton_encirclement_ros.sim.compilation.numba_import import has_numba, without_scipy
from soliton_encirclement_ros.swarm.memory import FINE, Floats

STILL: Vector = (0.0, 0.0, 0.0)

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


EXAMPLE = FilterSettings((0.0,) * 6)
EDGE = 4
"""Numbers of an edge of the fence."""


class CompiledFilter(CommandFilter):
    """The filter by machine code."""

    def __init__(self, settings: FilterSettings, fence: Rows) -> None:
        """Take the numbers, as ``CommandFilter``."""
        super().__init__(settings, fence)
        self._numbers = packed(settings)
        self._edges = np.array(fence, dtype=np.float64).reshape(-1, EDGE)
        self._others = table(())
        self._rows = np.zeros((SCRATCH_ROWS, SCRATCH_COLUMNS))
        self._result = np.zeros(RESULT)

    def filtered(
        self,
        pose_age: float,
        own: OwnState,
        wanted: Vector,
        previous: Vector,
        others: OtherBodies,
        memory: FilterMemory,
    ) -> Filtered:
        """Return the command nearest to the wanted one that keeps all distances."""
        common, place, more = others
        count = len(common) + len(more)
        if count != len(self._others):
            self._others = np.zeros((count, COLUMNS))
        reason = filter_entry()(
            self._numbers, pose_age, own, wanted, previous, memory, COMMON.of(common), place,
            table(more) if more else NOBODY_MORE, self._others, self._edges, self._rows,
            self._result,
        )  # fmt: skip
        x, y, z, pusher, turn, side = self._result.tolist()
        return Filtered((x, y, z), reason, int(pusher), FilterMemory(turn, side))


def table(rows: Sequence[Row]) -> Floats:
    """Return rows of bodies as an array."""
    return np.array(rows, dtype=np.float64).reshape(len(rows), COLUMNS)


class CommonRows:
    """Rows that agents share in an array; those who know the same one after the other share it."""

    def __init__(self) -> None:
        """Begin without rows."""
        self._rows: Sequence[Row] = ()
        self._array = table(())

    def of(self, rows: Sequence[Row]) -> Floats:
        """Return rows, which never change, as an array."""
        if rows is not self._rows:
            self._rows, self._array = rows, table(rows)
        return self._array


COMMON = CommonRows()
NOBODY_MORE = table(())


@functools.cache
def filter_entry() -> Callable[..., int]:
    """Return the machine code; what it is called with has always the same types."""
    return bound(compiled(filtering_into()))


@functools.cache
def filtering_into() -> Callable[..., int]:
    """Return the filter over rows; the same every time, so that it is found compiled."""
    unpack, delay = packing(EXAMPLE).unpack, field_names(EXAMPLE).index('delay')

    def filter_row(
        settings: Floats, pose_age: float, own: OwnState, wanted: Vector, previous: Vector,
        memory: FilterMemory, common: Floats, place: int, more: Floats, others: Floats,
        fence: Floats, scratch: Floats, result: Floats,
    ) -> int:  # fmt: skip
        """Filter a velocity; leave command, pusher and memory in a row, and return the reason.

        ``others`` is overwritten with all bodies; the own row, if there is one, is unused.
        """
        count = len(common)
        for i in range(len(others)):
            row = common[i] if i < count else more[i - count]
            for k in range(COLUMNS):
                others[i, k] = row[k]
        if place >= 0:
            others[place, KIND] = EMPTY
        known = settings[delay]
        if pose_age > 0.0:
            settings[delay] = known + pose_age
        numbers = unpack(settings)
        settings[delay] = known
        result[4], result[5] = memory
        return filter_into(numbers, own, wanted, previous, others, fence, scratch, result)

    return filter_row


def agent_programs(setup: Setup, is_filtered: bool) -> list[Callable]:
    """Return the functions that agents need compiled.

    Args:
        setup: Parameters of one of them.
        is_filtered: Whether their commands are filtered.
    """
    law = [] if is_of_user(setup) else [stepping_into(law_of(setup), setup)]
    return [*law, *([filtering_into()] if is_filtered else [])]


def agent_code(setup: Setup, is_filtered: bool) -> AgentCode:
    """Return machine code for agents, loaded or compiled, or without a compiler plain Python.

    The arguments are those of ``agent_programs``.
    """
    if not has_numba():
        return PLAIN
    with without_scipy():
        return _loaded(setup, is_filtered)


def _loaded(setup: Setup, is_filtered: bool) -> AgentCode:
    """Return machine code that has run once, so that no tick waits for it."""
    code = PLAIN
    if not is_of_user(setup):  # for debuggers' sake
        law = compiled_law(law_of(setup), setup)
        law.step(law.gains(setup), law.rest, alone(law))
        code = code._replace(law=compiled_law)
    if is_filtered:
        nobody = OtherBodies([], NO_ROW, [])
        own = OwnState(STILL, STILL)
        CompiledFilter(FilterSettings((0.0,) * 6), ()).filtered(
            0.0, own, STILL, STILL, nobody, START
        )
        code = code._replace(filter=CompiledFilter)
    return code


def usual_setup(controller: str, propagation_method: str) -> Setup:
    """Return the setup of an agent with the usual gains of a law and a layer.

    Raises:
        LawError: There is no such law or layer.
    """
    control = record_of('control', controller)
    propagation = record_of('propagation', propagation_method)
    return Setup(
        control(controller=controller), propagation(propagation_method=propagation_method)
    )


def law_of(setup: Setup) -> Law:
    """Return the law of a setup."""
    return kind_of(setup.control.controller).law(setup)


def alone(law: Law) -> View:
    """Return what an agent sees that is alone on its ring, east of the target."""
    state = (0.0,) * (FIELDS + len(field_names(law.no_message)))
    ring = RingView(1, 0, (1,), (0.0,), (0.0,), (math.nan,), (0,), (state,))
    return VIEW._replace(position=(1.0, 0.0, 0.0), ring=ring)
