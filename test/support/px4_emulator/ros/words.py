"""What a test tells the emulator's process, and what that tells: lines of JSON.

{"id": 3, "do": "pilot_takes", "vehicle": 1, "with": {"mode": "ALTCTL"}}
{"done": 3}                                  {"failed": 3, "why": "..."}
{"time": 12.3, "vehicles": {"1": {"mode": "OFFBOARD", "armed": true, ...}}}
"""

import inspect
from collections.abc import Callable
from typing import Any

from support.px4_emulator import events
from support.px4_emulator.constants import NavState
from support.px4_emulator.emulator import Px4Emulator
from support.px4_emulator.settings import LinkSettings

MOST_VIOLATIONS = 200
"""So many of a vehicle are told, the first ones."""

EVENTS = {
    name: function
    for name, function in inspect.getmembers(events, inspect.isfunction)
    if function.__module__ == events.__name__
}


def link(vehicle: Px4Emulator, direction: str, **settings: float) -> None:
    """Change a direction of the link, ``in`` or ``out``."""
    vehicle.set_link(direction, LinkSettings(**settings))


OTHERS: dict[str, Callable[..., None]] = {
    'link': link,
    'agent_down': Px4Emulator.agent_down,
    'reboot': Px4Emulator.reboot,
    'operator_word': Px4Emulator.operator_word,
}
"""What is no event inside PX4."""


def obey(vehicle: Px4Emulator, what: str, given: dict[str, Any]) -> None:
    """Let something happen.

    Args:
        vehicle: To whom.
        what: Name of a function of ``events``, or one of ``OTHERS``.
        given: Its arguments by name; a mode by its name.

    Raises:
        KeyError: Nothing has this name.
    """
    told = given | {'mode': NavState[given['mode']]} if 'mode' in given else given
    if what in OTHERS:
        OTHERS[what](vehicle, **told)
    else:
        vehicle.happens(EVENTS[what], **told)


def truth(vehicle: Px4Emulator) -> dict[str, Any]:
    """Return what is true about a vehicle."""
    firmware = vehicle.firmware
    body, commander = firmware.body.truth, firmware.commander
    return {
        'position': [body.latitude, body.longitude, body.altitude],
        'height': body.height,
        'velocity': list(body.velocity),
        'heading': body.heading,
        'mode': commander.nav_state.name,
        'armed': commander.armed,
        'landed': firmware.flight.land.landed,
        'failsafe': commander.failsafe,
        'has_crashed': firmware.body.has_crashed,
        'violation_count': len(vehicle.violations),
        'violations': [list(violation) for violation in vehicle.violations[:MOST_VIOLATIONS]],
    }
