"""Velocities rolled out: those of the vehicle, to the last bit, compiled or not."""

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.fit.rollout import follow, roll_out
from soliton_encirclement_ros.sim.compilation.compiled import compiled
from support.recorded.planted import QUAD, flight, steps
from velocity_mobility_ros.core.model import MobilityParameters
from velocity_mobility_ros.vehicles import Body
from velocity_mobility_ros.vehicles.second_order import SecondOrderParameters


@pytest.mark.parametrize('mobility', [QUAD, MobilityParameters(tau_xy=None, tau_z=None)])
@pytest.mark.parametrize('fly', [roll_out, compiled(roll_out)], ids=['plain', 'compiled'])
def test_every_stretch_flies_as_the_vehicle_does(mobility, fly):
    told = [steps(np.random.default_rng(seed), duration=6.0) for seed in (1, 2)]
    updates = [np.repeat(one, 5, axis=0) for one in told]
    begin = np.array([0, len(updates[0]), len(updates[0]) + len(updates[1])])
    wanted = np.concatenate(updates)
    flown = np.empty_like(wanted)
    dt = np.full(len(wanted), mobility.update_rate)
    fly(begin, np.zeros((2, 3)), wanted, dt, mobility.limits, flown)
    expected = [flight(one, mobility, rate=100.0).track.velocity[1:] for one in told]
    assert (flown == np.concatenate(expected)).all()


def test_a_stretch_begins_with_its_own_velocity():
    flown = np.empty((2, 3))
    start = np.array([[1.0, 2.0, 3.0], [-1.0, 0.0, 0.5]])
    roll_out(np.array([0, 1, 2]), start, start.copy(), np.full(2, 0.01), QUAD.limits, flown)
    assert (flown == start).all()


@pytest.mark.parametrize('later', [follow, compiled(follow)], ids=['plain', 'compiled'])
def test_second_order_follows_the_velocity_model_as_the_vehicle_does(later):
    able = SecondOrderParameters(tau_xy=0.5, acceleration_tau_xy=0.2, acceleration_tau_z=None)
    wanted = np.repeat(steps(np.random.default_rng(3), duration=6.0), 5, axis=0)
    begin, start = np.array([0, len(wanted)]), np.zeros((1, 3))
    dt = np.full(len(wanted), able.update_rate)
    reference, flown = np.empty_like(wanted), np.empty_like(wanted)
    roll_out(begin, start, wanted, dt, able.limits, reference)
    later(begin, start, reference, dt, able.acceleration_lags, flown)
    body, expected = Body(able, (0.0, 0.0, 0.0)), []
    for wish in wanted:
        body.command(tuple(wish), 0.0)
        body.step()
        expected.append(body.motion.velocity)
    assert (flown == np.array(expected)).all()
