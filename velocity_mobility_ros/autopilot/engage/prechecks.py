"""What must hold before a vehicle is engaged: each check by name, with value and bound.

An autopilot that refuses does not say why over DDS, but its status and the checks tell.
"""

import math
from collections.abc import Callable, Iterator

from velocity_mobility_ros.autopilot.autopilot_reports import (
    Flags, LocalPosition, Mode, VehicleStatus
)
from velocity_mobility_ros.autopilot.autopilot_requests import Traits
from velocity_mobility_ros.autopilot.engage.engage_records import EngageParameters, Inputs, Request

FRESH_STATUS = 2.0
"""Largest age of the status before an engagement [s]."""

STILL_SPEED = 0.3
"""Largest speed of a vehicle that stands [m/s]."""

STILL_COMMAND = 1.05
"""Largest command before a take-off [m/s]: a stopped agent evades others at up to 1 m/s."""

MAX_EVH = 0.5
"""Largest standard deviation of the horizontal velocity before an engagement [m/s]."""

TROUBLES = (
    'attitude_invalid', 'local_altitude_invalid', 'local_position_invalid',
    'local_velocity_invalid', 'battery_unhealthy', 'battery_warning', 'fd_critical_failure',
    'fd_esc_arming_failure', 'fd_imbalanced_prop', 'fd_motor_failure', 'geofence_breached',
    'primary_geofence_breached', 'mission_failure', 'wind_limit_exceeded',
    'flight_time_limit_exceeded', 'offboard_control_signal_lost',
)  # fmt: skip
"""Flags of the autopilot's own checks that keep the vehicle from being engaged."""

COMMANDED = 'a controller commands'
"""Begin of the fault that ends as soon as the agent is stopped; a semicolon parts two faults."""

NO_ARMING = (Mode.RETURN, Mode.DESCEND, Mode.TERMINATION, Mode.LAND)


def failing_checks(settings: EngageParameters, inputs: Inputs, goal: Request) -> tuple[str, ...]:
    """Return the checks that fail, in words; none if the vehicle can be engaged.

    Args:
        settings: The bounds.
        inputs: What is known.
        goal: TAKE_OFF, or ENGAGE in flight.
    """
    checks: tuple[Callable[..., Iterator[str]], ...] = (_link, _status, _position, _at_rest)
    checks += (_on_ground,) if goal is Request.TAKE_OFF else (_takeoff_estimate,)
    return tuple(fault for check in checks for fault in check(settings, inputs))


def _link(settings: EngageParameters, inputs: Inputs) -> Iterator[str]:
    if inputs.fault:
        yield inputs.fault
    if inputs.frame_fault:
        yield inputs.frame_fault
    if not inputs.is_matched:
        yield 'the autopilot does not listen to the topics of this bridge'
    if inputs.commanders > 1:
        yield other_bridges(inputs)
    for name, text in inputs.traits.statements:
        if not getattr(settings, name):
            yield f'{name} is empty: {text}'


def other_bridges(inputs: Inputs) -> str:
    """Return the fault of other bridges; the middleware lists a killed one for a while."""
    return f'{inputs.commanders} bridges {COMPANY}'


COMPANY = (
    'send setpoints to this vehicle: stop all but one (one that was killed counts for up to 20 s)'
)


def _status(settings: EngageParameters, inputs: Inputs) -> Iterator[str]:
    status = inputs.status
    if status is None or inputs.now - status.received > FRESH_STATUS:
        yield f'no status of the autopilot for {FRESH_STATUS:g} s'
        return
    yield from _status_faults(status, inputs.traits)


def _status_faults(status: VehicleStatus, traits: Traits) -> Iterator[str]:
    if status.is_failsafe:
        yield f'a failsafe acts ({status.mode_name or status.mode.value})'
    if status.is_calibrating:
        yield 'the vehicle is being calibrated'
    if status.safety_locked:
        yield 'the safety switch is not pressed'
    if traits.leaves_landing_mode and not status.is_armed and status.mode in NO_ARMING:
        yield f'the vehicle does not arm in its mode {status.mode.value}; choose another one'


def _position(settings: EngageParameters, inputs: Inputs) -> Iterator[str]:
    local = inputs.local
    if local is None or inputs.now - local.received > settings.position_timeout:
        yield f'no local position for {settings.position_timeout:g} s'
        return
    yield from _invalid(local)
    if local.dead_reckoning:
        yield 'the position is dead reckoning: nothing measures it'
    if not local.eph <= settings.max_eph:
        yield f'the position is uncertain: eph = {local.eph:.1f} m, at most {settings.max_eph:g} m'
    if not local.evh <= MAX_EVH:
        yield f'the velocity is uncertain: evh = {local.evh:.1f} m/s, at most {MAX_EVH:g} m/s'
    odometry = inputs.odometry
    if odometry is None or inputs.now - odometry.received > settings.position_timeout:
        yield f'no odometry for {settings.position_timeout:g} s'


def _invalid(local: LocalPosition) -> Iterator[str]:
    for name, is_valid in (
        ('horizontal position', local.xy_valid),
        ('height', local.z_valid),
        ('horizontal velocity', local.v_xy_valid),
        ('vertical velocity', local.v_z_valid),
    ):
        if not is_valid:
            yield f'the {name} of the estimator is not valid'


def _at_rest(settings: EngageParameters, inputs: Inputs) -> Iterator[str]:
    if inputs.outside > 0.0:
        yield f'the vehicle is {inputs.outside:.1f} m outside of its room'
    battery = inputs.battery
    if battery is not None and battery.is_connected:
        if battery.warning > 0:
            yield f'the battery warns (level {battery.warning})'
        if battery.remaining < settings.min_battery:
            charge, least = 100.0 * battery.remaining, 100.0 * settings.min_battery
            yield f'the battery is at {charge:.0f} %, at least {least:.0f} %'
    if inputs.flags is not None:
        yield from set_flags(inputs.flags)


def set_flags(flags: Flags) -> Iterator[str]:
    """Iterate over the autopilot's own checks that fail, by its names."""
    for name in TROUBLES:
        if flags.values.get(name, 0):
            yield f'{name} is set'


def _takeoff_estimate(settings: EngageParameters, inputs: Inputs) -> Iterator[str]:
    """On the ground PX4 does not vouch for its heading yet: it aligns it in the first climb."""
    if inputs.local is not None and not inputs.local.heading_valid:
        yield 'the heading of the estimator is not valid'


def _on_ground(settings: EngageParameters, inputs: Inputs) -> Iterator[str]:
    if inputs.land is not None and not inputs.land.landed:
        yield 'the vehicle does not stand on the ground'
    status = inputs.status
    if inputs.traits.tells_preflight and status is not None and not status.passes_preflight:
        yield 'its checks before arming fail; the ground station shows which'
    local = inputs.local
    if local is not None and math.hypot(*local.velocity) > STILL_SPEED:
        speed = math.hypot(*local.velocity)
        yield f'the vehicle moves: {speed:.2f} m/s, at most {STILL_SPEED:g} m/s'
    fresh = inputs.command_age < settings.command_timeout
    if fresh and inputs.command_speed > STILL_COMMAND:
        yield (
            f'{COMMANDED} {inputs.command_speed:.2f} m/s, at most {STILL_COMMAND:g} m/s '
            'before a take-off: let it hold'
        )


HEARTBEAT = 'offboard_control_signal_lost'


def reasons(inputs: Inputs) -> tuple[str, ...]:
    """Return reasons for a refused mode or arming, the most likely first.

    Args:
        inputs: What is known.
    """
    texts = []
    flags, status = inputs.flags, inputs.status
    if flags is not None:
        if flags.values.get(HEARTBEAT, 0):
            texts.append('the heartbeat does not arrive (OffboardControlMode)')
        texts += [f'{name} is set' for name, value in flags.values.items()
                  if value and name != HEARTBEAT]  # fmt: skip
    if status is not None:
        if status.safety_locked:
            texts.append('the safety switch is not pressed')
        if status.is_calibrating:
            texts.append('the vehicle is being calibrated')
        if status.mode in NO_ARMING:
            texts.append(f'it does not arm in mode {status.mode.value}')
        if not status.passes_preflight:
            texts.append('its preflight checks fail')
    return tuple(texts) or ('it does not say why: see the ground station',)


def explain_refusal(refusal: str, inputs: Inputs) -> str:
    """Return a refusal with its likely reasons."""
    return f'{refusal}; {", ".join(reasons(inputs))}'
