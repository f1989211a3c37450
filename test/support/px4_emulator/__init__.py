"""An emulator of PX4 as a ROS 2 bridge sees it, without ROS; stricter where PX4 is lenient."""

from support.px4_emulator import events
from support.px4_emulator.constants import Cmd, NavState, Result
from support.px4_emulator.emulator import Px4Emulator, Sent
from support.px4_emulator.fleet import Fleet, Place
from support.px4_emulator.settings import LinkSettings, Px4Parameters, Settings, StrictLimits
from support.px4_emulator.strict import Violation

__all__ = [
    'Cmd',
    'Fleet',
    'LinkSettings',
    'NavState',
    'Place',
    'Px4Emulator',
    'Px4Parameters',
    'Result',
    'Sent',
    'Settings',
    'StrictLimits',
    'Violation',
    'events',
]
