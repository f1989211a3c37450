"""Messages of commander, battery and clock, with the fields of all releases that are not 0."""

from types import SimpleNamespace

from support.px4_emulator.commander.commander import Commander
from support.px4_emulator.commander.requirements import Conditions
from support.px4_emulator.constants import ARMED, DISARMED
from support.px4_emulator.flight.land_detector import LandDetector

DDS = 2


def vehicle_status(
    stamp: int, commander: Commander, conditions: Conditions, system_id: int, new_reasons: bool
) -> SimpleNamespace:
    """Arming, modes, failsafe."""
    return SimpleNamespace(
        timestamp=stamp, armed_time=commander.armed_since if commander.armed else 0,
        arming_state=ARMED if commander.armed else DISARMED,
        latest_disarming_reason=commander.disarming_reason.value[new_reasons],
        nav_state_user_intention=int(commander.intention), nav_state=int(commander.nav_state),
        failsafe=commander.failsafe, failsafe_and_user_took_over=commander.user_took_over,
        gcs_connection_lost=True, system_id=system_id, component_id=1,
        safety_button_available=False, safety_off=True, rc_calibration_in_progress=False,
        calibration_enabled=False, pre_flight_checks_pass=commander.passes_preflight(conditions),
    )  # fmt: skip


def failsafe_flags(stamp: int, conditions: Conditions) -> SimpleNamespace:
    """What the checks see; a flag that is set is a trouble."""
    no_position = not conditions.local_position
    return SimpleNamespace(
        **{
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
        }
    )


def vehicle_land_detected(stamp: int, land: LandDetector) -> SimpleNamespace:
    """Whether it stands."""
    return SimpleNamespace(
        timestamp=stamp, freefall=land.freefall, ground_contact=land.ground_contact,
        maybe_landed=land.maybe_landed, landed=land.landed, at_rest=land.landed,
    )


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


def vehicle_command_ack(
    command: int, result: int, target: tuple[int, int], stamp: int = 0
) -> SimpleNamespace:
    """An answer; the target is whoever sent the command."""
    return SimpleNamespace(
        timestamp=stamp, command=command, result=result, result_param1=0, result_param2=0,
        target_system=target[0], target_component=target[1], from_external=False,
    )  # fmt: skip
