"""Numbers of PX4's messages: modes, commands, results."""

from enum import Enum, IntEnum


class NavState(IntEnum):
    """Flight modes, ``VehicleStatus.nav_state``."""

    MANUAL = 0
    ALTCTL = 1
    POSCTL = 2
    AUTO_MISSION = 3
    AUTO_LOITER = 4
    AUTO_RTL = 5
    ACRO = 10
    DESCEND = 12
    TERMINATION = 13
    OFFBOARD = 14
    STAB = 15
    AUTO_TAKEOFF = 17
    AUTO_LAND = 18


class Cmd(IntEnum):
    """Commands, ``VehicleCommand.command``."""

    NAV_LOITER_UNLIM = 17
    NAV_RETURN_TO_LAUNCH = 20
    NAV_LAND = 21
    NAV_TAKEOFF = 22
    DO_SET_MODE = 176
    DO_REPOSITION = 192
    COMPONENT_ARM_DISARM = 400
    RUN_PREARM_CHECKS = 401


class Result(IntEnum):
    """Results, ``VehicleCommandAck.result``."""

    ACCEPTED = 0
    TEMPORARILY_REJECTED = 1
    DENIED = 2
    UNSUPPORTED = 3


class Reason(Enum):
    """Why it armed or disarmed: numbers up to 1.17 and from 1.18."""

    NONE = (0, 0)
    EXTERNAL_COMMAND = (4, 4)
    LANDING = (7, 6)
    NO_TAKE_OFF = (8, 7)
    KILL_SWITCH = (9, 8)
    FAILSAFE = (11, 14)


DISARMED, ARMED = 1, 2
FORCE = 21196
"""``param2`` of a disarm command that acts in the air too."""

MANUAL_MODES = frozenset(
    (NavState.MANUAL, NavState.ALTCTL, NavState.POSCTL, NavState.ACRO, NavState.STAB)
)

MAIN_MODES = {
    1: NavState.MANUAL,
    2: NavState.ALTCTL,
    3: NavState.POSCTL,
    5: NavState.ACRO,
    6: NavState.OFFBOARD,
    7: NavState.STAB,
}
"""``param2`` of DO_SET_MODE; 4 (auto) has sub modes."""

AUTO = 4
SUB_MODES = {
    0: NavState.AUTO_MISSION,
    2: NavState.AUTO_TAKEOFF,
    3: NavState.AUTO_LOITER,
    4: NavState.AUTO_MISSION,
    5: NavState.AUTO_RTL,
    6: NavState.AUTO_LAND,
}
"""``param3`` of DO_SET_MODE with main mode auto."""
