"""Fields of the messages of PX4 that the bridge checks, and of VehicleControlMode, by release.

The fields stand in their order on the wire. The first release is written out, the later ones by
what they changed.
"""

from collections.abc import Mapping
from typing import NamedTuple

from velocity_mobility_ros.autopilot.protocols.px4_message_versions import RELEASES


class Change(NamedTuple):
    """What a release changed.

    Attributes:
        removed: Names of fields that it does not have any more.
        added: Fields by the name of the one after which they stand.
        version: The new MESSAGE_VERSION; None: as before.
        whole: All fields, where their order is another one.
    """

    removed: tuple[str, ...] = ()
    added: Mapping[str, str] = {}
    version: int | None = None
    whole: str = ''


class Definition(NamedTuple):
    """A message of one release: type by field, in their order, and MESSAGE_VERSION."""

    fields: dict[str, str]
    version: int


def parsed(text: str) -> dict[str, str]:
    """Return type by name of fields such as ``bool a b; float32[3] c``."""
    found = {}
    for part in text.split(';'):
        kind, *names = part.split()
        found |= dict.fromkeys(names, kind)
    return found


FIRST = {
    'OffboardControlMode':
        'uint64 timestamp; bool position velocity acceleration attitude body_rate actuator',
    'TrajectorySetpoint':
        'uint64 timestamp; float32[3] position velocity acceleration jerk; float32 yaw yawspeed',
    'VehicleCommand':
        'uint64 timestamp; float32 param1 param2 param3 param4; float64 param5 param6; '
        'float32 param7; uint32 command; uint8 target_system target_component source_system '
        'source_component confirmation; bool from_external',
    'VehicleCommandAck':
        'uint64 timestamp; uint32 command; uint8 result result_param1; int32 result_param2; '
        'uint8 target_system target_component; bool from_external',
    'VehicleOdometry':
        'uint64 timestamp timestamp_sample; uint8 pose_frame; float32[3] position; '
        'float32[4] q; uint8 velocity_frame; float32[3] velocity angular_velocity '
        'position_variance orientation_variance velocity_variance; uint8 reset_counter; '
        'int8 quality',
    'VehicleLocalPosition':
        'uint64 timestamp timestamp_sample; bool xy_valid z_valid v_xy_valid v_z_valid; '
        'float32 x y z; float32[2] delta_xy; uint8 xy_reset_counter; float32 delta_z; '
        'uint8 z_reset_counter; float32 vx vy vz z_deriv; float32[2] delta_vxy; '
        'uint8 vxy_reset_counter; float32 delta_vz; uint8 vz_reset_counter; '
        'float32 ax ay az heading delta_heading; uint8 heading_reset_counter; '
        'bool heading_good_for_control xy_global z_global; uint64 ref_timestamp; '
        'float64 ref_lat ref_lon; float32 ref_alt dist_bottom; bool dist_bottom_valid; '
        'uint8 dist_bottom_sensor_bitfield; float32 eph epv evh evv; bool dead_reckoning; '
        'float32 vxy_max vz_max hagl_min hagl_max',
    'VehicleStatus':
        'uint64 timestamp armed_time takeoff_time; uint8 arming_state latest_arming_reason '
        'latest_disarming_reason; uint64 nav_state_timestamp; uint8 nav_state_user_intention '
        'nav_state; uint16 failure_detector_status; uint8 hil_state vehicle_type; bool failsafe '
        'failsafe_and_user_took_over gcs_connection_lost; uint8 gcs_connection_lost_counter; '
        'bool high_latency_data_link_lost is_vtol is_vtol_tailsitter in_transition_mode '
        'in_transition_to_fw; uint8 system_type system_id component_id; '
        'bool safety_button_available safety_off power_input_valid usb_connected '
        'open_drone_id_system_present open_drone_id_system_healthy parachute_system_present '
        'parachute_system_healthy avoidance_system_required avoidance_system_valid '
        'rc_calibration_in_progress calibration_enabled pre_flight_checks_pass',
    'VehicleControlMode':
        'uint64 timestamp; bool flag_armed flag_multicopter_position_control_enabled '
        'flag_control_manual_enabled flag_control_auto_enabled flag_control_offboard_enabled '
        'flag_control_rates_enabled flag_control_attitude_enabled '
        'flag_control_acceleration_enabled flag_control_velocity_enabled '
        'flag_control_position_enabled flag_control_altitude_enabled '
        'flag_control_climb_rate_enabled flag_control_termination_enabled',
    'TimesyncStatus':
        'uint64 timestamp; uint8 source_protocol; uint64 remote_timestamp; int64 observed_offset '
        'estimated_offset; uint32 round_trip_time',
    'VehicleLandDetected':
        'uint64 timestamp; bool freefall ground_contact maybe_landed landed in_ground_effect '
        'in_descend has_low_throttle vertical_movement horizontal_movement rotational_movement '
        'close_to_ground_or_skipped_check at_rest',
}  # fmt: skip
"""Release 1.14."""

CONTROL_MODE = (
    'uint64 timestamp; bool flag_armed flag_multicopter_position_control_enabled '
    'flag_control_manual_enabled flag_control_auto_enabled flag_control_offboard_enabled '
    'flag_control_position_enabled flag_control_velocity_enabled flag_control_altitude_enabled '
    'flag_control_climb_rate_enabled'
)
"""The part of VehicleControlMode that 1.15 and 1.18 have in common."""

CHANGES: dict[str, dict[str, Change]] = {
    '1.15': {
        'OffboardControlMode': Change(
            ('actuator',), {'body_rate': 'bool thrust_and_torque direct_actuator'}
        ),
        'VehicleCommand': Change(
            ('source_component',), {'source_system': 'uint16 source_component'}
        ),
        'VehicleCommandAck': Change(
            ('target_component',), {'target_system': 'uint16 target_component'}
        ),
        'VehicleLocalPosition': Change((), {
            'heading': 'float32 heading_var unaided_heading',
            'heading_good_for_control': 'float32 tilt_var',
        }),
        'VehicleStatus': Change((), {
            'nav_state': 'uint8 executor_in_charge; uint32 valid_nav_states_mask '
                         'can_set_nav_states_mask',
            'failsafe_and_user_took_over': 'uint8 failsafe_defer_state',
        }),
        'VehicleControlMode': Change(
            whole=f'{CONTROL_MODE} flag_control_acceleration_enabled '
                  'flag_control_attitude_enabled flag_control_rates_enabled '
                  'flag_control_allocation_enabled flag_control_termination_enabled; '
                  'uint8 source_id'
        ),
    },
    '1.16': {
        'VehicleLocalPosition': Change(
            ('dist_bottom', 'hagl_max'),
            {
                'dist_bottom_valid': 'float32 dist_bottom dist_bottom_var delta_dist_bottom; '
                                     'uint8 dist_bottom_reset_counter',
                'hagl_min': 'float32 hagl_max_z hagl_max_xy',
            },
        ),
        'VehicleStatus': Change(
            ('avoidance_system_required', 'avoidance_system_valid'), version=1
        ),
    },
    '1.17': {'VehicleLocalPosition': Change(version=1)},
    '1.18': {
        'VehicleCommandAck': Change(version=1),
        'VehicleStatus': Change(
            ('failure_detector_status',),
            {
                'executor_in_charge': 'uint8 nav_state_display; bool accepts_offboard_setpoints',
                'parachute_system_healthy': 'bool traffic_avoidance_system_present',
            },
            version=4,
        ),
        'VehicleControlMode': Change(
            whole=f'{CONTROL_MODE} flag_control_attitude_enabled flag_control_rates_enabled '
                  'flag_control_allocation_enabled'
        ),
    },
}  # fmt: skip


def changed(before: Definition, change: Change) -> Definition:
    """Return a message as a later release has it."""
    version = before.version if change.version is None else change.version
    if change.whole:
        return Definition(parsed(change.whole), version)
    fields: dict[str, str] = {}
    for name, kind in before.fields.items():
        if name not in change.removed:
            fields[name] = kind
        if name in change.added:
            fields |= parsed(change.added[name])
    return Definition(fields, version)


def definitions(release: str) -> dict[str, Definition]:
    """Return the messages of a release by name."""
    found = {name: Definition(parsed(text), 0) for name, text in FIRST.items()}
    for one in RELEASES[1 : RELEASES.index(release) + 1]:
        for name, change in CHANGES.get(one, {}).items():
            found[name] = changed(found[name], change)
    return found


ROS_NAMES = (('float32', 'float'), ('float64', 'double'), ('bool', 'boolean'))
"""Types in definitions of messages, and as ROS names them."""


def ros_types(fields: Mapping[str, str]) -> dict[str, str]:
    """Return the types of fields as ROS names them."""
    found = {}
    for name, kind in fields.items():
        for given, named in ROS_NAMES:
            kind = kind.replace(given, named)
        found[name] = kind
    return found
