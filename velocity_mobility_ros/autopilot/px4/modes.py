"""PX4's flight modes (``nav_state``), by number and name."""

from velocity_mobility_ros.autopilot.reports import Mode

OFFBOARD = 14

NAMES = {
    0: 'MANUAL', 1: 'ALTCTL', 2: 'POSCTL', 3: 'AUTO_MISSION', 4: 'AUTO_LOITER', 5: 'AUTO_RTL',
    6: 'POSITION_SLOW', 7: 'GUIDED_COURSE', 8: 'ALTITUDE_CRUISE', 10: 'ACRO', 12: 'DESCEND',
    13: 'TERMINATION', 14: 'OFFBOARD', 15: 'STAB', 17: 'AUTO_TAKEOFF', 18: 'AUTO_LAND',
    19: 'AUTO_FOLLOW_TARGET', 20: 'AUTO_PRECLAND', 21: 'ORBIT', 22: 'AUTO_VTOL_TAKEOFF',
}  # fmt: skip
"""Numbers have kept their meaning since 1.14; 23 to 30 are modes of other programs."""

_MODES = {
    4: Mode.HOLD, 5: Mode.RETURN, 12: Mode.DESCEND, 13: Mode.TERMINATION, 14: Mode.OFFBOARD,
    17: Mode.TAKEOFF, 18: Mode.LAND, 20: Mode.LAND,
}  # fmt: skip

_BY_STICKS = (0, 1, 2, 6, 8, 10, 15)


def mode_of(nav_state: int) -> Mode:
    """Return the mode of a number."""
    return Mode.PILOT if nav_state in _BY_STICKS else _MODES.get(nav_state, Mode.OTHER)


def name_of(nav_state: int) -> str:
    """Return PX4's name of a number."""
    return NAMES.get(nav_state, f'mode {nav_state}')
