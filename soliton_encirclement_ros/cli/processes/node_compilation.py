"""What nodes run as machine code, compiled before any of them waits for it."""

from velocity_mobility_ros.vehicles import VEHICLES

from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import MANY_AGENTS
from soliton_encirclement_ros.core.states.swarm_topics import uav


def compile_for_nodes(scenario: Scenario, agents: int) -> None:
    """Compile what nodes do not run by plain Python, before anything waits.

    That is vehicles that are costly, paths, and the tick of many agents in one process.

    Args:
        scenario: The scenario.
        agents: How many agents share a process, at most.
    """
    vehicles = [scenario.vehicle_of(name) for name in scenario.members]
    costly = [one for one in vehicles if VEHICLES[one.vehicle].is_costly]
    is_many = agents >= MANY_AGENTS
    if not (costly or scenario.member_paths or is_many):
        return
    from soliton_encirclement_ros.cli.views.compiling import compile_visibly
    from soliton_encirclement_ros.sim.compilation.agent_rows import (
        agent_programs,
        load_agents,
        own_of,
    )
    from soliton_encirclement_ros.sim.compilation.compiled_body import body_programs, load_bodies
    from soliton_encirclement_ros.sim.compilation.compiled_leader import (
        leader_programs,
        load_leader,
    )
    from soliton_encirclement_ros.sim.flight_constants import setup_of

    agent = own_of(setup_of(scenario, uav(1)))
    programs = [
        *body_programs(costly),
        *(leader_programs() if scenario.member_paths else []),
        *(agent_programs(agent) if is_many else []),
    ]

    def load() -> None:
        load_bodies(costly)
        if scenario.member_paths:
            load_leader()
        if is_many:
            load_agents(agent)

    compile_visibly(programs, load)
