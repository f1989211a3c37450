"""One tick of every agent: the numbers of ``actors.Agent``."""

from velocity_mobility_ros.core.limits import command_velocity
from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.sim.kernel.columns import (
    CX,
    CY,
    CZ,
    LAST_CX,
    LAST_CY,
    LAST_CZ,
    SEQ,
    SIGNAL,
    SPOKE,
    WAS_DOWN,
)
from soliton_encirclement_ros.sim.kernel.health import is_down, update
from soliton_encirclement_ros.sim.kernel.hearing import hear
from soliton_encirclement_ros.sim.kernel.layers import change_layer
from soliton_encirclement_ros.sim.kernel.originals import step_channels, step_seed
from soliton_encirclement_ros.sim.kernel.ours import STILL, forget, step_ours, tell_ours
from soliton_encirclement_ros.sim.kernel.records import Flight
from soliton_encirclement_ros.sim.kernel.ring_place import take_place
from soliton_encirclement_ros.sim.kernel.rules import SOLITON, SOLITON_V1, TWO_CHANNEL, Rules


def act(rules: Rules, flight: Flight, i: int, now: float) -> None:
    """Let an agent hear, decide and command its body; words are said later."""
    if not is_down(flight, i, now):
        hear(rules, flight, i, now)
    if update(rules, flight, i, now):
        flight.agents[i, SPOKE] = 0.0
        go_down(flight, i)
    else:
        steer(rules, flight, i, now)


def go_down(flight: Flight, i: int) -> None:
    """Let an agent that has failed stop."""
    flight.agents[i, WAS_DOWN] = 1.0
    command(flight, i, STILL)


def steer(rules: Rules, flight: Flight, i: int, now: float) -> None:
    """Let an agent that is up decide and command its body."""
    agents = flight.agents
    if agents[i, WAS_DOWN] != 0.0:
        agents[i, WAS_DOWN] = 0.0
        reset(rules, flight, i)
    wanted = law_step(rules, flight, i, now)
    speed_xy, speed_z = rules.limits[0], rules.limits[1]
    limited = command_velocity(wanted[0], wanted[1], wanted[2], speed_xy, speed_z)
    agents[i, LAST_CX], agents[i, LAST_CY], agents[i, LAST_CZ] = limited
    command(flight, i, limited)
    agents[i, SPOKE] = 1.0


def command(flight: Flight, member: int, velocity: Vector) -> None:
    """Give a body its command [m/s]."""
    bodies = flight.bodies
    bodies[member, CX], bodies[member, CY], bodies[member, CZ] = velocity


def reset(rules: Rules, flight: Flight, i: int) -> None:
    """Let the law take note that the agent is back after a failure."""
    if rules.swarm.law == SOLITON:
        forget(flight, i)
    elif rules.swarm.law == TWO_CHANNEL:
        flight.layer[i, :] = 0.0
        flight.laws[i, SIGNAL] = 0.0


def law_step(rules: Rules, flight: Flight, i: int, now: float) -> Vector:
    """Advance the law by one period; return the wanted velocity [m/s, map]."""
    if rules.swarm.law == SOLITON:
        wanted = step_ours(rules, flight, i, now)
        tell_ours(flight, i)
        return wanted
    changed = take_place(rules, flight, i, now)
    if rules.swarm.law == SOLITON_V1:
        return STILL if flight.told[i, SEQ] <= 0.0 else step_seed(rules, flight, i)
    if changed:
        change_layer(rules, flight.layer[i])
    return STILL if flight.told[i, SEQ] <= 0.0 else step_channels(rules, flight, i)
