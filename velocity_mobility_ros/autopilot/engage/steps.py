"""Parts of all rules: to go on to another state, and to have a request carried out."""

from velocity_mobility_ros.autopilot.engage.engage_parameters import EngageParameters
from velocity_mobility_ros.autopilot.engage.exchange import Outcome, advanced
from velocity_mobility_ros.autopilot.engage.prechecks import failing
from velocity_mobility_ros.autopilot.engage.records import (
    Inputs,
    Memory,
    Pending,
    Request,
)
from velocity_mobility_ros.autopilot.engage.refusal import explained
from velocity_mobility_ros.autopilot.engage.states import State
from velocity_mobility_ros.autopilot.outputs import Action
from velocity_mobility_ros.autopilot.reports import Mode, VehicleStatus

READY = 'ready: waits for arm_takeoff, or for engage in flight'
WAITS_FOR_ENGAGE, WAITS_FOR_COMMANDS = 'holds: waits for engage', 'holds: waits for commands'
"""Reasons of states that only the operator or a controller ends."""

ANSWER_WAIT = 0.45
"""Longest time from a request to the next one, without an answer [s]; PX4 needs 10 to 150 ms."""

TOLD_FOR = 30.0
"""Time for which a vehicle says what has ended or interrupted its flight [s]."""

OPERATOR_LOST = 5.0
"""Time without a word of the operator after which a take-off that waits for him ends [s]."""

Step = tuple[Memory, Action | None]
"""The memory after a rule, and what it sends."""

ACTIONS = {'hold': Action.HOLD, 'land': Action.LAND, 'return': Action.RETURN}

MODES = {
    Action.OFFBOARD: Mode.OFFBOARD,
    Action.HOLD: Mode.HOLD,
    Action.LAND: Mode.LAND,
    Action.RETURN: Mode.RETURN,
}


def pending_for(action: Action, inputs: Inputs) -> Pending:
    """Return a request that begins now."""
    return Pending(action, inputs.now, None if inputs.status is None else inputs.status.mode)


def following(memory: Memory, action: Action, inputs: Inputs) -> Pending:
    """Return a request after that of the memory, which the status has shown to be fulfilled.

    The status may come before the answer: the next request waits for that, but not for long, since
    answers get lost and release 1.14 sends none.
    """
    before, request = memory.pending, pending_for(action, inputs)
    if before is None or any(before.action in one.actions for one in inputs.answers):
        return request
    return request if before.refusal else request._replace(due=before.sent + ANSWER_WAIT)


def to(memory: Memory, state: State, inputs: Inputs, reason: str) -> Memory:
    """Return the memory at the start of another state."""
    return memory._replace(
        state=state,
        since=inputs.now,
        reason=reason,
        pending=None,
        then=(),
        good_since=float('inf'),
        agrees=False,
        flown_by=flown_by(inputs.status),
    )


def flown_by(status: VehicleStatus | None) -> str:
    """Return the mode of the autopilot and whose choice it is, in words."""
    if status is None:
        return ''
    mode = status.mode_name or status.mode.value
    if status.is_failsafe and not status.user_took_over:
        return f'failsafe of the autopilot (mode {mode})'
    return f'mode {mode} by the pilot or another program'


def hand_over(memory: Memory, inputs: Inputs, reason: str, *actions: Action) -> Memory:
    """Return the memory of a vehicle that is to be handed over, by the first action that works."""
    fresh = to(memory, State.HANDOVER, inputs, reason)
    return fresh._replace(
        pending=pending_for(actions[0], inputs), then=tuple(actions[1:]), goal=None
    )


def carried(
    settings: EngageParameters, memory: Memory, inputs: Inputs
) -> tuple[Memory, Action | None, Outcome, str]:
    """Let the request under way go on; return what is sent, how it stands, and why it failed."""
    pending = memory.pending
    goal = memory.goal or Request.ENGAGE
    may_repeat = not failing(settings, inputs, goal)
    found = advanced(
        settings, pending, inputs.answers, is_reached(pending.action, inputs), may_repeat,
        inputs.now, inputs.traits.if_deaf,
    )  # fmt: skip
    reason = explained(found.reason, inputs) if found.outcome is Outcome.FAILED else ''
    return memory._replace(pending=found.pending), found.send, found.outcome, reason


def is_reached(action: Action, inputs: Inputs) -> bool:
    """Return whether the status shows what was asked for."""
    status = inputs.status
    if status is None:
        return False
    if action is Action.ARM:
        return status.is_armed
    if action in (Action.DISARM, Action.KILL):
        return not status.is_armed
    if action is Action.TAKEOFF:
        is_told = inputs.land is not None
        return inputs.has_taken_off or (is_told and not inputs.land.landed)
    return status.mode is MODES.get(action)
