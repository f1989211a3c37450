"""One tick of the original laws: the numbers of ``SolitonV1`` and ``TwoChannel``."""

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.commands import Plane, encircling_velocity, radial_pd
from soliton_encirclement_ros.core.finite import finite_or_zero
from soliton_encirclement_ros.core.radial_difference import radial_pd_difference
from soliton_encirclement_ros.core.ring import NOBODY
from soliton_encirclement_ros.core.soliton import SolitonState, reported_curvature, soliton_step
from soliton_encirclement_ros.core.two_channel import TwoChannelState, two_channel_step
from soliton_encirclement_ros.sim.kernel.columns import (
    OMEGA_REF,
    OWN_U,
    OWN_U_SS,
    PRED,
    PROP,
    R_LAST,
    SIGNAL,
    SUCC,
    U_SS,
    VX,
    VY,
    VZ,
    U,
    X,
    Y,
)
from soliton_encirclement_ros.sim.kernel.layers import SILENCE, Fields, layer_tick
from soliton_encirclement_ros.sim.kernel.records import Flight
from soliton_encirclement_ros.sim.kernel.ring_place import spacing_errors, words_layer
from soliton_encirclement_ros.sim.kernel.rules import Rules


def step_seed(rules: Rules, flight: Flight, i: int) -> Vector:
    """Advance the seed's law of an agent; return the wanted velocity [m/s, map]."""
    agents, state = flight.agents, flight.laws[i]
    pred, succ = int(agents[i, PRED]), int(agents[i, SUCC])
    after = soliton_step(
        SolitonState(
            state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7]
        ),
        heard(flight, i, pred, U),
        heard(flight, i, succ, U),
        heard(flight, i, pred, U_SS),
        heard(flight, i, succ, U_SS),
        spacing_errors(rules, flight, i),
        rules.swarm.period,
        rules.laws.seed,
    )
    for k in range(8):
        state[k] = after[k]
    note_curvature(flight, i, pred, succ, after.u)
    body, told, laws = flight.bodies[i], flight.told[i], rules.laws
    dx, dy = body[X] - told[X], body[Y] - told[Y]
    dvx, dvy = body[VX] - told[VX], body[VY] - told[VY]
    radial = radial_pd(dx, dy, dvx, dvy, rules.swarm.radius, laws.k_r, laws.k_dr)
    return compose(rules, flight, i, dx, dy, radial, after.u)


def step_channels(rules: Rules, flight: Flight, i: int) -> Vector:
    """Advance the successor's law of an agent; return the wanted velocity [m/s, map]."""
    agents, state = flight.agents, flight.laws[i]
    pred, succ = int(agents[i, PRED]), int(agents[i, SUCC])
    e_tau = spacing_errors(rules, flight, i)
    signal = layer_tick(
        rules,
        flight.layer[i],
        finite_or_zero(e_tau),
        heard_layer(flight, i, pred),
        heard_layer(flight, i, succ),
    )
    state[SIGNAL] = finite_or_zero(signal)
    after = two_channel_step(
        TwoChannelState(state[0], state[1], state[2], state[3], state[4], state[5]),
        e_tau,
        state[SIGNAL],
        rules.swarm.period,
        rules.laws.channels,
    )
    for k in range(6):
        state[k] = after[k]
    note_curvature(flight, i, pred, succ, after.u)
    body, told, laws = flight.bodies[i], flight.told[i], rules.laws
    dx, dy = body[X] - told[X], body[Y] - told[Y]
    radial, state[R_LAST] = radial_pd_difference(
        dx, dy, state[R_LAST], rules.swarm.radius, laws.k_r, laws.k_dr, rules.swarm.period
    )
    return compose(rules, flight, i, dx, dy, radial, after.u)


def compose(
    rules: Rules, flight: Flight, i: int, dx: float, dy: float, radial: Plane, u: float
) -> Vector:
    """Return the sum of all parts of the wanted velocity [m/s, map]."""
    told, laws = flight.told[i], rules.laws
    return encircling_velocity(
        dx,
        dy,
        radial,
        u,
        (told[VX], told[VY], told[VZ]),
        told[OMEGA_REF],
        laws.k_tau,
        laws.r_min,
    )


def heard(flight: Flight, i: int, j: int, column: int) -> float:
    """Return what a neighbour said, 0 for nobody."""
    if j == NOBODY:
        return 0.0
    return flight.words[words_layer(flight, i, j), j, column]


def heard_layer(flight: Flight, i: int, j: int) -> Fields:
    """Return what a neighbour said of its layer."""
    if j == NOBODY:
        return SILENCE
    row = flight.words[words_layer(flight, i, j), j, PROP:]
    return row[0], row[1], row[2], row[3], row[4], row[5]


def note_curvature(flight: Flight, i: int, pred: int, succ: int, u: float) -> None:
    """Note u and its curvature for the agent's next words."""
    flight.agents[i, OWN_U] = u
    flight.agents[i, OWN_U_SS] = 0.0
    if pred != NOBODY and succ != NOBODY:
        flight.agents[i, OWN_U_SS] = reported_curvature(
            u, heard(flight, i, pred, U), heard(flight, i, succ, U)
        )
