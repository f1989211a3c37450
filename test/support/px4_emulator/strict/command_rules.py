"""Rules on commands. Each broken one is a name and what was seen."""

from collections.abc import Iterator
from typing import Any

from support.px4_emulator.constants import Cmd

MODE_COMMANDS = frozenset(
    (
        Cmd.COMPONENT_ARM_DISARM, Cmd.DO_SET_MODE, Cmd.NAV_LAND, Cmd.NAV_TAKEOFF,
        Cmd.NAV_RETURN_TO_LAUNCH, Cmd.NAV_LOITER_UNLIM,
    )
)  # fmt: skip

Broken = Iterator[tuple[str, str]]


def address(message: Any, system_id: int) -> Broken:
    """Judge sender and receiver."""
    target = int(message.target_system), int(message.target_component)
    if target[0] not in (0, system_id) or target[1] not in (0, 1):
        yield 'wrong_target', f'target {target}, this is ({system_id}, 1)'
    if not message.from_external:
        yield 'from_external', 'from_external is false'
    if not message.source_component:
        yield 'source_component', 'source_component is 0'


def intent(message: Any, overridden: bool, resumed: bool, disarmed: bool) -> Broken:
    """Judge mode and arm commands after what only the operator may answer.

    Args:
        message: Command.
        overridden: Whether a pilot took the vehicle.
        resumed: Whether OFFBOARD came back by itself.
        disarmed: Whether it was disarmed by somebody else.
    """
    if message.command not in MODE_COMMANDS:
        return
    if overridden:
        yield 'command_after_override', f'{message.command} after a pilot'
    if disarmed and message.command == Cmd.COMPONENT_ARM_DISARM and message.param1 == 1.0:
        yield 'rearm', 'arms after it was disarmed by somebody else'
    if resumed and is_offboard(message):
        yield 'reengaged', 'OFFBOARD asked for after it came back by itself'


def is_offboard(message: Any) -> bool:
    """Return whether a command asks for OFFBOARD."""
    return message.command == Cmd.DO_SET_MODE and message.param2 == 6.0
