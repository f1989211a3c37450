"""Limits of the setpoints: of speeds and their change, of the room to fly in, of take-offs.

The room is a radius about the origin, with a lowest and a highest height. A speed towards a bound
is reduced to the one from which the vehicle stops in front of it; the part of the velocity along
the bound stays.

Between command and autopilot there may be a reference, whose velocity and acceleration are sent.
An autopilot corrects the difference to a velocity by feedback alone: PX4 accelerates by 1.8 times
the difference, so that it is late, and slower by what drag takes: in its simulator SIH it reached
0.64 of a command at once and the rest over seconds. The reference moves by the law of the velocity
model; with the acceleration that belongs to its motion the autopilot follows it closely:

    v' = v + a dt,  a = (c - v) / tau within reference_acc_xy      (core.velocity_model)
    a_sent = (v' - v) / dt + drag v'

Source: feed-forward of MulticopterPositionControl, which adds the acceleration of a setpoint to
the output of its velocity loop.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

from velocity_mobility_ros.autopilot.autopilot_reports import LocalPosition
from velocity_mobility_ros.autopilot.autopilot_requests import NO_ACCELERATION
from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter
from velocity_mobility_ros.core.twist_smoothing import Motion
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.core.velocity_model import Vector, change_xy, limit_abs, limit_xy

PASSTHROUGH, HOLD_HEIGHT, HOLD_POSITION = 'passthrough', 'hold_height', 'hold_position'

PX4_SPEED_XY, PX4_SPEED_UP, PX4_SPEED_DOWN = 12.0, 3.0, 1.5
"""Defaults of MPC_XY_VEL_MAX, MPC_Z_VEL_MAX_UP and MPC_Z_VEL_MAX_DN [m/s]."""


@dataclass(frozen=True)
class GuidanceParameters(Parameters):
    """Limits of the setpoints to the autopilot, from any source.

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


class KeepInResult(NamedTuple):
    """A velocity that does not lead out.

    Attributes:
        velocity: The velocity [m/s].
        outside: How far outside the vehicle is [m]; 0: it is inside.
    """

    velocity: Vector
    outside: float


def keep_in_room(settings: GuidanceParameters, position: Vector, wanted: Vector) -> KeepInResult:
    """Return a velocity that does not lead out of the room.

    Args:
        settings: The room.
        position: Position in the swarm's frame [m].
        wanted: Velocity along the same axes [m/s].
    """
    (x, y, z), (vx, vy, vz) = position, wanted
    delay, a, outside = settings.stop_delay, settings.max_acc_xy, 0.0
    if settings.keep_in_radius > 0.0:
        far = math.sqrt(x * x + y * y)
        ux, uy = (x / far, y / far) if far > 0.0 else (1.0, 0.0)
        gap, outward = settings.keep_in_radius - far, vx * ux + vy * uy
        excess = max(0.0, outward - speed_towards(gap, delay, a))
        vx, vy, outside = vx - excess * ux, vy - excess * uy, max(0.0, -gap)
    up = speed_towards(settings.max_height - z, delay, settings.max_acc_z)
    down = speed_towards(z - settings.min_height, delay, settings.max_acc_z)
    vz = min(max(vz, -down), up)
    outside = max(outside, z - settings.max_height, settings.min_height - z)
    return KeepInResult((vx, vy, vz), outside)


def speed_towards(gap: float, delay: float, a: float) -> float:
    """Return the speed [m/s] from which a vehicle stops within a gap; 0 without one.

    It solves ``v delay + v^2 / (2 a) = gap``.

    Args:
        gap: Distance to the bound [m].
        delay: Time until it begins to brake [s].
        a: Deceleration [m/s^2], > 0.
    """
    if not gap > 0.0:
        return 0.0
    lost = a * delay
    return math.sqrt(lost * lost + 2.0 * a * gap) - lost


def within(settings: GuidanceParameters, local: LocalPosition, wanted: Motion) -> Motion:
    """Return a motion within the limits of the settings and of the estimator.

    The direction of the horizontal velocity is kept.
    """
    x, y, z = wanted.velocity
    x, y = limit_xy(x, y, min(settings.max_speed_xy, _bearable(local.max_speed_xy)))
    most = _bearable(local.max_speed_z)
    z = min(max(z, -min(settings.max_speed_down, most)), min(settings.max_speed_up, most))
    return Motion((x, y, z), limit_abs(wanted.yaw_rate, settings.max_yaw_rate))


def _bearable(speed: float) -> float:
    """Return a speed limit of the estimator [m/s]; NaN or nothing above 0: no limit."""
    return speed if speed > 0.0 else math.inf


def near(settings: GuidanceParameters, local: LocalPosition, wanted: Vector) -> Vector:
    """Return a velocity whose horizontal part is not far from the measured one [m/s].

    It bounds the acceleration without a delay, whereas a bound on the change of the velocity that
    is asked for delays a law which makes up for the lag of its vehicle.
    """
    vx, vy, _ = local.velocity
    if not (local.v_xy_valid and math.isfinite(vx) and math.isfinite(vy)):
        return wanted
    dx, dy = limit_xy(wanted[0] - vx, wanted[1] - vy, settings.max_lead_xy)
    return vx + dx, vy + dy, wanted[2]


class Rates(NamedTuple):
    """How fast a motion may change.

    Attributes:
        xy: Horizontal velocity [m/s^2].
        z: Vertical velocity [m/s^2].
        yaw: Yaw rate [rad/s^2].
    """

    xy: float
    z: float
    yaw: float


def rates_of(settings: GuidanceParameters, brakes: bool) -> Rates:
    """Return how fast the sent motion may change: gently where the bridge itself brakes."""
    if brakes:
        return Rates(settings.max_acc_xy, settings.max_acc_z, settings.max_yaw_acc)
    return Rates(settings.max_slew_xy, settings.max_slew_z, settings.max_yaw_acc)


def towards(rates: Rates, last: Motion, wanted: Motion, dt: float) -> Motion:
    """Return the motion after some time on the way from the last one to the wanted one.

    Args:
        rates: How fast it may change.
        last: What was sent last.
        wanted: What is wanted.
        dt: Time since then [s].
    """
    (x, y, z), (wx, wy, wz) = last.velocity, wanted.velocity
    dx, dy = limit_xy(wx - x, wy - y, rates.xy * dt)
    dz = limit_abs(wz - z, rates.z * dt)
    turn = limit_abs(wanted.yaw_rate - last.yaw_rate, rates.yaw * dt)
    velocity: Vector = (x + dx, y + dy, z + dz)
    return Motion(velocity, last.yaw_rate + turn)


def followed(settings: GuidanceParameters, last: Vector, command: Vector, dt: float) -> Vector:
    """Return the velocity of the reference after a command [m/s]; the vertical one is commanded.

    Args:
        settings: Lag, not none, and largest acceleration.
        last: The velocity before [m/s].
        command: The commanded velocity [m/s].
        dt: Time since then [s].
    """
    (x, y, _), (cx, cy, cz) = last, command
    tau = max(settings.reference_tau_xy or 0.0, dt)
    dx, dy = change_xy(cx - x, cy - y, dt, settings.reference_acc_xy, tau)
    return x + dx, y + dy, cz


def feedforward(settings: GuidanceParameters, last: Vector, now: Vector, dt: float) -> Vector:
    """Return the acceleration that belongs to a change of the velocity [m/s^2]; vertical: 0.

    Args:
        settings: Drag and largest acceleration.
        last: The velocity before [m/s].
        now: The velocity now [m/s].
        dt: Time between both [s]; 0: not known, there is no acceleration.
    """
    if not dt > 0.0:
        return NO_ACCELERATION
    ax, ay = (now[0] - last[0]) / dt, (now[1] - last[1]) / dt
    ax, ay = limit_xy(ax, ay, settings.reference_acc_xy)
    return ax + settings.drag_xy * now[0], ay + settings.drag_xy * now[1], 0.0
