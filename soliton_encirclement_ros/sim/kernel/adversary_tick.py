"""One tick of the adversary: the numbers of ``actors.Adversary``."""

import numpy as np

from soliton_encirclement_ros.core.ring.roaming import Goal, roam
from soliton_encirclement_ros.core.states.message_acceptance import Sighting, sighted
from soliton_encirclement_ros.sim.kernel.agent_tick import command
from soliton_encirclement_ros.sim.kernel.columns import (
    GOAL_X,
    GOAL_Y,
    PREY_RECEIVED_AT,
    PREY_SEQ,
    PREY_X,
    PREY_Y,
    SEQ,
    X,
    Y,
)
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory
from soliton_encirclement_ros.sim.kernel.link_state import arrival, layer_of
from soliton_encirclement_ros.sim.kernel.path_motion import has_path, path_command


def act_adversary(
    rules: Rules, flight: FlightMemory, now: float, stream: np.random.Generator
) -> None:
    """Let the adversary receive the target's state and move on."""
    receive_prey(rules, flight, now)
    go_on(rules, flight, stream)


def go_on(rules: Rules, flight: FlightMemory, stream: np.random.Generator) -> None:
    """Let the adversary go on: on its path, or where it chooses."""
    me, state = rules.swarm.agents + 1, flight.adversary
    if has_path(rules, me):
        command(flight, me, path_command(rules, flight, me))
        return
    body, goal = flight.bodies[me], Goal(state[GOAL_X], state[GOAL_Y])
    goal, velocity = roam(
        rules.adversary, goal, body[X], body[Y], state[PREY_X], state[PREY_Y], stream
    )
    state[GOAL_X], state[GOAL_Y] = goal
    command(flight, me, velocity)


def receive_prey(rules: Rules, flight: FlightMemory, now: float) -> None:
    """Receive the target's state."""
    target = rules.swarm.agents
    number = arrival(rules, flight, target, target + 1)
    if number > 0:
        accept_prey(rules, flight, layer_of(flight, number), now)


def accept_prey(rules: Rules, flight: FlightMemory, layer: int, now: float) -> None:
    """Store the target's state unless it is older than a fresh one."""
    sent, state = flight.sent[layer, rules.swarm.agents], flight.adversary
    known = Sighting(state[PREY_X], state[PREY_Y], state[PREY_SEQ], state[PREY_RECEIVED_AT])
    state[PREY_X], state[PREY_Y], state[PREY_SEQ], state[PREY_RECEIVED_AT] = sighted(
        known, sent[X], sent[Y], sent[SEQ], now, rules.swarm.target_timeout
    )
