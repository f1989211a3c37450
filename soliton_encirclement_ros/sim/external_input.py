"""Members of a flight that are flown elsewhere, and what is heard of them."""

import math
from collections.abc import Iterable

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.scenario.random_streams import REFERENCE
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.states import AgentState, TargetState
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY
from soliton_encirclement_ros.swarm.memory import FlightMemory


def check_external(scenario: Scenario, names: Iterable[str]) -> None:
    """Refuse members that cannot be flown elsewhere.

    Args:
        scenario: The scenario.
        names: Names of the members.

    Raises:
        RunError: One is no agent and not the target, or the flight is one by events.
    """
    possible = [name for name in scenario.members if name != ADVERSARY]
    for name in names:
        if name not in possible:
            raise RunError(f'external member {name!r} must be one of {named(possible)}')
        if scenario.run.rng == REFERENCE:
            raise RunError(
                f'external member {name!r}: not with run.rng = {REFERENCE}, where members act one '
                'after the other'
            )


def make_external(scenario: Scenario, flight: FlightMemory, names: Iterable[str]) -> None:
    """Let members of a flight that has not begun be flown elsewhere; nothing is heard of them.

    Args:
        scenario: The scenario.
        flight: The flight.
        names: Names of the members, which have been checked.
    """
    for name in names:
        flight.external[scenario.members.index(name)].is_external = True


def hear(
    scenario: Scenario, flight: FlightMemory, state: AgentState | TargetState, heard_at: float
) -> None:
    """Take the state of an external member, unless a newer one is known.

    Args:
        scenario: The scenario.
        flight: The flight.
        state: The state.
        heard_at: Time [s] of which it is.
    """
    is_target = isinstance(state, TargetState)
    member = len(scenario.agent_ids) if is_target else scenario.agent_ids.index(state.agent_id)
    row = flight.external[member]
    if heard_at <= row.heard_at:
        return
    (row.x, row.y, row.z), (row.vx, row.vy, row.vz) = state.position, state.velocity
    row.heard_at = heard_at
    if is_target:
        row.omega_ref = state.omega_ref
        flight.new_weights[:] = math.nan
        for agent_id, weight in state.lambdas:
            if agent_id in scenario.agent_ids:
                flight.new_weights[scenario.agent_ids.index(agent_id)] = weight
    else:
        flight.messages[member, :2] = state.u, state.u_ss
