"""An emulator of MAVROS with a PX4 or an ArduCopter behind it, as a bridge sees it, without ROS.

    emulator = MavrosEmulator(Px4Side())                     # or ArduPilotSide()
    emulator.receive(message)                                # setpoint_raw/local
    emulator.call('set_mode', request, responses.append)
    for topic, message, time in emulator.step(0.01):
        publish(topic, message)

Time is the caller's: nothing here reads a clock.
"""

from support.mavros_emulator.ardupilot_side import ArduPilotSide
from support.mavros_emulator.mavros import MavrosEmulator, Sent
from support.mavros_emulator.px4_side import Px4Side

__all__ = ['ArduPilotSide', 'MavrosEmulator', 'Px4Side', 'Sent']
