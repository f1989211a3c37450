"""Bodies and leaders of nodes whose steps are machine code, for those that take long in Python.

A quadrotor that simulates its rotors at 500 Hz takes half a millisecond of plain Python per update
and some microseconds compiled. Both give the same bits.

A leader on a path is a hundred times faster, with the same bits, too. It lies in a row of numbers:
the machine code returns nothing but a whole number.
"""

import functools
import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from soliton_encirclement_ros.core.laws.record_rows import packing
from soliton_encirclement_ros.sim.compilation.call_graph import adopt
from soliton_encirclement_ros.sim.compilation.compiled import compiled
from soliton_encirclement_ros.swarm.memory import FINE, Floats
from soliton_encirclement_ros.swarm.over_rows import packed
from velocity_mobility_ros.core.trajectory.leader_track import LeaderFlight, LeaderTrack, fly_rows
from velocity_mobility_ros.core.trajectory.polyline import polyline
from velocity_mobility_ros.core.trajectory.polyline_records import (
    FollowSettings, PathState, start_progress, start_state
)
from velocity_mobility_ros.core.velocity_model import MobilityParameters, Vector
from velocity_mobility_ros.vehicles.simulated_body import Body
from velocity_mobility_ros.vehicles.vehicle import VEHICLES, Command, Vehicle

ORIGIN: Vector = (0.0, 0.0, 0.0)


class CompiledBody(Body):
    """A body that steps by machine code; its state lies in a row of numbers."""

    def __init__(self, parameters: MobilityParameters, *start: Any, **options: Any) -> None:
        """Start at rest, as ``Body``."""
        vehicle = VEHICLES[parameters.vehicle]
        self._packing = packing(vehicle.at_rest(ORIGIN, 0.0, 0))
        self._row = np.zeros(self._packing.size)
        self._stepped = compiled(stepping(vehicle))
        super().__init__(parameters, *start, **options)

    @property
    def state(self) -> object:
        """The state of the vehicle."""
        if self._state is None:
            self._state = self._packing.unpack(self._row.tolist())
        return self._state

    @state.setter
    def state(self, state: object) -> None:
        self._state = state
        self._packing.pack(state, self._row)

    @property
    def parameters(self) -> MobilityParameters:
        """Limits and lag; replaceable between steps, except for the type of vehicle."""
        return super().parameters

    @parameters.setter
    def parameters(self, parameters: MobilityParameters) -> None:
        Body.parameters.fset(self, parameters)
        self._coefficients_row = packed(self._coefficients)

    def _advance(self, command: Command) -> None:
        """Move by one update period with a command in effect."""
        (vx, vy, vz), yaw_rate, in_body = command
        dt = self._parameters.update_rate
        self._stepped(self._coefficients_row, self._row, vx, vy, vz, yaw_rate, in_body, dt)
        self._state = None


@functools.cache
def stepping(vehicle: Vehicle) -> Callable[..., int]:
    """Return the step of one body over rows; the same every time, so that it is found compiled."""
    adopt(vehicle.step)
    step = vehicle.step
    _, pack_state, unpack_state = packing(vehicle.at_rest(ORIGIN, 0.0, 0))
    unpack_model = packing(vehicle.coefficients(vehicle.parameters())).unpack

    def step_row(
        coefficients: Floats, state: Floats, vx: float, vy: float, vz: float, yaw_rate: float,
        in_body: bool, dt: float,
    ) -> int:  # fmt: skip
        """Advance a state by a period [s] in place."""
        wanted = Command((vx, vy, vz), yaw_rate, in_body)
        pack_state(step(unpack_model(coefficients), unpack_state(state), wanted, dt), state)
        return FINE

    return step_row


def make_body(parameters: MobilityParameters, *start: Any, **options: Any) -> Body:
    """Return a body, by the arguments of ``Body``, compiled if its vehicle is slow otherwise."""
    kind = CompiledBody if VEHICLES[parameters.vehicle].is_costly else Body
    return kind(parameters, *start, **options)


def body_programs(vehicles: Iterable[MobilityParameters]) -> list[Callable]:
    """Return the functions that bodies of some vehicles need compiled."""
    types = dict.fromkeys(VEHICLES[one.vehicle] for one in vehicles)
    return [stepping(vehicle) for vehicle in types if vehicle.is_costly]


def load_bodies(vehicles: Iterable[MobilityParameters]) -> None:
    """Load the compiled steps of bodies, or compile them."""
    for one in vehicles:
        make_body(one, ORIGIN).step()


REST = start_state(0.0, (0.0, 0.0, 0.0), start_progress(0))


def fly_compiled(
    vertices: Any, state: PathState, settings: FollowSettings, first: int, rows: Floats
) -> LeaderFlight:
    """Do what ``fly_rows`` does, by machine code."""
    found, how = _leader(), packing(settings)
    packed, numbers = np.zeros(found.size + 1), np.zeros(how.size)
    found.pack(state, packed)
    how.pack(settings, numbers)
    count = compiled(flying())(vertices, packed, numbers, first, rows)
    *leader, code = packed.tolist()
    return LeaderFlight(found.unpack(leader), int(code), count)


@functools.cache
def _leader() -> Any:
    return packing(REST)


@functools.cache
def flying() -> Callable[..., int]:
    """Return ``fly_rows`` over rows; the same every time, so that it is found compiled."""
    size, pack_state, unpack_state = _leader()
    unpack_settings = packing(FollowSettings()).unpack

    def fly_packed(
        vertices: Floats, leader: Floats, settings: Floats, first: int, rows: Floats
    ) -> int:
        """Fly on; leave the leader and the outcome in a row, and return the number of rows."""
        found = fly_rows(vertices, unpack_state(leader), unpack_settings(settings), first, rows)
        pack_state(found.state, leader)
        leader[size] = found.code
        return found.rows

    return fly_packed


def leader_programs() -> list[Callable]:
    """Return the functions that leaders need compiled."""
    return [flying()]


def load_leader() -> None:
    """Load the compiled way of leaders, or compile it."""
    way = polyline([[0.0, 0.0, 0.0, math.nan], [1.0, 0.0, 0.0, math.nan]])
    LeaderTrack(way, FollowSettings(), fly_compiled).reach(1)
