"""Whether an airframe that was told to stop stays where it stopped, whatever it flew before."""

import math
from collections.abc import Callable

import pytest

from soliton_encirclement_ros.core.scenario.vehicle_file import find_vehicle, read_vehicle
from support.vehicles.quadrotor_flights import command, flown
from velocity_mobility_ros.core.velocity_model import Vector, next_velocity
from velocity_mobility_ros.vehicles.quadrotor.quadrotor_parameters import QuadrotorParameters
from velocity_mobility_ros.vehicles.vehicle import Command

SPEED = 8.0
"""Speed flown [m/s], or the largest one."""

STOP = 10.0
"""When it is told to stop [s]."""

CREEP = 0.4
"""Way [m] that it may go in the 30 s after it has stopped."""

WAYS: dict[str, Callable[[float, float], Vector]] = {
    'straight': lambda v, t: (v, 0.0, 0.0),
    'turns': lambda v, t: (v * math.cos(t), v * math.sin(t), 0.0),
    'reversals': lambda v, t: (v if t % 4.0 < 2.0 else -v, 0.0, 0.0),
    'start': lambda v, t: (v if t > 8.0 else 0.0, 0.0, 0.0),
}


def airframe_in_wind(name: str, wind: float) -> QuadrotorParameters:
    """Return an airframe, or the default machine, in wind from the south-east [m/s]."""
    given = {} if name == 'quadrotor' else read_vehicle(find_vehicle(name)).mobility
    part = wind * math.sqrt(0.5)
    return QuadrotorParameters(**given, wind_east=-part, wind_north=part)


def time_to_stop(parameters: QuadrotorParameters, velocity: Vector) -> float:
    """Return how long the velocity model takes to stop [s], to 0.05 m/s."""
    limits, updates = parameters.limits, 0
    while math.hypot(*velocity) > 0.05:
        velocity = next_velocity(velocity, (0.0, 0.0, 0.0), parameters.update_rate, limits)
        updates += 1
    return updates * parameters.update_rate


@pytest.mark.parametrize(
    ('name', 'way', 'wind'),
    [('x500', 'straight', 3.0), ('iris', 'turns', 0.0), ('hummingbird', 'reversals', 3.0),
     ('crazyflie_2', 'start', 3.0), ('quadrotor', 'turns', 3.0)],
)  # fmt: skip
def test_it_stays_where_it_stopped(name: str, way: str, wind: float) -> None:
    """From 2 s after the velocity model has stopped, for 30 s."""
    parameters = airframe_in_wind(name, wind)
    speed = min(SPEED, parameters.max_speed_xy)

    def wish(now: float) -> Command:
        return command(WAYS[way](speed, now) if now < STOP else (0.0, 0.0, 0.0))

    there = flown(parameters, wish, STOP)[-1]
    assert math.hypot(*there.body.velocity[:2]) > 0.4 * speed
    rest = time_to_stop(parameters, there.body.velocity) + 2.0
    stopped = flown(parameters, command((0.0, 0.0, 0.0)), rest, there)[-1]
    after = flown(parameters, command((0.0, 0.0, 0.0)), 30.0, stopped)
    x, y, _ = stopped.body.position
    places = [state.body.position for state in after]
    assert max(math.hypot(place[0] - x, place[1] - y) for place in places) < CREEP
