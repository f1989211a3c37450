"""PX4's NED and FRD as ENU and FLU, by values that were worked out beforehand (F1 to F21)."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from transforms3d.euler import quat2euler
from transforms3d.quaternions import quat2mat

from velocity_mobility_ros.autopilot.autopilot_requests import Setpoint, SetpointKind
from velocity_mobility_ros.autopilot.protocols.px4_reports import vehicle_odometry
from velocity_mobility_ros.autopilot.protocols.px4_requests import setpoint_fields
from velocity_mobility_ros.core.coordinate_frames import (
    inverse, rotate, rotate_z, swapped_attitude, swapped_body, swapped_world, swapped_yaw
)

S = math.sqrt(0.5)


def odometry(q=(1.0, 0.0, 0.0, 0.0), velocity=(0.0, 0.0, 0.0), **changes):
    fields = {
        'timestamp': 1, 'timestamp_sample': 2, 'pose_frame': 1, 'position': (1.0, 2.0, 3.0),
        'q': q, 'velocity_frame': 1, 'velocity': velocity, 'angular_velocity': (0.1, 0.2, 0.3),
        'position_variance': (1.0, 2.0, 3.0), 'orientation_variance': (4.0, 5.0, 6.0),
        'velocity_variance': (7.0, 8.0, 9.0), 'reset_counter': 11, 'quality': 0,
    }  # fmt: skip
    return SimpleNamespace(**(fields | changes))


def read(**changes):
    return vehicle_odometry(odometry(**changes), 5.0)


def test_f1_world_vectors():
    assert swapped_world((1.0, 2.0, 3.0)) == (2.0, 1.0, -3.0)
    assert swapped_world(swapped_world((1.0, 2.0, 3.0))) == (1.0, 2.0, 3.0)


def test_f2_body_vectors():
    assert swapped_body((1.0, 2.0, 3.0)) == (1.0, -2.0, -3.0)
    assert swapped_body(swapped_body((1.0, 2.0, 3.0))) == (1.0, 2.0, 3.0)


@pytest.mark.parametrize(('ned', 'enu'), [
    (0.0, math.pi / 2), (math.pi / 2, 0.0), (math.pi, -math.pi / 2), (-math.pi / 2, -math.pi),
    (3.0, -1.429204), (-3.0, -1.712389), (math.pi / 6, math.pi / 3),
])  # fmt: skip
def test_f3_f4_headings(ned, enu):
    assert swapped_yaw(ned) == pytest.approx(enu, abs=1e-6)
    back = swapped_yaw(enu)
    assert math.cos(back - ned) == pytest.approx(1.0)


ATTITUDES = [
    ((S, 0, 0, -S), (0, 0, 0, 1)),
    ((0.951549, 0.038135, 0.189308, 0.239298), (0.842056, 0.160826, -0.106896, 0.503637)),
    ((0.500181, -0.027749, 0.134555, -0.854952), (0.250861, -0.075523, 0.114766, -0.958224)),
]
"""w, x, y, z: FRD in NED, and FLU in ENU."""


@pytest.mark.parametrize(('ned', 'enu'), ATTITUDES)
def test_f5_to_f12_attitudes(ned, enu):
    x, y, z, w = read(q=ned).attitude
    sign = math.copysign(1.0, sum(a * b for a, b in zip((w, x, y, z), enu, strict=True)))
    assert (w, x, y, z) == pytest.approx([sign * v for v in enu], abs=2e-6)


def test_f11_in_words_nose_up_is_a_negative_pitch():
    x, y, z, w = read(q=ATTITUDES[1][0]).attitude
    assert np.degrees(quat2euler((w, x, y, z))) == pytest.approx((10, -20, 60), abs=1e-3)


def test_f13_any_attitude_is_the_rotation_between_the_turned_axes():
    draw = np.random.default_rng(13)
    world = np.array([[0, 1, 0], [1, 0, 0], [0, 0, -1]])
    body = np.diag([1, -1, -1])
    for _ in range(200):
        w, x, y, z = q = draw.normal(size=4)
        q /= np.linalg.norm(q)
        w, x, y, z = map(float, q)
        turned = swapped_attitude((x, y, z, w))
        tx, ty, tz, tw = turned
        assert quat2mat((tw, tx, ty, tz)) == pytest.approx(world @ quat2mat(q) @ body, abs=1e-12)
        back = np.array(swapped_attitude(turned))
        assert abs(back @ np.array([x, y, z, w])) == pytest.approx(1.0)
        assert np.linalg.norm(turned) == pytest.approx(1.0)


def test_f14_a_command_of_the_body_turns_by_the_heading_only():
    enu = rotate_z(1.0, 0.5, math.radians(60.0))
    assert enu == pytest.approx((0.066987, 1.116025), abs=1e-6)
    ned = setpoint_fields(Setpoint(SetpointKind.VELOCITY, (*enu, 0.0), yaw=0.0))['velocity']
    assert ned[:2] == pytest.approx((1.116025, 0.066987), abs=1e-6)


def test_f15_a_turn_to_the_left_is_negative_for_px4():
    setpoint = Setpoint(SetpointKind.VELOCITY, (0.0, 0.0, 0.0), yaw_rate=0.3)
    assert setpoint_fields(setpoint)['yawspeed'] == -0.3


@pytest.mark.parametrize(('q', 'ned', 'flu'), [
    ((S, 0, 0, S), (0.0, 2.0, 0.0), (2.0, 0.0, 0.0)),
    ((S, 0, 0, S), (2.0, 0.0, 0.0), (0.0, 2.0, 0.0)),
    ((1, 0, 0, 0), (0.0, 0.0, -1.0), (0.0, 0.0, 1.0)),
])  # fmt: skip
def test_f16_to_f18_velocities_of_the_body(q, ned, flu):
    found = read(q=q, velocity=ned)
    assert rotate(inverse(found.attitude), found.velocity) == pytest.approx(flu, abs=1e-12)
    assert found.velocity == pytest.approx((ned[1], ned[0], -ned[2]))
    body = read(q=q, velocity=swapped_body(flu), velocity_frame=3)
    assert body.velocity == pytest.approx(found.velocity, abs=1e-12)


def test_f19_variances_are_swapped_and_those_of_the_attitude_stay():
    found = read()
    assert found.position_variance == (2.0, 1.0, 3.0)
    assert found.attitude_variance == (4.0, 5.0, 6.0)
    assert found.velocity_variance == (8.0, 7.0, 9.0)


def test_f20_rates_of_the_body():
    assert read().angular_velocity == (0.1, -0.2, -0.3)


NAN = math.nan


@pytest.mark.parametrize('changes', [
    {'q': (NAN, 0, 0, 0)}, {'q': (0.9, 0, 0, 0)}, {'position': (NAN, 0, 0)},
    {'velocity': (0, NAN, 0)}, {'angular_velocity': (0, 0, math.inf)}, {'pose_frame': 2},
    {'pose_frame': 0}, {'velocity_frame': 0}, {'velocity_frame': 2},
])  # fmt: skip
def test_f21_what_is_not_known_is_not_reported(changes):
    assert vehicle_odometry(odometry(**changes), 0.0) is None
