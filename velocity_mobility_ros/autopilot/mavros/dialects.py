"""The autopilots behind MAVROS: their modes by the names that MAVROS uses."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from velocity_mobility_ros.autopilot.ardupilot import modes as copter
from velocity_mobility_ros.autopilot.outputs import Action
from velocity_mobility_ros.autopilot.reports import Mode
from velocity_mobility_ros.autopilot.traits import MAVROS_ARDUPILOT, MAVROS_PX4, Traits

_PX4_MODES = {
    'OFFBOARD': Mode.OFFBOARD, 'AUTO.LOITER': Mode.HOLD, 'AUTO.LAND': Mode.LAND,
    'AUTO.RTL': Mode.RETURN, 'AUTO.TAKEOFF': Mode.TAKEOFF, 'AUTO.PRECLAND': Mode.LAND,
    'AUTO.MISSION': Mode.OTHER, 'AUTO.FOLLOW_TARGET': Mode.OTHER, 'AUTO.RTGS': Mode.OTHER,
    'AUTO.READY': Mode.OTHER, 'MANUAL': Mode.PILOT, 'ALTCTL': Mode.PILOT, 'POSCTL': Mode.PILOT,
    'ACRO': Mode.PILOT, 'STABILIZED': Mode.PILOT, 'RATTITUDE': Mode.PILOT,
}  # fmt: skip


class Dialect(NamedTuple):
    """How one autopilot is spoken to.

    Attributes:
        traits: What is particular to it.
        modes: Name of the mode that an action asks for.
        names: All names of its modes.
        mode_of: Returns the mode of a name.
    """

    traits: Traits
    modes: Mapping[Action, str]
    names: frozenset[str]
    mode_of: Callable[[str], Mode]


def _px4_mode(name: str) -> Mode:
    return _PX4_MODES.get(name, Mode.OTHER)


PX4 = Dialect(
    MAVROS_PX4,
    {
        Action.OFFBOARD: 'OFFBOARD',
        Action.HOLD: 'AUTO.LOITER',
        Action.LAND: 'AUTO.LAND',
        Action.RETURN: 'AUTO.RTL',
    },
    frozenset(_PX4_MODES),
    _px4_mode,
)


def ardupilot(hold_mode: str) -> Dialect:
    """Return the dialect of ArduCopter.

    Args:
        hold_mode: Which mode holds, of ``copter.HOLD_MODES``.
    """
    modes = {
        Action.OFFBOARD: copter.GUIDED,
        Action.HOLD: copter.HOLD_MODES[hold_mode],
        Action.LAND: copter.LAND,
        Action.RETURN: copter.RTL,
    }
    return Dialect(
        MAVROS_ARDUPILOT,
        {action: copter.NAMES[number] for action, number in modes.items()},
        frozenset(copter.NAMES.values()),
        copter.mode_of_name,
    )


def mode_trouble(dialect: Dialect, name: str) -> str:
    """Return that a mode is none of the autopilot's, so that it is another one; else empty.

    MAVROS writes the number of a mode whose name it does not know: ``CMODE(21)``.
    """
    if name in dialect.names or '(' in name:
        return ''
    return f'MAVROS reports the mode {name}, which this autopilot does not have: set autopilot'
