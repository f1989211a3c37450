"""Rough flights of many bodies, at once and one by one."""

import math
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from velocity_mobility_ros.core.velocity_model import MobilityParameters
from velocity_mobility_ros.vehicles.batched.array_namespace import Namespace, namespace
from velocity_mobility_ros.vehicles.batched.batched_vehicle import BatchedVehicle
from velocity_mobility_ros.vehicles.vehicle import Command, Vehicle

BODIES = 24
HIGH = 400.0
"""Height of one body [m]: above the model of gusts."""

PERIOD = 15
"""Updates between two commands."""

LIBRARIES = ['numpy', *(['torch'] if find_spec('torch') else [])]
"""Libraries that are installed; that of torch for PyPI takes 4 GB and is not set up."""

Changes = dict[str, list[dict[str, Any]]]
NONE: Changes = {}

CALM: dict[str, dict[str, Any]] = {
    'quadrotor': {
        'attitude_gain_xy': 6.0, 'rate_gain_xy': 14.0, 'max_rate_xy': 4.0,
        'velocity_reference_tau_z': None,
    },
}  # fmt: skip
"""Parameters of all bodies: with the faster loops of the default quadrotor rounding errors grow to
1e-8 under commands beyond all limits."""

OTHER: Changes = {
    'kinematic': [
        {'tau_xy': None}, {'tau_z': None, 'max_speed_xy': 0.0}, {'tau_xy': 0.02, 'tau_z': 0.02},
        {'max_acc_xy': 0.5, 'max_speed_z': 1.0},
    ],
    'second_order': [
        {'tau_xy': None, 'acceleration_tau_xy': None}, {'tau_z': None, 'max_speed_xy': 0.0},
        {'acceleration_tau_z': None, 'acceleration_tau_xy': 0.6}, {'max_acc_xy': 0.5},
    ],
    'quadrotor': [
        {'ground': 0.0}, {'wind_north': -6.0, 'wind_east': 2.0}, {'front_right_spin': 'clockwise'},
        {'ground': 4.0, 'mass': 2.2, 'rotor_speed_max': 8000.0},
        {'velocity_reference_tau_xy': 0.5, 'drag_feedforward': 1.0},
        {'velocity_reference_tau_z': 0.4, 'drag_feedforward': 0.5},
        {'drag_area_x': 0.03, 'drag_area_y': 0.02, 'drag_area_z': 0.05, 'drag_feedforward': 0.7,
         'max_speed_xy': 1.0},
    ],
    'tracked': [
        {'tau_xy': None}, {'track_length': 0.3, 'cg_offset': 0.05},
        {'friction_x': 0.3, 'friction_y': 0.2, 'max_acc_xy': 1.0}, {'max_speed_xy': 0.5},
    ],
}  # fmt: skip
"""Parameters of some of the bodies, by vehicle: so that both ways of every branch are taken."""

GUSTY: Changes = {
    'quadrotor': [
        {'gust_intensity': 1.5, 'wind_east': 4.0}, {'gust_intensity': 0.8, 'ground': 0.0},
    ],
}  # fmt: skip
"""Those of bodies in gusts, whose noise has rounding errors of 1e-8."""

WILD: Changes = {
    **GUSTY,
    'quadrotor': [
        {'inertia_xx': 0.1, 'inertia_yy': 0.1, 'inertia_zz': 0.1}, *GUSTY['quadrotor'],
    ],
}  # fmt: skip
"""And of those whose rotors cannot hold them: rounding errors grow."""


class Flight(NamedTuple):
    """What bodies are and what they are told.

    Attributes:
        vehicle: Their type.
        parameters: Those of each body.
        positions: Where they begin [m], (E, 3).
        yaws: Headings there [rad], (E,).
        seeds: Seeds of their random numbers, (E,).
        velocities: Commands [m/s], (K, E, 3), each for ``PERIOD`` updates.
        yaw_rates: The same of the yaw rate [rad/s], (K, E).
        in_body: In which frame the commands are, (K, E).
    """

    vehicle: Vehicle
    parameters: list[MobilityParameters]
    positions: np.ndarray
    yaws: np.ndarray
    seeds: np.ndarray
    velocities: np.ndarray
    yaw_rates: np.ndarray
    in_body: np.ndarray


def rough_flight(name: str, vehicle: Vehicle, commands: int, more: Changes = NONE) -> Flight:
    """Return a flight of different bodies, with commands beyond all limits and some undefined."""
    stream = np.random.default_rng([7, commands])
    changes = [{}, *OTHER.get(name, []), *more.get(name, [])]
    calm = CALM.get(name, {})
    base = [vehicle.parameters(**{**calm, **changes[i % len(changes)]}) for i in range(BODIES)]
    positions = stream.normal(0.0, 5.0, (BODIES, 3)) + np.array((0.0, 0.0, 5.0))
    positions[7, 2] = HIGH
    sizes = stream.choice([0.05, 1.0, 6.0, 40.0], (commands, BODIES, 1))
    velocities = sizes * stream.normal(0.0, 1.0, (commands, BODIES, 3))
    yaw_rates = stream.normal(0.0, 2.0, (commands, BODIES))
    for k, value in enumerate((math.nan, math.inf, -math.inf, 0.0)):
        velocities[k % commands, k, :] = value
        velocities[(k + 1) % commands, k, 2] = value
        yaw_rates[k % commands, k] = value if math.isnan(value) else 50.0
    velocities[:, 5] = 0.0
    return Flight(
        vehicle, base, positions, stream.uniform(-7.0, 7.0, BODIES),
        stream.integers(0, 2**53, BODIES), velocities, yaw_rates,
        stream.random((commands, BODIES)) < 0.4,
    )  # fmt: skip


def batch_of(flight: Flight, xp: str | Namespace) -> BatchedVehicle:
    """Return the bodies of a flight where they begin."""
    vehicle, parameters, positions, yaws, seeds = flight[:5]
    return BatchedVehicle(vehicle, parameters, positions, yaws, seeds, xp)


def together(flight: Flight, xp: str | Namespace) -> Iterator[np.ndarray]:
    """Iterate over states and motions of all bodies at once, a row each, after every command."""
    batch = batch_of(flight, xp)
    for velocities, yaw_rates, in_body in zip(*flight[5:], strict=True):
        for _ in range(PERIOD):
            batch.step(velocities, yaw_rates, in_body)
        columns = [*flat(batch.state), *flat(batch.motion())]
        arrays = [np.asarray(one).astype(float) for one in columns]
        yield np.column_stack(arrays)


def one_by_one(flight: Flight) -> Iterator[np.ndarray]:
    """Iterate over the same of plain bodies."""
    vehicle = flight.vehicle
    models = [vehicle.coefficients(one) for one in flight.parameters]
    starts = zip(
        flight.positions.tolist(), flight.yaws.tolist(), flight.seeds.tolist(), strict=True
    )
    states = [vehicle.at_rest(tuple(start), yaw, seed) for start, yaw, seed in starts]
    for wishes in zip(*flight[5:], strict=True):
        lists = [wish.tolist() for wish in wishes]
        commands = [Command(tuple(v), r, f) for v, r, f in zip(*lists, strict=True)]
        for i, command in enumerate(commands):
            for _ in range(PERIOD):
                dt = flight.parameters[i].update_rate
                states[i] = vehicle.step(models[i], states[i], command, dt)
        yield np.array([[*flat(one), *flat(vehicle.motion(one))] for one in states], dtype=float)


def flat(value: Any) -> list[Any]:
    """Return the parts of nested tuples."""
    return [x for part in value for x in flat(part)] if isinstance(value, tuple) else [value]


def exact() -> Namespace:
    """Return NumPy with the functions of ``math``."""
    return namespace('numpy', exact=True)
