"""One request to the autopilot at a time: sent, answered, repeated, and seen in the status.

An answer has no number, and all modes share one command, so a second request must wait for the end
of the first. Only the status shows success: PX4 answers "accepted" to some requests that it does
not carry out, and release 1.14 does not answer at all.
"""

import enum
from typing import NamedTuple

from velocity_mobility_ros.autopilot.engage.engage_parameters import EngageParameters
from velocity_mobility_ros.autopilot.engage.records import Pending
from velocity_mobility_ros.autopilot.outputs import Action, Answer, Result

FIRST_BACKOFF = 0.2
"""Addition to the time until the second attempt [s]; it doubles with each."""

RETRY_AFTER = 0.5
"""Time from a temporary rejection until the next attempt [s]: an estimate has to hold for 1 s."""


LIFT_OFF_TIME = 6.0
"""Time from an accepted request to take off until the vehicle is seen in the air [s]."""


class Outcome(enum.Enum):
    """How a request stands."""

    UNDER_WAY = 'under way'
    DONE = 'done'
    FAILED = 'failed'


class Progress(NamedTuple):
    """A request after a step: what remains, what is to be sent, how it stands and why."""

    pending: Pending
    send: Action | None
    outcome: Outcome
    reason: str = ''


def advanced(
    settings: EngageParameters,
    pending: Pending,
    answers: tuple[Answer, ...],
    is_done: bool,
    may_repeat: bool,
    now: float,
    if_deaf: str,
) -> Progress:
    """Return a request after a step.

    Args:
        settings: Times.
        pending: The request.
        answers: Answers since the last step.
        is_done: Whether the status shows what was asked for.
        may_repeat: Whether a temporary rejection can pass: the checks hold.
        now: Monotonic time [s].
        if_deaf: What is wrong if there is no answer at all.
    """
    if is_done:
        return Progress(pending, None, Outcome.DONE)
    for answer in answers:
        if pending.attempts and pending.action in answer.actions:
            pending, failure = _answered(settings, pending, answer, may_repeat)
            if failure:
                return Progress(pending, None, Outcome.FAILED, failure)
    if now < pending.due:
        return Progress(pending, None, Outcome.UNDER_WAY)
    if pending.attempts >= settings.max_attempts:
        return Progress(pending, None, Outcome.FAILED, _why_given_up(pending, if_deaf))
    return _sent(settings, pending, now)


def _sent(settings: EngageParameters, pending: Pending, now: float) -> Progress:
    wait = settings.answer_timeout + FIRST_BACKOFF * 2.0**pending.attempts
    sent = pending._replace(sent=now, due=now + wait, attempts=pending.attempts + 1)
    return Progress(sent, pending.action, Outcome.UNDER_WAY)


def _answered(
    settings: EngageParameters, pending: Pending, answer: Answer, may_repeat: bool
) -> tuple[Pending, str]:
    """Return the request after an answer, and why it has failed; empty if it has not."""
    what, result = pending.action.value, answer.result
    if result is Result.ACCEPTED:
        told = f'{what} was accepted, but the status does not show it'
        wait = LIFT_OFF_TIME if pending.action is Action.TAKEOFF else settings.state_timeout
        return pending._replace(due=answer.received + wait, refusal=told), ''
    if result is Result.IN_PROGRESS:
        told = f'{what} was taken on, but the status does not show it'
        return pending._replace(due=answer.received + settings.state_timeout, refusal=told), ''
    refusal = f'{what} was answered: {result.value}'
    if result is Result.TEMPORARILY_REJECTED and may_repeat:
        return pending._replace(due=answer.received + RETRY_AFTER, refusal=refusal), ''
    return pending, refusal


def _why_given_up(pending: Pending, if_deaf: str) -> str:
    if pending.refusal:
        return f'{pending.refusal} ({pending.attempts} attempts)'
    silence = f'no answer to {pending.attempts} requests to {pending.action.value}'
    return f'{silence}: {if_deaf}'
