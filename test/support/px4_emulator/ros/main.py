"""The process: ``python -m support.px4_emulator.ros.main '{"release": "1.17", ...}'``.

The argument is JSON: ``vehicles`` is a list of changed ``Settings``, of which ``parameters`` are
changed ``Px4Parameters``. Standard input and output: see ``words``. It ends with its input.
"""

import json
import queue
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import rclpy

from support.px4_emulator.emulator import Px4Emulator
from support.px4_emulator.ros.loop import Loop
from support.px4_emulator.ros.words import obey, truth
from support.px4_emulator.settings import LinkSettings, Px4Parameters, Settings, StrictLimits

TELL_EVERY = 0.1
"""Period in which the truth is told [s]."""

RECORDS = {
    'parameters': Px4Parameters, 'link_in': LinkSettings, 'link_out': LinkSettings,
    'strict': StrictLimits,
}  # fmt: skip


def settings(given: dict[str, Any]) -> Settings:
    """Return the settings of a vehicle."""
    made = {name: RECORDS[name](**value) if name in RECORDS else value
            for name, value in given.items()}  # fmt: skip
    return Settings(epoch_us=time.time_ns() // 1000, **made)


def say(message: dict[str, Any]) -> None:
    """Write a line."""
    print(json.dumps(message), flush=True)


class Inbox:
    """Lines of the standard input, read by a thread of its own."""

    def __init__(self) -> None:
        self.is_closed = False
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in sys.stdin:
            self._lines.put(line)
        self.is_closed = True

    def obey(self, do: Callable[[int, str, dict[str, Any]], None]) -> None:
        """Do what the waiting lines ask for, and answer them.

        Args:
            do: Takes the number of a vehicle, what is to happen, and how.
        """
        while not self._lines.empty():
            asked = json.loads(self._lines.get())
            try:
                do(asked['vehicle'], asked['do'], asked['with'])
            except Exception as error:  # the test that asked fails
                say({'failed': asked['id'], 'why': f'{type(error).__name__}: {error}'})
            else:
                say({'done': asked['id']})


def main() -> None:
    """Fly until the input ends."""
    asked = json.loads(sys.argv[1])
    vehicles = [Px4Emulator(settings(one)) for one in asked['vehicles']]
    by_number = {one.settings.instance: one for one in vehicles}
    rclpy.init(signal_handler_options=rclpy.signals.SignalHandlerOptions.NO)
    node = rclpy.create_node('px4_emulator', start_parameter_services=False, enable_rosout=False)
    loop, inbox, next_tell = Loop(node, vehicles, asked['speed']), Inbox(), 0.0
    while not inbox.is_closed:
        inbox.obey(lambda number, what, how: obey(by_number[number], what, how))
        loop.turn()
        if loop.now >= next_tell:
            next_tell = loop.now + TELL_EVERY * asked['speed']
            told = {str(number): truth(one) for number, one in by_number.items()}
            say({'time': loop.now, 'vehicles': told})
    node.destroy_node()
    rclpy.try_shutdown()


if __name__ == '__main__':
    main()
