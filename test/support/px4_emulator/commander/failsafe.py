"""Which mode a failsafe ends in."""

from support.px4_emulator.commander.requirements import Conditions, can_run
from support.px4_emulator.constants import MANUAL_MODES, NavState

FALL_THROUGH = (
    NavState.POSCTL,
    NavState.ALTCTL,
    NavState.STAB,
    NavState.AUTO_LOITER,
    NavState.AUTO_RTL,
    NavState.AUTO_LAND,
    NavState.DESCEND,
    NavState.TERMINATION,
)
"""What cannot run gives way to the next."""

DISARM_ACTION = 7
OFFBOARD_LOSS = {
    0: NavState.POSCTL,
    1: NavState.ALTCTL,
    2: NavState.STAB,
    3: NavState.AUTO_RTL,
    4: NavState.AUTO_LAND,
    5: NavState.AUTO_LOITER,
    6: NavState.TERMINATION,
}
"""COM_OBL_RC_ACT; 7 disarms."""

RC_LOSS = {
    1: NavState.AUTO_LOITER,
    2: NavState.AUTO_RTL,
    3: NavState.AUTO_LAND,
    5: NavState.TERMINATION,
}
"""NAV_RCL_ACT; 0 does nothing."""


def fallback(
    action: NavState, conditions: Conditions, manual_needs_pilot: bool, rc_action: int
) -> NavState:
    """Return the mode in which an action ends.

    Args:
        action: What is wanted.
        conditions: What can run.
        manual_needs_pilot: Whether manual modes give way to the action of RC loss without a
            pilot; older releases end in them with nobody at the sticks.
        rc_action: NAV_RCL_ACT.
    """
    for mode in FALL_THROUGH[FALL_THROUGH.index(action) :]:
        if mode in MANUAL_MODES and not conditions.manual_control:
            if manual_needs_pilot:
                action = RC_LOSS.get(rc_action, NavState.AUTO_LOITER)
                return fallback(action, conditions, manual_needs_pilot, rc_action)
            if can_run(mode, conditions._replace(manual_control=True)):
                return mode
        elif can_run(mode, conditions):
            return mode
    return NavState.TERMINATION
