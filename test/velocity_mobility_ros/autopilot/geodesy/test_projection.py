"""PX4's projection: known places, its inverse everywhere, and how it differs from WGS84."""

import math

import pymap3d
import pytest
from hypothesis import given
from hypothesis import strategies as st
from velocity_mobility_ros.autopilot.geodesy.projection import RADIUS, project, unproject

A = (47.3977, 8.5456)


def test_a_place_20_m_east_of_a_reference():
    assert unproject(A, 0.0, 20.0) == pytest.approx((47.39769999969, 8.54586571555), abs=1e-11)


def test_the_reference_is_the_origin_and_its_neighbours_are_not():
    assert project(A, *A) == (0.0, 0.0)
    north, east = project(A, A[0] + 1e-9, A[1])
    assert north == pytest.approx(1e-9 * math.pi / 180.0 * RADIUS, rel=1e-5) and east == 0.0


@pytest.mark.parametrize(('latitude', 'north', 'east'), [
    (0.0, 2.79, 0.56), (30.0, 1.54, 0.98), (47.4, 0.07, 1.47), (60.0, 0.98, 1.82),
])  # fmt: skip
def test_500_m_on_the_sphere_are_not_500_m_on_earth(latitude, north, east):
    for way, difference in (((500.0, 0.0), north), ((0.0, 500.0), east)):
        place = unproject((latitude, 10.0), *way)
        true = pymap3d.geodetic2enu(*place, 0.0, latitude, 10.0, 0.0)
        assert math.dist(true[:2], way[::-1]) == pytest.approx(difference, abs=0.006)


@given(
    st.floats(-89.9, 89.9), st.floats(-180.0, 180.0), st.floats(-5e3, 5e3), st.floats(-5e3, 5e3)
)
def test_there_and_back(latitude, longitude, north, east):
    place = unproject((latitude, longitude), north, east)
    assert abs(place[0]) <= 90.0 and abs(place[1]) <= 180.0
    assert project((latitude, longitude), *place) == pytest.approx((north, east), abs=1e-6)
