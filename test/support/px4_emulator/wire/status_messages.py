"""Messages of commander, battery, clock and home, with the union of the fields of all releases."""

from types import SimpleNamespace
from typing import Any

from support.px4_emulator.commander.commander import Commander
from support.px4_emulator.commander.heartbeat import Heartbeat
from support.px4_emulator.commander.requirements import Conditions
from support.px4_emulator.constants import ARMED, DISARMED, MANUAL_MODES, NavState
from support.px4_emulator.flight.land_detector import LandDetector

QUADROTOR = 2
"""MAV_TYPE_QUADROTOR."""

ROTARY_WING = 1
DDS = 2


def vehicle_status(
    stamp: int, commander: Commander, conditions: Conditions, system_id: int, new_reasons: bool
) -> SimpleNamespace:
    """Arming, modes, failsafe."""
    mode = int(commander.nav_state)
    return SimpleNamespace(
        timestamp=stamp, armed_time=commander.armed_since if commander.armed else 0,
        takeoff_time=commander.taken_off_since,
        arming_state=ARMED if commander.armed else DISARMED,
        latest_arming_reason=commander.arming_reason.value[new_reasons],
        latest_disarming_reason=commander.disarming_reason.value[new_reasons],
        nav_state_timestamp=commander.nav_state_since,
        nav_state_user_intention=int(commander.intention), nav_state=mode, nav_state_display=mode,
        executor_in_charge=0, accepts_offboard_setpoints=mode == NavState.OFFBOARD,
        valid_nav_states_mask=0, can_set_nav_states_mask=0,
        failure_detector_status=0, hil_state=0, vehicle_type=ROTARY_WING,
        failsafe=commander.failsafe, failsafe_and_user_took_over=commander.user_took_over,
        failsafe_defer_state=0, gcs_connection_lost=True, gcs_connection_lost_counter=0,
        high_latency_data_link_lost=False, is_vtol=False, is_vtol_tailsitter=False,
        in_transition_mode=False, in_transition_to_fw=False,
        system_type=QUADROTOR, system_id=system_id, component_id=1,
        safety_button_available=False, safety_off=True, power_input_valid=True,
        usb_connected=False, open_drone_id_system_present=False,
        open_drone_id_system_healthy=False, parachute_system_present=False,
        parachute_system_healthy=False, avoidance_system_required=False,
        avoidance_system_valid=False, traffic_avoidance_system_present=False,
        rc_calibration_in_progress=False, calibration_enabled=False,
        pre_flight_checks_pass=commander.passes_preflight(conditions),
    )  # fmt: skip


def vehicle_control_mode(
    stamp: int, commander: Commander, heartbeat: Heartbeat
) -> SimpleNamespace:
    """Which loops run."""
    mode = commander.nav_state
    offboard, manual = mode == NavState.OFFBOARD, mode in MANUAL_MODES
    position = 'position' in heartbeat.flags if offboard else mode not in MANUAL_MODES
    velocity = (position or 'velocity' in heartbeat.flags) if offboard else position
    return SimpleNamespace(
        timestamp=stamp, flag_armed=commander.armed,
        flag_multicopter_position_control_enabled=velocity,
        flag_control_manual_enabled=manual, flag_control_auto_enabled=not (manual or offboard),
        flag_control_offboard_enabled=offboard, flag_control_position_enabled=position,
        flag_control_velocity_enabled=velocity, flag_control_altitude_enabled=position,
        flag_control_climb_rate_enabled=velocity, flag_control_acceleration_enabled=False,
        flag_control_attitude_enabled=True, flag_control_rates_enabled=True,
        flag_control_allocation_enabled=True,
        flag_control_termination_enabled=commander.terminated, source_id=int(mode),
    )  # fmt: skip


FLAGS = dict.fromkeys(
    (
        'angular_velocity_invalid', 'auto_mission_missing', 'wind_limit_exceeded',
        'flight_time_limit_exceeded', 'battery_unhealthy', 'mission_failure',
        'fd_critical_failure', 'fd_esc_arming_failure', 'fd_imbalanced_prop', 'fd_motor_failure',
        'fd_alt_loss', 'local_position_accuracy_low', 'position_accuracy_low',
        'vtol_fixed_wing_system_failure', 'navigator_failure', 'parachute_unhealthy',
        'remote_id_unhealthy',
    ),
    False,
)  # fmt: skip


def failsafe_flags(stamp: int, conditions: Conditions, is_fence_breached: bool) -> SimpleNamespace:
    """What the checks see; a flag that is set is a trouble."""
    no_position = not conditions.local_position
    return SimpleNamespace(
        **FLAGS
        | {
            'timestamp': stamp,
            'offboard_control_signal_lost': not conditions.offboard,
            'attitude_invalid': not conditions.attitude,
            'local_altitude_invalid': not conditions.altitude,
            'local_position_invalid': no_position,
            'local_position_invalid_relaxed': no_position,
            'local_velocity_invalid': no_position,
            'global_position_invalid': not conditions.global_position,
            'gnss_lost': not conditions.global_position,
            'home_position_invalid': not conditions.home,
            'manual_control_signal_lost': not conditions.manual_control,
            'gcs_connection_lost': True,
            'battery_warning': conditions.battery_warning,
            'primary_geofence_breached': is_fence_breached,
            'geofence_breached': is_fence_breached,
        }
    )


def vehicle_land_detected(stamp: int, land: LandDetector) -> SimpleNamespace:
    """Whether it stands."""
    return SimpleNamespace(
        timestamp=stamp, freefall=land.freefall, ground_contact=land.ground_contact,
        maybe_landed=land.maybe_landed, landed=land.landed, in_ground_effect=False,
        in_descend=False, has_low_throttle=land.ground_contact, vertical_movement=False,
        horizontal_movement=False, rotational_movement=False,
        close_to_ground_or_skipped_check=land.ground_contact, at_rest=land.landed,
    )  # fmt: skip


def battery_status(stamp: int, remaining: float, warning: int) -> SimpleNamespace:
    """The battery."""
    return SimpleNamespace(
        timestamp=stamp, connected=True, remaining=remaining, warning=warning,
        voltage_v=14.0 + 2.8 * remaining, current_a=10.0, cell_count=4, id=1, scale=1.0,
    )  # fmt: skip


def timesync_status(stamp: int, remote: int, offset: int) -> SimpleNamespace:
    """State of the clock's synchronisation."""
    return SimpleNamespace(
        timestamp=stamp, source_protocol=DDS, remote_timestamp=remote, observed_offset=offset,
        estimated_offset=offset, round_trip_time=800,
    )  # fmt: skip


def home_position(stamp: int, home: Any) -> SimpleNamespace:
    """Home: place on Earth, and in the local frame."""
    (x, y, z), (lat, lon, alt) = home.local, home.place
    return SimpleNamespace(
        timestamp=stamp, lat=lat, lon=lon, alt=alt, x=x, y=y, z=z, yaw=home.heading,
        roll=0.0, pitch=0.0, valid_alt=True, valid_hpos=True, valid_lpos=True, manual_home=False,
        update_count=home.count,
    )  # fmt: skip


def vehicle_command_ack(
    command: int, result: int, target: tuple[int, int], stamp: int = 0
) -> SimpleNamespace:
    """An answer; the target is whoever sent the command."""
    return SimpleNamespace(
        timestamp=stamp, command=command, result=result, result_param1=0, result_param2=0,
        target_system=target[0], target_component=target[1], from_external=False,
    )  # fmt: skip
