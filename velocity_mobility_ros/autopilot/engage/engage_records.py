"""States of the bridge of one vehicle; inputs, memory and outputs of its state machine.

Without a heartbeat PX4 does not accept its OFFBOARD mode, and leaves it after COM_OF_LOSS_T. When
the heartbeat resumes it returns to that mode by itself, if that is still what its user asked for.
So there is none wherever the operator has to speak first.
"""

import enum
import math
from dataclasses import dataclass
from typing import NamedTuple

from velocity_mobility_ros.autopilot.autopilot_reports import (
    Battery, Flags, LandState, LocalPosition, Mode, VehicleOdometry, VehicleStatus
)
from velocity_mobility_ros.autopilot.autopilot_requests import (
    PX4, Action, Answer, Intent, SetpointKind, Traits
)
from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter


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
}
"""Nothing is sent in the other states."""

FLYING = frozenset(
    {State.TAKE_OFF, State.HOLD, State.TRACK, State.BRAKE, State.HOLD_REENTRY}
)  # fmt: skip
"""States in which the bridge flies the vehicle: they end when it leaves offboard mode."""


class Request(enum.Enum):
    """What the operator can ask for."""

    TAKE_OFF = 'arm_takeoff'
    ENGAGE = 'engage'
    HOLD = 'hold'
    LAND = 'land'
    RETURN = 'rtl'
    DISARM = 'disarm'
    KILL = 'kill'
    RESET = 'reset'
    CANCEL = 'cancel'
    """End a take-off of a vehicle that is not armed yet."""
    GO = 'go'
    """All that were asked to take off together are ready: arm."""
    RELEASE = 'release'
    """The process is asked to end."""


class Inputs(NamedTuple):
    """Inputs of a step; times are monotonic [s].

    Attributes:
        now: The time.
        status: The last status that the autopilot reported.
        local: The last local position.
        odometry: The last odometry.
        land: Whether it stands; None: it does not say.
        battery: The battery; None: it does not say.
        flags: Its own checks; None: it does not say.
        answers: Answers to our requests since the last step.
        command_age: Age of the last velocity command; infinite: none yet.
        command_speed: Its size [m/s].
        request: What the operator asks for.
        together: Whether a take-off that is asked for waits for GO, before it arms.
        operator_age: Time since the last word of the operator who asked for that [s].
        is_matched: Whether the autopilot listens to all that is sent.
        commanders: How many bridges send to it, this one included.
        fault: What is wrong with message definitions or endpoints; empty: nothing.
        tick_age: Time since the last step.
        has_taken_off: Whether the guidance is at the height of the take-off.
        has_stopped: Whether the vehicle hardly moves.
        outside: How far outside of its room the vehicle is [m].
        frame_moved: Whether the origin of the local frame has moved.
        frame_fault: Why the place in the swarm's frame is not known; empty if it is.
        traits: What is particular to the autopilot.
    """

    now: float
    status: VehicleStatus | None = None
    local: LocalPosition | None = None
    odometry: VehicleOdometry | None = None
    land: LandState | None = None
    battery: Battery | None = None
    flags: Flags | None = None
    answers: tuple[Answer, ...] = ()
    command_age: float = math.inf
    command_speed: float = 0.0
    request: Request | None = None
    together: bool = False
    operator_age: float = 0.0
    is_matched: bool = True
    commanders: int = 1
    fault: str = ''
    tick_age: float = 0.02
    has_taken_off: bool = False
    has_stopped: bool = False
    outside: float = 0.0
    frame_moved: bool = False
    frame_fault: str = ''
    traits: Traits = PX4


class Pending(NamedTuple):
    """A request that is under way.

    Attributes:
        action: What is asked for.
        begun: When [s].
        mode: The mode when it began: another one, but for the goal, is somebody else's.
        sent: When it was sent last [s]; negative infinity: not yet.
        due: When it is sent again [s].
        attempts: How often it was sent.
        refusal: The last refusal, in words.
    """

    action: Action
    begun: float
    mode: Mode | None = None
    sent: float = -math.inf
    due: float = -math.inf
    attempts: int = 0
    refusal: str = ''


class Memory(NamedTuple):
    """Memory of the state machine.

    Attributes:
        state: The state.
        since: When it began [s].
        reason: Why, in words.
        pending: The request under way.
        then: Actions that are tried if that one fails.
        goal: What the operator wants in the end: TAKE_OFF or ENGAGE; None: nothing.
        waits_for_go: Whether the vehicle does not arm before GO.
        agrees: Whether it would arm now.
        flown_by: Mode of the autopilot, and by whose choice, that ``reason`` speaks of.
        good_since: Since when all checks hold [s]; infinite: they do not.
        was_armed: Whether the last status said armed.
        may_disarm: Whether a disarmed vehicle is no surprise.
        input_lost: Whether the vehicle brakes or holds since commands or its position ended.
        kill_until: Until when a second request stops the motors [s].
        believed_from: Reports from before this time may be older than a standstill of the bridge:
            until then nothing is sent [s].
        is_leaving: Whether the process ends.
        has_failed: Whether the vehicle was left without being handed over.
    """

    state: State = State.WAIT_LINK
    since: float = 0.0
    reason: str = ''
    pending: Pending | None = None
    then: tuple[Action, ...] = ()
    goal: Request | None = None
    waits_for_go: bool = False
    agrees: bool = False
    flown_by: str = ''
    good_since: float = math.inf
    was_armed: bool = False
    may_disarm: bool = True
    input_lost: bool = False
    kill_until: float = -math.inf
    believed_from: float = -math.inf
    is_leaving: bool = False
    has_failed: bool = False


class Outputs(NamedTuple):
    """What is to be done now.

    Attributes:
        state: The state.
        reason: Why, in words; also the answer to the operator's request.
        intent: What the guidance makes setpoints of.
        heartbeat: What the heartbeat announces; None: there is none.
        send: A request to the autopilot.
        refused: Whether the operator's request was refused.
    """

    state: State
    reason: str
    intent: Intent
    heartbeat: SetpointKind | None
    send: Action | None
    refused: bool = False


EXITS = ('hold', 'land', 'return')


@dataclass(frozen=True)
class EngageParameters(Parameters):
    """When the vehicle may be engaged, and how long anything may take."""

    command_timeout: float = parameter(
        0.5, 'age of the last command from which on the vehicle brakes and holds', unit='s',
        above=0.0,
    )  # fmt: skip
    command_loss_time: float = parameter(
        10.0, 'time without a command after which the autopilot takes over', unit='s', above=0.0
    )
    command_loss_action: str = parameter('hold', 'its mode then', choices=EXITS)
    exit_action: str = parameter('hold', 'its mode when the bridge ends in flight', choices=EXITS)
    position_timeout: float = parameter(
        0.5, 'age of position and odometry from which on they are lost', unit='s', above=0.0
    )
    status_timeout: float = parameter(
        3.0, 'the same for the status, which PX4 sends twice a second', unit='s', above=0.0
    )
    answer_timeout: float = parameter(
        0.5, 'time to wait for an answer to a request', unit='s', above=0.2
    )
    state_timeout: float = parameter(
        1.5, 'time from an accepted request until the status shows it', unit='s', above=0.0
    )
    max_attempts: int = parameter(5, 'how often a request is sent', minimum=1, maximum=20)
    check_time: float = parameter(
        2.0, 'time for which all checks must hold before the vehicle is engaged', unit='s',
        minimum=1.2,
    )  # fmt: skip
    check_timeout: float = parameter(
        15.0, 'time after which checks that fail end an engagement', unit='s', above=0.0
    )
    takeoff_timeout: float = parameter(
        30.0, 'time after which a take-off that has not ended is a landing', unit='s', above=0.0
    )
    max_eph: float = parameter(
        1.5, 'largest standard deviation of the horizontal position before arming', unit='m',
        above=0.0,
    )  # fmt: skip
    min_battery: float = parameter(
        0.3, 'least charge of the battery before arming', minimum=0.0, maximum=1.0
    )
    allow_kill: bool = parameter(False, 'whether the motors can be stopped in flight by a request')
    px4_offboard_loss_action: str = parameter(
        '', 'what the operator has set COM_OBL_RC_ACT to, in words; the bridge cannot read it'
    )
    px4_rc_policy: str = parameter(
        '', 'how the vehicle reacts to the loss of its remote control, in words, as set'
    )
    ardupilot_failsafes: str = parameter(
        '', 'what ends the flight of an ArduPilot that nobody commands any more (FS_GCS_ENABLE, '
        'BATT_FS_LOW_ACT), in words, as set'
    )  # fmt: skip
