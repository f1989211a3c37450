"""What an agent does around its law: nodes, plain loop and engine ask these functions."""

import math

import pytest

from soliton_encirclement_ros.core.laws.law import (
    FLY, GIVE_UP, WAIT, OldPose, SentPose, as_others_see, next_action
)
from velocity_mobility_ros.core.velocity_model import finite_or_zero

HERE, SPEED = (1.0, 2.0, 3.0), (0.1, 0.2, 0.3)
THERE, SLOW = (0.5, 1.5, 2.5), (0.0, 0.1, 0.0)


@pytest.mark.parametrize(
    ('has_received', 'age', 'hold', 'todo'),
    [
        (True, 0.0, 0.5, FLY),
        (True, 0.5, 0.5, FLY),
        (True, 0.51, 0.5, GIVE_UP),
        (False, math.inf, 0.5, GIVE_UP),
        (False, math.inf, math.inf, WAIT),
        (True, 1e6, math.inf, FLY),
    ],
)
def test_an_agent_flies_while_it_knows_of_the_target(
    has_received: bool, age: float, hold: float, todo: int
) -> None:
    """Up to the hold and no longer; a law that holds for ever waits for the first words."""
    assert next_action(has_received, age, hold) == todo


def test_the_own_place_is_that_of_the_own_last_words() -> None:
    """With their age in whole nanoseconds, as that of words of others; before any: here, now."""
    silent = SentPose(False, 0.0, THERE, SLOW)
    assert as_others_see(silent, 7.0, HERE, SPEED) == OldPose(HERE, SPEED, 0.0)
    sent = SentPose(True, 0.1, THERE, SLOW)
    assert as_others_see(sent, 0.3, HERE, SPEED) == OldPose(THERE, SLOW, 0.2)


@pytest.mark.parametrize('value', [0.0, -3.5, 1e308, 5e-324])
def test_numbers_stay(value: float) -> None:
    """Whatever is finite comes back as it is."""
    assert finite_or_zero(value) == value


@pytest.mark.parametrize('value', [math.nan, math.inf, -math.inf])
def test_the_rest_is_zero(value: float) -> None:
    """NaN and the infinities become 0."""
    assert finite_or_zero(value) == 0.0
