"""Vehicles as machine code: to the bit what plain Python flies."""

import dataclasses

import numpy as np
import pytest
from soliton_encirclement_ros.sim.compilation.compiled import compiled
from soliton_encirclement_ros.sim.compilation.vehicle_unit import (
    moving,
    states_at_rest,
    vehicle_rules,
)
from soliton_encirclement_ros.sim.kernel.columns import BODY_COLUMNS, CX, CZ, X
from support.ready import NO_HURRY
from velocity_mobility_ros.vehicles import VEHICLES

pytestmark = NO_HURRY

STARTS = [(0.0, 0.0, 5.0), (3.0, -2.0, 8.0), (1e4, 0.1, 0.0)]
UPDATES = 40
TURNS = 10
SPECIAL = {'quadrotor': {'wind_east': 3.0, 'gust_intensity': 1.5, 'ground': 0.0, 'sim_dt': 0.001}}


def flown(name: str, machine_code: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return states and reported motions after a flight with commands of every size."""
    parameters = dataclasses.replace(VEHICLES[name].parameters(), **SPECIAL.get(name, {}))
    move = moving((VEHICLES[name],))
    if machine_code:
        move = compiled(move)
    vehicles = [parameters] * len(STARTS)
    means = vehicle_rules(vehicles, plain=True)[1]
    states, bodies = (
        states_at_rest(vehicles, STARTS, range(len(STARTS))),
        np.zeros((len(STARTS), BODY_COLUMNS)),
    )
    wishes = np.random.default_rng(7).normal(0.0, 6.0, (TURNS, len(STARTS), 3))
    for wish in wishes:
        bodies[:, CX : CZ + 1] = wish
        move(means, states, bodies, np.zeros((0, 0)), UPDATES, parameters.update_rate)
    return states, bodies


@pytest.mark.parametrize('name', VEHICLES)
def test_compiled_steps_are_plain_python_s_to_the_bit(name: str) -> None:
    """Every number of the state and of the motion after 400 updates of a rough flight."""
    states, bodies = flown(name, machine_code=True)
    plain_states, plain_bodies = flown(name, machine_code=False)
    assert states.tobytes() == plain_states.tobytes()
    assert bodies.tobytes() == plain_bodies.tobytes()
    assert np.isfinite(states).all()
    assert np.abs(bodies[:, X : X + 3] - np.array(STARTS)).max() > 1.0
