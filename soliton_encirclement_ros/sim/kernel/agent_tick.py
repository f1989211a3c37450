"""One tick of every agent: the numbers of ``actors.Agent``."""

from velocity_mobility_ros.core.limits import command_velocity
from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.laws.agent_rules import FLY, GIVE_UP, what_to_do
from soliton_encirclement_ros.core.ring.ring_neighbours import NOBODY
from soliton_encirclement_ros.core.run.figures.command_effort import note_effort
from soliton_encirclement_ros.sim.kernel.columns import (
    CX,
    CY,
    CZ,
    E_TAU,
    FAULTY,
    LAST_CX,
    LAST_CY,
    LAST_CZ,
    PRED,
    SENDS,
    SUCC,
    WANTED_E_TAU,
    WANTED_PRED,
    WANTED_SUCC,
    WAS_DOWN,
)
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.estimation.target_estimate import (
    estimate_target,
    forget_target,
)
from soliton_encirclement_ros.sim.kernel.estimation.target_relay import take_relayed
from soliton_encirclement_ros.sim.kernel.flags import FINE
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory
from soliton_encirclement_ros.sim.kernel.outage_state import is_down, update
from soliton_encirclement_ros.sim.kernel.path_motion import is_on_path, path_command
from soliton_encirclement_ros.sim.kernel.reception import is_known, receive, target_age
from soliton_encirclement_ros.sim.kernel.separation.keep_apart import kept_apart, note_stop
from soliton_encirclement_ros.sim.kernel.separation.known_bodies import receive_bodies
from soliton_encirclement_ros.sim.kernel.tracks import follow, forget_others
from soliton_encirclement_ros.sim.kernel.views import record_sent, view_of

STILL: Vector = (0.0, 0.0, 0.0)


def act(rules: Rules, flight: FlightMemory, i: int, now: float) -> None:
    """Let an agent receive states and command its body; its state is sent later."""
    if not is_down(flight, i, now):
        receive(rules, flight, i, now)
        if rules.safety.on:
            receive_bodies(rules, flight, i, now)
    if update(rules, flight, i, now):
        flight.agents[i, SENDS] = 0.0
        go_down(flight, i)
        if rules.sight.on:
            forget_target(rules, flight, i)
        if rules.safety.on:
            note_stop(flight, i)
    else:
        steer(rules, flight, i, now)


def go_down(flight: FlightMemory, i: int) -> None:
    """Let an agent that has failed stop."""
    flight.agents[i, WAS_DOWN] = 1.0
    command(flight, i, STILL)
    note_effort(flight.efforts[i], 0.0, 0.0, 0.0)


def steer(rules: Rules, flight: FlightMemory, i: int, now: float) -> None:
    """Let an agent that is up compute and send the command to its body."""
    agents = flight.agents
    if agents[i, WAS_DOWN] != 0.0:
        if rules.law.functions.reset(flight.laws[i]) != FINE:
            note_fault(flight, i + 1)
            return
        agents[i, WAS_DOWN] = 0.0
        forget_others(flight, i)
    limited = limited_law(rules, i, law_step(rules, flight, i, now))
    if is_on_path(rules, flight, i):
        limited = path_command(rules, flight, i)
    if rules.safety.on:
        limited = kept_apart(rules, flight, i, now, limited)
    agents[i, LAST_CX], agents[i, LAST_CY], agents[i, LAST_CZ] = limited
    command(flight, i, limited)
    note_effort(flight.efforts[i], limited[0], limited[1], limited[2])
    agents[i, SENDS] = 1.0


def note_fault(flight: FlightMemory, number: int) -> None:
    """Store whose law failed first, the number negative if it was the estimator."""
    if flight.counters[FAULTY] == 0:
        flight.counters[FAULTY] = number


def limited_law(rules: Rules, i: int, wanted: Vector) -> Vector:
    """Return what the law of an agent wants [m/s], within the limits of its vehicle."""
    kind, limits = rules.law.kind[i], rules.law.limits
    return command_velocity(wanted[0], wanted[1], wanted[2], limits[kind, 0], limits[kind, 1])


def command(flight: FlightMemory, member: int, velocity: Vector) -> None:
    """Give a body its command [m/s]."""
    bodies = flight.bodies
    bodies[member, CX], bodies[member, CY], bodies[member, CZ] = velocity


def law_step(rules: Rules, flight: FlightMemory, i: int, now: float) -> Vector:
    """Advance the law by one period; return the desired velocity [m/s, map]."""
    follow(rules, flight, i, now)
    if rules.sight.on and estimate_target(rules, flight, i, now) != FINE:
        note_fault(flight, -(i + 1))
        return STILL
    if rules.law.relays:
        take_relayed(rules, flight, i, now)
    age = target_age(flight, i, now)
    todo = what_to_do(is_known(flight.target_messages[i]), age, rules.law.target_hold)
    if todo == GIVE_UP:
        give_up(rules, flight, i)
    if todo != FLY:
        want_nothing(flight, i)
        return STILL
    row, law, wanted = flight.agents[i], rules.law, flight.decision
    view = view_of(rules, flight, i, now, age)
    gains = law.gains[law.kind[i]]
    what = law.functions.step(gains, flight.laws[i], flight.messages[i], wanted, view)
    if what != FINE:
        note_fault(flight, i + 1)
        return STILL
    record_sent(flight, i, now)
    row[PRED], row[SUCC] = wanted[WANTED_PRED], wanted[WANTED_SUCC]
    row[E_TAU] = wanted[WANTED_E_TAU]
    return wanted[0], wanted[1], wanted[2]


def give_up(rules: Rules, flight: FlightMemory, i: int) -> None:
    """Reset the memory: the state of a lost target is not valid any more."""
    rest, no_message = rules.law.rest, rules.law.no_message
    for k in range(rest.shape[0]):
        flight.laws[i, k] = rest[k]
    for k in range(no_message.shape[0]):
        flight.messages[i, k] = no_message[k]
    forget_others(flight, i)


def want_nothing(flight: FlightMemory, i: int) -> None:
    """Record that an agent has no neighbours and no place."""
    row = flight.agents[i]
    row[PRED], row[SUCC], row[E_TAU] = NOBODY, NOBODY, 0.0
