"""Fields and constants of PX4's messages beyond those that the bridge checks, for each release."""

from support.interfaces.px4_definitions import Change, Definition, changed, definitions, parsed
from velocity_mobility_ros.autopilot.protocols.px4_message_versions import RELEASES

MODE_NEEDS = (
    'mode_req_angular_velocity mode_req_attitude mode_req_local_alt mode_req_local_position '
    'mode_req_local_position_relaxed mode_req_global_position mode_req_mission '
    'mode_req_offboard_signal mode_req_home_position mode_req_wind_and_flight_time_compliance '
    'mode_req_prevent_arming mode_req_manual_control mode_req_other'
)

TROUBLES = (
    'angular_velocity_invalid attitude_invalid local_altitude_invalid local_position_invalid '
    'local_position_invalid_relaxed local_velocity_invalid global_position_invalid '
    'auto_mission_missing offboard_control_signal_lost home_position_invalid '
    'manual_control_signal_lost gcs_connection_lost'
)
FENCE_AND_TIME = (
    'mission_failure vtol_fixed_wing_system_failure wind_limit_exceeded flight_time_limit_exceeded'
)
DETECTED = 'fd_critical_failure fd_esc_arming_failure fd_imbalanced_prop fd_motor_failure'

FIRST = {
    'FailsafeFlags':
        f'uint64 timestamp; uint32 {MODE_NEEDS}; bool {TROUBLES}; uint8 battery_warning; '
        f'bool battery_low_remaining_time battery_unhealthy primary_geofence_breached '
        f'{FENCE_AND_TIME} local_position_accuracy_low {DETECTED}',
    'BatteryStatus':
        'uint64 timestamp; bool connected; float32 voltage_v voltage_filtered_v current_a '
        'current_filtered_a current_average_a discharged_mah remaining scale time_remaining_s '
        'temperature; uint8 cell_count source priority; uint16 capacity cycle_count '
        'average_time_to_empty serial_number manufacture_date state_of_health max_error; '
        'uint8 id; uint16 interface_error; float32[14] voltage_cell_v; '
        'float32 max_cell_voltage_delta; bool is_powering_off is_required; uint16 faults; '
        'uint32 custom_faults; uint8 warning mode; float32 average_power available_energy '
        'full_charge_capacity_wh remaining_capacity_wh design_capacity; '
        'uint16 average_time_to_full over_discharge_count; float32 nominal_voltage',
    'VehicleGlobalPosition':
        'uint64 timestamp timestamp_sample; float64 lat lon; float32 alt alt_ellipsoid '
        'delta_alt; uint8 lat_lon_reset_counter alt_reset_counter; float32 eph epv '
        'terrain_alt; bool terrain_alt_valid dead_reckoning',
    'HomePosition':
        'uint64 timestamp; float64 lat lon; float32 alt x y z yaw; '
        'bool valid_alt valid_hpos valid_lpos manual_home',
}  # fmt: skip
"""Release 1.14."""

CHANGES = {
    '1.15': {
        'FailsafeFlags': Change(
            ('primary_geofence_breached',), {'primary_geofence_breached': 'bool geofence_breached'}
        ),
        'HomePosition': Change((), {'manual_home': 'uint32 update_count'}),
    },
    '1.16': {
        'FailsafeFlags': Change(
            (), {'local_position_accuracy_low': 'bool navigator_failure'}
        ),
        'BatteryStatus': Change(
            (
                'voltage_filtered_v', 'current_filtered_a', 'custom_faults', 'mode',
                'average_power', 'available_energy', 'design_capacity', 'average_time_to_full',
            ),
            {
                'nominal_voltage':
                    'float32 internal_resistance_estimate ocv_estimate ocv_estimate_filtered '
                    'volt_based_soc_estimate voltage_prediction prediction_error '
                    'estimation_covariance_norm',
            },
        ),
        'VehicleGlobalPosition': Change((), {
            'alt_ellipsoid': 'bool lat_lon_valid alt_valid',
            'delta_alt': 'float32 delta_terrain',
            'alt_reset_counter': 'uint8 terrain_reset_counter',
        }),
    },
    '1.17': {
        'FailsafeFlags': Change(
            ('local_position_accuracy_low',),
            {
                'mode_req_global_position': 'uint32 mode_req_global_position_relaxed',
                'global_position_invalid': 'bool global_position_invalid_relaxed',
                'local_position_accuracy_low': 'bool position_accuracy_low',
            },
        ),
        'BatteryStatus': Change(
            ('serial_number', 'faults', 'warning'),
            {'is_required': 'uint8 warning; uint16 faults'},
            version=1,
        ),
        'HomePosition': Change((), {'z': 'float32 roll pitch'}, version=1),
    },
    '1.18': {
        'FailsafeFlags': Change(
            tuple(DETECTED.split()),
            {
                'battery_unhealthy': f'bool {DETECTED} fd_alt_loss',
                'navigator_failure': 'bool parachute_unhealthy remote_id_unhealthy gnss_lost',
            },
        ),
    },
}  # fmt: skip

FORMAT = {
    'MessageFormatRequest': 'uint64 timestamp; uint16 protocol_version; char[50] topic_name',
    'MessageFormatResponse':
        'uint64 timestamp; uint16 protocol_version; char[50] topic_name; bool success; '
        'uint32 message_hash',
}  # fmt: skip
"""From 1.15 on: which format of a message the vehicle has."""

UNVERSIONED = frozenset(('OffboardControlMode', 'TimesyncStatus', 'FailsafeFlags', *FORMAT))
"""Messages without MESSAGE_VERSION; VehicleControlMode joins them in 1.18."""


def all_definitions(release: str) -> dict[str, Definition]:
    """Return all messages of a release that the tests use, by name."""
    found = {name: Definition(parsed(text), 0) for name, text in FIRST.items()}
    for one in RELEASES[1 : RELEASES.index(release) + 1]:
        for name, change in CHANGES.get(one, {}).items():
            found[name] = changed(found[name], change)
    if release != RELEASES[0]:
        found |= {name: Definition(parsed(text), 0) for name, text in FORMAT.items()}
    return definitions(release) | found


def has_version(name: str, release: str) -> bool:
    """Return whether a message has the constant MESSAGE_VERSION."""
    if release in ('1.14', '1.15') or name in UNVERSIONED:
        return False
    return not (name == 'VehicleControlMode' and release == '1.18')
