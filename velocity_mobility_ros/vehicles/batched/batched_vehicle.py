"""Many simulated bodies of one type that advance together."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from velocity_mobility_ros.core.coordinate_frames import Attitude, VehicleMotion
from velocity_mobility_ros.core.parameter_declaration import declarations
from velocity_mobility_ros.core.random_numbers import LARGEST_SEED
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.core.velocity_model import MobilityParameters
from velocity_mobility_ros.vehicles.batched.array_namespace import (
    Array, BatchError, Namespace, like, namespace
)
from velocity_mobility_ros.vehicles.batched.array_translation import over_arrays, select
from velocity_mobility_ros.vehicles.vehicle import Command, State, Vehicle

Records = MobilityParameters | Sequence[MobilityParameters]


class BatchedVehicle:
    """E bodies of one type, each with its own state, command and, if wanted, parameters.

    Attributes:
        xp: The library of the arrays.
        count: How many bodies there are, E.
        nominal: The parameters that it was made with.
        state: The state of the vehicle, with an array (E,) in place of every number.
    """

    def __init__(
        self,
        vehicle: Vehicle,
        parameters: Records,
        positions: Any,
        yaws: Any = 0.0,
        seeds: Any = 0,
        xp: str | Namespace = 'numpy',
    ) -> None:
        """Start at rest.

        Args:
            vehicle: The type, one of ``VEHICLES``.
            parameters: Parameters of all bodies, or a list of those of each; their update periods
                and steps of integration are equal.
            positions: Positions (E, 3) [m, map].
            yaws: Headings (E,) [rad], or one for all.
            seeds: Seeds (E,) of the bodies' random numbers, or one for all, from 0 to 2^53.
            xp: Name of a library, or what ``namespace`` returns.

        Raises:
            BatchError: A shape does not fit, the update periods differ, or the vehicle is written
                in a way that has no meaning over arrays.
        """
        self.xp = namespace(xp)
        self.count, numbers = len(positions), np.asarray(seeds)
        if numbers.dtype.kind not in 'iu' or numbers.min() < 0 or numbers.max() > LARGEST_SEED:
            raise BatchError('seeds must be whole numbers from 0 to 2^53')
        self._vehicle = vehicle
        self._at_rest, self._step, self._motion = (
            over_arrays(function, self.xp)
            for function in (vehicle.at_rest, vehicle.step, vehicle.motion)
        )
        self._attitude = vehicle.attitude and over_arrays(vehicle.attitude, self.xp)
        self.nominal = self.parameters = parameters
        self._start = self._vectors('positions', positions)
        self._yaws = self._by_body('yaws', yaws)
        self._seeds = self._by_body('seeds', numbers.astype(np.int64), int)
        self.state: State = self._initial_state()

    @property
    def parameters(self) -> Records:
        """Parameters of all bodies, or a list of those of each; replaceable between steps."""
        return self._parameters

    @parameters.setter
    def parameters(self, parameters: Records) -> None:
        records = [parameters] if isinstance(parameters, MobilityParameters) else list(parameters)
        if len(records) not in (1, self.count):
            raise BatchError(f'parameters of {len(records)} bodies, must be of {self.count}')
        periods = {record.update_rate for record in records}
        if len(periods) != 1:
            raise BatchError(
                f'update_rate from {min(periods)} to {max(periods)} s, must be equal for all'
            )
        self._parameters, self._dt = parameters, periods.pop()
        self._coefficients = stacked(
            [self._vehicle.coefficients(record) for record in records], self.xp
        )

    def randomise(self, widths: Mapping[str, float], seed: int) -> None:
        """Give every body parameters of its own around the nominal ones, see ``randomised``."""
        self.parameters = randomised(self.nominal, widths, self.count, seed)

    def step(self, velocities: Any, yaw_rates: Any = 0.0, in_body: Any = False) -> None:
        """Advance all bodies by one update period.

        Args:
            velocities: Commanded velocities (E, 3) [m/s].
            yaw_rates: Commanded yaw rates (E,) [rad/s], or one for all.
            in_body: Whether velocities are forward, left and up instead of in map: a flag, or one
                per body (E,).

        Raises:
            BatchError: A shape does not fit.
        """
        vector = self._vectors('velocities', velocities)
        frame = in_body if isinstance(in_body, bool) else self._by_body('in_body', in_body, bool)
        command = Command(vector, self._by_body('yaw_rates', yaw_rates), frame)
        self.state = self._whole(self._step, self._coefficients, self.state, command, self._dt)

    def motion(self) -> VehicleMotion:
        """Return the motion: position (E, 3), yaw (E,), velocity (E, 3), yaw rate (E,)."""
        position, yaw, velocity, yaw_rate = self._whole(self._motion, self.state)
        return VehicleMotion(self.xp.stack(position), yaw, self.xp.stack(velocity), yaw_rate)

    def attitude(self) -> Attitude | None:
        """Return rotation (E, 4), velocity (E, 3) and body rates (E, 3); None if always level."""
        if self._attitude is None:
            return None
        return Attitude(*map(self.xp.stack, self._whole(self._attitude, self.state)))

    def reset(self, mask: Any = True) -> None:
        """Put bodies back to where they began, at rest.

        Args:
            mask: Which ones (E,); all by default.
        """
        chosen = self._by_body('mask', mask, bool)
        self.state = select(self.xp, chosen, self._initial_state(), self.state)

    def _initial_state(self) -> State:
        return self._whole(self._at_rest, self._start, self._yaws, self._seeds)

    def _whole(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what a function returns, with an array in place of every number."""
        with np.errstate(all='ignore'):
            return self.xp.spread(function(*arguments), self.count)

    def _vectors(self, name: str, value: Any) -> tuple[Array, ...]:
        """Return three columns (E,) of vectors (E, 3)."""
        array = self.xp.array(value)
        if tuple(array.shape) != (self.count, 3) or not self.count:
            raise BatchError(
                f'{name} have the shape {tuple(array.shape)}, must be ({self.count or "E"}, 3)'
            )
        return tuple(self._by_body(name, array[:, i]) for i in range(3))

    def _by_body(self, name: str, value: Any, kind: type = float) -> Array:
        """Return one value per body, an array (E,)."""
        array = self.xp.array(value)
        shape = tuple(array.shape)
        if shape not in ((), (self.count,)):
            raise BatchError(
                f'{name} have the shape {shape}, must be ({self.count},) or one for all'
            )
        return self.xp.spread(self.xp.converted(kind, array), self.count)


def stacked(records: Sequence[Any], xp: Namespace) -> Any:
    """Return the records of many bodies as one; a number that all share stays a number.

    With plain numbers everything is decided once, not by body.
    """
    first = records[0]
    if isinstance(first, tuple):
        return like(first, (stacked(numbers, xp) for numbers in zip(*records, strict=True)))
    # NaN equals NaN here, and 0 does not equal -0
    return first if len(set(map(repr, records))) == 1 else xp.array(records)


def randomised(
    nominal: Records, widths: Mapping[str, float], count: int, seed: int
) -> list[MobilityParameters]:
    """Return parameters for some bodies, uniform around the nominal ones.

    A field with the width w is multiplied by a number from 1 - w to 1 + w; every body and every
    field has its own. The numbers of a field depend on the seed and its name alone. With the
    width 0 a field keeps its value to the bit.

    Args:
        nominal: Parameters of all bodies, or a list of those of each.
        widths: Relative widths by names of fields, from 0 to below 1.
        count: How many bodies there are.
        seed: Seed of the numbers, >= 0.

    Raises:
        BatchError: A field is unknown, no floating point number or none is set, a width is
            outside its range, or a body's parameters are refused.
    """
    records = [nominal] * count if isinstance(nominal, MobilityParameters) else list(nominal)
    known = declarations(type(records[0]))
    floats = [name for name, declaration in known.items() if declaration.kind is float]
    factors = {}
    for name, width in widths.items():
        if name not in floats:
            raise BatchError(f'{name!r} cannot be randomised; known: {", ".join(floats)}')
        if not 0.0 <= width < 1.0:
            raise BatchError(f'width of {name} = {width}, must be at least 0 and below 1')
        if None in (getattr(body, name) for body in records):
            raise BatchError(f'{name} = none cannot be randomised; give it a value')
        stream = np.random.default_rng([seed, *name.encode()])
        factors[name] = 1.0 + width * stream.uniform(-1.0, 1.0, count)
    try:
        return [
            dataclasses.replace(
                body,
                **{name: float(row[i]) * getattr(body, name) for name, row in factors.items()},
            )
            for i, body in enumerate(records)
        ]
    except ParameterError as error:
        raise BatchError(f'randomised parameters are refused: {error}; take less width') from None
