"""Many simulated bodies of one type that advance together."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from velocity_mobility_ros.core.model import MobilityParameters
from velocity_mobility_ros.core.motion import Attitude, VehicleMotion
from velocity_mobility_ros.vehicles import Command, Vehicle
from velocity_mobility_ros.vehicles.vehicle import State

from soliton_encirclement_ros.sim.batched.arguments import by_body, seeds_of
from soliton_encirclement_ros.sim.batched.errors import BatchError
from soliton_encirclement_ros.sim.batched.linking import over_arrays
from soliton_encirclement_ros.sim.batched.namespaces import Array, Namespace, namespace
from soliton_encirclement_ros.sim.batched.predication import predication
from soliton_encirclement_ros.sim.batched.randomisation import randomised
from soliton_encirclement_ros.sim.batched.records import mapped, stacked

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
        starts = np.asarray(positions, dtype=float)
        if starts.ndim != 2 or starts.shape[1] != 3 or not len(starts):
            raise BatchError(f'positions have the shape {starts.shape}, must be (E, 3), E >= 1')
        self.count = len(starts)
        self._vehicle = vehicle
        self._at_rest, self._step, self._motion = (
            over_arrays(one, self.xp) for one in (vehicle.at_rest, vehicle.step, vehicle.motion)
        )
        self._attitude = vehicle.attitude and over_arrays(vehicle.attitude, self.xp)
        self.nominal = parameters
        self.parameters = parameters
        self._start = tuple(self._numbers('positions', x) for x in starts.T)
        self._yaws = self._numbers('yaws', yaws)
        self._seeds = by_body('seeds', seeds_of(seeds), self.xp.integer, self.count, self.xp)
        self.state: State = self._rest()

    @property
    def parameters(self) -> Records:
        """Parameters of all bodies, or a list of those of each; replaceable between steps."""
        return self._parameters

    @parameters.setter
    def parameters(self, parameters: Records) -> None:
        records = [parameters] if isinstance(parameters, MobilityParameters) else list(parameters)
        if len(records) != 1 and len(records) != self.count:
            raise BatchError(f'parameters of {len(records)} bodies, must be of {self.count}')
        periods = {one.update_rate for one in records}
        if len(periods) != 1:
            raise BatchError(
                f'update_rate from {min(periods)} to {max(periods)} s, must be equal for all'
            )
        self._parameters, self._dt = parameters, periods.pop()
        self._means = stacked([self._vehicle.means(one) for one in records], self.xp)

    def randomise(self, widths: dict[str, float], seed: int) -> None:
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
        wish = self.xp.array(velocities)
        if tuple(wish.shape) != (self.count, 3):
            raise BatchError(
                f'velocities have the shape {tuple(wish.shape)}, must be ({self.count}, 3)'
            )
        vector = tuple(self._numbers('velocities', wish[:, i]) for i in range(3))
        frame = in_body if isinstance(in_body, bool) else self._flags('in_body', in_body)
        command = Command(vector, self._numbers('yaw_rates', yaw_rates), frame)
        with self.xp.errors_as_values():
            self.state = self._whole(self._step(self._means, self.state, command, self._dt))

    def motion(self) -> VehicleMotion:
        """Return the motion: position (E, 3), yaw (E,), velocity (E, 3), yaw rate (E,)."""
        with self.xp.errors_as_values():
            position, yaw, velocity, yaw_rate = self._whole(self._motion(self.state))
        return VehicleMotion(self.xp.stack(position), yaw, self.xp.stack(velocity), yaw_rate)

    def attitude(self) -> Attitude | None:
        """Return rotation (E, 4), velocity (E, 3) and body rates (E, 3); None if always level."""
        if self._attitude is None:
            return None
        with self.xp.errors_as_values():
            found = self._whole(self._attitude(self.state))
        return Attitude(*map(self.xp.stack, found))

    def reset(self, mask: Any = True) -> None:
        """Put bodies back to where they began, at rest.

        Args:
            mask: Which ones (E,); all by default.
        """
        fresh = self._rest()
        chosen = True if mask is True else self._flags('mask', mask)
        self.state = predication(self.xp)['__select'](chosen, fresh, self.state)

    def _rest(self) -> State:
        return self._whole(self._at_rest(self._start, self._yaws, self._seeds))

    def _whole(self, record: Any) -> Any:
        return mapped(lambda number: self.xp.spread(number, self.count), record)

    def _numbers(self, name: str, value: Any) -> Array:
        return by_body(name, value, self.xp.real, self.count, self.xp)

    def _flags(self, name: str, value: Any) -> Array:
        return by_body(name, value, self.xp.truth, self.count, self.xp)
