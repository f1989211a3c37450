"""Rules while the bridge flies the vehicle."""

from velocity_mobility_ros.autopilot.engage.engage_parameters import EngageParameters
from velocity_mobility_ros.autopilot.engage.records import (
    Inputs,
    Memory,
    Request,
)
from velocity_mobility_ros.autopilot.engage.states import State
from velocity_mobility_ros.autopilot.engage.steps import ACTIONS, Step, hand_over, to
from velocity_mobility_ros.autopilot.outputs import Action

MAX_BRAKING = 3.0
"""Time after which a vehicle that brakes holds its position [s]."""


def take_off(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Rise to the height of the take-off; land if that does not end."""
    if inputs.has_taken_off:
        return to(memory, State.HOLD, inputs, 'holds at the height of the take-off'), None
    if inputs.now - memory.since > settings.takeoff_timeout:
        reason = f'the take-off did not end within {settings.takeoff_timeout:g} s: lands'
        return hand_over(memory, inputs, reason, Action.LAND), None
    return memory, None


def hold(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Hold; track once that is wanted and there are commands."""
    if memory.goal is Request.ENGAGE and is_commanded(settings, inputs):
        memory = memory._replace(command_lost=False)
        return to(memory, State.TRACK, inputs, 'tracks the commanded velocity'), None
    lost_for = inputs.now - memory.since
    if memory.command_lost and lost_for > settings.command_loss_time:
        reason = f'no command for {lost_for:.0f} s: {settings.command_loss_action}'
        action = ACTIONS[settings.command_loss_action]
        memory = memory._replace(command_lost=False)
        return hand_over(memory, inputs, reason, action, Action.LAND), None
    return memory, None


def track(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Follow the commands; brake as soon as they are stale."""
    if is_commanded(settings, inputs):
        return memory, None
    reason = f'no command for {settings.command_timeout:g} s: brakes'
    return to(memory._replace(command_lost=True), State.BRAKE, inputs, reason), None


def brake(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Brake, then hold; a gap that ends before goes unnoticed."""
    if memory.command_lost and is_commanded(settings, inputs):
        memory = memory._replace(command_lost=False)
        return to(memory, State.TRACK, inputs, 'commands have come back'), None
    if not inputs.has_stopped and inputs.now - memory.since <= MAX_BRAKING:
        return memory, None
    reason = 'holds since commands ended: engage again' if memory.command_lost else 'holds'
    return to(memory._replace(goal=None), State.HOLD, inputs, reason), None


def hold_reentry(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Hold until the operator speaks."""
    return memory, None


def is_commanded(settings: EngageParameters, inputs: Inputs) -> bool:
    """Return whether there is a command that is not stale."""
    return inputs.command_age <= settings.command_timeout
