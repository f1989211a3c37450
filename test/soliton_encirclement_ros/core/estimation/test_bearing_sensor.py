"""The camera of an agent: what it sees, when, and how wrong."""

import math

import numpy as np
import pytest

from soliton_encirclement_ros.core.estimation.bearing_sensor import (
    UNSEEN, camera_coefficients, measured, read
)
from soliton_encirclement_ros.core.parameters.target_parameters import TargetSensingParameters

LEVEL = (0.0, 0.0, 0.0, 1.0)
HERE, TARGET = (10.0, 0.0, 5.0), (-10.0, 20.0, -5.0)
OFFSET = np.array(TARGET) - np.array(HERE)
TRUE = OFFSET / np.linalg.norm(OFFSET)


def seen(tick=0, place=HERE, rotation=LEVEL, target=TARGET, agent=2, **values):
    camera = camera_coefficients(TargetSensingParameters(bearing_rate=10.0, **values), 0.05, agent)
    return measured(camera, 17, tick, place, rotation, target)


def test_an_exact_camera_gives_the_direction_and_the_range():
    assert seen(bearing_noise_deg=0.0) == pytest.approx(tuple(TRUE))
    assert seen(bearing_noise_deg=0.0, range_noise=0.0) == pytest.approx(tuple(OFFSET))


def test_noise_has_the_deviation_that_is_set_on_both_axes():
    vectors = np.array([seen(tick=2 * k, bearing_noise_deg=2.0, range_noise=1.5)
                        for k in range(4000)])  # fmt: skip
    sizes = np.linalg.norm(vectors, axis=1)
    assert np.std(sizes) == pytest.approx(1.5, rel=0.05)
    level = np.array([-TRUE[1], TRUE[0], 0.0]) / math.hypot(TRUE[0], TRUE[1])
    for axis in (level, np.cross(TRUE, level)):
        angles = np.degrees((vectors / sizes[:, None]) @ axis)
        assert np.std(angles) == pytest.approx(2.0, rel=0.05)
        assert abs(np.mean(angles)) < 0.15


def test_agents_measure_at_their_rate_one_after_the_other():
    assert [seen(tick=k) != UNSEEN for k in range(4)] == [True, False, True, False]
    assert [seen(tick=k, agent=1) != UNSEEN for k in range(4)] == [False, True, False, True]


@pytest.mark.parametrize(('yaw', 'view', 'is_seen'), [
    (135.0, 90.0, True), (135.0, 60.0, True), (0.0, 180.0, False), (0.0, 360.0, True),
    (180.0, 100.0, True), (180.0, 90.0, False),
])  # fmt: skip
def test_the_field_of_view_is_a_cone_around_the_forward_axis(yaw, view, is_seen):
    half = math.radians(yaw / 2.0)
    rotation = (0.0, 0.0, math.sin(half), math.cos(half))
    assert (seen(rotation=rotation, field_of_view_deg=view) != UNSEEN) is is_seen


def test_beyond_its_range_and_right_at_the_target_nothing_is_seen():
    assert seen(sensor_range=29.9) == UNSEEN
    assert seen(sensor_range=30.1) != UNSEEN
    assert seen(place=TARGET) == UNSEEN


def test_an_agent_without_a_camera_sees_nothing():
    assert seen(blind_agents='1 2') == UNSEEN
    assert seen(blind_agents='1 22') != UNSEEN


def test_straight_below_there_is_a_bearing():
    vector = seen(place=(0.0, 0.0, 9.0), target=(0.0, 0.0, 0.0))
    assert vector[2] == pytest.approx(-1.0, abs=0.02)


def test_a_vector_of_a_driver_is_a_bearing_and_a_range_if_that_is_measured():
    assert read((0.0, 6.0, 8.0), True) == (True, (0.0, 0.6, 0.8), 10.0)
    there, direction, distance = read((0.0, 6.0, 8.0), False)
    assert (there, direction, math.isnan(distance)) == (True, (0.0, 0.6, 0.8), True)
    assert not read(UNSEEN, True).is_there
    assert not read((math.inf, 0.0, 0.0), False).is_there
    assert not read((math.nan, 0.0, 0.0), False).is_there
