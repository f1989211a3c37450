"""An emulator of PX4 as a ROS 2 bridge sees it, without ROS; stricter where PX4 is lenient.

    emulator = Px4Emulator(Settings(release='1.17', instance=1))
    emulator.receive('offboard_control_mode', message)       # attributes as in px4_msgs
    for topic, message, time in emulator.step(0.01):         # with the fields of all releases
        publish(emulator.topic_name(topic), message)
    emulator.happens(events.gps, False)
    assert emulator.violations == []

Time is the caller's: nothing here reads a clock. ``firmware.body.truth`` is the true state.
"""

from support.px4_emulator import events
from support.px4_emulator.constants import Cmd, NavState, Result
from support.px4_emulator.emulator import Px4Emulator, Sent
from support.px4_emulator.settings import LinkSettings, Px4Parameters, Settings, StrictLimits
from support.px4_emulator.strict import Violation

__all__ = [
    'Cmd',
    'LinkSettings',
    'NavState',
    'Px4Emulator',
    'Px4Parameters',
    'Result',
    'Sent',
    'Settings',
    'StrictLimits',
    'Violation',
    'events',
]
