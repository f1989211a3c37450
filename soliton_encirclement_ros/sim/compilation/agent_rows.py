"""The tick of a node's agents as machine code, where many of them share a process.

It is a few times as fast as in plain Python, with the same bits. Loading it takes a second, which
a few agents do not win back. Compiling it takes half a minute of a slow machine: ``swarm run``
does it before it starts the nodes, under launch the first process that needs it.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from soliton_encirclement_ros.controllers import Setup, kind_of
from soliton_encirclement_ros.core.estimation.estimator import NOTHING_SEEN, EstimatorSetup
from soliton_encirclement_ros.core.laws.law_registry import is_of_user
from soliton_encirclement_ros.core.named_rows import table_of_records
from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters
from soliton_encirclement_ros.core.scenario.plugin_sections import record_of
from soliton_encirclement_ros.core.states.states import AgentState, Pose, TargetState
from soliton_encirclement_ros.members.inbox import ReceivedStates, accept_states, decide
from soliton_encirclement_ros.members.member_memory import Space
from soliton_encirclement_ros.members.own_rows import OwnRows
from soliton_encirclement_ros.members.own_rules import PLAIN_CODE, Calls, Code, OwnVehicle
from soliton_encirclement_ros.sim.compilation.compiled import (
    bound, compiled, pointed, stored, to_compile
)
from soliton_encirclement_ros.sim.compilation.law_unit import (
    ESTIMATOR_VIEW, ROW, estimator_step, filter_step, functions, over_rows
)
from soliton_encirclement_ros.sim.compilation.numba_import import has_numba, without_scipy
from soliton_encirclement_ros.swarm.memory import FlightMemory
from soliton_encirclement_ros.swarm.over_rows import filtering, is_plain, no_step
from soliton_encirclement_ros.swarm.rules import Rules

ORIGIN = (0.0, 0.0, 0.0)


def same_row(row: Any, count: int) -> Any:
    """Return a table whose rows are all the same memory.

    It has a row more than needed, so that one for a single agent has the same type: numbers that
    lie one after the other have another one.
    """
    return np.lib.stride_tricks.as_strided(
        row, shape=(count + 1, *row.shape), strides=(0, *row.strides), subok=True
    )


def put_record(rows: Any, index: int, values: Sequence[float]) -> None:
    """Write all values of a row of an array."""
    rows[index] = tuple(values)


def move_records(after: Any, before: Any, places: Sequence[int]) -> None:
    """Put rows at other places of an array."""
    after[list(places)] = before


ARRAYS = Space(
    table_of_records,
    lambda *shape: np.zeros(shape),
    lambda size: np.zeros(size, dtype=np.int64),
    same_row,
    put_record,
    move_records,
)


ENTRIES: dict[tuple, list[list]] = {}
"""Machine code that agents share whose memory has the same types."""


def over(rules: Rules, flight: FlightMemory) -> Calls:
    """Return the tick over a memory by machine code."""
    kind = rules.law.functions, rules.estimator.step, rules.safety.filter
    if kind not in ENTRIES:
        ENTRIES[kind] = [[] for _ in range(4)]
    *writers, receiving, deciding = ENTRIES[kind]
    held = stored(rules, flight, writers)
    return Calls(
        bound(compiled(accept_states), *held, entries=receiving),
        bound(compiled(decide), *held, entries=deciding),
    )


def estimating(setup: EstimatorSetup | None) -> Callable[..., int]:
    """Return the step of an estimator; without one a step that does nothing."""
    if setup is None:
        return pointed(no_step, ROW, ROW, ROW, ROW, ESTIMATOR_VIEW)
    return estimator_step(setup, plain=False)


MACHINE_CODE = Code(
    ARRAYS, ReceivedStates(ARRAYS, knows_all=True), lambda array: array, functions, estimating,
    functools.partial(filter_step, False), over,
)  # fmt: skip


def find_code(own: OwnVehicle, waits: bool = True) -> Code:
    """Return what runs the tick of agents that fly like one of them: machine code if it can.

    For debuggers' sake laws of users stay plain Python.

    Args:
        own: What one of them flies by.
        waits: Whether to compile what is not compiled yet.
    """
    if not has_numba() or not agent_programs(own):
        return PLAIN_CODE
    if not waits and to_compile(agent_programs(own)):
        return PLAIN_CODE
    with without_scipy():
        steps = functions(own.law, own.setup).step, estimating(own.estimator)
        return PLAIN_CODE if any(map(is_plain, steps)) else MACHINE_CODE


def load_agents(own: OwnVehicle, waits: bool = True) -> Code:
    """Return the code for agents, and run it once, so that no tick waits for it."""
    code = find_code(own, waits)
    if code is MACHINE_CODE:
        with without_scipy():
            rows = OwnRows(1, own, code=code)
            rows.receive(0.0, [TargetState(1, ORIGIN, ORIGIN), AgentState(2, 1, ORIGIN, ORIGIN)])
            rows.place(Pose(ORIGIN, ORIGIN), 0.0)
            rows.decide(0.0, NOTHING_SEEN)
    return code


def agent_programs(own: OwnVehicle) -> list[Callable]:
    """Return the functions that agents need compiled; none for a law of a user."""
    if own.law is None or is_of_user(own.setup):
        return []
    return [accept_states, decide, *over_rows(own.law, own.setup), filtering(), no_step]


def own_of(setup: Setup) -> OwnVehicle:
    """Return what an agent of a setup flies by, as far as its code is concerned."""
    return OwnVehicle(setup, SafetyParameters(), kind_of(setup.control.controller).law(setup))


def usual_agent(controller: str, propagation_method: str) -> OwnVehicle:
    """Return what an agent flies by with the usual gains of a law and a layer.

    Raises:
        LawError: There is no such law or layer.
    """
    control = record_of('control', controller)
    propagation = record_of('propagation', propagation_method)
    return own_of(Setup(
        control(controller=controller), propagation(propagation_method=propagation_method)
    ))  # fmt: skip
