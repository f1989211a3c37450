"""ArduCopter's flight modes, by number and name."""

from velocity_mobility_ros.autopilot.reports import Mode

GUIDED, LOITER, RTL, LAND, BRAKE = 4, 5, 6, 9, 17

NAMES = {
    0: 'STABILIZE', 1: 'ACRO', 2: 'ALT_HOLD', 3: 'AUTO', 4: 'GUIDED', 5: 'LOITER', 6: 'RTL',
    7: 'CIRCLE', 8: 'POSITION', 9: 'LAND', 10: 'OF_LOITER', 11: 'DRIFT', 13: 'SPORT', 14: 'FLIP',
    15: 'AUTOTUNE', 16: 'POSHOLD', 17: 'BRAKE', 18: 'THROW', 19: 'AVOID_ADSB',
    20: 'GUIDED_NOGPS', 21: 'SMART_RTL', 22: 'FLOWHOLD', 23: 'FOLLOW', 24: 'ZIGZAG',
    25: 'SYSTEMID', 26: 'AUTOROTATE', 27: 'AUTO_RTL', 28: 'TURTLE',
}  # fmt: skip

_MODES = {
    'GUIDED': Mode.OFFBOARD, 'LOITER': Mode.HOLD, 'BRAKE': Mode.HOLD, 'LAND': Mode.LAND,
    'RTL': Mode.RETURN, 'SMART_RTL': Mode.RETURN, 'AUTO_RTL': Mode.RETURN,
}  # fmt: skip

_BY_STICKS = frozenset({
    'STABILIZE', 'ACRO', 'ALT_HOLD', 'POSITION', 'OF_LOITER', 'DRIFT', 'SPORT', 'FLIP',
    'AUTOTUNE', 'POSHOLD', 'FLOWHOLD', 'ZIGZAG', 'SYSTEMID', 'AUTOROTATE', 'TURTLE',
})  # fmt: skip

HOLD_MODES = {'brake': BRAKE, 'loiter': LOITER}
"""Modes that stop and stay; LOITER obeys the sticks, BRAKE does not need any."""


def mode_of_name(name: str) -> Mode:
    """Return the mode of a name."""
    return Mode.PILOT if name in _BY_STICKS else _MODES.get(name, Mode.OTHER)


def name_of(number: int) -> str:
    """Return ArduCopter's name of a number."""
    return NAMES.get(number, f'mode {number}')
