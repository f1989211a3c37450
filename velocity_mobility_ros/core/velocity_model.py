"""The velocity mobility model: a body that follows velocity commands within its limits.

    a* = (c - v) / tau          desired acceleration, first-order lag
    a  = a* within max_acc      the xy part by its norm, the z part by its size
    v' = v + a dt               then within max_speed
    p' = p + v' dt              Euler with the new velocity

Without a lag (tau is None, NaN inside the laws) the desired change is the difference ``c - v``,
limited only by ``max_acc * dt``. Source: dynamic velocity mobility of GrADyS-SIM NG.

Norms are ``sqrt(x*x + y*y)`` rather than ``hypot``: IEEE machines round them equally, so the
compiled engine and the nodes agree bit for bit. How well a vehicle knows its own motion, and how
late it is commanded, are parameters, too; all of that is off by default.

Over many steps with the same command the velocity model has a closed form.

The difference d = v - c of velocity and command keeps its direction; its size falls by a dt in
each of the first steps, which the acceleration limit a decides, and then to q of itself:

    d_k = d - k a dt              for the first m steps, until d_m <= tau a
    d_(m+j) = q^j d_m             q = 1 - dt / tau
    p_n = p + dt (n c + d_1 + ... + d_n)

That holds as long as nothing exceeds the speed limits: v and c within them keep all between within
them. Otherwise the steps are made one by one.
"""

import math
from dataclasses import dataclass

from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter

SURELY = 1.0 - 1e-9
"""Share of a squared limit below which a norm is within the limit, whatever is rounded."""

OF_ZERO = {
    'max_speed_xy': 'nothing moves horizontally',
    'max_acc_xy': 'no horizontal velocity changes',
    'max_acc': 'no velocity changes',
}
"""What a limit of 0 means; vehicles on the ground have a vertical one."""


def zero_limits(limits: object, prefix: str = '') -> list[str]:
    """Return a warning for each limit that lets nothing through.

    Args:
        limits: Has limits as attributes; those that it lacks are left out.
        prefix: Prefix of their names, such as ``mobility.``.
    """
    return [
        f'{prefix}{name} = 0: {effect}; for no limit give a large number'
        for name, effect in OF_ZERO.items()
        if getattr(limits, name, None) == 0.0
    ]


def limit_xy(x: float, y: float, limit: float) -> tuple[float, float]:
    """Limit the norm of a horizontal vector and keep its direction.

    A vector with an infinite or undefined norm is replaced by the vector of its signs, scaled to
    the limit (zero if no component has a sign).

    Args:
        x: First component, any unit.
        y: Second component, same unit.
        limit: Largest allowed norm, same unit, >= 0.
    """
    square = x * x + y * y
    if square < SURELY * (limit * limit):  # most vectors: the root is slow
        return x, y
    norm = math.sqrt(square)
    if not math.isfinite(norm):
        return _limit_signs(x, y, limit)
    if norm > limit:
        scale = limit / norm
        return x * scale, y * scale
    return x, y


def _limit_signs(x: float, y: float, limit: float) -> tuple[float, float]:
    sx = 0.0 if math.isnan(x) or x == 0.0 else math.copysign(1.0, x)
    sy = 0.0 if math.isnan(y) or y == 0.0 else math.copysign(1.0, y)
    norm = math.sqrt(sx * sx + sy * sy)
    if norm == 0.0:
        return 0.0, 0.0
    return limit * sx / norm, limit * sy / norm


def limit_abs(z: float, limit: float) -> float:
    """Clip a number to ``[-limit, limit]``, keeping its sign; NaN becomes 0."""
    if math.isnan(z):
        return 0.0
    if abs(z) > limit:
        return math.copysign(limit, z)
    return z


def clip(value: float, lowest: float, highest: float) -> float:
    """Clip a number to an interval; NaN stays NaN."""
    if value < lowest:
        return lowest
    if value > highest:
        return highest
    return value


def finite_or_zero(value: float) -> float:
    """Return a number as it is, or 0 where it is NaN or infinite."""
    return value if math.isfinite(value) else 0.0


def limit_velocity(
    vx: float, vy: float, vz: float, max_speed_xy: float, max_speed_z: float
) -> tuple[float, float, float]:
    """Saturate a velocity [m/s]: ``|v_xy| <= max_speed_xy`` and ``|v_z| <= max_speed_z``.

    Example:
        >>> limit_velocity(3.0, 4.0, 9.0, 2.5, 1.0)
        (1.5, 2.0, 1.0)
    """
    vx, vy = limit_xy(vx, vy, max_speed_xy)
    return vx, vy, limit_abs(vz, max_speed_z)


def command_velocity(
    vx: float, vy: float, vz: float, max_speed_xy: float, max_speed_z: float
) -> tuple[float, float, float]:
    """Return a saturated command [m/s]; zero for a non-finite one."""
    if not (math.isfinite(vx) and math.isfinite(vy) and math.isfinite(vz)):
        return 0.0, 0.0, 0.0
    return limit_velocity(vx, vy, vz, max_speed_xy, max_speed_z)


LARGEST_DELAY = 10.0
"""Longest latency [s]."""


@dataclass(frozen=True)
class SensingParameters(Parameters):
    """The odometry of a vehicle as its estimator gives it, and the way of a command to it.

    Noise is white from message to message, drift a first-order Gauss-Markov process, as the errors
    of satellite navigation wander. All deviations are standard deviations of one axis.
    """

    position_noise_xy: float = parameter(
        0.0, 'horizontal noise of the position', unit='m', minimum=0.0
    )
    position_noise_z: float = parameter(
        0.0, 'vertical noise of the position', unit='m', minimum=0.0
    )
    velocity_noise_xy: float = parameter(
        0.0, 'horizontal noise of the velocity', unit='m/s', minimum=0.0
    )
    velocity_noise_z: float = parameter(
        0.0, 'vertical noise of the velocity', unit='m/s', minimum=0.0
    )
    position_drift_xy: float = parameter(
        0.0, 'horizontal drift of the position', unit='m', minimum=0.0
    )
    position_drift_z: float = parameter(
        0.0, 'vertical drift of the position', unit='m', minimum=0.0
    )
    drift_time: float = parameter(60.0, 'correlation time of the drift', unit='s', above=0.0)
    odom_period: float | None = parameter(
        None, 'time between two measurements; none: one per control period', unit='s', above=0.0
    )
    odom_latency: float = parameter(
        0.0, 'age of a measurement when it arrives', unit='s', minimum=0.0, maximum=LARGEST_DELAY
    )
    dropouts_per_min: float = parameter(
        0.0, 'mean number of dropouts of the odometry', unit='1/min', minimum=0.0
    )
    dropout_time: float = parameter(
        1.0, 'time without a measurement after a dropout', unit='s', minimum=0.0
    )
    command_latency: float = parameter(
        0.0, 'time until a command takes effect', unit='s', minimum=0.0, maximum=LARGEST_DELAY
    )

    @property
    def is_perfect(self) -> bool:
        """Whether everything is measured exactly and at once, and commands act at once."""
        return not (self.is_delayed or self.is_noisy)

    @property
    def is_delayed(self) -> bool:
        """Whether anything comes late or is missing."""
        return self.odom_period is not None or any(
            (self.odom_latency, self.dropouts_per_min, self.command_latency)
        )

    @property
    def is_noisy(self) -> bool:
        """Whether any measurement is wrong."""
        return any((
            self.position_noise_xy, self.position_noise_z, self.velocity_noise_xy,
            self.velocity_noise_z, self.position_drift_xy, self.position_drift_z,
        ))  # fmt: skip


Vector = tuple[float, float, float]
Limits = tuple[float, float, float, float, float, float]

VEHICLE_NAMES = ('kinematic', 'second_order', 'quadrotor', 'tracked')
"""The vehicle types of this package; the first is the default."""

FIXED_VEHICLE = 'each vehicle type has its own kind of state'
"""Why the type of a vehicle does not change while a node runs."""


@dataclass(frozen=True)
class BodyParameters(Parameters):
    """Limits and lag of a body."""

    vehicle: str = parameter(
        VEHICLE_NAMES[0], 'type of the vehicle', choices=VEHICLE_NAMES, fixed=FIXED_VEHICLE
    )
    update_rate: float = parameter(
        0.01, 'time between two updates of the model', unit='s', minimum=1e-4, maximum=10.0
    )
    max_speed_xy: float = parameter(
        10.0, 'largest horizontal speed (norm)', unit='m/s', minimum=0.0, runtime=True
    )
    max_speed_z: float = parameter(
        5.0, 'largest vertical speed', unit='m/s', minimum=0.0, runtime=True
    )
    max_acc_xy: float = parameter(
        4.0, 'largest horizontal acceleration (norm)', unit='m/s^2', minimum=0.0, runtime=True
    )
    max_acc_z: float = parameter(
        5.0, 'largest vertical acceleration', unit='m/s^2', minimum=0.0, runtime=True
    )
    tau_xy: float | None = parameter(
        1.0, 'horizontal lag; none: acceleration limit only', unit='s', above=0.0, runtime=True
    )
    tau_z: float | None = parameter(
        1.2, 'vertical lag; none: acceleration limit only', unit='s', above=0.0, runtime=True
    )
    max_yaw_rate: float = parameter(
        1.5, 'largest yaw rate', unit='rad/s', minimum=0.0, runtime=True
    )
    telemetry_decimation: int = parameter(
        1, 'updates per odometry message', minimum=1, maximum=1_000_000, runtime=True
    )

    @property
    def lag_xy(self) -> float | None:
        """Lag of the horizontal velocity [s], for planners; None: no lag."""
        return self.tau_xy

    @property
    def lag_z(self) -> float | None:
        """Lag of the vertical velocity [s], as ``lag_xy``."""
        return self.tau_z

    @property
    def response_delay(self) -> float:
        """Time [s] for which the vehicle goes on as before after a command, besides its lag."""
        return 0.0

    @property
    def limits(self) -> Limits:
        """The limits as six numbers for the laws; no lag is NaN."""
        tau_xy = math.nan if self.tau_xy is None else self.tau_xy
        tau_z = math.nan if self.tau_z is None else self.tau_z
        return self.max_speed_xy, self.max_speed_z, self.max_acc_xy, self.max_acc_z, tau_xy, tau_z


@dataclass(frozen=True)
class MobilityParameters(SensingParameters, BodyParameters):
    """A simulated vehicle: its body, its sensors, and the delay of its commands.

    A vehicle type with more parameters extends this record.
    """


def change_xy(dx: float, dy: float, dt: float, max_acc: float, tau: float) -> tuple[float, float]:
    """Return the horizontal velocity change [m/s] of one step towards a difference ``c - v``."""
    if math.isnan(tau):
        return limit_xy(dx, dy, max_acc * dt)
    ax, ay = limit_xy(dx / tau, dy / tau, max_acc)
    return ax * dt, ay * dt


def change_z(dz: float, dt: float, max_acc: float, tau: float) -> float:
    """Return the vertical velocity change [m/s] of one step towards a difference ``c - v``."""
    if math.isnan(tau):
        return limit_abs(dz, max_acc * dt)
    return limit_abs(dz / tau, max_acc) * dt


def next_velocity(v: Vector, c: Vector, dt: float, limits: Limits) -> Vector:
    """Return the velocity after one step.

    Args:
        v: Velocity [m/s].
        c: Commanded velocity [m/s].
        dt: Step [s], > 0.
        limits: ``MobilityParameters.limits``.

    Example:
        >>> limits = MobilityParameters(tau_xy=0.5).limits
        >>> next_velocity((0.0, 0.0, 0.0), (5.0, 0.0, 0.0), 0.05, limits)
        (0.2, 0.0, 0.0)
    """
    max_speed_xy, max_speed_z, max_acc_xy, max_acc_z, tau_xy, tau_z = limits
    dx, dy = change_xy(c[0] - v[0], c[1] - v[1], dt, max_acc_xy, tau_xy)
    dz = change_z(c[2] - v[2], dt, max_acc_z, tau_z)
    return limit_velocity(v[0] + dx, v[1] + dy, v[2] + dz, max_speed_xy, max_speed_z)


def step(p: Vector, v: Vector, c: Vector, dt: float, limits: Limits) -> tuple[Vector, Vector]:
    """Move one body by one step.

    Args:
        p: Position [m].
        v: Velocity [m/s], same frame.
        c: Commanded velocity [m/s], same frame.
        dt: Step [s], > 0.
        limits: ``MobilityParameters.limits``.

    Returns:
        New position and new velocity.

    Example:
        >>> limits = MobilityParameters().limits
        >>> step((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 0.0, 0.0), 0.5, limits)
        ((0.5, 0.0, 0.0), (1.0, 0.0, 0.0))
    """
    v = next_velocity(v, c, dt, limits)
    return (p[0] + v[0] * dt, p[1] + v[1] * dt, p[2] + v[2] * dt), v


ROUNDING = 1.0 + 1e-9
"""A command at its limit is within it."""


def held_command(
    p: Vector, v: Vector, c: Vector, dt: float, count: int, limits: Limits
) -> tuple[Vector, Vector]:
    """Move one body by some steps with the same command.

    Args:
        p: Position [m].
        v: Velocity [m/s], same frame.
        c: Commanded velocity [m/s], same frame.
        dt: Step [s], > 0.
        count: How many steps.
        limits: ``MobilityParameters.limits``.

    Returns:
        New position and new velocity, up to rounding those of ``count`` times ``model.step``.
    """
    if count <= 1 or not _has_closed_form(v, c, dt, limits):
        for _ in range(count):
            p, v = step(p, v, c, dt, limits)
        return p, v
    _, _, max_acc_xy, max_acc_z, tau_xy, tau_z = limits
    dx, dy, dz = v[0] - c[0], v[1] - c[1], v[2] - c[2]
    left, total = _shares(math.sqrt(dx * dx + dy * dy), dt, count, max_acc_xy, tau_xy)
    left_z, total_z = _shares(abs(dz), dt, count, max_acc_z, tau_z)
    time = count * dt
    x, y = p[0] + time * c[0] + total * dx, p[1] + time * c[1] + total * dy
    position = x, y, p[2] + time * c[2] + total_z * dz
    return position, (c[0] + left * dx, c[1] + left * dy, c[2] + left_z * dz)


def _has_closed_form(v: Vector, c: Vector, dt: float, limits: Limits) -> bool:
    """Return whether the speed limits do not matter, and no lag is shorter than a step."""
    max_speed_xy, max_speed_z, max_acc_xy, max_acc_z, tau_xy, tau_z = limits
    is_regular = max_acc_xy * dt > 0.0 and max_acc_z * dt > 0.0 and not (tau_xy < dt or tau_z < dt)
    square = ROUNDING * (max_speed_xy * max_speed_xy)
    level = v[0] * v[0] + v[1] * v[1] <= square and c[0] * c[0] + c[1] * c[1] <= square
    return is_regular and level and max(abs(v[2]), abs(c[2])) <= max_speed_z


def _shares(size: float, dt: float, count: int, max_acc: float, tau: float) -> tuple[float, float]:
    """Return what is left of a difference after some steps, and its integral, as shares of it [s].

    Args:
        size: Its size [m/s].
        dt: Step [s].
        count: How many steps.
        max_acc: Largest acceleration [m/s^2].
        tau: Lag [s], not shorter than a step; NaN: none.
    """
    if size == 0.0:
        return 0.0, 0.0
    lag = dt if math.isnan(tau) else tau
    fall = max_acc * dt
    full = max(0.0, math.ceil(min(float(count), (size - lag * max_acc) / fall)))
    slow = size - full * fall
    left = slow * math.pow(1.0 - dt / lag, count - full)
    total = full * size - 0.5 * fall * full * (full + 1.0)
    total += (slow - left) * (lag / dt - 1.0)
    return left / size, dt * total / size
