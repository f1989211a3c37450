"""Messages have the fields of every release, with values that ROS accepts."""

import math

import pytest
from support.px4_emulator import events
from support.px4_emulator.direct_drive import flying

FIELDS = {
    'vehicle_odometry': """timestamp timestamp_sample pose_frame position q velocity_frame velocity
        angular_velocity position_variance orientation_variance velocity_variance reset_counter
        quality""",
    'vehicle_local_position': """timestamp timestamp_sample xy_valid z_valid v_xy_valid v_z_valid
        x y z delta_xy xy_reset_counter delta_z z_reset_counter vx vy vz z_deriv delta_vxy
        vxy_reset_counter delta_vz vz_reset_counter ax ay az heading heading_var unaided_heading
        delta_heading heading_reset_counter heading_good_for_control tilt_var xy_global z_global
        ref_timestamp ref_lat ref_lon ref_alt dist_bottom_valid dist_bottom dist_bottom_var
        delta_dist_bottom dist_bottom_reset_counter dist_bottom_sensor_bitfield eph epv evh evv
        dead_reckoning vxy_max vz_max hagl_min hagl_max hagl_max_z hagl_max_xy""",
    'vehicle_status': """timestamp armed_time takeoff_time arming_state latest_arming_reason
        latest_disarming_reason nav_state_timestamp nav_state_user_intention nav_state
        executor_in_charge nav_state_display accepts_offboard_setpoints valid_nav_states_mask
        can_set_nav_states_mask failure_detector_status hil_state vehicle_type failsafe
        failsafe_and_user_took_over failsafe_defer_state gcs_connection_lost
        gcs_connection_lost_counter high_latency_data_link_lost is_vtol is_vtol_tailsitter
        in_transition_mode in_transition_to_fw system_type system_id component_id
        safety_button_available safety_off power_input_valid usb_connected
        open_drone_id_system_present open_drone_id_system_healthy parachute_system_present
        parachute_system_healthy avoidance_system_required avoidance_system_valid
        traffic_avoidance_system_present rc_calibration_in_progress calibration_enabled
        pre_flight_checks_pass""",
    'vehicle_control_mode': """timestamp flag_armed flag_multicopter_position_control_enabled
        flag_control_manual_enabled flag_control_auto_enabled flag_control_offboard_enabled
        flag_control_position_enabled flag_control_velocity_enabled flag_control_altitude_enabled
        flag_control_climb_rate_enabled flag_control_acceleration_enabled
        flag_control_attitude_enabled flag_control_rates_enabled flag_control_allocation_enabled
        flag_control_termination_enabled source_id""",
    'vehicle_command_ack': """timestamp command result result_param1 result_param2 target_system
        target_component from_external""",
    'vehicle_land_detected': """timestamp freefall ground_contact maybe_landed landed
        in_ground_effect in_descend has_low_throttle vertical_movement horizontal_movement
        rotational_movement close_to_ground_or_skipped_check at_rest""",
    'failsafe_flags': """timestamp offboard_control_signal_lost attitude_invalid
        local_altitude_invalid local_position_invalid local_position_invalid_relaxed
        local_velocity_invalid global_position_invalid home_position_invalid
        manual_control_signal_lost gcs_connection_lost battery_warning battery_unhealthy
        mission_failure wind_limit_exceeded flight_time_limit_exceeded fd_critical_failure
        fd_esc_arming_failure fd_imbalanced_prop fd_motor_failure primary_geofence_breached
        geofence_breached local_position_accuracy_low position_accuracy_low navigator_failure
        fd_alt_loss parachute_unhealthy remote_id_unhealthy gnss_lost""",
    'timesync_status': """timestamp source_protocol remote_timestamp observed_offset
        estimated_offset round_trip_time""",
    'battery_status': 'timestamp connected remaining warning voltage_v',
    'home_position': 'timestamp lat lon alt x y z yaw valid_alt valid_hpos valid_lpos',
}


@pytest.fixture(scope='module')
def messages():
    return flying(vehicle='quadrotor').last


@pytest.mark.parametrize('topic', FIELDS)
def test_no_field_is_missing(messages, topic):
    assert set(FIELDS[topic].split()) - set(vars(messages[topic])) == set()


@pytest.mark.parametrize('topic', FIELDS)
def test_values_are_plain_numbers(messages, topic):
    """Neither numpy's nor those of an enumeration that ROS would refuse."""
    for name, value in vars(messages[topic]).items():
        for number in value if isinstance(value, list) else [value]:
            assert isinstance(number, (bool, int, float)), name
            assert type(number).__module__ in ('builtins', 'support.px4_emulator.constants'), name


def test_times_and_counters_are_whole_numbers(messages):
    for message in messages.values():
        for name, value in vars(message).items():
            if name.endswith(('timestamp', '_counter', '_time', '_state', 'timestamp_sample')):
                assert isinstance(value, int) and value >= 0, name


def test_quaternions_have_length_1(messages):
    assert math.hypot(*messages['vehicle_odometry'].q) == pytest.approx(1.0, abs=1e-9)


def test_control_mode_follows_the_flag():
    hands = flying()
    mode = hands.last['vehicle_control_mode']
    assert (mode.flag_armed, mode.flag_control_offboard_enabled) == (True, True)
    assert mode.flag_control_position_enabled
    hands.fly((0.0, 0.0, 0.0))
    hands.run(0.1)
    mode = hands.last['vehicle_control_mode']
    assert mode.flag_control_velocity_enabled and not mode.flag_control_position_enabled


def test_failsafe_flags_follow_the_estimate():
    hands = flying()
    assert not hands.last['failsafe_flags'].local_velocity_invalid
    hands.emulator.happens(events.gps, False)
    hands.run(5.5)
    flags = hands.last['failsafe_flags']
    assert flags.local_velocity_invalid and flags.offboard_control_signal_lost


def test_home_is_set_anew_when_it_arms():
    hands = flying()
    homes = [sent.message for sent in hands.log if sent.topic == 'home_position']
    assert [home.update_count for home in homes] == [1, 2]
    assert homes[1].lat == pytest.approx(hands.emulator.settings.latitude, abs=1e-5)
