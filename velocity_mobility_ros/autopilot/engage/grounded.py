"""Rules from the first message of an autopilot until the vehicle is in the hands of the bridge."""

import math

from velocity_mobility_ros.autopilot.engage.engage_parameters import EngageParameters
from velocity_mobility_ros.autopilot.engage.events import is_believed, silent_for
from velocity_mobility_ros.autopilot.engage.exchange import Outcome
from velocity_mobility_ros.autopilot.engage.prechecks import failing
from velocity_mobility_ros.autopilot.engage.records import (
    Inputs,
    Memory,
    Request,
)
from velocity_mobility_ros.autopilot.engage.states import State
from velocity_mobility_ros.autopilot.engage.steps import (
    OPERATOR_LOST,
    READY,
    TOLD_FOR,
    WAITS_FOR_COMMANDS,
    Step,
    carried,
    following,
    hand_over,
    pending_for,
    to,
)
from velocity_mobility_ros.autopilot.outputs import Action
from velocity_mobility_ros.autopilot.reports import Mode

WAITS = 'waits for its checks before arming; the ground station shows which fail'

AGREES = 'ready to arm: waits for the others'


def wait_link(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Wait until the autopilot is heard and hears us."""
    waits = inputs.trouble or silent_for(settings, inputs)
    if not waits and inputs.local is None:
        waits = 'no local position of the autopilot yet'
    if not waits and inputs.odometry is None:
        waits = 'no odometry of the autopilot yet'
    if not waits and not inputs.is_matched:
        waits = 'the autopilot does not listen to the topics of this bridge'
    if waits:
        return memory._replace(reason=waits), None
    return to(memory, State.READY, inputs, READY), None


def ready(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Wait for the operator; what went wrong before is told for some time."""
    if memory.reason != READY and inputs.now - memory.since > TOLD_FOR:
        memory = memory._replace(reason=READY)
    return memory, None


def precheck(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Wait until all checks have held for long enough.

    After a failsafe the heartbeat alone may bring offboard mode back; the operator wants it now.
    """
    status = inputs.status
    flies = is_believed(memory, inputs) and status.is_armed and status.mode is Mode.OFFBOARD
    if flies and inputs.traits.resumes:
        return to(memory._replace(may_disarm=False), State.HOLD, inputs, WAITS_FOR_COMMANDS), None
    faults = failing(settings, inputs, memory.goal or Request.ENGAGE)
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
    """Have the mode changed; arm next, or hold if the vehicle flies already."""
    memory, send, outcome, reason = carried(settings, memory, inputs)
    if outcome is Outcome.FAILED:
        return to(memory._replace(goal=None), State.READY, inputs, reason), None
    if outcome is Outcome.UNDER_WAY:
        return memory, send
    if memory.goal is Request.TAKE_OFF:
        request = following(memory, Action.ARM, inputs)
        memory = to(memory, State.ARMING, inputs, 'waits until the vehicle is armed')
        return memory._replace(pending=request), None
    return to(memory._replace(may_disarm=False), State.HOLD, inputs, WAITS_FOR_COMMANDS), None


def arming(settings: EngageParameters, memory: Memory, inputs: Inputs) -> Step:
    """Have the vehicle armed; wait for its checks, which may want more in its new mode."""
    fresh = pending_for(Action.ARM, inputs)
    if _waits_for_checks(settings, memory, inputs):
        return memory._replace(pending=fresh, reason=WAITS, agrees=False), None
    if memory.waits_for_go:
        return _waiting_for_go(settings, memory._replace(pending=fresh), inputs), None
    memory, send, outcome, reason = carried(settings, memory, inputs)
    if outcome is Outcome.FAILED:
        return to(memory._replace(goal=None), State.READY, inputs, reason), None
    if outcome is Outcome.UNDER_WAY:
        return memory, send
    request = following(memory, Action.TAKEOFF, inputs)
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
    faults = failing(settings, inputs, Request.TAKE_OFF)
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
