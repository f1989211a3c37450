"""One tick of the target and of the adversary: weights of the arcs, spin of the ring, motion.

The target chooses a velocity once per period, from its position. ``random``: any direction with
equal chance; from outside its box straight back to the origin. ``constant``: one heading forever,
wherever that leads; it draws nothing. The adversary roams: from goal to goal in its box, and
straight away from a close target.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.core.parameters.swarm_parameters import SwarmParameters
from soliton_encirclement_ros.core.parameters.target_parameters import (
    AdversaryParameters, TargetParameters
)
from soliton_encirclement_ros.core.ring.edge_weights import NO_ARC, Token, arc_weight, passed_token
from soliton_encirclement_ros.core.ring.ring_geometry import bearing, direction, length
from soliton_encirclement_ros.core.ring.spin_laws import SpinGains, spin_view
from soliton_encirclement_ros.core.schedules import Periodic, counted, due
from soliton_encirclement_ros.core.states.received_states import drop_old
from soliton_encirclement_ros.swarm.agent import command, has_path, path_command
from soliton_encirclement_ros.swarm.memory import CX, CY, CZ, FlightMemory, X, Y
from soliton_encirclement_ros.swarm.reception import adversary_known
from soliton_encirclement_ros.swarm.ring import sort_by
from soliton_encirclement_ros.swarm.rules import MotionRules, RoamRules, Rules, TargetRules
from velocity_mobility_ros.core.velocity_model import Vector, limit_abs

STILL: Vector = (0.0, 0.0, 0.0)
HOME = 1e-12
"""Distance [m] from the origin below which there is no way back to it."""

CONSTANT = 'constant'

ARRIVED = 1.0
"""Distance [m] at which a goal counts as reached."""

GOAL_TRIES = 50


def random_velocity(
    speed: float, bound: float, x: float, y: float, stream: np.random.Generator
) -> Vector:
    """Return the next velocity [m/s] of a target that wanders.

    Args:
        speed: Its speed [m/s].
        bound: Half side of the box [m] that it turns back from.
        x: Its position, east [m].
        y: The same, north [m].
        stream: Random stream of the direction: one number, none outside the box or at rest.
    """
    if speed == 0.0:
        return STILL
    home = length(x, y)
    if (abs(x) > bound or abs(y) > bound) and home > HOME:
        return speed * (-x / home), speed * (-y / home), 0.0
    angle = stream.random() * 2.0 * math.pi
    return speed * math.cos(angle), speed * math.sin(angle), 0.0


def constant_velocity(speed: float, heading_deg: float) -> Vector:
    """Return the constant velocity [m/s] of a target that goes straight on.

    Args:
        speed: Its speed [m/s].
        heading_deg: Its heading, counter-clockwise from east [deg].
    """
    angle = math.radians(heading_deg)
    return speed * math.cos(angle), speed * math.sin(angle), 0.0


class Wandering(NamedTuple):
    """The choices of motion up to now, and the velocity [m/s, map] that was chosen last."""

    choices: Periodic
    velocity: Vector


def motion_rules(parameters: TargetParameters) -> MotionRules:
    """Return the motion parameters of a target."""
    return MotionRules(
        parameters.target_motion == CONSTANT,
        parameters.target_motion_speed_xy,
        parameters.target_motion_heading_deg,
        parameters.target_motion_boundary_xy,
    )


def next_velocity(rules: MotionRules, x: float, y: float, stream: np.random.Generator) -> Vector:
    """Return the next velocity [m/s] of a target.

    Args:
        rules: Its motion parameters.
        x: Its position, east [m].
        y: The same, north [m].
        stream: Random stream of directions.
    """
    if rules.constant:
        return constant_velocity(rules.speed, rules.heading_deg)
    return random_velocity(rules.speed, rules.bound, x, y, stream)


def advance_wandering(
    wandering: Wandering, now: float, period: float, rules: MotionRules, x: float, y: float,
    stream: np.random.Generator,
) -> Wandering:  # fmt: skip
    """Return how a target goes on: the old way, or another one if a period [s] is over.

    Args:
        wandering: How it went.
        now: Time [s].
        period: Time between two choices.
        rules: How it moves.
        x: Where it is, east [m].
        y: The same, north [m].
        stream: Where directions are drawn from: once, however many periods are over.
    """
    turns = due(wandering.choices, now, period)
    if turns == 0:
        return wandering
    choices = counted(wandering.choices, turns)
    return Wandering(choices, next_velocity(rules, x, y, stream))


def target_rules_of(
    target: TargetParameters, swarm: SwarmParameters, spin_step: Callable[..., int]
) -> TargetRules:
    """Return the constants of a target; ``spin_step`` is its spin law over rows."""
    return TargetRules(
        motion_rules(target),
        target.target_motion_period,
        target.protection_angle_deg,
        target.edge_weight_always_fresh,
        target.target_swarm_spin_enable,
        spin_step,
        target.target_swarm_omega_ref,
        spin_gains(target, swarm),
    )


def spin_gains(parameters: TargetParameters, swarm: SwarmParameters) -> SpinGains:
    """Return the gains of the spin law."""
    return SpinGains(
        parameters.target_swarm_omega_pd_kp,
        parameters.target_swarm_omega_pd_kd,
        parameters.target_swarm_omega_pd_max_abs,
        parameters.target_swarm_spin_rho_min,
        parameters.target_swarm_omega_ref,
        swarm.control_period,
        parameters.target_swarm_spin_filter,
        parameters.target_swarm_spin_max_rate,
    )


def roam_rules(parameters: AdversaryParameters) -> RoamRules:
    """Return how an adversary roams."""
    return RoamRules(
        parameters.adversary_roam_bound_xy,
        parameters.adversary_min_target_distance,
        parameters.adversary_roam_speed_xy,
    )


def prepare_message(rules: Rules, flight: FlightMemory, now: float) -> None:
    """Let the target remove silent agents, set weights and request the spin."""
    if rules.swarm.prune:
        drop_old(flight.target_cache, rules.swarm.agent_timeout, now)
    flight.target.omega_ref = omega_ref(rules, flight, now)
    weigh(rules, flight, now)


def wander(rules: Rules, flight: FlightMemory, now: float, stream: np.random.Generator) -> None:
    """Let the target go on: on its path, or maybe another way."""
    me = rules.swarm.agents
    if has_path(rules, me):
        command(flight, me, path_command(rules, flight, me))
        return
    body, chosen = flight.bodies[me], Periodic(0.0, flight.target.motion_fired)
    choices, velocity = advance_wandering(
        Wandering(chosen, (body[CX], body[CY], body[CZ])), now, rules.target.motion_period,
        rules.target.motion, body[X], body[Y], stream,
    )  # fmt: skip
    flight.target.motion_fired = choices.fired
    command(flight, me, velocity)


def choose_motion(rules: Rules, flight: FlightMemory, stream: np.random.Generator) -> None:
    """Choose the target's velocity."""
    body = flight.bodies[rules.swarm.agents]
    velocity = next_velocity(rules.target.motion, body[X], body[Y], stream)
    command(flight, rules.swarm.agents, velocity)


def omega_ref(rules: Rules, flight: FlightMemory, now: float) -> float:
    """Return the desired rotation of the ring [rad/s]."""
    if not rules.target.spin:
        return rules.target.omega_ref
    cache, body = flight.target_cache, flight.bodies[rules.swarm.agents]
    count = cache.size.count
    xs, ys = flight.scratch.a[:count], flight.scratch.b[:count]
    for p in range(count):
        agent = cache.rows[cache.order[p]]
        xs[p], ys[p] = agent.x - body[X], agent.y - body[Y]
    err, known = spin_view(
        xs, ys, body[X], body[Y], adversary_known(flight.target), now, rules.swarm.target_timeout,
        rules.target.spin_gains.rho_min,
    )  # fmt: skip
    rules.target.spin_step(flight.spin, now, err, known, rules.target.spin_gains)
    return flight.spin[len(flight.spin) - 1]


def weigh(rules: Rules, flight: FlightMemory, now: float) -> None:
    """Pass the token on and record the weight of every arc."""
    me, cache, scratch = flight.target, flight.target_cache, flight.scratch
    count, protection = cache.size.count, rules.target.protection_deg
    ids = cache.order[:count]
    if 360.0 - protection > NO_ARC:
        note_bearings(rules, flight, count)
    token = passed_token(
        Token(me.holder, me.switched, me.weight),
        now,
        protection,
        rules.target.always_fresh,
        ids,
        scratch.a[:count],
        scratch.order[:count],
    )
    me.holder, me.switched, me.weight = token
    weights = flight.new_weights
    for j in range(len(weights)):
        weights[j] = math.nan
    for p in range(count):
        weights[ids[p]] = arc_weight(token, ids[p])


def note_bearings(rules: Rules, flight: FlightMemory, count: int) -> None:
    """Record the bearings of the agents from the target [rad], and their order."""
    body, cache, scratch = flight.bodies[rules.swarm.agents], flight.target_cache, flight.scratch
    for p in range(count):
        agent = cache.rows[cache.order[p]]
        scratch.a[p] = bearing(agent.x - body[X], agent.y - body[Y])
        scratch.order[p] = p
    sort_by(scratch.a, scratch.order, scratch.spare, count)


def roam_on(rules: Rules, flight: FlightMemory, stream: np.random.Generator) -> None:
    """Let the adversary go on: on its path, or where it chooses.

    The target's last known place counts however old it is.
    """
    me, state = rules.swarm.agents + 1, flight.adversary
    if has_path(rules, me):
        command(flight, me, path_command(rules, flight, me))
        return
    body, goal = flight.bodies[me], Goal(state.goal_x, state.goal_y)
    goal, velocity = roam(
        rules.adversary, goal, body[X], body[Y], state.prey_x, state.prey_y, stream
    )
    state.goal_x, state.goal_y = goal
    command(flight, me, velocity)


class Goal(NamedTuple):
    """Where it is going [m, map]; NaN: nowhere yet."""

    x: float
    y: float


def roam(
    rules: RoamRules, goal: Goal, x: float, y: float, tx: float, ty: float,
    stream: np.random.Generator,
) -> tuple[Goal, Vector]:  # fmt: skip
    """Return the goal from now on, and the velocity [m/s, map].

    Args:
        rules: How the adversary roams.
        goal: Its goal.
        x: Where it is, east [m].
        y: The same, north [m].
        tx: Last received position of the target, east [m].
        ty: The same, north [m].
        stream: Where goals are drawn from.
    """
    ux, uy, gx, gy = heading(x, y, tx, ty, goal.x, goal.y, rules.bound, rules.keep, stream)
    return Goal(gx, gy), (rules.speed * ux, rules.speed * uy, 0.0)


def heading(
    x: float,
    y: float,
    tx: float,
    ty: float,
    goal_x: float,
    goal_y: float,
    bound: float,
    keep: float,
    stream: np.random.Generator,
) -> tuple[float, float, float, float]:
    """Return the direction of motion, as a unit vector, and the next goal [m].

    Args:
        x: Position of the adversary, east [m].
        y: The same, north [m].
        tx: Position of the target, east [m].
        ty: The same, north [m].
        goal_x: The goal, east [m]; NaN: none yet.
        goal_y: The same, north [m].
        bound: Half side of its box [m].
        keep: Distance [m] to the target below which it flees; fleeing does not change the goal.
        stream: Random stream of the goals.
    """
    ux, uy, distance = direction(x - tx, y - ty)
    if distance < keep:
        return ux, uy, goal_x, goal_y
    if math.isnan(goal_x):
        goal_x, goal_y = pick_goal(tx, ty, bound, keep, stream)
    ux, uy, distance = direction(goal_x - x, goal_y - y)
    if distance <= ARRIVED:
        goal_x, goal_y = pick_goal(tx, ty, bound, keep, stream)
        ux, uy, _ = direction(goal_x - x, goal_y - y)
    return ux, uy, goal_x, goal_y


def pick_goal(
    tx: float, ty: float, bound: float, keep: float, stream: np.random.Generator
) -> tuple[float, float]:
    """Return a goal [m] in the box, far enough from the target if one is found.

    Args:
        tx: Position of the target, east [m].
        ty: The same, north [m].
        bound: Half side of the box [m].
        keep: Distance to the target [m].
        stream: Random stream: two numbers per try, one more if all tries fail.
    """
    for _ in range(GOAL_TRIES):
        x = stream.uniform(-bound, bound)
        y = stream.uniform(-bound, bound)
        if length(x - tx, y - ty) >= keep:
            return x, y
    angle = stream.uniform(0.0, 2.0 * math.pi)
    return (
        limit_abs(tx + keep * math.cos(angle), bound),
        limit_abs(ty + keep * math.sin(angle), bound),
    )
