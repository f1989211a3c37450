"""The process: ``python -m support.autopilot.ros.main '[{"kind": "ap_dds", "prefix": "/ap"}]'``.

The argument is a list of vehicles; ``settings`` are changed ones. Standard input and output are as
those of ``support.px4_emulator.ros``, the vehicles are numbered from 1. It ends with its input.
"""

import json
import sys
import time

import rclpy

from support.autopilot.ros.endpoints import Endpoints
from support.autopilot.ros.vehicles import KINDS, truth
from support.px4_emulator.ros.main import TELL_EVERY, Inbox, say

PERIOD_NS = 10_000_000


def main():
    """Fly until the input ends."""
    rclpy.init(signal_handler_options=rclpy.signals.SignalHandlerOptions.NO)
    node = rclpy.create_node('emulator', start_parameter_services=False, enable_rosout=False)
    vehicles, endpoints = {}, []
    for number, one in enumerate(json.loads(sys.argv[1]), 1):
        kind = KINDS[one['kind']]
        emulator = kind.make(one.get('settings', {}))
        vehicles[number] = one['kind'], emulator
        endpoints.append(Endpoints(node, one['prefix'], kind.interface(), emulator))
    inbox, start, told = Inbox(), time.monotonic_ns(), -1.0

    def do(number, what, how):
        kind, emulator = vehicles[number]
        KINDS[kind].do[what](emulator, **how)

    while not inbox.is_closed:
        inbox.obey(do)
        now = time.monotonic_ns() - start
        for one in endpoints:
            one.turn(now, time.time_ns() - now)
        if 1e-9 * now >= told + TELL_EVERY:
            told = 1e-9 * now
            truths = {str(number): truth(one) for number, (_, one) in vehicles.items()}
            say({'time': told, 'vehicles': truths})
        time.sleep(1e-9 * (PERIOD_NS - (time.monotonic_ns() - start) % PERIOD_NS))
    node.destroy_node()
    rclpy.try_shutdown()


if __name__ == '__main__':
    main()
