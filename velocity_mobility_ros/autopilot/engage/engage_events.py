"""What happens without being asked for, in any state; the first that holds counts."""

import math
from collections.abc import Callable

from velocity_mobility_ros.autopilot.autopilot_reports import Mode
from velocity_mobility_ros.autopilot.autopilot_requests import Action
from velocity_mobility_ros.autopilot.engage.autopilot_exchange import (
    MODES, flown_by, hand_over, to
)
from velocity_mobility_ros.autopilot.engage.engage_records import (
    FLYING, EngageParameters, Inputs, Memory, State
)
from velocity_mobility_ros.autopilot.engage.prechecks import other_bridges

STALLED = 1.0
"""Time between two steps from which on a failsafe of the autopilot may fly: COM_OF_LOSS_T of PX4.
After a shorter one the age of the commands counts [s]."""

BELIEVED_AFTER = 1.0
"""Time after such a standstill until reports are believed: those from before it come first [s]."""

OUTSIDE = 2.0
"""So far outside of its room a vehicle is sent back by the autopilot [m]."""

CRITICAL = 2
"""Level of the battery's warning at which the vehicle lands."""

BRAKES = ': brakes'
"""End of a reason to brake; what follows has another one."""

QUIET = frozenset({State.RELEASED, State.FAULT, State.KILLING})
"""States that no event ends."""

IDLE = (State.READY, State.EXTERNAL, State.LANDING, State.LINK_LOST)
"""States in which the bridge did not ask for offboard mode."""

Event = Callable[[EngageParameters, Memory, Inputs], Memory | None]


def apply_event(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Memory:
    """Return the memory after the event of a step, if there is one."""
    if inputs.tick_age > STALLED and inputs.traits.resumes:
        memory = memory._replace(believed_from=inputs.now + BELIEVED_AFTER)
    if memory.state in QUIET:
        return memory
    for event in EVENTS:
        changed = event(settings, memory, inputs)
        if changed is not None:
            return changed
    return memory


def _terminated(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Memory | None:
    if inputs.status is None or inputs.status.mode is not Mode.TERMINATION:
        return None
    return to(memory, State.FAULT, inputs, 'flight termination: the autopilot must be restarted')


def _silent(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Memory | None:
    if memory.state in (State.WAIT_LINK, State.LINK_LOST):
        return None
    silence = silent_for(settings, inputs)
    if not silence:
        return None
    state = State.LINK_LOST if memory.was_armed else State.WAIT_LINK
    return to(memory._replace(goal=None), state, inputs, silence)


def silent_for(settings: EngageParameters, inputs: Inputs) -> str:
    """Return the text of a silent autopilot, empty if it is heard."""
    status, local = inputs.status, inputs.local
    if status is None:
        return 'no status of the autopilot yet'
    age = inputs.now - status.received
    if age > settings.status_timeout:
        return f'no status of the autopilot for {age:.1f} s'
    if local is None or inputs.odometry is None:
        return ''
    newest = max(local.received, inputs.odometry.received, status.received)
    if inputs.now - newest > settings.status_timeout:
        return f'nothing from the autopilot for {inputs.now - newest:.1f} s'
    return ''


def _disarmed(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Memory | None:
    """A vehicle that disarms unasked in the hands of the bridge is a fault, else it is ready."""
    status = inputs.status
    if status is None or status.is_armed or not memory.was_armed:
        return None
    if memory.may_disarm or memory.state not in FLYING:
        reason = 'landed and disarmed' if memory.state is State.LANDING else 'disarmed'
        return to(memory._replace(goal=None), State.READY, inputs, reason)
    why = f': {status.disarm_reason}' if status.disarm_reason else ''
    reason = f'the vehicle disarmed{why}; waits for reset'
    return to(memory._replace(goal=None), State.FAULT, inputs, reason)


def _taken(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Memory | None:
    """Somebody else flies: PX4's own failsafe, the pilot, or another program."""
    status = inputs.status
    if status is None or status.mode in own_modes(memory):
        return None
    state = State.EXTERNAL if status.is_armed else State.READY
    reason = f'{flown_by(status)}: engage again'
    return to(memory._replace(goal=None), state, inputs, reason)


def own_modes(memory: Memory) -> tuple[Mode, ...]:
    """Return the modes that are no surprise."""
    if memory.state in FLYING:
        return (Mode.OFFBOARD,)
    pending = memory.pending
    if pending is None or memory.state is State.KILLING:
        return tuple(Mode)
    return tuple(filter(None, (pending.mode, MODES.get(pending.action))))


def _returned(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Memory | None:
    """Offboard mode without a request for it; if there is another bridge it is that one's."""
    status = inputs.status
    if inputs.commanders > 1:
        return None
    if memory.state not in (IDLE if inputs.traits.resumes else (State.LINK_LOST,)):
        return None
    if status is None or not status.is_armed or status.mode is not Mode.OFFBOARD:
        return None
    if silent_for(settings, inputs) or not is_believed(memory, inputs):
        return None
    return to(
        memory, State.HOLD_REENTRY, inputs, 'offboard mode came back by itself: engage again'
    )


def is_believed(memory: Memory, inputs: Inputs) -> bool:
    """Return whether the status is not one from before a standstill of the bridge."""
    return inputs.status is not None and inputs.status.received >= memory.believed_from


def _stalled(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Memory | None:
    """The first status after it may still say that the vehicle has not left offboard mode.

    A heartbeat would bring that mode back, where the autopilot resumes it, and setpoints would be
    those of a past place.
    """
    if memory.state not in FLYING or inputs.tick_age <= STALLED:
        return None
    if memory.state is State.TAKE_OFF and inputs.traits.takes_off_itself:
        return None  # that needs nothing from the bridge
    reason = f'the bridge stood still for {inputs.tick_age:.1f} s: engage again'
    state = State.EXTERNAL if inputs.traits.resumes else State.HOLD_REENTRY
    return to(memory._replace(goal=None), state, inputs, reason)


def _moved_frame(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Memory | None:
    if memory.state not in FLYING - {State.HOLD_REENTRY} or not inputs.frame_moved:
        return None
    reason = 'the estimator has moved its origin: engage again'
    return to(memory._replace(goal=None), State.HOLD_REENTRY, inputs, reason)


def _second_commander(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Memory | None:
    if memory.state not in FLYING - {State.HOLD_REENTRY} or inputs.commanders <= 1:
        return None
    return to(memory._replace(goal=None), State.HOLD_REENTRY, inputs, other_bridges(inputs))


def _lost_position(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Memory | None:
    """Without a valid estimate, or without any for long, nothing can be held."""
    local = inputs.local
    if memory.state not in FLYING or local is None:
        return None
    silence = position_age(inputs)
    if silence > settings.status_timeout:
        reason = f'no position or odometry for {silence:.1f} s: lands'
    elif not (local.xy_valid and local.v_xy_valid and local.z_valid):
        reason = 'the estimate of the position is not valid: lands'
    else:
        return None
    return hand_over(memory, inputs, reason, Action.LAND)


def _late_position(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Memory | None:
    """The vehicle knows where it is although the bridge does not: it brakes and holds."""
    if memory.state is not State.TRACK or position_age(inputs) <= settings.position_timeout:
        return None
    reason = f'no position or odometry for {settings.position_timeout:g} s{BRAKES}'
    return to(memory._replace(input_lost=True), State.BRAKE, inputs, reason)


def position_age(inputs: Inputs) -> float:
    """Return the age of the position or the odometry, whichever is older [s]."""
    if inputs.local is None or inputs.odometry is None:
        return math.inf
    return inputs.now - min(inputs.local.received, inputs.odometry.received)


def _weak_battery(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Memory | None:
    battery = inputs.battery
    if memory.state not in FLYING or battery is None or battery.warning < CRITICAL:
        return None
    return hand_over(memory, inputs, 'the battery is critical: lands', Action.LAND)


def _outside(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Memory | None:
    if memory.state not in FLYING - {State.TAKE_OFF} or inputs.outside <= OUTSIDE:
        return None
    reason = f'{inputs.outside:.1f} m outside of its room: returns'
    return hand_over(memory, inputs, reason, Action.RETURN, Action.LAND)


EVENTS: tuple[Event, ...] = (
    _terminated, _silent, _disarmed, _taken, _returned, _stalled, _moved_frame,
    _second_commander,
    _lost_position, _late_position, _weak_battery, _outside,
)  # fmt: skip
"""All events, the gravest first."""
