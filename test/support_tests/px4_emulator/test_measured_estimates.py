"""Measured on the firmware: stamps, reset counters, GPS, frames."""

import math
from itertools import pairwise

import pytest
from support.px4_emulator import Fleet, NavState, Place, Settings, events
from support.px4_emulator.direct_drive import (
    Drive,
    drive,
    flying,
    offboard_control_mode,
)
from support.px4_emulator.estimate.wgs84 import moved


def signal_lost(age_us):
    """Return whether a stream of heartbeats that are stamped so far in the past is lost."""
    hands = drive(3.0)
    for _ in range(20):
        stamp = hands.last['timesync_status'].remote_timestamp - age_us
        hands.emulator.receive('offboard_control_mode', offboard_control_mode(timestamp=stamp))
        hands.run(0.1)
    return hands.last['failsafe_flags'].offboard_control_signal_lost


def test_stamp_0_is_now():
    hands = drive(3.0)
    hands.flag = 'velocity'
    hands.run(1.0)
    assert hands.last['failsafe_flags'].offboard_control_signal_lost is False


@pytest.mark.parametrize(('age', 'lost'), [(-5.0, False), (0.0, False), (5.0, True)])
def test_future_stamps_are_clamped_and_5_s_old_ones_count_as_lost(age, lost):
    assert signal_lost(round(1e6 * age)) is lost


def test_a_future_stamp_keeps_no_signal_alive():
    hands = drive(3.0)
    stamp = hands.last['timesync_status'].remote_timestamp + 5_000_000
    hands.emulator.receive('offboard_control_mode', offboard_control_mode(timestamp=stamp))
    hands.run(0.5)
    assert not hands.last['failsafe_flags'].offboard_control_signal_lost
    hands.run(1.0)
    assert hands.last['failsafe_flags'].offboard_control_signal_lost


def test_stamps_out_are_0_to_225_ms_behind_the_agents_epoch_but_for_one_message_a_jump():
    """On a jump one message carries raw boot time, then epoch again: once in 20 s."""
    hands = drive(61.0, time_jump_period=20.0)
    epoch = hands.emulator.settings.epoch_us
    raw = [sent for sent in hands.log if sent.message.timestamp < 0.5 * epoch]
    assert 2 <= len(raw) <= 4
    assert all(60e6 <= sent.message.timestamp <= 122e6 for sent in raw)
    behind = [
        epoch + 1e6 * sent.time - sent.message.timestamp
        for sent in hands.log
        if sent.message.timestamp >= 0.5 * epoch
    ]
    assert min(behind) >= 0.0 and 150e3 < max(behind) <= 226e3


def test_with_synct_0_all_stamps_are_of_boot():
    hands = drive(1.0, parameters={'uxrce_dds_synct': 0})
    assert hands.last['vehicle_odometry'].timestamp == pytest.approx(61e6, abs=2e4)
    hands.flag = 'velocity'
    hands.run(1.0)
    assert hands.last['failsafe_flags'].offboard_control_signal_lost is False


def test_after_a_jump_the_shift_converges_slowly():
    hands = drive(1.0, time_jump_period=0.0)
    hands.emulator.happens(events.time_jump)
    hands.run(0.2)
    first = hands.last['timesync_status'].estimated_offset
    hands.run(5.0)
    assert 1e3 < hands.last['timesync_status'].estimated_offset - first < 50e3


@pytest.mark.parametrize('seed', range(4))
def test_the_counter_of_odometry_is_11_to_13_at_first_sight(seed):
    assert 11 <= drive(0.1, seed=seed).last['vehicle_odometry'].reset_counter <= 13


def test_near_1_6_m_the_heading_is_reset_by_0_01_to_0_28_rad_without_a_jump():
    hands = drive(0.1)
    before = hands.last['vehicle_odometry'].reset_counter
    hands.take_off(1.5)
    assert hands.last['vehicle_odometry'].reset_counter == before
    hands.go((0.0, 0.0, -3.0))
    hands.until(lambda: hands.last['vehicle_odometry'].reset_counter != before)
    assert hands.truth.height == pytest.approx(1.6, abs=0.1)
    local = hands.last['vehicle_local_position']
    assert 0.01 <= abs(local.delta_heading) <= 0.28
    hands.run(10.0)
    assert hands.last['vehicle_odometry'].reset_counter == before + 1
    assert local.heading_reset_counter == 3
    assert math.hypot(*hands.last['vehicle_odometry'].position[:2]) < 0.2


def test_gps_off_makes_xy_invalid_after_5_1_s_then_altitude_failsafe():
    hands = flying()
    hands.emulator.happens(events.gps, False)
    hands.run(1.0)
    assert hands.last['vehicle_local_position'].dead_reckoning
    valid = hands.until(lambda: not hands.last['vehicle_local_position'].xy_valid)
    assert valid + 1.0 == pytest.approx(5.1, abs=0.1)
    hands.until(lambda: hands.nav_state == NavState.ALTCTL, 0.2)
    assert hands.emulator.firmware.commander.failsafe


def test_gps_back_counts_3_in_one_message_jumps_by_delta_xy_and_offboard_is_back_after_1_s():
    hands = flying(noise=0.0)
    hands.emulator.happens(events.gps, False)
    hands.run(10.0)
    before = hands.last['vehicle_odometry']
    hands.emulator.happens(events.gps, True)
    hands.run(0.04)
    after, local = hands.last['vehicle_odometry'], hands.last['vehicle_local_position']
    assert after.reset_counter == before.reset_counter + 3
    assert local.delta_xy == pytest.approx([4.1, 1.3], abs=0.05)
    jump = [b - a for a, b in zip(before.position, after.position, strict=True)]
    assert jump[:2] == pytest.approx(local.delta_xy, abs=0.05)
    assert hands.until(lambda: hands.nav_state == 14) == pytest.approx(1.0, abs=0.12)


def test_frames_are_ned_and_quality_is_0():
    odometry = drive(0.1).last['vehicle_odometry']
    assert (odometry.pose_frame, odometry.velocity_frame, odometry.quality) == (1, 1, 0)


def test_5_m_of_spacing_are_4_to_6_by_the_origins():
    """Each origin stands where the vehicle's own GPS says."""
    settings = Settings(vehicle='kinematic')
    lat, lon, alt = settings.latitude, settings.longitude, settings.altitude
    places = [Place(*moved(lat, lon, alt, 0.0, 5.0 * k), alt) for k in range(3)]
    fleet = Fleet(places, settings)
    origins = []
    for emulator in fleet.vehicles:
        hands = Drive(emulator)
        hands.run(0.1)
        local = hands.last['vehicle_local_position']
        assert (local.x, local.y) == pytest.approx((0.0, 0.0), abs=0.05)
        origins.append(local.ref_lon)
    metre = moved(lat, lon, alt, 0.0, 1.0)[1] - lon
    spacings = [(b - a) / metre for a, b in pairwise(origins)]
    assert all(4.0 < spacing < 6.0 for spacing in spacings)
    assert all(abs(spacing - 5.0) > 0.001 for spacing in spacings)
