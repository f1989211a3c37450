"""Parameters of a tracked vehicle: every one that cannot work is one line."""


import pytest

from velocity_mobility_ros.core.parameter_declaration import without_effect
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.vehicles.tracked_vehicle import TRACKED, TrackedParameters

POSITIVE = ('mass', 'yaw_inertia', 'track_length', 'track_spacing', 'slip_speed', 'sim_dt')
AT_LEAST_0 = (
    'friction_x', 'friction_y', 'rolling_resistance', 'heading_gain', 'surge_gain',
    'surge_integral_gain', 'turn_gain', 'turn_integral_gain',
)  # fmt: skip
CASES = [
    *(({name: 0.0}, f'{name} = 0.0 must be above 0') for name in POSITIVE),
    *(({name: -0.1}, f'{name} = -0.1 must be at least 0') for name in AT_LEAST_0),
    ({'vehicle': 'kinematic'}, "vehicle = 'kinematic' must be one of tracked"),
    ({'max_speed_z': 1.0}, 'max_speed_z = 1.0 must be at least 0 and at most 0 m/s'),
    ({'max_acc_z': 1.0}, r'max_acc_z = 1.0 must be at least 0 and at most 0 m/s\^2'),
    ({'sim_dt': 0.003}, r'sim_dt = 0.003 s must be update_rate = 0.01 s divided by a whole'),
    ({'sim_dt': 0.02}, r'sim_dt = 0.02 s must be update_rate = 0.01 s divided by a whole'),
    ({'update_rate': 0.02, 'sim_dt': 0.02}, r'sim_dt = 0.02 is too long .* at most 0.01039'),
    ({'yaw_inertia': 0.1}, r'sim_dt = 0.005 is too long .* slip_speed, friction, yaw_inertia'),
    ({'slip_speed': 0.01}, r'sim_dt = 0.005 is too long .* at most 0.001039 s'),
    ({'cg_offset': 0.126}, r'cg_offset = 0.126 lifts .* at least -0.125 and at most 0.125 m'),
    ({'cg_offset': -0.126}, 'cg_offset = -0.126 lifts the tracks'),
]


@pytest.mark.parametrize(('values', 'said'), CASES, ids=str)
def test_what_cannot_work_is_refused_in_one_line(values: dict[str, object], said: str) -> None:
    with pytest.raises(ParameterError, match=said) as refusal:
        TrackedParameters(**values)
    assert '\n' not in str(refusal.value)


def test_bounds_themselves_are_allowed() -> None:
    """The longest step, the largest offset, ice without gains, no lag."""
    TrackedParameters(update_rate=0.02, sim_dt=0.01)
    TrackedParameters(cg_offset=0.125)
    TrackedParameters(**dict.fromkeys(AT_LEAST_0, 0.0), tau_xy=None)


def test_the_substeps_are_a_whole_number() -> None:
    for update, part, count in ((0.01, 0.005, 2), (0.05, 0.005, 10), (0.005, 0.005, 1)):
        model = TRACKED.coefficients(TrackedParameters(update_rate=update, sim_dt=part))
        assert model.substeps == count


def test_a_vertical_lag_is_named_as_idle() -> None:
    assert without_effect([TrackedParameters(tau_z=1.0)]) == {
        'tau_z': "tau_z = 1.0 has no effect without vehicle = 'kinematic'"
    }
