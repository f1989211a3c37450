"""One request to the autopilot at a time, and the transitions that all rules share.

A request is sent, answered, repeated, and seen in the status. An answer has no number, and all
modes share one command, so a second request must wait for the end of the first. Only the status
shows success: PX4 answers "accepted" to some requests that it does not carry out, and release 1.14
does not answer at all.
"""

import enum
from typing import NamedTuple

from velocity_mobility_ros.autopilot.autopilot_reports import Mode, VehicleStatus
from velocity_mobility_ros.autopilot.autopilot_requests import Action, Answer, MavResult
from velocity_mobility_ros.autopilot.engage.engage_records import (
    EngageParameters, Inputs, Memory, Pending, Request, State
)
from velocity_mobility_ros.autopilot.engage.prechecks import explain_refusal, failing_checks

FIRST_BACKOFF = 0.2
"""Addition to the time until the second attempt [s]; it doubles with each."""

RETRY_AFTER = 0.5
"""Time from a temporary rejection until the next attempt [s]: an estimate has to hold for 1 s."""


LIFT_OFF_TIME = 6.0
"""Time from an accepted request to take off until the vehicle is seen in the air [s]."""


class RequestOutcome(enum.Enum):
    """How a request stands."""

    UNDER_WAY = 'under way'
    DONE = 'done'
    FAILED = 'failed'


class RequestProgress(NamedTuple):
    """A request after a step: what remains, what is to be sent, how it stands and why."""

    pending: Pending
    send: Action | None
    outcome: RequestOutcome
    reason: str = ''


def advance_request(
    settings: EngageParameters,
    pending: Pending,
    answers: tuple[Answer, ...],
    is_done: bool,
    may_repeat: bool,
    now: float,
    no_answer_text: str,
) -> RequestProgress:
    """Return a request after a step.

    Args:
        settings: Times.
        pending: The request.
        answers: Answers since the last step.
        is_done: Whether the status shows what was asked for.
        may_repeat: Whether a temporary rejection can pass: the checks hold.
        now: Monotonic time [s].
        no_answer_text: What is wrong if there is no answer at all.
    """
    if is_done:
        return RequestProgress(pending, None, RequestOutcome.DONE)
    for answer in answers:
        if pending.attempts and pending.action in answer.actions:
            pending, failure = _after_answer(settings, pending, answer, may_repeat)
            if failure:
                return RequestProgress(pending, None, RequestOutcome.FAILED, failure)
    if now < pending.due:
        return RequestProgress(pending, None, RequestOutcome.UNDER_WAY)
    if pending.attempts >= settings.max_attempts:
        return RequestProgress(pending, None, RequestOutcome.FAILED, _failure_reason(pending, no_answer_text))
    return _send_again(settings, pending, now)


def _send_again(settings: EngageParameters, pending: Pending, now: float) -> RequestProgress:
    wait = settings.answer_timeout + FIRST_BACKOFF * 2.0**pending.attempts
    sent = pending._replace(sent=now, due=now + wait, attempts=pending.attempts + 1)
    return RequestProgress(sent, pending.action, RequestOutcome.UNDER_WAY)


def _after_answer(
    settings: EngageParameters, pending: Pending, answer: Answer, may_repeat: bool
) -> tuple[Pending, str]:
    """Return the request after an answer, and why it has failed; empty if it has not."""
    action, result = pending.action.value, answer.result
    if result is MavResult.ACCEPTED:
        text = f'{action} was accepted, but the status does not show it'
        wait = LIFT_OFF_TIME if pending.action is Action.TAKEOFF else settings.state_timeout
        return pending._replace(due=answer.received + wait, refusal=text), ''
    if result is MavResult.IN_PROGRESS:
        text = f'{action} was taken on, but the status does not show it'
        return pending._replace(due=answer.received + settings.state_timeout, refusal=text), ''
    refusal = f'{action} was answered: {result.value}'
    if result is MavResult.TEMPORARILY_REJECTED and may_repeat:
        return pending._replace(due=answer.received + RETRY_AFTER, refusal=refusal), ''
    return pending, refusal


def _failure_reason(pending: Pending, no_answer_text: str) -> str:
    if pending.refusal:
        return f'{pending.refusal} ({pending.attempts} attempts)'
    silence = f'no answer to {pending.attempts} requests to {pending.action.value}'
    return f'{silence}: {no_answer_text}'


READY = 'ready: waits for arm_takeoff, or for engage in flight'
WAITS_FOR_ENGAGE, WAITS_FOR_COMMANDS = 'holds: waits for engage', 'holds: waits for commands'
"""Reasons of states that only the operator or a controller ends."""

ANSWER_WAIT = 0.45
"""Longest time from a request to the next one, without an answer [s]; PX4 needs 10 to 150 ms."""

REASON_DURATION = 30.0
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


def request_after(memory: Memory, action: Action, inputs: Inputs) -> Pending:
    """Return a request after that of the memory, which the status has shown to be fulfilled.

    The status may come before the answer: the next request waits for that, but not for long, since
    answers get lost and release 1.14 sends none.
    """
    previous, request = memory.pending, pending_for(action, inputs)
    if previous is None or any(previous.action in answer.actions for answer in inputs.answers):
        return request
    return request if previous.refusal else request._replace(due=previous.sent + ANSWER_WAIT)


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


def continue_request(
    settings: EngageParameters, memory: Memory, inputs: Inputs
) -> tuple[Memory, Action | None, RequestOutcome, str]:
    """Continue the pending request; return the action to send, the outcome and its reason."""
    pending = memory.pending
    assert pending is not None  # as in every state that carries a request out
    goal = memory.goal or Request.ENGAGE
    may_repeat = not failing_checks(settings, inputs, goal)
    progress = advance_request(
        settings, pending, inputs.answers, is_reached(pending.action, inputs), may_repeat,
        inputs.now, inputs.traits.no_answer_text,
    )  # fmt: skip
    reason = explain_refusal(progress.reason, inputs) if progress.outcome is RequestOutcome.FAILED else ''
    return memory._replace(pending=progress.pending), progress.send, progress.outcome, reason


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
        return inputs.has_taken_off or (inputs.land is not None and not inputs.land.landed)
    return status.mode is MODES.get(action)
