"""A batch of vehicles: reset, attitude, what it refuses, and parameters around nominal ones."""

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from soliton_encirclement_ros.sim.batched import BatchedVehicle, randomised
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


ROTORS = VEHICLES['quadrotor']
NOMINAL = ROTORS.parameters()
MANY = np.tile((0.0, 0.0, 5.0), (200, 1))


def test_every_body_and_field_has_its_own_factor() -> None:
    """Uniform within the width."""
    found = randomised(NOMINAL, {'mass': 0.2, 'drag_x': 0.5}, 2000, 3)
    masses = np.array([one.mass for one in found]) / NOMINAL.mass
    drags = np.array([one.drag_x for one in found]) / NOMINAL.drag_x
    assert masses.min() == pytest.approx(0.8, abs=1e-3)
    assert masses.max() == pytest.approx(1.2, abs=1e-3)
    assert drags.std() == pytest.approx(0.5 / math.sqrt(3.0), rel=0.05)
    assert abs(np.corrcoef(masses, drags)[0, 1]) < 0.1
    assert {one.drag_y for one in found} == {NOMINAL.drag_y}


def test_a_field_depends_on_the_seed_and_its_own_width_alone() -> None:
    """Another field beside it does not shift its numbers."""
    one = randomised(NOMINAL, {'mass': 0.2}, 5, 3)
    other = randomised(NOMINAL, {'drag_x': 0.1, 'mass': 0.2}, 5, 3)
    assert [p.mass for p in one] == [p.mass for p in other]
    assert [p.mass for p in one] != [p.mass for p in randomised(NOMINAL, {'mass': 0.2}, 5, 4)]


@pytest.mark.parametrize('library', LIBRARIES)
def test_without_width_all_are_nominal_to_the_bit(library: str) -> None:
    """Also after a flight with other parameters: the nominal ones are kept."""
    wish = np.random.default_rng(0).normal(0.0, 3.0, (200, 3))
    plain, zero, wide = (BatchedVehicle(ROTORS, NOMINAL, MANY, xp=library) for _ in range(3))
    wide.randomise({'mass': 0.3}, 1)
    zero.randomise({'mass': 0.3, 'motor_rise': 0.2}, 1)
    zero.randomise({'mass': 0.0, 'motor_rise': 0.0}, 2)
    for _ in range(30):
        for batch in (plain, zero, wide):
            batch.step(wish)
    states = [[b.xp.to_numpy(one).tobytes() for one in flat(b.state)] for b in (plain, zero, wide)]
    assert states[0] == states[1] != states[2]


@pytest.mark.parametrize(
    ('widths', 'message'),
    [
        ({'wings': 0.1}, "'wings' cannot be randomised; known: .*mass"),
        ({'gust_seed': 0.1}, "'gust_seed' cannot be randomised"),
        ({'mass': 1.0}, 'width of mass = 1.0, must be at least 0 and below 1'),
        ({'mass': math.nan}, 'width of mass = nan'),
        ({'ground': 0.1}, 'ground = none cannot be randomised; give it a value'),
        ({'update_rate': 0.5}, 'randomised parameters are refused: .*; take less width'),
    ],
)
def test_what_cannot_be_is_refused(widths: dict[str, float], message: str) -> None:
    """In one line."""
    with pytest.raises(BatchError, match=message) as caught:
        randomised(NOMINAL, widths, 10, 0)
    assert '\n' not in str(caught.value)
