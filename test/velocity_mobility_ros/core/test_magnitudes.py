"""Numbers that nobody means are refused with name, value and bound, whatever the parameter."""

import math
from dataclasses import dataclass

import pytest
from hypothesis import given
from support.strategies import ANY_NUMBER
from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.magnitudes import beyond
from velocity_mobility_ros.core.parameters import Parameters, parameter
from velocity_mobility_ros.core.time import to_ns


@dataclass(frozen=True)
class Lamp(Parameters):
    """A record whose bounds leave one end open."""

    wait: float = parameter(1.0, 'a wait', unit='s', above=0.0)
    speed: float = parameter(1.0, 'a speed', unit='m/s', minimum=0.0)
    gain: float = parameter(1.0, 'a gain', unit='1/s', above=0.0)
    trim: float = parameter(0.0, 'a correction')
    lag: float | None = parameter(None, 'a lag', unit='s', above=0.0)


@pytest.mark.parametrize(
    ('name', 'value', 'bound'),
    [
        ('wait', 1e300, 'at most 1e+09 s'),
        ('wait', 5e-324, 'at least 1e-12 s'),
        ('gain', 1e308, 'at most 1e+12 1/s'),
        ('gain', 1e-170, 'at least 1e-12 1/s'),
        ('trim', -1e308, 'at least -1e+12'),
    ],
)
def test_an_absurd_number_is_refused_with_name_value_and_bound(name, value, bound):
    with pytest.raises(ParameterError) as caught:
        Lamp(**{name: value})
    assert str(caught.value) == f'{name} = {value!r} must be {bound}'


@pytest.mark.parametrize(
    'values',
    [
        {'wait': 1e9, 'speed': 1e9, 'gain': 1e12, 'trim': -1e12},
        {'wait': 1e-12, 'speed': 0.0, 'gain': 1e-12, 'trim': 5e-324},
    ],
)
def test_up_to_the_bounds_all_is_taken(values):
    assert all(getattr(Lamp(**values), name) == value for name, value in values.items())


@given(ANY_NUMBER)
def test_what_is_not_refused_can_be_reckoned_with(value):
    """A duration fits into the nanoseconds of ROS, and no gain squares to 0 or to infinity."""
    if math.isfinite(value) and not beyond(value, 's', 0.0):
        assert 0 <= to_ns(value) < 2**62
    if math.isfinite(value) and not beyond(value, '1/s', 0.0):
        assert math.isfinite(value * value) and 0.0 < 1.0 / (value * value) < math.inf
