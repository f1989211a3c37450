"""PX4's commands for actions, and its answers to them."""

import math
from typing import Any, NamedTuple

from velocity_mobility_ros.autopilot.outputs import Action, Answer, Result

LAND, RETURN_TO_LAUNCH, SET_MODE, ARM_DISARM = 21, 20, 176, 400
FORCE = 21196.0
"""Second parameter of a disarming in the air."""

CUSTOM_MODE, MAIN_OFFBOARD, MAIN_AUTO, SUB_LOITER = 1.0, 6.0, 4.0, 3.0

NAN = math.nan


class Command(NamedTuple):
    """Number and the first three parameters; the other ones are 0."""

    number: int
    param1: float = 0.0
    param2: float = 0.0
    param3: float = 0.0


COMMANDS = {
    Action.OFFBOARD: Command(SET_MODE, CUSTOM_MODE, MAIN_OFFBOARD),
    Action.HOLD: Command(SET_MODE, CUSTOM_MODE, MAIN_AUTO, SUB_LOITER),
    Action.LAND: Command(LAND, NAN, NAN, NAN),
    Action.RETURN: Command(RETURN_TO_LAUNCH),
    Action.ARM: Command(ARM_DISARM, 1.0),
    Action.DISARM: Command(ARM_DISARM, 0.0),
    Action.KILL: Command(ARM_DISARM, 0.0, FORCE),
}

RESULTS = dict(enumerate(Result))
"""MAV_RESULT by number, in the order of ``Result``; those of 1.18 beyond it are refusals."""


class Address(NamedTuple):
    """Who commands whom.

    Attributes:
        system: MAVLink system id of the vehicle, as it reports it.
        component: Its component id.
        source_component: Of this bridge: PX4 repeats it in its answers.
    """

    system: int
    component: int
    source_component: int


def command_fields(action: Action, to: Address) -> dict[str, float | int | bool]:
    """Return the fields of a VehicleCommand; its time 0 stands for PX4's present time.

    Args:
        action: What is asked for.
        to: Who commands whom.

    Raises:
        KeyError: PX4 has no command for the action.
    """
    number, *params = COMMANDS[action]
    first, second, third = params
    return {
        'timestamp': 0, 'param1': first, 'param2': second, 'param3': third, 'param4': 0.0,
        'param5': 0.0, 'param6': 0.0, 'param7': 0.0, 'command': number,
        'target_system': to.system, 'target_component': to.component,
        'source_system': to.system, 'source_component': to.source_component,
        'confirmation': 0, 'from_external': True,
    }  # fmt: skip


def answer(message: Any, source_component: int, received: float) -> Answer | None:
    """Return a VehicleCommandAck as an answer; None if it is not for this bridge.

    Args:
        message: The message.
        source_component: That of this bridge.
        received: Monotonic time of its arrival [s].
    """
    if message.target_component != source_component:
        return None
    actions = frozenset(
        action for action, one in COMMANDS.items() if one.number == message.command
    )
    if not actions:
        return None
    return Answer(received, actions, RESULTS.get(message.result, Result.DENIED))
