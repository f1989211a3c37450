"""A batch of vehicles: reset, attitude, and what it refuses."""

import dataclasses
from typing import Any

import numpy as np
import pytest
from soliton_encirclement_ros.sim.batched import BatchedVehicle
from soliton_encirclement_ros.sim.batched.errors import BatchError
from support.vehicles.batches import BODIES, LIBRARIES, batch_of, flat, rough_flight
from support.vehicles.integrator import INTEGRATOR
from velocity_mobility_ros.vehicles import VEHICLES, Body, Vehicle

EVERYWHERE = pytest.mark.parametrize('library', LIBRARIES)
START = np.array([[0.0, 0.0, 5.0], [1.0, 2.0, 3.0]])
WISH = np.array([[2.0, 0.0, 0.0], [0.0, 1.0, 0.5]])


@EVERYWHERE
def test_some_are_reset(library: str) -> None:
    """They are at rest where they began, the others fly on."""
    flight = rough_flight('quadrotor', VEHICLES['quadrotor'], 2)
    fresh, batch = batch_of(flight, library), batch_of(flight, library)
    for _ in range(30):
        batch.step(flight.velocities[1])
    flown = [batch.xp.to_numpy(one).copy() for one in flat(batch.state)]
    mask = np.arange(BODIES) % 3 == 0
    batch.reset(mask)
    for one, start, before in zip(flat(batch.state), flat(fresh.state), flown, strict=True):
        now = batch.xp.to_numpy(one)
        assert np.array_equal(now[mask], batch.xp.to_numpy(start)[mask])
        assert np.array_equal(now[~mask], before[~mask], equal_nan=True)
    batch.reset()
    assert np.array_equal(*(b.xp.to_numpy(b.motion().position) for b in (batch, fresh)))


@EVERYWHERE
def test_the_attitude_is_that_of_the_body(library: str) -> None:
    """For vehicles that tilt; others have none."""
    kind = VEHICLES['quadrotor']
    batch, body = two(kind, library), Body(kind.parameters(), tuple(START[1].tolist()))
    body.command(tuple(WISH[1].tolist()), 0.0)
    for _ in range(50):
        batch.step(WISH)
        body.step()
    for one, wanted in zip(batch.attitude(), body.attitude, strict=True):
        np.testing.assert_allclose(batch.xp.to_numpy(one)[1], wanted, atol=1e-12)
    assert two(VEHICLES['kinematic'], library).attitude() is None


@EVERYWHERE
def test_later_changes_of_what_it_is_given_do_not_matter(library: str) -> None:
    """A vehicle may keep its command in its state."""
    batch = two(INTEGRATOR, library)
    rates = batch.xp.array([0.1, 0.2])
    batch.step(WISH, rates)
    rates[0] = 5.0
    assert batch.xp.to_numpy(batch.state.yaw_rate).tolist() == [0.1, 0.2]


def two(kind: Vehicle, library: str = 'numpy', **values: Any) -> BatchedVehicle:
    """Return two bodies."""
    return BatchedVehicle(kind, kind.parameters(**values), START, xp=library)


KIND = VEHICLES['kinematic']
PARAMETERS = KIND.parameters()


@pytest.mark.parametrize(
    ('given', 'message'),
    [
        ({'positions': np.zeros(3)}, r'positions have the shape \(3,\), must be \(E, 3\)'),
        ({'positions': np.zeros((0, 3))}, r'must be \(E, 3\), E >= 1'),
        ({'yaws': [0.0] * 3}, r'yaws have the shape \(3,\), must be \(2,\) or one for all'),
        ({'seeds': [-1, 0]}, r'seeds must be whole numbers from 0 to 2\^53'),
        ({'seeds': 1.5}, 'seeds must be whole numbers'),
        ({'parameters': [PARAMETERS] * 3}, 'parameters of 3 bodies, must be of 2'),
        (
            {'parameters': [PARAMETERS, dataclasses.replace(PARAMETERS, update_rate=0.02)]},
            'update_rate from 0.01 to 0.02 s, must be equal for all',
        ),
        ({'xp': 'cupy'}, "library = 'cupy' is unknown; known: numpy, torch"),
    ],
)
def test_what_does_not_fit_is_refused(given: dict[str, Any], message: str) -> None:
    """In one line."""
    fitting = {'parameters': PARAMETERS, 'positions': START}
    with pytest.raises(BatchError, match=message):
        BatchedVehicle(KIND, **{**fitting, **given})


def test_commands_of_other_shapes_are_refused() -> None:
    """One command is not taken for all: it would be too easy to forget an axis."""
    with pytest.raises(BatchError, match=r'velocities have the shape \(3,\), must be \(2, 3\)'):
        two(KIND).step((1.0, 0.0, 0.0))
    with pytest.raises(BatchError, match=r'in_body have the shape \(3,\), must be \(2,\)'):
        two(KIND).step(WISH, 0.0, [True, False, True])


def test_steps_of_the_integration_that_differ_are_refused() -> None:
    """A loop has one number of rounds."""
    kind = VEHICLES['tracked']
    records = [kind.parameters(sim_dt=sim_dt) for sim_dt in (0.005, 0.0025)]
    batch = BatchedVehicle(kind, records, START)
    with pytest.raises(BatchError, match='a loop of 2 to 4 rounds cannot be done over arrays'):
        batch.step(WISH)
