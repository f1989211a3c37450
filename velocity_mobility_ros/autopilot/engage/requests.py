"""What the operator asks for: carried out, or refused with the reason."""

from collections.abc import Callable

from velocity_mobility_ros.autopilot.engage.airborne import is_commanded
from velocity_mobility_ros.autopilot.engage.engage_parameters import EngageParameters
from velocity_mobility_ros.autopilot.engage.grounded import give_up
from velocity_mobility_ros.autopilot.engage.prechecks import company
from velocity_mobility_ros.autopilot.engage.records import (
    Inputs,
    Memory,
    Request,
)
from velocity_mobility_ros.autopilot.engage.states import FLYING, State
from velocity_mobility_ros.autopilot.engage.steps import (
    ACTIONS,
    WAITS_FOR_COMMANDS,
    WAITS_FOR_ENGAGE,
    hand_over,
    pending_for,
    to,
)
from velocity_mobility_ros.autopilot.outputs import Action

Asked = tuple[Memory, bool, str]
"""The memory, whether the request was refused, and the answer."""

KILL_CONFIRMATION = 5.0
"""Time in which a request to stop the motors has to be repeated [s]."""

ENGAGING = frozenset({State.PRECHECK, State.SET_OFFBOARD, State.ARMING})


def asked(settings: EngageParameters, memory: Memory, inputs: Inputs, request: Request) -> Asked:
    """Return what becomes of a request of the operator."""
    if memory.state is State.RELEASED:
        return memory, True, 'the bridge has released the vehicle'
    return RULES[request](settings, memory, inputs)


def _take_off(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Asked:
    if memory.state is not State.READY or _is_armed(inputs):
        return memory, True, f'no take-off: {_situation(memory, inputs)}'
    asked = memory._replace(goal=Request.TAKE_OFF, waits_for_go=inputs.together)
    answer = 'checks, then waits for the others' if inputs.together else 'checks, arms, takes off'
    return _checking(asked, inputs), False, answer


def _go(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Asked:
    """Let a vehicle arm that waits for the others: only one that has agreed."""
    if not (memory.state is State.ARMING and memory.waits_for_go and memory.agrees):
        return memory, True, f'not released: {_situation(memory, inputs)}'
    return memory._replace(waits_for_go=False), False, 'arms and takes off'


def _cancel(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Asked:
    """End a take-off on the ground; one that has begun is finished."""
    if memory.goal is not Request.TAKE_OFF or _is_armed(inputs):
        return memory, True, f'no take-off to end: {_situation(memory, inputs)}'
    return give_up(memory, inputs, 'the take-off was cancelled'), False, 'stays on the ground'


def _checking(memory: Memory, inputs: Inputs) -> Memory:
    """Return the memory at the start of the checks: the present mode must stay until their end."""
    memory = to(memory, State.PRECHECK, inputs, 'checks')
    return memory._replace(pending=pending_for(Action.OFFBOARD, inputs))


def _engage(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Asked:
    engaged = memory._replace(goal=Request.ENGAGE, input_lost=False)
    if memory.state in (State.READY, State.EXTERNAL) and _is_armed(inputs):
        return _checking(engaged, inputs), False, 'checks, then flies offboard'
    if memory.state in (State.HOLD, State.HOLD_REENTRY, State.BRAKE):
        if not is_commanded(settings, inputs):
            return memory, True, 'no velocity command arrives: start the controller first'
        if inputs.frame_trouble:
            return memory, True, inputs.frame_trouble
        if inputs.commanders > 1:
            return memory, True, company(inputs)
        held = to(engaged, State.HOLD, inputs, WAITS_FOR_COMMANDS)
        return held, False, 'tracks the commanded velocity'
    if memory.state is State.TRACK:
        return memory, False, 'tracks already'
    if memory.state is State.READY:
        return memory, True, 'the vehicle stands: take off first (arm_takeoff)'
    return memory, True, f'not engaged: {_situation(memory, inputs)}'


def _hold(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Asked:
    idle = memory._replace(goal=None, input_lost=False)
    if memory.state is State.TRACK:
        return to(idle, State.BRAKE, inputs, 'brakes'), False, 'brakes and holds'
    if memory.state in (State.HOLD_REENTRY, State.TAKE_OFF):
        return to(idle, State.HOLD, inputs, WAITS_FOR_ENGAGE), False, 'holds'
    if memory.state in (State.HOLD, State.BRAKE):
        return idle, False, 'holds'
    if memory.state in ENGAGING:
        return give_up(memory, inputs, 'ended by the operator'), False, 'ends the engagement'
    return _exit(memory, inputs, Action.HOLD)


def _land(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Asked:
    return _exit(memory, inputs, Action.LAND)


def _return(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Asked:
    return _exit(memory, inputs, Action.RETURN)


def _exit(memory: Memory, inputs: Inputs, action: Action) -> Asked:
    if not _is_armed(inputs):
        return memory, True, f'no {action.value}: the vehicle is not armed'
    if memory.state in (State.WAIT_LINK, State.LINK_LOST, State.KILLING):
        return memory, True, f'no {action.value}: {_situation(memory, inputs)}'
    rest = () if action is Action.LAND else (Action.LAND,)
    memory = hand_over(memory, inputs, f'asked for: {action.value}', action, *rest)
    return memory, False, f'asks the autopilot: {action.value}'


def _disarm(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Asked:
    if not _is_armed(inputs):
        return memory, True, 'the vehicle is not armed'
    if inputs.land is not None and not inputs.land.landed:
        return memory, True, 'the vehicle does not stand: land first'
    memory = hand_over(memory._replace(may_disarm=True), inputs, 'disarms', Action.DISARM)
    return memory, False, 'asks the autopilot: disarm'


def _kill(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Asked:
    if not inputs.traits.can_kill:
        return memory, True, 'this link cannot stop motors in flight: land, or use the remote'
    if not settings.allow_kill:
        return memory, True, 'allow_kill is false: land instead'
    if not _is_armed(inputs):
        return memory, True, 'the vehicle is not armed'
    if inputs.now > memory.kill_until:
        text = f'the vehicle will fall: repeat within {KILL_CONFIRMATION:g} s to stop its motors'
        return memory._replace(kill_until=inputs.now + KILL_CONFIRMATION), True, text
    memory = to(memory._replace(goal=None), State.KILLING, inputs, 'stops the motors')
    return memory._replace(pending=pending_for(Action.KILL, inputs)), False, 'stops the motors'


def _reset(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Asked:
    if memory.state is not State.FAULT:
        return memory, True, 'there is no fault'
    if _is_armed(inputs):
        return to(memory, State.EXTERNAL, inputs, 'engage again'), False, 'the fault is cleared'
    return to(memory, State.WAIT_LINK, inputs, 'reset'), False, 'the fault is cleared'


def _release(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Asked:
    """Hand the vehicle over before the process ends; asked again, do not wait any longer."""
    if memory.is_leaving:
        failed = memory._replace(has_failed=True)
        return to(failed, State.RELEASED, inputs, 'ended at once'), False, 'ends at once'
    memory = memory._replace(is_leaving=True, goal=None)
    stands = inputs.land is not None and inputs.land.landed
    if not _is_armed(inputs) or memory.state not in FLYING | ENGAGING | {State.HANDOVER}:
        return to(memory, State.RELEASED, inputs, 'released'), False, 'ends'
    ways = (ACTIONS[settings.exit_action], Action.LAND)
    if stands:
        ways = (Action.DISARM, *ways)
    memory = hand_over(memory, inputs, 'the bridge ends', *dict.fromkeys(ways))
    return memory, False, f'asks the autopilot: {ways[0].value}'


def _is_armed(inputs: Inputs) -> bool:
    return inputs.status is not None and inputs.status.is_armed


def _situation(memory: Memory, inputs: Inputs) -> str:
    """Return the state, in words."""
    armed = ', armed' if _is_armed(inputs) else ''
    reason = f' ({memory.reason})' if memory.reason and memory.reason != memory.state.value else ''
    return f'the vehicle {memory.state.value}{armed}{reason}'


Rule = Callable[[EngageParameters, Memory, Inputs], Asked]

RULES: dict[Request, Rule] = {
    Request.TAKE_OFF: _take_off,
    Request.ENGAGE: _engage,
    Request.HOLD: _hold,
    Request.LAND: _land,
    Request.RETURN: _return,
    Request.DISARM: _disarm,
    Request.KILL: _kill,
    Request.RESET: _reset,
    Request.CANCEL: _cancel,
    Request.GO: _go,
    Request.RELEASE: _release,
}
