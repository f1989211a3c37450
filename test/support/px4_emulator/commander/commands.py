"""Answers to VehicleCommand."""

import math
from typing import Any

from support.px4_emulator.commander.commander import Commander
from support.px4_emulator.commander.requirements import Conditions
from support.px4_emulator.constants import (
    AUTO, FORCE, MAIN_MODES, SUB_MODES, Cmd, NavState, Reason, Result
)

DIRECT = {
    Cmd.NAV_LOITER_UNLIM: NavState.AUTO_LOITER,
    Cmd.NAV_RETURN_TO_LAUNCH: NavState.AUTO_RTL,
    Cmd.NAV_LAND: NavState.AUTO_LAND,
    Cmd.NAV_TAKEOFF: NavState.AUTO_TAKEOFF,
    Cmd.DO_REPOSITION: NavState.AUTO_LOITER,
}
"""Commands that change the mode."""

CUSTOM_MODE = 1
"""Bit of ``param1`` of DO_SET_MODE."""


def answered(
    commander: Commander, message: Any, conditions: Conditions, now: int
) -> Result | None:
    """Carry a command out and return the result; None: there is no answer.

    Args:
        commander: Commander.
        message: VehicleCommand.
        conditions: What the checks see.
        now: Time [us].
    """
    command = int(message.command)
    if command == Cmd.COMPONENT_ARM_DISARM:
        return armed(commander, message, conditions, now)
    if command == Cmd.DO_SET_MODE:
        return mode_set(commander, message, conditions, now)
    if command in DIRECT:
        return changed(commander, DIRECT[Cmd(command)], conditions, now)
    if command == Cmd.RUN_PREARM_CHECKS:
        return Result.TEMPORARILY_REJECTED if commander.armed else Result.ACCEPTED
    return Result.UNSUPPORTED


def number(value: float) -> int:
    """Return a parameter as a whole number; NaN is 0."""
    return math.floor(value + 0.5) if math.isfinite(value) else 0


def changed(
    commander: Commander, mode: NavState | None, conditions: Conditions, now: int
) -> Result:
    """Change the mode, or refuse for now: never for good."""
    if mode is not None and commander.request(mode, conditions, now):
        return Result.ACCEPTED
    return Result.TEMPORARILY_REJECTED


def mode_set(commander: Commander, message: Any, conditions: Conditions, now: int) -> Result:
    """Change the mode by main and sub mode. An unknown main mode is accepted and does nothing."""
    main, sub = number(message.param2), number(message.param3)
    if not number(message.param1) & CUSTOM_MODE or main not in (*MAIN_MODES, AUTO):
        return Result.ACCEPTED
    mode = SUB_MODES.get(sub) if main == AUTO else MAIN_MODES[main]
    return changed(commander, mode, conditions, now)


def armed(commander: Commander, message: Any, conditions: Conditions, now: int) -> Result | None:
    """Arm or disarm; another number gets no answer. Force skips no check when it arms."""
    wanted = number(message.param1)
    if wanted == 1:
        if not commander.armed and not commander.passes_preflight(conditions):
            return Result.TEMPORARILY_REJECTED
        if not commander.armed:
            commander.arm(now)
            commander.check(conditions, now)
        return Result.ACCEPTED
    if wanted != 0:
        return None
    stands = conditions.landed or conditions.maybe_landed
    if commander.armed and not stands and number(message.param2) != FORCE:
        return Result.TEMPORARILY_REJECTED
    if commander.armed:
        commander.disarm(Reason.EXTERNAL_COMMAND)
        commander.check(conditions, now)
    return Result.ACCEPTED
