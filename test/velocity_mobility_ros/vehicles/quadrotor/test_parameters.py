"""Parameters of the quadrotor: what is refused, in which words, and what a node may change."""

import math

import pytest

from velocity_mobility_ros.core.parameter_declaration import declarations
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.vehicles.quadrotor.quadrotor_parameters import QuadrotorParameters

POSITIVE = (
    'gravity', 'air_density', 'mass', 'inertia_xx', 'inertia_yy', 'inertia_zz', 'rotor_x',
    'rotor_y', 'propeller_diameter', 'thrust_number', 'torque_number', 'motor_rise', 'motor_fall',
    'rotor_speed_max', 'rotor_speed_rate',
)  # fmt: skip

REFUSED = {
    'a body that no body is': (
        {'inertia_zz': 0.031}, 'inertia_zz = 0.031 must be at most 0.03 kg m^2, the sum'),
    'the same about another axis': (
        {'inertia_yy': 0.05}, 'inertia_yy = 0.05 must be at most 0.042 kg m^2'),
    'too heavy': (
        {'mass': 4.0},
        'mass = 4 kg is too heavy: full thrust is 1.17 of the weight, must be above 1.2'),
    'rotors that cannot slow down': (
        {'rotor_speed_min': 5200.0},
        'rotor_speed_min = 5200 must be below 5096.43 rpm, the speed in hover'),
    'no whole number of steps': (
        {'sim_dt': 0.003},
        'sim_dt = 0.003 s must be update_rate = 0.01 s divided by a whole'),
    "steps longer than the controller's": (
        {'sim_dt': 0.02}, 'sim_dt = 0.02 s must be update_rate = 0.01 s divided by a whole'),
    'a coarse step': ({'sim_dt': 0.03, 'update_rate': 0.03}, 'sim_dt = 0.03 must be'),
    'a fall faster than free': (
        {'max_acc_z': 9.81}, 'max_acc_z = 9.81 must be below 9.81 m/s^2, the gravity'),
    'the same by its own limit': ({'max_acc_down': 12.0}, 'max_acc_down = 12 must be below 9.81'),
    'another vehicle': ({'vehicle': 'kinematic'}, 'vehicle = kinematic must be one of quadrotor'),
    'a third way to turn': (
        {'front_right_spin': 'left'}, 'front_right_spin = left must be one of'),
    **{f'{one} negative': ({one: -1.0}, f'{one} = -1 must be above 0') for one in POSITIVE},
    **{f'{one} infinite': ({one: math.inf}, f'{one} = inf must be') for one in POSITIVE},
}  # fmt: skip


@pytest.mark.parametrize('case', REFUSED)
def test_what_cannot_fly_is_refused_in_one_line(case: str) -> None:
    """Name, value and bound."""
    values, expected = REFUSED[case]
    with pytest.raises(ParameterError) as refusal:
        QuadrotorParameters(**values)
    said = str(refusal.value).replace("'", '').replace('-1.0', '-1')
    assert expected in said
    assert '\n' not in said


@pytest.mark.parametrize(('update_rate', 'sim_dt'), [(0.01, 0.002), (0.02, 0.02), (0.05, 1e-3)])
def test_whole_multiples_are_taken(update_rate: float, sim_dt: float) -> None:
    """Rounding of the quotient does not matter."""
    assert QuadrotorParameters(update_rate=update_rate, sim_dt=sim_dt).sim_dt == sim_dt


def test_descent_has_the_limits_of_the_climb_unless_it_has_its_own() -> None:
    """Agents rely on the common limits in both directions."""
    plain, slow = QuadrotorParameters(), QuadrotorParameters(max_speed_down=1.0, max_acc_down=2.0)
    assert (plain.descent_speed, plain.descent_acceleration) == (3.0, 4.0)
    assert (slow.descent_speed, slow.descent_acceleration) == (1.0, 2.0)


def test_limits_and_gains_change_in_flight_and_the_airframe_does_not() -> None:
    """A node takes new values of the first only."""
    runtime = {name for name, one in declarations(QuadrotorParameters).items() if one.runtime}
    assert {'rate_gain_xy', 'velocity_gain_z', 'max_speed_xy', 'max_tilt', 'wind_east'} <= runtime
    assert not runtime & {'mass', 'rotor_x', 'sim_dt', 'update_rate', 'vehicle', 'motor_rise'}
