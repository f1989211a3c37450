"""The state machine: one step per control period, from what is known to what is sent.

Nothing arms or takes off by itself. Whenever the vehicle has left offboard mode, for whatever
reason, the operator has to engage it again.

What the operator asks for is carried out, or refused with the reason.
"""

from collections.abc import Callable

from velocity_mobility_ros.autopilot.autopilot_reports import Mode
from velocity_mobility_ros.autopilot.autopilot_requests import Action, Intent, SetpointKind
from velocity_mobility_ros.autopilot.engage import engage_events, flight_rules
from velocity_mobility_ros.autopilot.engage.autopilot_exchange import (
    ACTIONS, WAITS_FOR_COMMANDS, WAITS_FOR_ENGAGE, Step, hand_over, pending_for, to
)
from velocity_mobility_ros.autopilot.engage.engage_records import (
    BEHAVIOUR, FLYING, Behaviour, EngageParameters, Inputs, Memory, Outputs, Request, State
)
from velocity_mobility_ros.autopilot.engage.flight_rules import give_up, is_commanded
from velocity_mobility_ros.autopilot.engage.prechecks import other_bridges

Reply = tuple[Memory, bool, str]
"""The memory, whether the request was refused, and the answer."""

KILL_CONFIRMATION = 5.0
"""Time in which a request to stop the motors has to be repeated [s]."""

ENGAGING = frozenset({State.PRECHECK, State.SET_OFFBOARD, State.ARMING})


def asked(settings: EngageParameters, memory: Memory, inputs: Inputs, request: Request) -> Reply:
    """Return the memory after a request, whether it is refused, and the answer."""
    if memory.state is State.RELEASED:
        return memory, True, 'the bridge has released the vehicle'
    return REQUEST_RULES[request](settings, memory, inputs)


def _take_off(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Reply:
    if memory.state is not State.READY or _is_armed(inputs):
        return memory, True, f'no take-off: {_state_text(memory, inputs)}'
    requested = memory._replace(goal=Request.TAKE_OFF, waits_for_go=inputs.together)
    answer = 'checks, then waits for the others' if inputs.together else 'checks, arms, takes off'
    return _begin_checks(requested, inputs), False, answer


def _go(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Reply:
    """Let a vehicle arm that waits for the others: only one that has agreed."""
    if not (memory.state is State.ARMING and memory.waits_for_go and memory.agrees):
        return memory, True, f'not released: {_state_text(memory, inputs)}'
    return memory._replace(waits_for_go=False), False, 'arms and takes off'


def _cancel(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Reply:
    """End a take-off on the ground; one that has begun is finished."""
    if memory.goal is not Request.TAKE_OFF or _is_armed(inputs):
        return memory, True, f'no take-off to end: {_state_text(memory, inputs)}'
    return give_up(memory, inputs, 'the take-off was cancelled'), False, 'stays on the ground'


def _begin_checks(memory: Memory, inputs: Inputs) -> Memory:
    """Return the memory at the start of the checks: the present mode must stay until their end."""
    memory = to(memory, State.PRECHECK, inputs, 'checks')
    return memory._replace(pending=pending_for(Action.OFFBOARD, inputs))


def _engage(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Reply:
    engaged = memory._replace(goal=Request.ENGAGE, input_lost=False)
    if memory.state in (State.READY, State.EXTERNAL) and _is_armed(inputs):
        return _begin_checks(engaged, inputs), False, 'checks, then flies offboard'
    if memory.state in (State.HOLD, State.HOLD_REENTRY, State.BRAKE):
        if not is_commanded(settings, inputs):
            return memory, True, 'no velocity command arrives: start the controller first'
        if inputs.frame_fault:
            return memory, True, inputs.frame_fault
        if inputs.commanders > 1:
            return memory, True, other_bridges(inputs)
        holding = to(engaged, State.HOLD, inputs, WAITS_FOR_COMMANDS)
        return holding, False, 'tracks the commanded velocity'
    if memory.state is State.TRACK:
        return memory, False, 'tracks already'
    if memory.state is State.READY:
        return memory, True, 'the vehicle stands: take off first (arm_takeoff)'
    return memory, True, f'not engaged: {_state_text(memory, inputs)}'


def _hold(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Reply:
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


def _exit(memory: Memory, inputs: Inputs, action: Action) -> Reply:
    if not _is_armed(inputs):
        return memory, True, f'no {action.value}: the vehicle is not armed'
    if memory.state in (State.WAIT_LINK, State.LINK_LOST, State.KILLING):
        return memory, True, f'no {action.value}: {_state_text(memory, inputs)}'
    fallbacks = () if action is Action.LAND else (Action.LAND,)
    memory = hand_over(memory, inputs, f'asked for: {action.value}', action, *fallbacks)
    return memory, False, f'asks the autopilot: {action.value}'


def _disarm(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Reply:
    if not _is_armed(inputs):
        return memory, True, 'the vehicle is not armed'
    if inputs.land is not None and not inputs.land.landed:
        return memory, True, 'the vehicle does not stand: land first'
    memory = hand_over(memory._replace(may_disarm=True), inputs, 'disarms', Action.DISARM)
    return memory, False, 'asks the autopilot: disarm'


def _kill(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Reply:
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


def _reset(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Reply:
    if memory.state is not State.FAULT:
        return memory, True, 'there is no fault'
    if _is_armed(inputs):
        return to(memory, State.EXTERNAL, inputs, 'engage again'), False, 'the fault is cleared'
    return to(memory, State.WAIT_LINK, inputs, 'reset'), False, 'the fault is cleared'


def _release(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Reply:
    """Hand the vehicle over before the process ends; asked again, do not wait any longer."""
    if memory.is_leaving:
        failed = memory._replace(has_failed=True)
        return to(failed, State.RELEASED, inputs, 'ended at once'), False, 'ends at once'
    memory = memory._replace(is_leaving=True, goal=None)
    stands = inputs.land is not None and inputs.land.landed
    if not _is_armed(inputs) or memory.state not in FLYING | ENGAGING | {State.HANDOVER}:
        return to(memory, State.RELEASED, inputs, 'released'), False, 'ends'
    ways: tuple[Action, ...] = (ACTIONS[settings.exit_action], Action.LAND)
    if stands:
        ways = (Action.DISARM, *ways)
    memory = hand_over(memory, inputs, 'the bridge ends', *dict.fromkeys(ways))
    return memory, False, f'asks the autopilot: {ways[0].value}'


def _is_armed(inputs: Inputs) -> bool:
    return inputs.status is not None and inputs.status.is_armed


def _state_text(memory: Memory, inputs: Inputs) -> str:
    """Return the state, in words."""
    armed = ', armed' if _is_armed(inputs) else ''
    reason = f' ({memory.reason})' if memory.reason and memory.reason != memory.state.value else ''
    return f'the vehicle {memory.state.value}{armed}{reason}'


RequestRule = Callable[[EngageParameters, Memory, Inputs], Reply]

REQUEST_RULES: dict[Request, RequestRule] = {
    Request.TAKE_OFF: _take_off,
    Request.ENGAGE: _engage,
    Request.HOLD: _hold,
    Request.LAND: lambda _, memory, inputs: _exit(memory, inputs, Action.LAND),
    Request.RETURN: lambda _, memory, inputs: _exit(memory, inputs, Action.RETURN),
    Request.DISARM: _disarm,
    Request.KILL: _kill,
    Request.RESET: _reset,
    Request.CANCEL: _cancel,
    Request.GO: _go,
    Request.RELEASE: _release,
}


Rule = Callable[[EngageParameters, Memory, Inputs], Step]

RULES: dict[State, Rule] = {
    State.WAIT_LINK: flight_rules.wait_link,
    State.READY: flight_rules.ready,
    State.PRECHECK: flight_rules.precheck,
    State.SET_OFFBOARD: flight_rules.set_offboard,
    State.ARMING: flight_rules.arming,
    State.TAKE_OFF: flight_rules.take_off,
    State.HOLD: flight_rules.hold,
    State.TRACK: flight_rules.track,
    State.BRAKE: flight_rules.brake,
    State.HOLD_REENTRY: flight_rules.hold_reentry,
    State.HANDOVER: flight_rules.handover,
    State.EXTERNAL: flight_rules.external,
    State.LANDING: flight_rules.landing,
    State.LINK_LOST: flight_rules.link_lost,
    State.KILLING: flight_rules.killing,
    State.FAULT: flight_rules.fault,
    State.RELEASED: flight_rules.released,
}


def step(settings: EngageParameters, memory: Memory, inputs: Inputs) -> tuple[Memory, Outputs]:
    """Return the next memory, and the outputs.

    Args:
        settings: Times and bounds.
        memory: What was remembered.
        inputs: What is known now.
    """
    refused, answer = False, ''
    memory = engage_events.apply_event(settings, memory, inputs)
    if inputs.request is not None:
        memory, refused, answer = asked(settings, memory, inputs, inputs.request)
    memory, send = RULES[memory.state](settings, memory, inputs)
    memory = _release_at_exit(memory, inputs)
    if inputs.status is not None:
        memory = memory._replace(was_armed=inputs.status.is_armed)
    heartbeat, intent = _behaviour(memory, inputs)
    if not _may_fly(settings, memory, inputs):
        intent = _outside_offboard(settings, memory, inputs, heartbeat)
    if not inputs.traits.has_heartbeat:
        heartbeat = None
    reason = answer or memory.reason
    return memory, Outputs(memory.state, reason, intent, heartbeat, send, refused)


def _release_at_exit(memory: Memory, inputs: Inputs) -> Memory:
    """Return the memory of a process that ends: nothing keeps it but a hand-over."""
    if not memory.is_leaving or memory.state in (State.HANDOVER, State.RELEASED):
        return memory
    return to(memory, State.RELEASED, inputs, memory.reason)


def _behaviour(memory: Memory, inputs: Inputs) -> Behaviour:
    """Return the outputs that are still valid.

    Where somebody else flies a vehicle whose user asked for offboard mode, a heartbeat would bring
    that mode back.
    """
    behaviour = BEHAVIOUR.get(memory.state, Behaviour())
    status, local = inputs.status, inputs.local
    if inputs.now < memory.believed_from:
        return Behaviour()
    if memory.state is State.READY and status is not None:
        waits = status.is_armed and status.intention is Mode.OFFBOARD
        return Behaviour() if waits else behaviour
    if behaviour.intent is not Intent.HOLD or local is None:
        return behaviour
    if local.xy_valid and local.z_valid:
        return behaviour
    if local.v_xy_valid and local.v_z_valid:
        return Behaviour(SetpointKind.VELOCITY, Intent.STOP)
    return Behaviour()


def _may_fly(settings: EngageParameters, memory: Memory, inputs: Inputs) -> bool:
    """Return whether a setpoint may be sent: PX4 takes it in any mode, against who flies then."""
    status = inputs.status
    if status is None or inputs.now - status.received > settings.status_timeout:
        return False
    if memory.state is State.SET_OFFBOARD and not status.is_armed:
        return True
    return status.mode is Mode.OFFBOARD


def _outside_offboard(
    settings: EngageParameters, memory: Memory, inputs: Inputs, heartbeat: SetpointKind | None
) -> Intent:
    """Return the outputs in other modes: none, or the stream that offboard mode needs before.

    That stream is a velocity of zero: a position would be an old one when the mode changes.
    """
    if not inputs.traits.stream_is_heartbeat or heartbeat is None or memory.state is State.READY:
        return Intent.SILENT
    status = inputs.status
    if status is None or inputs.now - status.received > settings.status_timeout:
        return Intent.SILENT
    return Intent.STOP


def start() -> Memory:
    """Return the memory at the start."""
    return Memory(reason='waits for the autopilot')
