"""Where not all distances can be restored, they are restored more slowly."""

import pytest
from soliton_encirclement_ros.safety.feasibility import Discs
from soliton_encirclement_ros.safety.projection import nearest_command
from soliton_encirclement_ros.safety.relaxation import relaxed_command
from support.safety.draws import half_planes

ABLE = Discs(0.0, 0.0, 4.0, 10.0)


def relaxed(rows, wx=0.0, wy=0.0):
    return relaxed_command(half_planes(rows), len(rows), ABLE, wx, wy, 0.0, 0.0)


def test_between_two_that_are_too_near_the_vehicle_stays():
    rows = [(1.0, 0.0, 0.0, 1.0), (-1.0, 0.0, 0.0, 3.0)]
    assert not nearest_command(half_planes(rows), 2, ABLE, 1.0, 1.0, 1.0).found
    assert relaxed(rows, 1.0, 1.0) == pytest.approx((0.0, 1.0, True), abs=1e-9)


def test_a_rate_beyond_the_vehicle_is_followed_as_far_as_it_can():
    found = relaxed([(1.0, 0.0, 0.0, 8.0)])
    assert found.found
    assert found.x == pytest.approx(4.0, abs=0.02)


def test_a_rate_up_to_0_is_not_relaxed():
    rows = [(1.0, 0.0, 0.0, 8.0), (-1.0, 0.0, 0.0, -1.0)]
    assert relaxed(rows).x == pytest.approx(1.0, abs=0.02)


def test_without_any_command_it_brakes():
    rows = [(1.0, 0.0, 1.0, 0.0), (-1.0, 0.0, 1.0, 0.0)]
    assert relaxed(rows, 3.0) == (0.0, 0.0, False)
