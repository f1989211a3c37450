"""States of the bridge of one vehicle, and what is sent in each.

Without a heartbeat PX4 does not accept its OFFBOARD mode, and leaves it after COM_OF_LOSS_T. When
the heartbeat resumes it returns to that mode by itself, if that is still what its user asked for.
So there is none wherever the operator has to speak first.
"""

import enum
from typing import NamedTuple

from velocity_mobility_ros.autopilot.outputs import Intent, SetpointKind


class State(enum.Enum):
    """What the bridge does."""

    WAIT_LINK = 'waits for the autopilot'
    READY = 'ready'
    PRECHECK = 'checks'
    SET_OFFBOARD = 'asks for offboard mode'
    ARMING = 'arms'
    TAKE_OFF = 'takes off'
    HOLD = 'holds'
    TRACK = 'tracks'
    BRAKE = 'brakes'
    HANDOVER = 'hands over'
    HOLD_REENTRY = 'holds until it is engaged again'
    EXTERNAL = 'somebody else flies'
    LANDING = 'the autopilot lands'
    LINK_LOST = 'lost the autopilot'
    KILLING = 'stops the motors'
    FAULT = 'fault'
    RELEASED = 'released'


class Behaviour(NamedTuple):
    """What is sent in a state.

    Attributes:
        heartbeat: What the heartbeat announces; None: there is none.
        intent: What is flown while the vehicle is in offboard mode.
    """

    heartbeat: SetpointKind | None = None
    intent: Intent = Intent.SILENT


_POSITION, _VELOCITY = SetpointKind.POSITION, SetpointKind.VELOCITY
_HOLD = Behaviour(_POSITION, Intent.HOLD)

BEHAVIOUR = {
    State.WAIT_LINK: Behaviour(),
    State.READY: Behaviour(_POSITION),
    State.PRECHECK: Behaviour(_POSITION),
    State.SET_OFFBOARD: _HOLD,
    State.ARMING: _HOLD,
    State.TAKE_OFF: Behaviour(_POSITION, Intent.TAKE_OFF),
    State.HOLD: _HOLD,
    State.TRACK: Behaviour(_VELOCITY, Intent.TRACK),
    State.BRAKE: Behaviour(_VELOCITY, Intent.BRAKE),
    State.HANDOVER: _HOLD,
    State.HOLD_REENTRY: _HOLD,
    State.EXTERNAL: Behaviour(),
    State.LANDING: Behaviour(),
    State.LINK_LOST: Behaviour(),
    State.KILLING: Behaviour(),
    State.FAULT: Behaviour(),
    State.RELEASED: Behaviour(),
}

FLYING = frozenset(
    {State.TAKE_OFF, State.HOLD, State.TRACK, State.BRAKE, State.HOLD_REENTRY}
)  # fmt: skip
"""States in which the bridge flies the vehicle: they end when it leaves offboard mode."""
