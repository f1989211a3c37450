"""Times and bounds of the state machine."""

from dataclasses import dataclass

from velocity_mobility_ros.core.parameters import Parameters, parameter

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
