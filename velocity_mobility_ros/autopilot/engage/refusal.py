"""Why the autopilot refuses: it does not say so over DDS, but its status and checks tell."""

from velocity_mobility_ros.autopilot.engage.prechecks import NO_ARMING
from velocity_mobility_ros.autopilot.engage.records import Inputs

HEARTBEAT = 'offboard_control_signal_lost'


def reasons(inputs: Inputs) -> tuple[str, ...]:
    """Return what explains a refused mode or arming, the most likely first.

    Args:
        inputs: What is known.
    """
    found = []
    flags, status = inputs.flags, inputs.status
    if flags is not None:
        if flags.values.get(HEARTBEAT, 0):
            found.append('the heartbeat does not arrive (OffboardControlMode)')
        found += [f'{name} is set' for name, value in flags.values.items()
                  if value and name != HEARTBEAT]  # fmt: skip
    if status is not None:
        if status.safety_locked:
            found.append('the safety switch is not pressed')
        if status.is_calibrating:
            found.append('the vehicle is being calibrated')
        if status.mode in NO_ARMING:
            found.append(f'it does not arm in mode {status.mode.value}')
        if not status.passes_preflight:
            found.append('its preflight checks fail')
    return tuple(found) or ('it does not say why: see the ground station',)


def explained(refusal: str, inputs: Inputs) -> str:
    """Return a refusal with its likely reasons."""
    return f'{refusal}; {", ".join(reasons(inputs))}'
