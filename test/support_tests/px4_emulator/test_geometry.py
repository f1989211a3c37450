"""Where things are: the map, the Earth, and which way a command goes."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.px4_emulator import Fleet, Place, Settings, events
from support.px4_emulator.direct_drive import Drive, drive, flying
from support.px4_emulator.estimate.projection import to_global, to_local
from support.px4_emulator.estimate.wgs84 import E2, A, moved

REF = 47.3977, 8.5456
EAST_OF_REF = 47.39769999969, 8.54586571555
"""20 m east of it on PX4's map, 20.0603 m on WGS84."""


def test_the_map_has_the_published_place():
    assert to_global(0.0, 20.0, *REF) == pytest.approx(EAST_OF_REF, abs=2e-11)
    assert to_local(*EAST_OF_REF, *REF) == pytest.approx((0.0, 20.0), abs=2e-5)


def test_the_earth_has_the_published_distance():
    assert moved(*REF, 488.0, 0.0, 20.0603) == pytest.approx(EAST_OF_REF, abs=1e-9)


@given(st.floats(-2000, 2000), st.floats(-2000, 2000), st.floats(-80, 80), st.floats(-179, 179))
def test_the_map_is_reversible(x, y, lat, lon):
    assert to_local(*to_global(x, y, lat, lon), lat, lon) == pytest.approx((x, y), abs=1e-6)


def ecef(lat, lon, alt):
    phi, lam = math.radians(lat), math.radians(lon)
    n = A / math.sqrt(1.0 - E2 * math.sin(phi) ** 2)
    return (
        (n + alt) * math.cos(phi) * math.cos(lam),
        (n + alt) * math.cos(phi) * math.sin(lam),
        (n * (1.0 - E2) + alt) * math.sin(phi),
    )


@pytest.mark.parametrize('latitude', [0.0, 47.0, -60.0])
@pytest.mark.parametrize(('north', 'east'), [(0.5, 0.0), (0.0, 0.5), (0.3, -0.4)])
def test_a_thousand_short_ways_are_a_long_one(latitude, north, east):
    lat, lon = latitude, 8.0
    for _ in range(1000):
        lat, lon = moved(lat, lon, 488.0, north, east)
    far = math.dist(ecef(lat, lon, 488.0), ecef(latitude, 8.0, 488.0))
    assert far == pytest.approx(500.0, abs=0.02)


@pytest.mark.parametrize(
    ('latitude', 'north', 'east'),
    [(0.0, 2.79, 0.56), (30.0, 1.54, 0.98), (47.4, 0.07, 1.47), (60.0, 0.98, 1.82)],
)
def test_the_map_is_not_the_earth(latitude, north, east):
    """The published errors at 500 m: whoever takes local metres for WGS84 is found."""
    there = moved(latitude, 8.0, 0.0, 500.0, 0.0)
    assert abs(to_local(*there, latitude, 8.0)[0] - 500.0) == pytest.approx(north, abs=0.02)
    there = moved(latitude, 8.0, 0.0, 0.0, 500.0)
    assert abs(to_local(*there, latitude, 8.0)[1] - 500.0) == pytest.approx(east, abs=0.02)


@pytest.mark.parametrize('vehicle', ['kinematic', 'quadrotor'])
@pytest.mark.parametrize('heading', [0.0, 2.0])
def test_f22_east_is_longitude_north_is_latitude_up_is_altitude(vehicle, heading):
    """By the true place, whatever the nose points at."""
    hands = flying(vehicle=vehicle, heading=heading)
    start = hands.truth
    hands.fly((0.0, 1.0, 0.0))
    hands.run(3.0)
    east = hands.truth
    assert east.longitude - start.longitude > 2e-5
    assert east.latitude == pytest.approx(start.latitude, abs=2e-6)
    hands.fly((1.0, 0.0, 0.0))
    hands.run(3.0)
    north = hands.truth
    assert north.latitude - east.latitude > 2e-5
    hands.fly((0.0, 0.0, -1.0))
    hands.run(3.0)
    assert hands.truth.altitude - north.altitude > 2.0


@pytest.mark.parametrize('vehicle', ['kinematic', 'quadrotor'])
def test_f22_a_positive_yaw_rate_turns_the_compass_clockwise(vehicle):
    hands = flying(vehicle=vehicle)
    start = hands.truth.heading
    hands.fly((0.0, 0.0, 0.0), yawspeed=0.5)
    hands.run(2.0)
    assert 0.8 < hands.truth.heading - start < 1.1
    assert hands.last['vehicle_odometry'].angular_velocity[2] == pytest.approx(0.5, abs=0.05)


def axis(q, vector):
    """Return a vector of the body in the world, by the matrix of (w, x, y, z)."""
    w, x, y, z = q
    a, b, c = vector
    return (
        (1 - 2 * (y * y + z * z)) * a + 2 * (x * y - w * z) * b + 2 * (x * z + w * y) * c,
        2 * (x * y + w * z) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z - w * x) * c,
        2 * (x * z - w * y) * a + 2 * (y * z + w * x) * b + (1 - 2 * (x * x + y * y)) * c,
    )


@pytest.mark.parametrize('heading', [0.0, 1.0, -2.5])
def test_the_nose_points_along_the_heading_and_dips_when_it_accelerates_forward(heading):
    hands = flying(vehicle='quadrotor', heading=heading)
    hands.fly((3.0 * math.cos(heading), 3.0 * math.sin(heading), 0.0))
    hands.run(0.4)
    nose = axis(hands.truth.attitude, (1.0, 0.0, 0.0))
    assert math.atan2(nose[1], nose[0]) == pytest.approx(heading, abs=0.05)
    assert nose[2] > 0.1, 'down is positive'
    assert hands.last['vehicle_local_position'].heading == pytest.approx(heading, abs=0.05)


def test_position_and_place_are_one_state():
    hands = flying(gps_error=0.0, noise=0.0)
    hands.fly((1.0, 2.0, 0.0))
    hands.run(10.0)
    local = hands.last['vehicle_local_position']
    world = hands.last['vehicle_global_position']
    place = to_global(local.x, local.y, local.ref_lat, local.ref_lon)
    assert place == pytest.approx((world.lat, world.lon), abs=1e-6)
    assert local.ref_alt - local.z == pytest.approx(world.alt, abs=1e-2)
    assert (hands.truth.latitude, hands.truth.longitude) == pytest.approx(place, abs=1e-6)
    assert hands.last['vehicle_odometry'].position == pytest.approx((local.x, local.y, local.z))


def test_e26_every_origin_is_at_the_true_place():
    settings = Settings(vehicle='kinematic', gps_error=0.0)
    places = [Place(60.0, 8.0 + 0.001 * k, 100.0 + k) for k in range(4)]
    for place, emulator in zip(places, Fleet(places, settings, first=1).vehicles, strict=True):
        hands = Drive(emulator)
        hands.run(0.1)
        local = hands.last['vehicle_local_position']
        assert (local.ref_lat, local.ref_lon) == pytest.approx(place[:2], abs=1e-12)
        assert local.ref_alt == place.altitude


def test_an_attitude_of_a_heading_error_is_turned_too():
    """Before the first climb the nose of odometry and local position agree."""
    hands = drive(0.1, noise=0.0, heading=1.0)
    nose = axis(hands.last['vehicle_odometry'].q, (1.0, 0.0, 0.0))
    heading = hands.last['vehicle_local_position'].heading
    assert math.atan2(nose[1], nose[0]) == pytest.approx(heading, abs=1e-9)
    assert abs(heading - 1.0) >= 0.01


def test_a_reset_moves_the_estimate_and_not_the_vehicle():
    hands = flying(noise=0.0)
    hands.setpoint = None
    before, start = hands.last['vehicle_local_position'], hands.truth
    hands.emulator.happens(events.estimate_reset, xy=(3.0, 0.0), z=1.0, heading=0.35)
    hands.run(2.0)
    after = hands.last['vehicle_local_position']
    assert after.x - before.x == pytest.approx(3.0, abs=0.05)
    assert after.z - before.z == pytest.approx(1.0, abs=0.05)
    assert after.xy_reset_counter == before.xy_reset_counter + 1
    assert (after.delta_xy, after.delta_z, after.delta_heading) == ([3.0, 0.0], 1.0, 0.35)
    assert hands.truth.height == pytest.approx(start.height, abs=0.05)
    assert hands.truth.latitude == pytest.approx(start.latitude, abs=1e-6)
