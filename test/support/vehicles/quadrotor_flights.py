"""Flights of a quadrotor: its state after every controller step."""

import dataclasses
from collections.abc import Callable

from velocity_mobility_ros.core.velocity_model import Vector, step as model_step
from velocity_mobility_ros.vehicles.quadrotor.quadrotor import QUADROTOR, QuadrotorState
from velocity_mobility_ros.vehicles.quadrotor.quadrotor_parameters import QuadrotorParameters
from velocity_mobility_ros.vehicles.vehicle import Command

ORIGIN: Vector = (0.0, 0.0, 0.0)
STEPS_XY = (0.2, 0.4, 0.6, 1.0)
"""Horizontal steps of a fit, shares of the largest one."""

STEPS_Z = (1 / 3, -1 / 3, 2 / 3, -2 / 3, 1.0, -1.0)
"""Vertical steps of a fit, shares of the largest speed."""

LARGEST_STEP = 5.0
"""[m/s]"""

SECONDS = 5.0
"""Length of a step of a fit [s]."""


def specified(**values: object) -> QuadrotorParameters:
    """Return the parameters behind the reference vectors.

    It descends slower than it climbs, and its inner loops are slower than those of the default.
    """
    limits = {'max_speed_z': 4.0, 'max_speed_down': 3.0, 'max_acc_z': 5.0, 'max_acc_down': 4.0}
    gains = {
        'attitude_gain_xy': 6.0, 'rate_gain_xy': 14.0, 'max_rate_xy': 4.0,
        'velocity_reference_tau_z': None, 'hold_integral_xy': 0.4,
    }  # fmt: skip
    return QuadrotorParameters(**{**limits, **gains, **values})


def command(velocity: Vector, yaw_rate: float = 0.0, in_body: bool = False) -> Command:
    """Return a command of floats."""
    x, y, z = velocity
    return Command((float(x), float(y), float(z)), float(yaw_rate), in_body)


def flown(
    parameters: QuadrotorParameters,
    wish: Command | Callable[[float], Command],
    seconds: float,
    start: QuadrotorState | None = None,
) -> list[QuadrotorState]:
    """Return the states of a flight from hover, the first one included.

    Args:
        parameters: The vehicle.
        wish: The command, or what returns it for a time [s].
        seconds: Length of the flight.
        start: The state to start in.
    """
    model, dt = QUADROTOR.coefficients(parameters), parameters.update_rate
    states = [start or QUADROTOR.at_rest(ORIGIN, 0.0, 0)]
    for update in range(round(seconds / dt)):
        now = wish if isinstance(wish, Command) else wish(update * dt)
        states.append(QUADROTOR.step(model, states[-1], now, dt))
    return states


def along(axis: int, speed: float) -> Vector:
    """Return a velocity along an axis."""
    return tuple(speed if i == axis else 0.0 for i in range(3))


def response(parameters: QuadrotorParameters, axis: int, speed: float) -> list[float]:
    """Return the velocity along an axis in a step to a speed [m/s]."""
    states = flown(parameters, command(along(axis, speed)), SECONDS)
    return [state.body.velocity[axis] for state in states[1:]]


def modelled(parameters: QuadrotorParameters, axis: int, speed: float, tau: float) -> list[float]:
    """Return the same of the velocity model with a lag [s]."""
    limits = dataclasses.replace(parameters, tau_xy=tau, tau_z=tau).limits
    place = velocity = ORIGIN
    found = []
    for _ in range(round(SECONDS / parameters.update_rate)):
        place, velocity = model_step(
            place, velocity, along(axis, speed), parameters.update_rate, limits
        )
        found.append(velocity[axis])
    return found


def fit_responses(parameters: QuadrotorParameters, axis: int) -> dict[float, list[float]]:
    """Return the responses to the steps of a fit, by their speed [m/s]."""
    largest = parameters.max_speed_z if axis == 2 else min(LARGEST_STEP, parameters.max_speed_xy)
    shares = STEPS_Z if axis == 2 else STEPS_XY
    return {largest * one: response(parameters, axis, largest * one) for one in shares}


def deviations(measured: list[float], model: list[float], speed: float, delay: int) -> list[float]:
    """Return the differences of a response and of a model that is late, shares of the step.

    Args:
        measured: Velocities [m/s] after each update.
        model: Those of the model.
        speed: Size of the step [m/s].
        delay: Updates by which the model is late.
    """
    late = [0.0] * delay + model
    return [abs(one - late[i]) / abs(speed) for i, one in enumerate(measured)]


def fitted_lag(parameters: QuadrotorParameters, axis: int) -> float:
    """Return the lag [s] with which the velocity model is closest to some steps, to 0.01 s.

    Least squares of the errors by the size of each step.
    """
    measured = fit_responses(parameters, axis)
    return least(lambda lag: cost(parameters, measured, axis, lag, 0), 10, 300) / 100


def fitted_lag_and_delay(parameters: QuadrotorParameters) -> tuple[float, int]:
    """Return the horizontal lag [s] and the delay [updates] with which the model is closest."""
    measured = fit_responses(parameters, 0)

    def best_lag(delay: int) -> int:
        return least(lambda lag: cost(parameters, measured, 0, lag, delay), 10, 300)

    delay = least(lambda one: cost(parameters, measured, 0, best_lag(one), one), 0, 60)
    return best_lag(delay) / 100, delay


def cost(
    parameters: QuadrotorParameters,
    measured: dict[float, list[float]],
    axis: int,
    hundredths: int,
    delay: int,
) -> float:
    """Return the sum of squares of the errors of a model with a lag [0.01 s] and a delay."""
    found = 0.0
    for speed, those in measured.items():
        model = modelled(parameters, axis, speed, hundredths / 100)
        found += sum(one * one for one in deviations(those, model, speed, delay))
    return found


def least(cost: Callable[[int], float], low: int, high: int) -> int:
    """Return where a cost with one minimum is least, between two bounds."""
    while high - low > 2:
        third = (high - low) // 3
        first, second = low + third, high - third
        low, high = (low, second) if cost(first) < cost(second) else (first, high)
    return min(range(low, high + 1), key=cost)
