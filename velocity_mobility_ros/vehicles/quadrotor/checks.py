"""What no single bound says of a quadrotor's parameters; each refusal is one line."""

from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.vehicles.quadrotor.airframe import airframe
from velocity_mobility_ros.vehicles.quadrotor.airframe_parameters import AirframeParameters

MIN_THRUST_TO_WEIGHT = 1.2
"""Below it there is no thrust left to climb and to turn."""


def check_airframe(parameters: AirframeParameters) -> None:
    """Refuse an airframe that cannot exist or cannot fly.

    Raises:
        ParameterError: Moments of inertia that no body has, a rotor that cannot be slow enough or
            fast enough.
    """
    inertia = {
        name: getattr(parameters, name) for name in ('inertia_xx', 'inertia_yy', 'inertia_zz')
    }
    total = sum(inertia.values())
    for name, value in inertia.items():
        if value > total - value:
            raise ParameterError(
                f'{name} = {value:g} must be at most {total - value:g} kg m^2, the sum of the two '
                f'other moments of inertia'
            )
    derived = airframe(parameters)
    if derived.thrust_to_weight <= MIN_THRUST_TO_WEIGHT:
        raise ParameterError(
            f'mass = {parameters.mass:g} kg is too heavy: full thrust is '
            f'{derived.thrust_to_weight:.3g} of the weight, must be above {MIN_THRUST_TO_WEIGHT:g}'
        )
    if parameters.rotor_speed_min >= derived.hover_rpm:
        raise ParameterError(
            f'rotor_speed_min = {parameters.rotor_speed_min:g} must be below '
            f'{derived.hover_rpm:.6g} rpm, the speed in hover'
        )


def check_descent(name: str, acceleration: float, gravity: float) -> None:
    """Refuse a downward acceleration that asks the rotors to push down.

    Args:
        name: Name of the parameter.
        acceleration: The largest downward acceleration [m/s^2].
        gravity: Gravity [m/s^2].

    Raises:
        ParameterError: It is not below gravity.
    """
    if acceleration >= gravity:
        raise ParameterError(
            f'{name} = {acceleration:g} must be below {gravity:g} m/s^2, the gravity: rotors do '
            f'not push down'
        )
