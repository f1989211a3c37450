"""ArduCopter's modes that matter here, and when they can be entered and armed in."""

from enum import IntEnum


class Flight(IntEnum):
    """Modes by number."""

    STABILIZE = 0
    ALT_HOLD = 2
    AUTO = 3
    GUIDED = 4
    LOITER = 5
    RTL = 6
    LAND = 9
    BRAKE = 17


NEED_POSITION = frozenset({Flight.AUTO, Flight.GUIDED, Flight.LOITER, Flight.RTL, Flight.BRAKE})
NO_ARMING = frozenset({Flight.AUTO, Flight.RTL, Flight.LAND, Flight.BRAKE})
