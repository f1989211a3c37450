"""A frame that stays while HOME is moved, and is laid anew where it contradicts the Earth."""

import pytest

from velocity_mobility_ros.autopilot.autopilot_reports import Reference
from velocity_mobility_ros.autopilot.protocols.ardupilot_reports import HomeFrame, moved, placed
from velocity_mobility_ros.autopilot.swarm_frame import unproject

ORIGIN = 47.0, 8.0
STILL = (0.0, 0.0, 0.0)
DT = 0.033


def fed(frame, position, velocity=STILL, stands=True, count=1):
    """Take a position so many times, and the place on Earth that belongs to the frame."""
    for _ in range(count):
        now = frame.received + DT
        frame = moved(frame, position, velocity, stands, now)
        if frame.reference is None:
            frame = placed(frame, Reference(0, *ORIGIN, 500.0), stands, now)
    return frame


def place(east, north):
    return Reference(0, *unproject(ORIGIN, north, east), 500.0)


def test_the_frame_begins_at_home():
    frame = fed(HomeFrame(), (3.0, -2.0, 1.0))
    assert frame.local == (3.0, -2.0, 1.0)
    latitude, longitude = unproject(ORIGIN, 2.0, -3.0)
    assert frame.reference[1:] == pytest.approx((latitude, longitude, 499.0))


def test_home_that_moves_to_a_standing_vehicle_moves_nothing():
    frame = fed(HomeFrame(), (3.0, -2.0, 0.5), count=5)
    frame = fed(frame, (0.0, 0.0, 0.0), count=5)
    assert frame.local == pytest.approx((3.0, -2.0, 0.5)) and frame.reference.stamp == 0


def test_what_creeps_is_a_motion():
    frame = fed(HomeFrame(), STILL)
    for step in range(100):
        frame = fed(frame, (0.01 * step, 0.0, 0.0))
    assert frame.local[0] == pytest.approx(0.99)


def test_in_the_air_a_jump_is_one_of_the_estimate():
    frame = fed(HomeFrame(), (0.0, 0.0, 5.0), stands=False)
    assert fed(frame, (2.0, 0.0, 5.0), stands=False).local == (2.0, 0.0, 5.0)


def test_a_fast_vehicle_that_is_said_to_stand_still_moves():
    """The state of landing comes later than the motion."""
    frame = fed(HomeFrame(), STILL)
    for step in range(1, 31):
        frame = fed(frame, (0.0, 0.0, 4.0 * DT * step), velocity=(0.0, 0.0, 4.0))
    assert frame.local[2] == pytest.approx(4.0 * DT * 30)


def test_after_a_gap_nothing_is_expected():
    frame = fed(HomeFrame(), STILL)
    frame = moved(frame, (7.0, 0.0, 0.0), STILL, True, frame.received + 2.0)
    assert frame.local == (7.0, 0.0, 0.0)


@pytest.mark.parametrize(('stands', 'distance', 'anew'), [
    (True, 0.8, False), (True, 1.2, True), (False, 2.5, False), (False, 3.5, True),
])  # fmt: skip
def test_a_contradiction_that_lasts_lays_it_anew(stands, distance, anew):
    frame = fed(HomeFrame(), STILL)
    for _ in range(40):
        frame = fed(frame, STILL, stands=stands)
        frame = placed(frame, place(distance, 0.0), stands, frame.received)
    assert (frame.reference.stamp == 1) == anew and frame.local == STILL


def test_a_short_contradiction_does_not():
    frame = fed(HomeFrame(), STILL)
    for k in range(80):
        frame = fed(frame, STILL)
        frame = placed(frame, place(9.0 * (k % 20 == 0), 0.0), True, frame.received)
    assert frame.reference.stamp == 0
