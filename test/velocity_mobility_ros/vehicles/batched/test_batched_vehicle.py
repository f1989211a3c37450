"""A batch of vehicles: each body flies as it does alone; reset, refusals, random parameters."""

import dataclasses
import math
import sys
import traceback
from typing import Any, NamedTuple

import numpy as np
import pytest

from support.vehicles.batches import (
    BODIES, GUSTY, LIBRARIES, NONE, WILD, Changes, batch_of, exact, flat, one_by_one, rough_flight,
    together
)
from support.vehicles.integrator import INTEGRATOR, NAME, integrator
from velocity_mobility_ros.core.coordinate_frames import Attitude, velocity_of
from velocity_mobility_ros.vehicles.batched.array_namespace import BatchError, Namespace, namespace
from velocity_mobility_ros.vehicles.batched.array_translation import over_arrays
from velocity_mobility_ros.vehicles.batched.batched_vehicle import (
    BatchedVehicle, randomised, stacked
)
from velocity_mobility_ros.vehicles.quadrotor.rigid_body import heading_rate, turned
from velocity_mobility_ros.vehicles.simulated_body import Body
from velocity_mobility_ros.vehicles.vehicle import VEHICLES, Vehicle
from velocity_mobility_ros.vehicles.wind import next_second

__all__ = ['integrator']

KINDS = [*VEHICLES.items(), (NAME, INTEGRATOR)]
FAMILY = pytest.mark.parametrize(('name', 'vehicle'), KINDS, ids=[*VEHICLES, NAME])
EVERYWHERE = pytest.mark.parametrize('library', LIBRARIES)
COMMANDS = 20


@FAMILY
def test_exact_it_is_the_loop_over_bodies_to_the_bit(name: str, vehicle: Vehicle) -> None:
    """Different bodies, commands of every size, 300 updates; in gusts where there are any."""
    flight = rough_flight(name, vehicle, COMMANDS, WILD)
    moved = 0.0
    for found, wanted in zip(together(flight, exact()), one_by_one(flight), strict=True):
        assert found.tobytes() == wanted.tobytes()
        moved = max(moved, np.abs(found[:, -8:-5] - flight.positions).max())
    assert moved > 1.0


@pytest.mark.parametrize(
    ('name', 'vehicle', 'changes', 'tolerance'),
    [*((name, vehicle, NONE, 1e-10) for name, vehicle in KINDS),
     *((name, VEHICLES[name], GUSTY, 1e-7) for name in GUSTY)],
)  # fmt: skip
@EVERYWHERE
def test_every_library_agrees_with_the_loop_over_bodies(
    name: str, vehicle: Vehicle, changes: Changes, tolerance: float, library: str
) -> None:
    """To rounding: sines of a library may differ in the last bit.

    The noise of a short step in gusts is a difference of nearly equal numbers: rounding is 1e-8.
    """
    flight = rough_flight(name, vehicle, COMMANDS, changes)
    for found, wanted in zip(together(flight, library), one_by_one(flight), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)


@FAMILY
@EVERYWHERE
def test_copies_with_one_command_are_the_body_alone(
    name: str, vehicle: Vehicle, library: str, integrator: str
) -> None:
    """Equal parameters stay plain numbers, and what is the same for all is decided once."""
    parameters = vehicle.parameters()
    body = Body(parameters, (1.0, -2.0, 5.0), 0.3, 11)
    batch = BatchedVehicle(vehicle, parameters, [(1.0, -2.0, 5.0)] * 5, 0.3, 11, library)
    for k in range(200):
        body.command((3.0 - 0.1 * (k // 20), 1.0, 0.4), 0.5, k > 100)
        batch.step([(3.0 - 0.1 * (k // 20), 1.0, 0.4)] * 5, 0.5, k > 100)
        body.step()
    found = batch.motion()
    for one, wanted in zip(found, body.motion, strict=True):
        rows = np.asarray(one)
        assert rows.shape[0] == 5
        np.testing.assert_allclose(rows, np.broadcast_to(wanted, rows.shape), atol=1e-12)


@FAMILY
@EVERYWHERE
def test_single_precision(name: str, vehicle: Vehicle, library: str) -> None:
    """Over 50 updates from rest to one command, to 1e-5 of what moves."""
    single = namespace(library, 'float32')
    start, wish = np.tile((0.0, 0.0, 5.0), (3, 1)), np.tile((1.0, 0.5, 0.0), (3, 1))
    batches = [BatchedVehicle(vehicle, vehicle.parameters(), start, 0.3, 1, xp)
               for xp in (single, 'numpy')]  # fmt: skip
    for batch in batches:
        for _ in range(50):
            batch.step(wish, 0.2)
    found, wanted = ([np.asarray(one) for one in b.motion()] for b in batches)
    assert {one.dtype for one in found} == {np.dtype('float32')}
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)


@EVERYWHERE
def test_single_precision_stays_single_in_gusts(library: str) -> None:
    """Their random numbers are made in double precision: rounded, 1 - u could be 0."""
    kind, xp, seeds = VEHICLES['quadrotor'], namespace(library, 'float32'), np.arange(2000)
    gusty, start = kind.parameters(gust_intensity=1.5), np.tile((0.0, 0.0, 30.0), (2000, 1))
    batch = BatchedVehicle(kind, gusty, start, 0.0, seeds, xp)
    for _ in range(5):
        batch.step(np.zeros((2000, 3)))
    gust = [np.asarray(one) for one in batch.state.air.gust]
    assert {one.dtype for one in gust} == {np.dtype('float32')}
    assert all(np.isfinite(one).all() and one.std() > 0.0 for one in gust)


class Watched(Namespace):
    """NumPy that takes note of the conditions that were different for some bodies."""

    def __init__(self) -> None:
        self.seen: dict[tuple[str, int], bool] = {}
        super().__init__(np, 'float64', exact=True)

    def condition(self, value: Any) -> Any:
        """Return a condition."""
        found = super().condition(value)
        frames = [frame for frame, _ in traceback.walk_stack(sys._getframe(1))
                  if not frame.f_code.co_filename.endswith('translation.py')]
        names = [frame.f_code.co_name for frame in frames]  # branches are functions, too
        inner = next(name for name in names if not name.startswith(('__', '<')))
        place = inner, frames[0].f_lineno
        self.seen[place] = self.seen.get(place, False) or not isinstance(found, bool)
        return found


RARE = {'heading_rate', 'turned', 'next_second', 'velocity_of'}
"""Functions with branches that no flight takes; they have a test below."""


@pytest.mark.parametrize('name', VEHICLES)
def test_bodies_differ_in_every_condition(name: str) -> None:
    """Otherwise the tests above show little: another vehicle needs other bodies in ``WILD``."""
    watched = Watched()
    for _ in together(rough_flight(name, VEHICLES[name], COMMANDS, WILD), watched):
        pass
    assert len(watched.seen) > 10
    alike = {place for place, is_mixed in watched.seen.items() if not is_mixed}
    assert {function for function, _ in alike} <= RARE, alike


LEVEL = (0.0, 0.0, 0.0, 1.0)
UPRIGHT = 0.0, -math.sqrt(0.5), 0.0, math.sqrt(0.5)
ATTITUDES = [LEVEL, UPRIGHT, LEVEL, (0.0, 0.0, 0.6, 0.8)]


@pytest.mark.parametrize(
    ('function', 'arguments'),
    [
        (turned, [(LEVEL, (rate, 2.0, -rate), 0.002) for rate in (0.0, 1.0, 90.0, 400.0)]),
        (heading_rate, [(one, (0.1, 0.2, 0.3)) for one in ATTITUDES]),
        (next_second, [((0.5, 0.1), tau, 1.0, -1.0) for tau in (1e-20, 1e-3, 0.5, 3.0)]),
        (velocity_of,
         [(Attitude(one, (0.5, -0.0, -2.0), (0.1, 0.2, 0.3)),) for one in ATTITUDES]),
    ],
)  # fmt: skip
def test_branches_that_no_flight_takes(function: Any, arguments: list[tuple]) -> None:
    """Fast rotations, a nose straight up, steps too short for any noise, headings due east."""
    columns = stacked(arguments, exact())
    with np.errstate(all='ignore'):
        found = exact().spread(over_arrays(function, exact())(*columns), len(arguments))
    wanted = [function(*one) for one in arguments]
    rows = np.column_stack(found) if isinstance(found, tuple) else found
    assert rows.tobytes() == np.array(wanted).tobytes()


START = np.array([[0.0, 0.0, 5.0], [1.0, 2.0, 3.0]])
WISH = np.array([[2.0, 0.0, 0.0], [0.0, 1.0, 0.5]])


@EVERYWHERE
def test_some_are_reset(library: str) -> None:
    """They are at rest where they began, the others fly on."""
    flight = rough_flight('quadrotor', VEHICLES['quadrotor'], 2)
    fresh, batch = batch_of(flight, library), batch_of(flight, library)
    for _ in range(30):
        batch.step(flight.velocities[1])
    flown = [np.asarray(one).copy() for one in flat(batch.state)]
    mask = np.arange(BODIES) % 3 == 0
    batch.reset(mask)
    for one, start, before in zip(flat(batch.state), flat(fresh.state), flown, strict=True):
        now = np.asarray(one)
        assert np.array_equal(now[mask], np.asarray(start)[mask])
        assert np.array_equal(now[~mask], before[~mask], equal_nan=True)
    batch.reset()
    assert np.array_equal(*(np.asarray(b.motion().position) for b in (batch, fresh)))


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
        np.testing.assert_allclose(np.asarray(one)[1], wanted, atol=1e-12)
    assert two(VEHICLES['kinematic'], library).attitude() is None


@EVERYWHERE
def test_later_changes_of_what_it_is_given_do_not_matter(library: str) -> None:
    """A vehicle may keep its command in its state."""
    batch = two(INTEGRATOR, library)
    rates = batch.xp.array([0.1, 0.2])
    batch.step(WISH, rates)
    rates[0] = 5.0
    assert np.asarray(batch.state.yaw_rate).tolist() == [0.1, 0.2]


def two(kind: Vehicle, library: str = 'numpy', **values: Any) -> BatchedVehicle:
    """Return two bodies."""
    return BatchedVehicle(kind, kind.parameters(**values), START, xp=library)


KIND = VEHICLES['kinematic']
PARAMETERS = KIND.parameters()


@pytest.mark.parametrize(
    ('given', 'message'),
    [
        ({'positions': np.zeros(3)}, r'positions have the shape \(3,\), must be \(3, 3\)'),
        ({'positions': np.zeros((0, 3))}, r'positions .* \(0, 3\), must be \(E, 3\)'),
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
    with pytest.raises(BatchError, match='a loop of 2 to 4 rounds must be the same for all'):
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
    states = [[np.asarray(one).tobytes() for one in flat(b.state)] for b in (plain, zero, wide)]
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


class Thing(NamedTuple):
    """Numbers of all kinds."""

    size: float
    place: tuple[float, float]
    count: int
    is_free: bool


def test_what_differs_between_records_becomes_an_array() -> None:
    """By its type; NaN equals NaN, and 0 does not equal -0."""
    one, other = Thing(math.nan, (0.0, 1.0), 2, True), Thing(math.nan, (-0.0, 1.0), 3, False)
    found = stacked([one, other], namespace('numpy'))
    assert math.isnan(found.size) and found.place[1] == 1.0
    assert np.signbit(found.place[0]).tolist() == [False, True]
    assert found.count.dtype == np.int64 and found.is_free.tolist() == [True, False]
    assert isinstance(found, Thing)
