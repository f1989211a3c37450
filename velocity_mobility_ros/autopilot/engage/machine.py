"""The state machine: one step per control period, from what is known to what is sent.

Nothing arms or takes off by itself. Whenever the vehicle has left offboard mode, for whatever
reason, the operator has to engage it again.
"""

from collections.abc import Callable

from velocity_mobility_ros.autopilot.engage import airborne, events, grounded, leaving
from velocity_mobility_ros.autopilot.engage.engage_parameters import EngageParameters
from velocity_mobility_ros.autopilot.engage.records import (
    Inputs,
    Memory,
    Outputs,
)
from velocity_mobility_ros.autopilot.engage.requests import asked
from velocity_mobility_ros.autopilot.engage.states import BEHAVIOUR, Behaviour, State
from velocity_mobility_ros.autopilot.engage.steps import Step, to
from velocity_mobility_ros.autopilot.outputs import Intent, SetpointKind
from velocity_mobility_ros.autopilot.reports import Mode, VehicleStatus

Rule = Callable[[EngageParameters, Memory, Inputs], Step]

RULES: dict[State, Rule] = {
    State.WAIT_LINK: grounded.wait_link,
    State.READY: grounded.ready,
    State.PRECHECK: grounded.precheck,
    State.SET_OFFBOARD: grounded.set_offboard,
    State.ARMING: grounded.arming,
    State.TAKE_OFF: airborne.take_off,
    State.HOLD: airborne.hold,
    State.TRACK: airborne.track,
    State.BRAKE: airborne.brake,
    State.HOLD_REENTRY: airborne.hold_reentry,
    State.HANDOVER: leaving.handover,
    State.EXTERNAL: leaving.external,
    State.LANDING: leaving.landing,
    State.LINK_LOST: leaving.link_lost,
    State.KILLING: leaving.killing,
    State.FAULT: leaving.fault,
    State.RELEASED: leaving.released,
}


def step(settings: EngageParameters, memory: Memory, inputs: Inputs) -> tuple[Memory, Outputs]:
    """Return what is remembered and what is to be done.

    Args:
        settings: Times and bounds.
        memory: What was remembered.
        inputs: What is known now.
    """
    refused, answer = False, ''
    memory = events.happened(settings, memory, inputs)
    if inputs.request is not None:
        memory, refused, answer = asked(settings, memory, inputs, inputs.request)
    memory, send = RULES[memory.state](settings, memory, inputs)
    memory = _with_armed(_left(memory, inputs), inputs.status)
    heartbeat, intent = _behaviour(memory, inputs)
    if not _may_fly(settings, memory, inputs):
        intent = _outside_offboard(settings, memory, inputs, heartbeat)
    if not inputs.traits.has_heartbeat:
        heartbeat = None
    reason = answer or memory.reason
    return memory, Outputs(memory.state, reason, intent, heartbeat, send, refused)


def _left(memory: Memory, inputs: Inputs) -> Memory:
    """Return the memory of a process that ends: nothing keeps it but a hand-over."""
    if not memory.is_leaving or memory.state in (State.HANDOVER, State.RELEASED):
        return memory
    return to(memory, State.RELEASED, inputs, memory.reason)


def _behaviour(memory: Memory, inputs: Inputs) -> Behaviour:
    """Return what is sent: with what is still valid.

    Where somebody else flies a vehicle whose user asked for offboard mode, a heartbeat would bring
    that mode back.
    """
    behaviour, status, local = BEHAVIOUR[memory.state], inputs.status, inputs.local
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


def _with_armed(memory: Memory, status: VehicleStatus | None) -> Memory:
    return memory if status is None else memory._replace(was_armed=status.is_armed)


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
    """Return what is sent in other modes: nothing, or the stream that offboard mode needs before.

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
