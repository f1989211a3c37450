"""An emulator of ArduCopter as a bridge sees it, over AP_DDS or behind MAVROS, without ROS.

    emulator = ApDdsEmulator(ArduSettings())
    emulator.receive(message)                             # cmd_vel, a TwistStamped
    emulator.call('mode_switch', request, responses.append)
    for topic, message, time in emulator.step(0.01):
        publish(topic, message)
    emulator.copter.fail('battery')

Time is the caller's: nothing here reads a clock. ``copter.body.truth`` is the true state.
"""

from support.ardupilot_emulator.ap_dds import ApDdsEmulator, Sent
from support.ardupilot_emulator.copter import Copter
from support.ardupilot_emulator.settings import ArduSettings

__all__ = ['ApDdsEmulator', 'ArduSettings', 'Copter', 'Sent']
