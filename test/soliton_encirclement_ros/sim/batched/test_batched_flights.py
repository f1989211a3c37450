"""Vehicles over a leading axis: each body flies as it does alone."""

import math
import sys
from typing import Any

import numpy as np
import pytest
from soliton_encirclement_ros.sim.batched import BatchedVehicle, namespace, over_arrays
from soliton_encirclement_ros.sim.batched.numpy_namespace import NumpyNamespace
from support.vehicles.batches import (
    GUSTY,
    LIBRARIES,
    NONE,
    WILD,
    Changes,
    exact,
    flat,
    one_by_one,
    rough_flight,
    together,
)
from support.vehicles.integrator import INTEGRATOR, NAME, integrator
from velocity_mobility_ros.core.motion import Attitude, velocity_of
from velocity_mobility_ros.vehicles import VEHICLES, Body, Vehicle
from velocity_mobility_ros.vehicles.dryden import next_second
from velocity_mobility_ros.vehicles.quadrotor.attitude import heading_rate, turned

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
        rows = batch.xp.to_numpy(one)
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
    found, wanted = ([b.xp.to_numpy(one) for one in b.motion()] for b in batches)
    assert {one.dtype for one in found} == {np.dtype('float32')}
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)


@EVERYWHERE
def test_single_precision_stays_single_in_gusts(library: str) -> None:
    """Their random numbers are made in double precision: rounded, 1 - u could be 0."""
    kind = VEHICLES['quadrotor']
    gusty = kind.parameters(gust_intensity=1.5)
    xp = namespace(library, 'float32')
    seeds = np.arange(2000)
    batch = BatchedVehicle(kind, gusty, np.tile((0.0, 0.0, 30.0), (2000, 1)), 0.0, seeds, xp)
    for _ in range(5):
        batch.step(np.zeros((2000, 3)))
    gust = [xp.to_numpy(one) for one in batch.state.air.gust]
    assert {one.dtype for one in gust} == {np.dtype('float32')}
    assert all(np.isfinite(one).all() and one.std() > 0.0 for one in gust)


class Watched(NumpyNamespace):
    """NumPy that takes note of the conditions that were different for some bodies."""

    def __init__(self) -> None:
        self.seen: dict[tuple[str, int], bool] = {}
        super().__init__('float64', exact=True)

    def condition(self, value: Any) -> Any:
        """Return a condition."""
        found = super().condition(value)
        frame = sys._getframe(1)
        while frame.f_code.co_filename.endswith('predication.py'):
            frame = frame.f_back
        place = frame.f_code.co_name, frame.f_lineno
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


STEPS = np.array([1e-20, 1e-3, 0.5, 3.0])
LEVEL = (0.0, 0.0, 0.0, 1.0)
UPRIGHT = 0.0, -math.sqrt(0.5), 0.0, math.sqrt(0.5)


@pytest.mark.parametrize(
    ('function', 'arguments'),
    [
        (turned, [(LEVEL, (rate, 2.0, -rate), 0.002) for rate in (0.0, 1.0, 90.0, 400.0)]),
        (heading_rate, [(one, (0.1, 0.2, 0.3)) for one in (LEVEL, UPRIGHT, LEVEL, UPRIGHT)]),
        (next_second, [((0.5, 0.1), tau, 1.0, -1.0) for tau in STEPS.tolist()]),
    ],
)
def test_branches_that_no_flight_takes(function: Any, arguments: list[tuple]) -> None:
    """Fast rotations, a nose straight up, steps too short for any noise."""
    columns = [np.array(column) for column in zip(*map(flat, arguments), strict=True)]
    parts = iter(columns)
    shaped = [tuple(next(parts) for _ in one) if isinstance(one, tuple) else next(parts)
              for one in arguments[0]]  # fmt: skip
    with exact().errors_as_values():
        found = over_arrays(function, exact())(*shaped)
    wanted = [function(*one) for one in arguments]
    rows = np.column_stack(found) if isinstance(found, tuple) else found
    assert rows.tobytes() == np.array(wanted).tobytes()


def test_bodies_of_which_some_head_east_exactly() -> None:
    """Their velocity keeps the signs of zeros."""
    twist = (0.5, -0.0, -2.0), (0.1, 0.2, 0.3)
    attitudes = [Attitude(one, *twist) for one in (LEVEL, UPRIGHT, LEVEL, (0.0, 0.0, 0.6, 0.8))]
    parts = zip(*attitudes, strict=True)
    columns = [tuple(map(np.array, zip(*part, strict=True))) for part in parts]
    with exact().errors_as_values():
        found = over_arrays(velocity_of, exact())(Attitude(*columns))
    wanted = np.array([velocity_of(one) for one in attitudes])
    assert np.column_stack(found).tobytes() == wanted.tobytes()
