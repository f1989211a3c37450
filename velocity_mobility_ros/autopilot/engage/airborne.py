"""Rules while the bridge flies the vehicle."""

from velocity_mobility_ros.autopilot.engage.engage_parameters import EngageParameters
from velocity_mobility_ros.autopilot.engage.events import BRAKES, position_age
from velocity_mobility_ros.autopilot.engage.exchange import Outcome
from velocity_mobility_ros.autopilot.engage.prechecks import COMPANY
from velocity_mobility_ros.autopilot.engage.records import (
    Inputs,
    Memory,
    Request,
)
from velocity_mobility_ros.autopilot.engage.states import State
from velocity_mobility_ros.autopilot.engage.steps import (
    ACTIONS,
    TOLD_FOR,
    WAITS_FOR_ENGAGE,
    Step,
    carried,
    hand_over,
    to,
)
from velocity_mobility_ros.autopilot.outputs import Action

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
        memory, send, outcome, reason = carried(settings, memory, inputs)
        if outcome is Outcome.FAILED:
            return hand_over(memory, inputs, reason, Action.DISARM, Action.LAND), None
        if outcome is Outcome.DONE:
            memory = memory._replace(pending=None)
    return memory, send


def hold(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Hold; track once that is wanted and there are commands."""
    wants = memory.goal is Request.ENGAGE and is_commanded(settings, inputs)
    if wants and inputs.frame_trouble:
        return memory._replace(reason=f'holds: {inputs.frame_trouble}'), None
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
        is_past = inputs.now - memory.since > TOLD_FOR
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
    why = memory.reason.removesuffix(BRAKES)
    reason = f'{why}: holds, engage again' if memory.input_lost else WAITS_FOR_ENGAGE
    return to(memory._replace(goal=None), State.HOLD, inputs, reason), None


def hold_reentry(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Hold until the operator speaks; say that another bridge has ended."""
    if inputs.commanders <= 1 and memory.reason.endswith(COMPANY):
        memory = memory._replace(reason='the other bridge has ended: engage again')
    return memory, None


def is_commanded(settings: EngageParameters, inputs: Inputs) -> bool:
    """Return whether there is a command that is not stale."""
    return inputs.command_age <= settings.command_timeout
