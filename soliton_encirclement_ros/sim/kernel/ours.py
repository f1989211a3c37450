"""One tick of our law: the numbers of ``Soliton``."""


from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.finite import finite_or_zero
from soliton_encirclement_ros.core.motion import Motion, moved
from soliton_encirclement_ros.core.pursuit import followed_spin, pursue, seen
from soliton_encirclement_ros.core.target_track import filtered_acceleration
from soliton_encirclement_ros.sim.kernel.columns import (
    ACC_X,
    ACC_Y,
    HAS_SAID,
    OMEGA,
    OMEGA_REF,
    OWN_U,
    OWN_U_SS,
    PRED,
    RATE,
    SAID_LAST,
    SAID_X,
    SEQ,
    SHARED,
    SUCC,
    TARGET_AGE,
    TRACK_AT,
    TRACK_SEQ,
    TRACK_VX,
    TRACK_VY,
    VX,
    VY,
    VZ,
    WANTED,
    X,
    Y,
    Z,
)
from soliton_encirclement_ros.sim.kernel.hearing import target_age, target_is_fresh
from soliton_encirclement_ros.sim.kernel.our_ring import look_linked, look_shared
from soliton_encirclement_ros.sim.kernel.records import Flight
from soliton_encirclement_ros.sim.kernel.rules import Rules
from soliton_encirclement_ros.sim.kernel.tracks import follow_linked, follow_shared, forget_all

STILL: Vector = (0.0, 0.0, 0.0)


def step_ours(rules: Rules, flight: Flight, i: int, now: float) -> Vector:
    """Advance our law of an agent; return the wanted velocity [m/s, map]."""
    state = flight.laws[i]
    shared = flight.counters[SHARED] != 0
    if shared:
        follow_shared(rules, flight, i)
    else:
        follow_linked(rules, flight, i, now)
    age = target_age(flight, i, now)
    if age > rules.swarm.target_timeout + rules.laws.target_hold:
        forget(flight, i)
        return STILL
    state[TARGET_AGE] = age
    fresh = target_is_fresh(rules, flight, i, now)
    target = follow_target(rules, flight, i, now, age, fresh)
    body = flight.bodies[i]
    position, velocity = (body[X], body[Y], body[Z]), (body[VX], body[VY], body[VZ])
    at = seen(position, velocity, target, rules.laws.r_min)
    if shared:
        shift = look_shared(rules, flight, i, at, now, age)
    else:
        shift = look_linked(rules, flight, i, at, now, age)
    note_said(flight, i, now)
    omega_ref = flight.told[i, OMEGA_REF] if fresh else 0.0
    omega = followed_spin(state[OMEGA], omega_ref, rules.laws.pursuit.spin_step)
    done = pursue(i + 1, position, velocity, target, at, shift, omega, rules.laws.pursuit)
    for k in range(8):
        state[WANTED + k] = done.wanted[k]
    state[OMEGA], state[RATE] = done.omega, done.rate
    return done.velocity


def forget(flight: Flight, i: int) -> None:
    """Forget everything an agent knew."""
    flight.laws[i, :] = 0.0
    for k in range(5, 8):
        flight.laws[i, WANTED + k] = 1.0
    flight.agents[i, PRED] = flight.agents[i, SUCC] = -1.0
    forget_all(flight, i)


def follow_target(
    rules: Rules, flight: Flight, i: int, now: float, age: float, fresh: bool
) -> Motion:
    """Take in the target's latest words; return how it moves now."""
    state, told = flight.laws[i], flight.told[i]
    velocity = (told[VX], told[VY], told[VZ])
    if told[SEQ] != state[TRACK_SEQ]:
        if state[TRACK_SEQ] > 0.0:
            before = (state[TRACK_VX], state[TRACK_VY], 0.0)
            dt = now - age - state[TRACK_AT]
            state[ACC_X], state[ACC_Y] = filtered_acceleration(
                state[ACC_X], state[ACC_Y], velocity, before, dt, rules.laws.acc_filter
            )
        state[TRACK_SEQ], state[TRACK_AT] = told[SEQ], now - age
        state[TRACK_VX], state[TRACK_VY] = told[VX], told[VY]
    if not fresh:
        state[ACC_X] = state[ACC_Y] = 0.0
    acceleration = (state[ACC_X], state[ACC_Y])
    return moved(Motion((told[X], told[Y], told[Z]), velocity, acceleration), age)


def note_said(flight: Flight, i: int, now: float) -> None:
    """Keep time and pose of the words that are said now."""
    for k in range(6):
        flight.laws[i, SAID_X + k] = flight.bodies[i, k]
    flight.laws[i, HAS_SAID], flight.laws[i, SAID_LAST] = 1.0, now


def tell_ours(flight: Flight, i: int) -> None:
    """Note what our law tells the neighbours."""
    flight.agents[i, OWN_U] = finite_or_zero(flight.laws[i, RATE])
    flight.agents[i, OWN_U_SS] = 0.0
