"""The age of the receiver's odometry among states on the wire."""

import math

import pytest
from soliton_encirclement_ros.core.errors import MalformedStateError
from soliton_encirclement_ros.core.states.state_codec import StateDecoder, encode
from soliton_encirclement_ros.core.states.states import AdversaryState

STATE = AdversaryState(9, (40.0, 41.0, 42.0), (1.0, 1.0, 1.0))


@pytest.mark.parametrize('states', [[], [STATE]])
@pytest.mark.parametrize('age', [0.0, 0.05, 1 / 3])
def test_there_and_back(states, age):
    assert StateDecoder().decode(*encode(states, age)) == (states, [], age)


def test_without_age_the_wire_is_that_of_the_states_alone():
    assert encode([STATE], 0.0) == encode([STATE])


@pytest.mark.parametrize(
    ('age', 'rate', 'problem'),
    [
        (-0.1, 0.0, 'odom/age = -0.1 s must be at least 0'),
        (math.nan, 0.0, 'odom/age = nan, 0.0 must be finite'),
        (math.inf, 0.0, 'odom/age = inf, 0.0 must be finite'),
        (0.1, math.nan, 'odom/age = 0.1, nan must be finite'),
    ],
)
def test_what_is_no_age_is_refused(age, rate, problem):
    with pytest.raises(MalformedStateError, match=problem):
        StateDecoder().decode(['odom/age'], [age], [rate])


@pytest.mark.parametrize('name', ['odom/x', 'odom', 'odom/age/x', 'uav_1/odom/age'])
def test_other_names_of_an_odometry_are_unknown(name):
    with pytest.raises(MalformedStateError, match='unknown name'):
        StateDecoder().decode([name], [0.1], [0.0])


def test_two_ages_are_one_too_many():
    with pytest.raises(MalformedStateError, match="repeated name 'odom/age'"):
        StateDecoder().decode(['odom/age'] * 2, [0.1] * 2, [0.0] * 2)
