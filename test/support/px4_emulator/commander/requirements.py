"""What each mode needs to run, and what arming needs."""

from typing import NamedTuple

from support.px4_emulator.constants import MANUAL_MODES, NavState


class Conditions(NamedTuple):
    """What the checks see.

    Attributes:
        heartbeat: Whether the offboard signal is fresh and has a flag.
        offboard: Whether OFFBOARD can run: heartbeat, and the estimates that its flag needs.
        local_position: Valid for a second, as are the next three.
        global_position: And there is GPS.
        altitude: Height and its speed.
        attitude: And body rates.
        home: Whether home is set.
        manual_control: Whether a pilot holds sticks.
        battery_warning: 0 none, 1 low, 2 critical, 3 emergency.
        landed: Whether it stands.
        maybe_landed: Whether it probably does.
    """

    heartbeat: bool
    offboard: bool
    local_position: bool
    global_position: bool
    altitude: bool
    attitude: bool
    home: bool
    manual_control: bool
    battery_warning: int
    landed: bool
    maybe_landed: bool


NEEDS: dict[NavState, tuple[str, ...]] = {
    NavState.OFFBOARD: ('attitude', 'offboard'),
    NavState.AUTO_LOITER: ('attitude', 'global_position', 'local_position', 'altitude'),
    NavState.AUTO_RTL: ('attitude', 'global_position', 'local_position', 'altitude', 'home'),
    NavState.AUTO_TAKEOFF: ('attitude', 'local_position', 'altitude'),
    NavState.AUTO_LAND: ('attitude', 'local_position', 'altitude'),
    NavState.DESCEND: ('attitude',),
    NavState.POSCTL: ('attitude', 'local_position', 'altitude', 'manual_control'),
    NavState.ALTCTL: ('attitude', 'altitude', 'manual_control'),
    NavState.STAB: ('attitude', 'manual_control'),
    NavState.MANUAL: ('attitude', 'manual_control'),
    NavState.ACRO: ('manual_control',),
    NavState.TERMINATION: (),
}
"""AUTO_MISSION is not here: there is never a mission."""

ARMABLE = MANUAL_MODES | {NavState.OFFBOARD, NavState.AUTO_LOITER, NavState.AUTO_TAKEOFF}


def can_run(mode: NavState, conditions: Conditions) -> bool:
    """Return whether a mode can run now."""
    return mode in NEEDS and all(getattr(conditions, need) for need in NEEDS[mode])


def can_arm(mode: NavState, conditions: Conditions) -> bool:
    """Return whether it would arm in a mode. A low battery is refused already, to be strict."""
    return mode in ARMABLE and can_run(mode, conditions) and conditions.battery_warning == 0
