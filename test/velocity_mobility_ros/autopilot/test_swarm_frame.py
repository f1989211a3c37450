"""PX4's projection, and the one frame in which vehicles with origins of their own meet."""

import math

import pymap3d
import pytest
from hypothesis import given, strategies as st

from velocity_mobility_ros.autopilot.autopilot_reports import LocalPosition, Reference, Resets
from velocity_mobility_ros.autopilot.swarm_frame import (
    RADIUS, FrameParameters, SwarmFrame, heading_in_swarm, position_in_swarm, project, unproject,
    updated, velocity_in_local
)
from velocity_mobility_ros.core.user_errors import ParameterError

A = Reference(1, 47.3977, 8.5456, 488.0)
SPOT = A[1:3]
B = Reference(2, 47.39769999969, 8.54586571555, 488.0)


def settings(**rest):
    place = {'origin_latitude': A.latitude, 'origin_longitude': A.longitude}
    return FrameParameters(
        **{**place, 'origin_altitude': A.altitude, 'z_offset_mode': 'amsl', **rest}
    )


def report(position=(0.0, 0.0, 0.0), reference=A, z_jumps=11, delta_z=0.0, z_valid=True):
    resets = Resets(z=z_jumps, delta_z=delta_z)
    return LocalPosition(
        0.0, position, (0.0, 0.0, 0.0), 0.0, z_valid=z_valid, resets=resets, reference=reference
    )


def seen(how, *reports, stands=False):
    frame = SwarmFrame()
    for one in reports:
        frame = updated(how, frame, one, stands)
    return frame


@pytest.mark.parametrize('latitude', [0.0, 60.0])
@pytest.mark.parametrize('apart', [(500.0, 0.0), (0.0, 500.0)])
def test_the_same_place_told_by_two_vehicles_is_one(latitude, apart):
    """Their estimators see one true place about origins that are metres to 500 m apart."""
    how = settings(origin_latitude=latitude, origin_longitude=10.0, origin_altitude=100.0)
    first = (latitude, 10.0)
    second = pymap3d.enu2geodetic(*apart, 0.0, *first, 100.0)[:2]
    place = pymap3d.enu2geodetic(37.0, -61.0, 30.0, *first, 100.0)
    true = pymap3d.geodetic2enu(*place, *first, 100.0)
    told = []
    for origin in (first, second):
        north, east = project(origin, *place[:2])
        frame = seen(how, report(reference=Reference(7, *origin, 100.0)))
        told.append(position_in_swarm(how, frame, (east, north, place[2] - 100.0)))
    assert math.dist(*told) < 1e-3
    assert told[0][:2] == pytest.approx(true[:2], abs=1e-3)
    assert told[0][2] == pytest.approx(30.0, abs=0.05)


@pytest.mark.parametrize('mode', ['gnss', 'static', 'mocap'])
def test_heights_count_from_the_pad(mode):
    how = settings(origin_mode=mode, z_offset_mode='takeoff_relative', pad_height=1.5)
    frame = seen(how, report((0.1, 0.2, 0.3), B), stands=True)
    assert frame.fault == ''
    assert position_in_swarm(how, frame, (-3.0, 2.0, 1.0))[2] == pytest.approx(1.0 - 0.3 + 1.5)


def test_a_turned_local_frame_turns_positions_velocities_and_headings():
    how = settings(
        origin_mode='static', spawn_east=4.0, spawn_north=-7.0, spawn_yaw=math.pi / 2.0
    )
    assert position_in_swarm(how, seen(how, report()), (1.0, 2.0, 3.0)) == pytest.approx(
        (4.0 - 2.0, -7.0 + 1.0, 3.0)
    )
    assert velocity_in_local(how, (0.0, 1.0, 2.0)) == pytest.approx((1.0, 0.0, 2.0))
    assert velocity_in_local(settings(), (1.0, 0.0, 2.0)) == (1.0, 0.0, 2.0)
    assert heading_in_swarm(how, math.pi) == pytest.approx(-math.pi / 2.0)


def test_another_reference_is_another_frame_and_the_same_place():
    """The estimator moves its origin in flight: positions jump, the vehicle does not."""
    how = settings()
    before = seen(how, report())
    after = updated(how, before, report(reference=B), False)
    assert after.epoch == before.epoch + 1
    same = (position_in_swarm(how, before, (20.0, 3.0, 5.0)),
            position_in_swarm(how, after, (0.0, 3.0, 5.0)))  # fmt: skip
    assert math.dist(*same) < 1e-3
    assert updated(how, after, report(reference=B), False).epoch == after.epoch
    silent = updated(how, after, report(reference=None), False)
    assert silent.reference == B and silent.fault == '' and silent.epoch == after.epoch


def test_the_ground_is_where_the_vehicle_stood_last():
    how = settings(z_offset_mode='takeoff_relative')
    flying = seen(how, report((0.0, 0.0, 12.0)))
    assert 'has not stood' in flying.fault
    stood = updated(how, flying, report((0.0, 0.0, 2.0)), True)
    risen = updated(how, stood, report((0.0, 0.0, 9.0)), False)
    assert risen.fault == '' and position_in_swarm(how, risen, (0.0, 0.0, 9.0))[2] == 7.0


@pytest.mark.parametrize(('before', 'now', 'delta'), [(11, 12, 1.0), (255, 0, 1.0), (11, 14, 0.2)])
def test_a_jump_of_the_height_moves_the_ground_with_it(before, now, delta):
    """After a missed jump the size of the last one is not the whole: the heights tell."""
    how = settings(z_offset_mode='takeoff_relative')
    stood = seen(how, report(z_jumps=before), stands=True)
    risen = updated(how, stood, report((0.0, 0.0, 8.0), z_jumps=before), False)
    jumped = updated(how, risen, report((0.0, 0.0, 9.0), z_jumps=now, delta_z=delta), False)
    assert position_in_swarm(how, jumped, (0.0, 0.0, 9.0))[2] == pytest.approx(8.0)


@pytest.mark.parametrize(('reference', 'words'), [
    (None, 'no GNSS position yet'),
    (Reference(1, math.nan, 8.5, 488.0), 'not finite'),
    (Reference(1, 48.0, 8.5, 488.0), '67.1 km from the origin'),
])  # fmt: skip
def test_a_place_that_cannot_be_is_told(reference, words):
    frame = seen(settings(), report(reference=reference))
    assert words in frame.fault


def test_an_origin_that_nobody_set_is_refused():
    with pytest.raises(ParameterError, match='origin_latitude and origin_longitude are not set'):
        FrameParameters()
    with pytest.raises(ParameterError, match='origin_latitude'):
        settings(origin_latitude=91.0)
    assert FrameParameters(origin_mode='mocap').origin_mode == 'mocap'


def test_a_place_20_m_east_of_a_reference():
    assert unproject(SPOT, 0.0, 20.0) == pytest.approx((47.39769999969, 8.54586571555), abs=1e-11)


def test_the_reference_is_the_origin_and_its_neighbours_are_not():
    assert project(SPOT, *SPOT) == (0.0, 0.0)
    north, east = project(SPOT, SPOT[0] + 1e-9, SPOT[1])
    assert north == pytest.approx(1e-9 * math.pi / 180.0 * RADIUS, rel=1e-5) and east == 0.0


@pytest.mark.parametrize(('latitude', 'north', 'east'), [
    (0.0, 2.79, 0.56), (60.0, 0.98, 1.82),
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
