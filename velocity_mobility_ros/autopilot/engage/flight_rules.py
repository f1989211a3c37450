"""Rules of the states of a flight, from the first message of an autopilot to its release.

On the ground they hold until the vehicle is in the hands of the bridge; in the air while the
bridge flies it; and from the end of that flight on: handed over, landing, lost, killed, faulty.
"""

import math

from velocity_mobility_ros.autopilot.autopilot_reports import Mode
from velocity_mobility_ros.autopilot.autopilot_requests import Action
from velocity_mobility_ros.autopilot.engage.autopilot_exchange import (
    ACTIONS, OPERATOR_LOST, READY, REASON_DURATION, WAITS_FOR_COMMANDS, WAITS_FOR_ENGAGE,
    RequestOutcome, Step, continue_request, flown_by, hand_over, pending_for, request_after, to
)
from velocity_mobility_ros.autopilot.engage.engage_events import (
    BRAKES, is_believed, position_age, silent_for
)
from velocity_mobility_ros.autopilot.engage.engage_records import (
    EngageParameters, Inputs, Memory, Request, State
)
from velocity_mobility_ros.autopilot.engage.prechecks import COMPANY, failing_checks

WAITS = 'waits for its checks before arming; the ground station shows which fail'

AGREES = 'ready to arm: waits for the others'


def wait_link(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Wait for a link to the autopilot in both directions."""
    reason = inputs.fault or silent_for(settings, inputs)
    if not reason and inputs.local is None:
        reason = 'no local position of the autopilot yet'
    if not reason and inputs.odometry is None:
        reason = 'no odometry of the autopilot yet'
    if not reason and not inputs.is_matched:
        reason = 'the autopilot does not listen to the topics of this bridge'
    if reason:
        return memory._replace(reason=reason), None
    return to(memory, State.READY, inputs, READY), None


def ready(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Wait for the operator; the last failure is shown for some time."""
    if memory.reason != READY and inputs.now - memory.since > REASON_DURATION:
        memory = memory._replace(reason=READY)
    return memory, None


def precheck(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Wait until all checks have held for long enough.

    After a failsafe the heartbeat alone may bring offboard mode back; the operator wants it now.
    """
    status = inputs.status
    believed = status if is_believed(memory, inputs) else None
    flies = believed is not None and believed.is_armed and believed.mode is Mode.OFFBOARD
    if flies and inputs.traits.resumes:
        return to(memory._replace(may_disarm=False), State.HOLD, inputs, WAITS_FOR_COMMANDS), None
    faults = failing_checks(settings, inputs, memory.goal or Request.ENGAGE)
    if faults:
        if inputs.now - memory.since > settings.check_timeout:
            return to(memory._replace(goal=None), State.READY, inputs, '; '.join(faults)), None
        return memory._replace(good_since=math.inf, reason='; '.join(faults)), None
    good_since = min(memory.good_since, inputs.now)
    if inputs.now - good_since < settings.check_time:
        reason = f'all checks hold, which they have to for {settings.check_time:g} s'
        return memory._replace(good_since=good_since, reason=reason), None
    memory = to(memory, State.SET_OFFBOARD, inputs, 'waits for offboard mode')
    return memory._replace(pending=pending_for(Action.OFFBOARD, inputs)), None


def set_offboard(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Request offboard mode; arm next, or hold if the vehicle flies already."""
    memory, send, outcome, reason = continue_request(settings, memory, inputs)
    if outcome is RequestOutcome.FAILED:
        return to(memory._replace(goal=None), State.READY, inputs, reason), None
    if outcome is RequestOutcome.UNDER_WAY:
        return memory, send
    if memory.goal is Request.TAKE_OFF:
        request = request_after(memory, Action.ARM, inputs)
        memory = to(memory, State.ARMING, inputs, 'waits until the vehicle is armed')
        return memory._replace(pending=request), None
    return to(memory._replace(may_disarm=False), State.HOLD, inputs, WAITS_FOR_COMMANDS), None


def arming(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Request arming; wait for the checks, which may demand more in the new mode.

    What waits for checks or for the others still waits for the answer to the request before.
    """
    assert memory.pending is not None
    fresh = pending_for(Action.ARM, inputs)._replace(due=memory.pending.due)
    if _waits_for_checks(settings, memory, inputs):
        return memory._replace(pending=fresh, reason=WAITS, agrees=False), None
    if memory.waits_for_go:
        return _waiting_for_go(settings, memory._replace(pending=fresh), inputs), None
    memory, send, outcome, reason = continue_request(settings, memory, inputs)
    if outcome is RequestOutcome.FAILED:
        return to(memory._replace(goal=None), State.READY, inputs, reason), None
    if outcome is RequestOutcome.UNDER_WAY:
        return memory, send
    request = request_after(memory, Action.TAKEOFF, inputs)
    memory = memory._replace(goal=None, may_disarm=False)
    memory = to(memory, State.TAKE_OFF, inputs, 'waits for the height of the take-off')
    if inputs.traits.takes_off_itself:
        memory = memory._replace(pending=request)
    return memory, None


def _waiting_for_go(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Memory:
    """Agree while all checks hold; nothing was armed if that ends, or the operator vanishes."""
    idle = memory._replace(goal=None, waits_for_go=False, agrees=False)
    if inputs.operator_age > OPERATOR_LOST or inputs.tick_age > OPERATOR_LOST:
        reason = 'the operator vanished before the release: stays on the ground'
        return to(idle, State.READY, inputs, reason)
    faults = failing_checks(settings, inputs, Request.TAKE_OFF)
    if faults:
        return to(idle, State.READY, inputs, '; '.join(faults))
    return memory._replace(agrees=True, reason=AGREES)


def _waits_for_checks(settings: EngageParameters, memory: Memory, inputs: Inputs) -> bool:
    status = inputs.status
    if not inputs.traits.tells_preflight or status is None or status.is_armed:
        return False
    return not status.passes_preflight and inputs.now - memory.since <= settings.check_timeout


def give_up(memory: Memory, inputs: Inputs, reason: str) -> Memory:
    """Return the memory of an engagement that the operator ends."""
    if inputs.status is not None and inputs.status.is_armed:
        return hand_over(memory, inputs, reason, Action.HOLD, Action.LAND)
    return to(memory._replace(goal=None), State.READY, inputs, reason)


TRACKS = 'tracks the commanded velocity'

MAX_BRAKING = 3.0
"""Time after which a vehicle that brakes holds its position [s]."""


def take_off(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Rise to the height of the take-off; land if that does not end."""
    send = None
    if inputs.has_taken_off:
        return to(memory, State.HOLD, inputs, f'has taken off; {WAITS_FOR_ENGAGE}'), None
    if inputs.now - memory.since > settings.takeoff_timeout:
        reason = f'the take-off did not end within {settings.takeoff_timeout:g} s: lands'
        return hand_over(memory, inputs, reason, Action.LAND), None
    if memory.pending is not None:
        memory, send, outcome, reason = continue_request(settings, memory, inputs)
        if outcome is RequestOutcome.FAILED:
            return hand_over(memory, inputs, reason, Action.DISARM, Action.LAND), None
        if outcome is RequestOutcome.DONE:
            memory = memory._replace(pending=None)
    return memory, send


def hold(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Hold; track once it is requested and there are commands."""
    wants = memory.goal is Request.ENGAGE and is_commanded(settings, inputs)
    if wants and inputs.frame_fault:
        return memory._replace(reason=f'holds: {inputs.frame_fault}'), None
    if wants:
        memory = memory._replace(input_lost=False)
        return to(memory, State.TRACK, inputs, TRACKS), None
    lost_for = inputs.now - memory.since
    if memory.input_lost and lost_for > settings.command_loss_time:
        reason = f'no command for {lost_for:.0f} s: {settings.command_loss_action}'
        action = ACTIONS[settings.command_loss_action]
        memory = memory._replace(input_lost=False)
        return hand_over(memory, inputs, reason, action, Action.LAND), None
    return memory, None


def track(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Follow the commands; brake as soon as they are stale."""
    if is_commanded(settings, inputs):
        is_past = inputs.now - memory.since > REASON_DURATION
        return (memory._replace(reason=TRACKS) if is_past else memory), None
    reason = f'no command for {settings.command_timeout:g} s{BRAKES}'
    return to(memory._replace(input_lost=True), State.BRAKE, inputs, reason), None


def brake(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Brake, then hold; a gap of commands or of the position that ends before goes unnoticed."""
    is_located = position_age(inputs) <= settings.position_timeout
    if memory.input_lost and is_located and is_commanded(settings, inputs):
        memory = memory._replace(input_lost=False)
        return to(memory, State.TRACK, inputs, 'commands and position have come back'), None
    has_stopped = is_located and inputs.has_stopped
    if not has_stopped and inputs.now - memory.since <= MAX_BRAKING:
        return memory, None
    cause = memory.reason.removesuffix(BRAKES)
    reason = f'{cause}: holds, engage again' if memory.input_lost else WAITS_FOR_ENGAGE
    return to(memory._replace(goal=None), State.HOLD, inputs, reason), None


def hold_reentry(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Hold until a request of the operator; report that another bridge has ended."""
    if inputs.commanders <= 1 and memory.reason.endswith(COMPANY):
        memory = memory._replace(reason='the other bridge has ended: engage again')
    return memory, None


def is_commanded(settings: EngageParameters, inputs: Inputs) -> bool:
    """Return whether there is a command that is not stale."""
    return inputs.command_age <= settings.command_timeout


NEXT_EXIT = 3.0
"""Time after which a process that ends tries the next way to hand over [s]."""

LAST_EXIT = 4.5
"""Time after which it ends anyway: the autopilot misses the heartbeat and acts [s]."""

KILL_PERIOD, KILL_TIME = 0.2, 3.0
"""A request to stop the motors is repeated this often, for so long [s]."""


def handover(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Hand control to the autopilot; try the next action if one fails."""
    assert memory.pending is not None
    action, waited = memory.pending.action, inputs.now - memory.since
    memory, send, outcome, reason = continue_request(settings, memory, inputs)
    if outcome is RequestOutcome.DONE:
        return _handed_over(memory, inputs, action), None
    if memory.is_leaving and waited > LAST_EXIT:
        return _given_up(memory, inputs, reason or f'no answer to {action.value}'), None
    late = memory.is_leaving and waited > NEXT_EXIT and memory.then
    if outcome is RequestOutcome.FAILED or late:
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
        reason = f'{reason}; {inputs.traits.fallback_text}'
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
    assert memory.pending is not None
    if inputs.now < memory.pending.due:
        return memory, None
    due = inputs.now + KILL_PERIOD
    return memory._replace(pending=memory.pending._replace(due=due)), Action.KILL


def fault(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Wait for the operator."""
    return memory, None


def released(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Remain released."""
    return memory, None
