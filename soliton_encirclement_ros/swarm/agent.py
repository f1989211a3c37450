"""One tick of an agent, from the received states to its command.

In order: agents present, the report of the target, the view of the ring, the law, the path in its
place, the separation filter. Reception comes before, sending after: see the map in ``swarm``.
"""

from soliton_encirclement_ros.core.estimation.estimator import TargetMeasurement
from soliton_encirclement_ros.core.laws.law import FLY, GIVE_UP, TargetView, View, next_action
from soliton_encirclement_ros.core.ring.ring_geometry import NOBODY
from soliton_encirclement_ros.core.states.received_states import share_lost
from soliton_encirclement_ros.swarm.memory import (
    CX, CY, CZ, FINE, POSE_AGE, VX, VY, VZ, FlightMemory, X, Y, Z
)
from soliton_encirclement_ros.swarm.reception import (
    follow, forget_others, is_known, report_age, target_is_fresh
)
from soliton_encirclement_ros.swarm.ring import ring_of
from soliton_encirclement_ros.swarm.rules import Rules
from soliton_encirclement_ros.swarm.separation import filter_command, note_stop
from soliton_encirclement_ros.swarm.target_report import (
    accept_relayed_report, estimate_target, forget_target
)
from velocity_mobility_ros.core.trajectory.pursuit import TrackGuidance, pursue
from velocity_mobility_ros.core.velocity_model import Vector, command_velocity

STILL: Vector = (0.0, 0.0, 0.0)

WANTED_PRED, WANTED_SUCC, WANTED_E_TAU = 3, 4, 5
DECISION_COLUMNS = 6
"""A decision: the desired velocity, the neighbours, the spacing error."""


def go_down(rules: Rules, flight: FlightMemory, i: int) -> None:
    """Let an agent that is down stop; one that estimates the target forgets it."""
    flight.agents[i].was_down = True
    command(flight, i, STILL)
    if rules.estimator.on:
        forget_target(rules, flight, i)
    if rules.safety.on:
        note_stop(flight, i)


def steer(
    rules: Rules, flight: FlightMemory, i: int, now: float, measurement: TargetMeasurement
) -> None:
    """Let an agent that is up compute and send the command to its body.

    Args:
        rules: The flight's constants.
        flight: The flight.
        i: Index of the agent.
        now: Time [s].
        measurement: Measurement of its camera, of a target that broadcasts nothing.
    """
    agent = flight.agents[i]
    if agent.was_down:
        if rules.law.functions.reset(flight.laws[i]) != FINE:
            note_fault(flight, i + 1)
            return
        agent.was_down = False
        forget_others(flight, i)
    velocity = limited_law(rules, i, law_step(rules, flight, i, now, measurement))
    if is_on_path(rules, flight, i):
        velocity = path_command(rules, flight, i)
    if rules.safety.on:
        velocity = filter_command(rules, flight, i, now, velocity)
    agent.last_cx, agent.last_cy, agent.last_cz = velocity
    command(flight, i, velocity)
    agent.sends = True


def note_fault(flight: FlightMemory, number: int) -> None:
    """Store whose law failed first, the number negative if it was the estimator."""
    if flight.status.faulty == 0:
        flight.status.faulty = number


def limited_law(rules: Rules, i: int, wanted: Vector) -> Vector:
    """Return the velocity of an agent's law [m/s], within the limits of its vehicle."""
    limits = rules.law.limits[rules.law.kind[i]]
    return command_velocity(wanted[0], wanted[1], wanted[2], limits[0], limits[1])


def command(flight: FlightMemory, member: int, velocity: Vector) -> None:
    """Give a body its command [m/s]."""
    body = flight.bodies[member]
    body[CX], body[CY], body[CZ] = velocity


def law_step(
    rules: Rules, flight: FlightMemory, i: int, now: float, measurement: TargetMeasurement
) -> Vector:
    """Advance the law by one period; return the desired velocity [m/s, map]."""
    follow(rules, flight, i, now)
    if rules.estimator.on and estimate_target(rules, flight, i, now, measurement) != FINE:
        note_fault(flight, -(i + 1))
        return STILL
    if rules.law.relays:
        accept_relayed_report(rules, flight, i, now)
    report = flight.reports[i]
    age = report_age(report, now)
    todo = next_action(is_known(report), age, rules.law.target_hold)
    if todo == GIVE_UP:
        give_up(rules, flight, i)
    if todo != FLY:
        clear_decision(flight, i)
        return STILL
    agent, law, decision = flight.agents[i], rules.law, flight.decision
    view = view_of(rules, flight, i, now, age)
    gains = law.gains[law.kind[i]]
    outcome = law.functions.step(gains, flight.laws[i], flight.messages[i], decision, view)
    if outcome != FINE:
        note_fault(flight, i + 1)
        return STILL
    note_pose(flight, i, now)
    agent.pred, agent.succ = int(decision[WANTED_PRED]), int(decision[WANTED_SUCC])
    agent.e_tau = decision[WANTED_E_TAU]
    return decision[0], decision[1], decision[2]


def view_of(rules: Rules, flight: FlightMemory, i: int, now: float, age: float) -> View:
    """Return the inputs of an agent's law; its report of the target is ``age`` [s] old."""
    body, report, agent = flight.bodies[i], flight.reports[i], flight.agents[i]
    target = TargetView(
        report.seq,
        (report.x, report.y, report.z),
        (report.vx, report.vy, report.vz),
        report.omega_ref,
        age,
        target_is_fresh(rules, flight, i, now),
    )
    return View(
        now,
        agent.number,
        (body[X], body[Y], body[Z]),
        (body[VX], body[VY], body[VZ]),
        (agent.last_cx, agent.last_cy, agent.last_cz),
        share_lost(agent.lost, agent.got),
        target,
        ring_of(rules, flight, i, now, age),
        body[POSE_AGE],
    )


def note_pose(flight: FlightMemory, i: int, now: float) -> None:
    """Store time and pose of the state that is sent now: by it the others see the agent."""
    agent, body = flight.agents[i], flight.bodies[i]
    agent.sent_x, agent.sent_y, agent.sent_z = body[X], body[Y], body[Z]
    agent.sent_vx, agent.sent_vy, agent.sent_vz = body[VX], body[VY], body[VZ]
    agent.has_sent, agent.last_sent = True, now - body[POSE_AGE]


def give_up(rules: Rules, flight: FlightMemory, i: int) -> None:
    """Reset the memory: the state of a lost target is not valid any more."""
    rest, no_message = rules.law.rest, rules.law.no_message
    memory, message = flight.laws[i], flight.messages[i]
    for k in range(len(rest)):
        memory[k] = rest[k]
    for k in range(len(no_message)):
        message[k] = no_message[k]
    forget_others(flight, i)


def clear_decision(flight: FlightMemory, i: int) -> None:
    """Record that an agent has no neighbours and no place."""
    agent = flight.agents[i]
    agent.pred, agent.succ, agent.e_tau = NOBODY, NOBODY, 0.0


def has_path(rules: Rules, member: int) -> bool:
    """Return whether a member flies a path."""
    return rules.paths.first[member + 1] > rules.paths.first[member]


def is_on_path(rules: Rules, flight: FlightMemory, member: int) -> bool:
    """Return whether a member flies a path that is not over."""
    if not has_path(rules, member):
        return False
    rows = rules.paths.first[member + 1] - rules.paths.first[member]
    return not (rules.paths.ended[member] and flight.path_rows[member] == rows - 1)


def path_command(rules: Rules, flight: FlightMemory, member: int) -> Vector:
    """Return the commanded velocity [m/s, map] of a member on its path."""
    paths, body, how = rules.paths, flight.bodies[member], rules.paths.guidance[member]
    rows = paths.rows[paths.first[member] : paths.first[member + 1]]
    guidance = TrackGuidance(how[0], how[1], how[2], how[3], how[4])
    row, velocity = pursue(rows, flight.path_rows[member], (body[X], body[Y], body[Z]), guidance)
    flight.path_rows[member] = row
    limits = paths.limits[member]
    return command_velocity(velocity[0], velocity[1], velocity[2], limits[0], limits[1])
