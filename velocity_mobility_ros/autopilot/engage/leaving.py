"""Rules from the end of a flight by the bridge: handed over, landing, lost, killed, faulty."""

from velocity_mobility_ros.autopilot.engage.engage_parameters import EngageParameters
from velocity_mobility_ros.autopilot.engage.events import silent_for
from velocity_mobility_ros.autopilot.engage.exchange import Outcome
from velocity_mobility_ros.autopilot.engage.records import (
    Inputs,
    Memory,
)
from velocity_mobility_ros.autopilot.engage.states import State
from velocity_mobility_ros.autopilot.engage.steps import (
    READY,
    Step,
    carried,
    flown_by,
    pending_for,
    to,
)
from velocity_mobility_ros.autopilot.outputs import Action
from velocity_mobility_ros.autopilot.reports import Mode

NEXT_EXIT = 3.0
"""Time after which a process that ends tries the next way to hand over [s]."""

LAST_EXIT = 4.5
"""Time after which it ends anyway: the autopilot misses the heartbeat and acts [s]."""

KILL_PERIOD, KILL_TIME = 0.2, 3.0
"""A request to stop the motors is repeated this often, for so long [s]."""


def handover(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Have the autopilot take over; the next action if one fails."""
    action, waited = memory.pending.action, inputs.now - memory.since
    memory, send, outcome, reason = carried(settings, memory, inputs)
    if outcome is Outcome.DONE:
        return _handed_over(memory, inputs, action), None
    if memory.is_leaving and waited > LAST_EXIT:
        return _given_up(memory, inputs, reason or f'no answer to {action.value}'), None
    late = memory.is_leaving and waited > NEXT_EXIT and memory.then
    if outcome is Outcome.FAILED or late:
        return _next_action(memory, inputs, reason), None
    return memory, send


def _handed_over(memory: Memory, inputs: Inputs, action: Action) -> Memory:
    memory = memory._replace(may_disarm=True)
    if memory.is_leaving:
        return to(memory, State.RELEASED, inputs, f'released: {action.value}')
    if action in (Action.LAND, Action.RETURN):
        reason = f'the autopilot flies: {action.value}; waits until it has disarmed'
        return to(memory, State.LANDING, inputs, reason)
    if action is Action.DISARM:
        return to(memory, State.READY, inputs, 'disarmed')
    return to(memory, State.EXTERNAL, inputs, f'the autopilot flies: {action.value}')


def _next_action(memory: Memory, inputs: Inputs, reason: str) -> Memory:
    if memory.then:
        return memory._replace(
            pending=pending_for(memory.then[0], inputs),
            then=memory.then[1:],
            reason=f'{reason}: {memory.then[0].value} instead' if reason else memory.reason,
        )
    return _given_up(memory, inputs, reason)


def _given_up(memory: Memory, inputs: Inputs, reason: str) -> Memory:
    """Return the memory without a heartbeat and setpoints: the last means."""
    status = inputs.status
    if memory.is_leaving:
        return to(memory._replace(has_failed=True), State.RELEASED, inputs, reason)
    if status is not None and status.mode is Mode.OFFBOARD and status.is_armed:
        reason = f'{reason}; {inputs.traits.last_means}'
        return to(memory._replace(has_failed=True), State.FAULT, inputs, reason)
    return to(memory, State.EXTERNAL, inputs, reason)


def external(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Wait for the operator, and say who flies now; a vehicle that is disarmed is ready."""
    if inputs.status is not None and not inputs.status.is_armed:
        return to(memory, State.READY, inputs, READY), None
    now = flown_by(inputs.status)
    if now != memory.flown_by:
        memory = memory._replace(flown_by=now, reason=f'{now}: engage again')
    return memory, None


def landing(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Wait for the ground, without setpoints: the land detector listens to them."""
    status = inputs.status
    if status is None:
        return memory, None
    if not status.is_armed:
        return to(memory, State.READY, inputs, 'landed and disarmed'), None
    if status.mode in (Mode.PILOT, Mode.HOLD, Mode.OTHER, Mode.TAKEOFF):
        mode = status.mode_name or status.mode.value
        return to(memory, State.EXTERNAL, inputs, f'mode {mode} while landing'), None
    return memory, None


def link_lost(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Wait for the autopilot, without a heartbeat."""
    silence = silent_for(settings, inputs)
    if silence:
        return memory._replace(reason=silence), None
    if inputs.status is not None and inputs.status.is_armed:
        return to(memory, State.EXTERNAL, inputs, 'the autopilot is back: engage again'), None
    return to(memory, State.READY, inputs, 'the autopilot is back'), None


def killing(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Stop the motors."""
    status = inputs.status
    if status is not None and not status.is_armed:
        return to(memory, State.FAULT, inputs, 'the motors were stopped by the operator'), None
    if inputs.now - memory.since > KILL_TIME:
        return to(memory, State.FAULT, inputs, 'the motors do not stop: no answer'), None
    if inputs.now < memory.pending.due:
        return memory, None
    due = inputs.now + KILL_PERIOD
    return memory._replace(pending=memory.pending._replace(due=due)), Action.KILL


def fault(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Wait for the operator."""
    return memory, None


def released(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Be done."""
    return memory, None
