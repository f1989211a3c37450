"""States at the time at which a command takes effect."""

import pytest
from soliton_encirclement_ros.safety.codes import GHOST
from soliton_encirclement_ros.safety.prediction import other_path, state_at_effect
from soliton_encirclement_ros.safety.records import FilterSettings, OwnState
from support.safety.draws import LIMITS, row
from velocity_mobility_ros.core.model import step

OWN = OwnState((1.0, 2.0, 3.0), (4.0, -1.0, 0.5))
COMMAND = (-3.0, 2.0, 1.0)


def test_the_own_state_is_that_of_the_vehicle():
    found = state_at_effect(FilterSettings(LIMITS, delay=0.07), OWN, COMMAND)
    p, v = OWN
    for _ in range(7):
        p, v = step(p, v, COMMAND, 0.01, LIMITS)
    assert [*found.position, *found.velocity] == pytest.approx([*p, *v], rel=1e-14)


def test_without_delay_it_is_now():
    assert state_at_effect(FilterSettings(LIMITS), OWN, COMMAND) == OWN


def test_a_heard_body_keeps_its_velocity():
    found = other_path(FilterSettings(LIMITS, delay=0.1), [row(1, 2, 3, -4, age=0.2)], 0, 4.0, 1.0)
    assert (found.x, found.y) == pytest.approx((1.0 + 0.3 * 3.0, 2.0 - 0.3 * 4.0))
    assert (found.vx, found.vy) == (3.0, -4.0)


@pytest.mark.parametrize('age', [0.0, 0.5, 1.0, 30.0])
def test_a_silent_body_flies_on_and_brakes_and_its_stopping_point_stays(age):
    settings = FilterSettings(LIMITS, run_on=0.2)
    first = other_path(settings, [row(1 + 0.1 * 6, 2 - 0.1 * 6, 6, -6)], 0, 4.0, 1.0)
    found = other_path(settings, [row(1, 2, 6, -6, age=age, kind=GHOST)], 0, 4.0, 1.0)
    assert (found.px, found.py) == pytest.approx((first.px, first.py))
    assert found.speed <= first.speed
    if age == 30.0:
        assert found.speed < 1e-9
