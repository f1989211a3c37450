"""Emulated PX4s to practise with, until ctrl-C: ``python -m support.px4_emulator NUMBER``.

They stand 5 m apart from west to east, with topics in ``/px4_1``, ``/px4_2``, ... and without
remote controls. A line tells of every change of mode, of arming, and of leaving the ground.
"""

import sys
from collections.abc import Iterator

import rclpy

from support.px4_emulator.emulator import Px4Emulator
from support.px4_emulator.ros.loop import Loop
from support.px4_emulator.ros.main import settings
from support.px4_emulator.ros.process import in_a_row
from support.px4_emulator.ros.words import truth

RELEASE = '1.17'

PARAMETERS = {
    'com_obl_rc_act': 5, 'com_rcl_except': 4, 'com_of_loss_t': 3.0,
    'mpc_land_speed': 1.5, 'mpc_land_crwl': 0.7, 'com_disarm_land': 0.5,
}  # fmt: skip
"""No remote control; hold when the bridge is lost, but later than PX4 usually does, since a busy
computer may let it wait; a landing that is short."""


def describe(vehicle: Px4Emulator) -> str:
    """Return what a vehicle does, in a line."""
    told = truth(vehicle)
    parts = told['mode'], *['armed'] * told['armed'], *['in the air'] * (not told['landed'])
    return f'px4_{vehicle.settings.instance}: {", ".join(parts)}'


def changed(vehicles: list[Px4Emulator], before: dict[int, str]) -> Iterator[str]:
    """Iterate over the lines of the vehicles that do something new, and remember them."""
    for number, vehicle in enumerate(vehicles):
        line = describe(vehicle)
        if before.get(number) != line:
            before[number] = line
            yield line


def main(count: int) -> None:
    """Fly until ctrl-C."""
    wanted = [{'instance': k, 'parameters': PARAMETERS} for k in range(1, count + 1)]
    vehicles = [Px4Emulator(settings(one)) for one in in_a_row(wanted, RELEASE)]
    rclpy.init(signal_handler_options=rclpy.signals.SignalHandlerOptions.NO)
    node = rclpy.create_node('px4_emulator', start_parameter_services=False, enable_rosout=False)
    loop, before = Loop(node, vehicles), dict[int, str]()
    try:
        while True:
            loop.turn()
            for line in changed(vehicles, before):
                print(line, flush=True)
    except KeyboardInterrupt:
        node.destroy_node()
        rclpy.try_shutdown()


if __name__ == '__main__':
    main(int(sys.argv[1]))
