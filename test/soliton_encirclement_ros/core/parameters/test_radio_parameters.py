"""Parameters of the radio."""

import pytest
from soliton_encirclement_ros.core.parameters.radio_parameters import RadioParameters
from velocity_mobility_ros.core.errors import ParameterError


def test_names_and_defaults_are_the_seeds() -> None:
    radio = RadioParameters()
    assert radio.communication_transmission_range == 200.0
    assert radio.communication_delay == radio.communication_failure_rate == 0.0


@pytest.mark.parametrize(
    ('changes', 'prompt', 'ideal'),
    [
        ({}, True, True),
        ({'communication_transmission_range': 5.0}, True, True),
        ({'partitions': ' ', 'byzantine': ' '}, True, True),
        ({'communication_delay': 0.1}, False, False),
        ({'communication_jitter': 0.1}, False, False),
        ({'communication_failure_rate': 0.1}, False, False),
        ({'partitions': '1..2: 1'}, True, False),
        ({'byzantine': '1..2: 1 nan'}, True, False),
    ],
)
def test_prompt_and_ideal(changes: dict, prompt: bool, ideal: bool) -> None:
    radio = RadioParameters(**changes)
    assert (radio.is_prompt, radio.is_ideal) == (prompt, ideal)


@pytest.mark.parametrize(
    ('name', 'value'),
    [
        ('communication_transmission_range', -1.0),
        ('communication_delay', -0.1),
        ('communication_jitter', 61.0),
        ('communication_failure_rate', 1.1),
    ],
)
def test_values_out_of_bounds_are_refused(name: str, value: float) -> None:
    with pytest.raises(ParameterError, match=f'^{name} = {value} must be at least 0'):
        RadioParameters(**{name: value})
