"""Law and separation filter of nodes as machine code, where many agents share a process.

Loading it takes a second, which a few agents do not win back. Compiling it takes half a minute of
a slow machine: ``swarm run`` does it before it starts the nodes, under launch the first process
that needs it.
"""

import math
from collections.abc import Callable

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.actors.agent_code import PLAIN, AgentCode
from soliton_encirclement_ros.actors.command_filter import OtherBodies
from soliton_encirclement_ros.controllers import Law, Setup, View, kind_of
from soliton_encirclement_ros.core.laws.law import RingView
from soliton_encirclement_ros.core.laws.record_rows import field_names
from soliton_encirclement_ros.core.laws.ring_messages import FIELDS
from soliton_encirclement_ros.core.laws.user_code import is_of_user
from soliton_encirclement_ros.core.scenario.section_records import record_of
from soliton_encirclement_ros.core.states.known_bodies import NO_ROW
from soliton_encirclement_ros.safety.records import START, FilterSettings, OwnState
from soliton_encirclement_ros.sim.compilation.compiled_filter import CompiledFilter, filtering_into
from soliton_encirclement_ros.sim.compilation.compiled_law import compiled_law, stepping_into
from soliton_encirclement_ros.sim.compilation.law_unit import VIEW
from soliton_encirclement_ros.sim.compilation.numba_import import has_numba, without_scipy

STILL: Vector = (0.0, 0.0, 0.0)


def is_compiled(setup: Setup) -> bool:
    """Return whether the law of a setup is compiled: a user's is not, for debuggers' sake."""
    return not is_of_user(setup)


def agent_programs(setup: Setup, is_filtered: bool) -> list[Callable]:
    """Return the functions that agents need compiled.

    Args:
        setup: Parameters of one of them.
        is_filtered: Whether their commands are filtered.
    """
    law = [stepping_into(law_of(setup), setup)] if is_compiled(setup) else []
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
    if is_compiled(setup):
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
