"""Limits of the setpoints, and the height of a take-off."""

from dataclasses import dataclass

from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.parameters import Parameters, parameter

PASSTHROUGH, HOLD_HEIGHT, HOLD_POSITION = 'passthrough', 'hold_height', 'hold_position'

PX4_SPEED_XY, PX4_SPEED_UP, PX4_SPEED_DOWN = 12.0, 3.0, 1.5
"""Defaults of MPC_XY_VEL_MAX, MPC_Z_VEL_MAX_UP and MPC_Z_VEL_MAX_DN [m/s]."""


@dataclass(frozen=True)
class GuidanceParameters(Parameters):
    """Limits of what is sent to the autopilot, whoever commands.

    They have to be below those of the autopilot, which clips a velocity without keeping its
    direction and does not limit its acceleration.
    """

    max_speed_xy: float = parameter(
        5.0, 'largest horizontal speed; below MPC_XY_VEL_MAX', unit='m/s', above=0.0,
        maximum=PX4_SPEED_XY,
    )  # fmt: skip
    max_speed_up: float = parameter(
        2.0, 'largest speed upwards; below MPC_Z_VEL_MAX_UP', unit='m/s', above=0.0,
        maximum=PX4_SPEED_UP,
    )  # fmt: skip
    max_speed_down: float = parameter(
        1.0, 'largest speed downwards; below MPC_Z_VEL_MAX_DN', unit='m/s', above=0.0,
        maximum=PX4_SPEED_DOWN,
    )  # fmt: skip
    max_yaw_rate: float = parameter(1.0, 'largest yaw rate', unit='rad/s', minimum=0.0)
    max_acc_xy: float = parameter(
        3.0, 'horizontal acceleration with which the vehicle brakes, also in front of bounds',
        unit='m/s^2', above=0.0, maximum=10.0,
    )  # fmt: skip
    max_acc_z: float = parameter(
        2.0, 'the same for the vertical one', unit='m/s^2', above=0.0, maximum=10.0
    )
    reference_tau_xy: float | None = parameter(
        0.1, 'lag of the reference: it follows the commands, and its velocity is sent together '
        'with its acceleration; the vehicle is late by its attitude more (1 / MC_ROLL_P: 0.25 s '
        'in PX4 1.17, 0.15 s before); none: the commands are sent; ArduPilot '
        'gets them in any case', unit='s', above=0.0, maximum=5.0,
    )  # fmt: skip
    reference_acc_xy: float = parameter(
        6.0, 'largest horizontal acceleration of the reference', unit='m/s^2', above=0.0,
        maximum=20.0,
    )  # fmt: skip
    drag_xy: float = parameter(
        0.0, 'by how much the vehicle decelerates without thrust, for each m/s; is made up for '
        'by an acceleration; 1 for PX4 in its simulator SIH', unit='1/s', minimum=0.0,
        maximum=3.0,
    )  # fmt: skip
    max_lead_xy: float = parameter(
        2.5, 'largest difference between the horizontal velocity that is asked for and the '
        'measured one: PX4 accelerates by 1.8 times the difference (MPC_XY_VEL_P_ACC)',
        unit='m/s', above=0.0, maximum=10.0,
    )  # fmt: skip
    max_slew_xy: float = parameter(
        100.0, 'largest change of the horizontal velocity that is asked for; a law that makes up '
        "for the vehicle's lag asks for steps", unit='m/s^2', above=0.0, maximum=200.0,
    )  # fmt: skip
    max_slew_z: float = parameter(
        5.0, 'the same for the vertical one', unit='m/s^2', above=0.0, maximum=20.0
    )
    max_yaw_acc: float = parameter(
        2.0, 'largest change of the yaw rate', unit='rad/s^2', above=0.0
    )
    vertical_mode: str = parameter(
        HOLD_HEIGHT, 'the height that the vertical commands lead to is held, or they are flown as '
        'they are, with the drift of the autopilot', choices=(HOLD_HEIGHT, PASSTHROUGH),
    )  # fmt: skip
    k_z: float = parameter(
        1.0, 'gain of the held height; the default of MPC_Z_P', unit='1/s', above=0.0,
        maximum=3.0, only_with={'vertical_mode': HOLD_HEIGHT},
    )  # fmt: skip
    horizontal_mode: str = parameter(
        HOLD_POSITION, 'a horizontal command of zero means to keep the place, or is a velocity as '
        'any other, with the drift of the autopilot', choices=(HOLD_POSITION, PASSTHROUGH),
    )  # fmt: skip
    k_xy: float = parameter(
        0.95, 'gain of the kept place; the default of MPC_XY_P', unit='1/s', above=0.0,
        maximum=2.0, only_with={'horizontal_mode': HOLD_POSITION},
    )  # fmt: skip
    takeoff_height: float = parameter(
        3.0, 'height of a take-off above the ground', unit='m', above=0.0
    )
    takeoff_speed: float = parameter(1.0, 'speed of a take-off', unit='m/s', above=0.0)
    keep_in_radius: float = parameter(
        0.0, 'distance from the origin of the swarm that is not exceeded; 0: any', unit='m',
        minimum=0.0,
    )  # fmt: skip
    min_height: float = parameter(
        1.0, 'least height in the frame of the swarm while tracking', unit='m'
    )
    max_height: float = parameter(50.0, 'largest height', unit='m')
    stop_delay: float = parameter(
        0.7, 'time until the vehicle begins to brake, for the bounds above', unit='s', minimum=0.0
    )

    def __post_init__(self) -> None:
        """Refuse bounds that contradict each other."""
        super().__post_init__()
        if not self.min_height < self.max_height:
            raise ParameterError(
                f'min_height = {self.min_height:g} m must be below max_height = '
                f'{self.max_height:g} m'
            )
        if self.takeoff_speed > self.max_speed_up:
            raise ParameterError(
                f'takeoff_speed = {self.takeoff_speed:g} m/s must be at most max_speed_up = '
                f'{self.max_speed_up:g} m/s'
            )
