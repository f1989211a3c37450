"""Plans of a swarm whose agents have vehicles of several kinds, real and simulated ones."""

from collections.abc import Mapping
from typing import Any

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.parts.part_plan import (
    TARGET_LOSS_STOP,
    PartOptions,
    adversary_part,
    agent_part,
    chosen_agent,
    target_part,
)
from soliton_encirclement_ros.core.scenario.parts.vehicle_kinds import BRIDGES, SIMULATED
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec
from soliton_encirclement_ros.core.states.swarm_topics import uav

Kinds = Mapping[int, str]
"""Kind of the vehicle by number of the agent; those that are missing are started elsewhere."""


def chosen_kinds(given: Mapping[str, str], scenario: Scenario) -> dict[int, str]:
    """Return the vehicles of a text such as ``1, 2`` for each kind, by number of the agent.

    Args:
        given: Numbers of agents by kind of their vehicle.
        scenario: Whose agents they are.

    Raises:
        ScenarioError: There is no such agent, one has two vehicles, or none has any.
    """
    found: dict[int, str] = {}
    for kind, text in given.items():
        for word in filter(None, map(str.strip, text.split(','))):
            agent_id = chosen_agent(word, scenario)
            if agent_id in found:
                raise ScenarioError(
                    f'{kind} = {text!r}: {uav(agent_id)} is {found[agent_id]} already; '
                    'give it one vehicle'
                )
            found[agent_id] = kind
    if not found:
        raise ScenarioError(f'no agent is chosen: give {", ".join(given)} numbers such as 1,2')
    return dict(sorted(found.items()))


def mixed_plan(
    scenario: Scenario, kinds: Kinds, bridges: Mapping[int, Mapping[str, Any]], target: bool,
    target_loss_stop: float = TARGET_LOSS_STOP,
) -> list[NodeSpec]:  # fmt: skip
    """Return the agents with their vehicles, and target and adversary if wanted, simulated.

    Args:
        scenario: The scenario.
        kinds: The kind of each vehicle.
        bridges: Parameters of single bridges, by number of the agent.
        target: Whether target and adversary are started.
        target_loss_stop: Time without the target [s] after which agents stop themselves whose
            vehicles are not simulated; 0: never.

    Raises:
        ScenarioError: The limits of a vehicle exceed what its bridge passes on.
    """
    plan = []
    for agent_id, kind in kinds.items():
        bridge = bridges.get(agent_id, {})
        options = PartOptions(kind, bridge=bridge, target_loss_stop=target_loss_stop)
        plan += agent_part(scenario, agent_id, options)
    if target:
        plan += target_part(scenario, PartOptions(SIMULATED))
        if scenario.adversary.adversary_enable:
            plan += adversary_part(scenario, PartOptions(SIMULATED))
    return plan


def stated_fleet(scenario: Scenario, kinds: Kinds, is_one_of_many: bool) -> str:
    """Return all vehicles with a bridge of a swarm, as its bridges are told; empty: not known.

    Args:
        scenario: The scenario.
        kinds: The vehicles that are started here.
        is_one_of_many: Whether each agent has the same kind of vehicle, on its own computer.
    """
    if is_one_of_many:
        kinds = dict.fromkeys(scenario.agent_ids, *{*kinds.values()})
    if {*kinds} != {*scenario.agent_ids}:
        return ''  # the others are started elsewhere: with bridges or without
    return ', '.join(uav(k) for k, kind in sorted(kinds.items()) if kind in BRIDGES)
