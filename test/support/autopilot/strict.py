"""Emulated PX4s for flights without ROS, and what their strict mode has found."""

from types import SimpleNamespace

from support.autopilot.emulated import ENGAGE, FLYABLE, FRAME, EmulatedVehicle
from support.autopilot.places import moved
from support.px4_emulator.settings import Settings
from velocity_mobility_ros.autopilot.bridge.bridge_records import BridgeParameters
from velocity_mobility_ros.autopilot.guidance.guidance_parameters import GuidanceParameters

RELEASES = ('1.14', '1.15', '1.16', '1.17', '1.18')
ALLOWED = frozenset()


def vehicle(parameters=None, **changes):
    base = {'vehicle': 'kinematic', 'parameters': FLYABLE}
    return EmulatedVehicle(Settings(**(base | changes)), parameters)


def guided(**changes):
    return BridgeParameters(ENGAGE, GuidanceParameters(**changes), FRAME)


def broken(one, allowed=ALLOWED):
    """Return the strict rules that were broken."""
    return {violation.rule for violation in one.px4.violations} - set(allowed)


def metres_moved(one, start):
    """Return east and north [m] of the true way since a place."""
    return moved(_place(start), _place(one.truth))[:2]


def _place(truth):
    return SimpleNamespace(position=(truth.latitude, truth.longitude, truth.height))
