"""Reports from the messages of AP_DDS; each message has a part of one, in ENU and FLU already.

Several traps: the twist has a linear part along ENU axes and an angular part along those of the
body; the frame_id says ``base_link`` in all of them; and where ArduPilot does not know a place,
it repeats the last one, at first latitude 0 and longitude 0.

The position counts from HOME, in a frame that stays when HOME is moved.

``pose/filtered`` counts from HOME, which ArduPilot moves to the vehicle when that is armed. The
latitude and longitude of ``geopose/filtered`` do not jump then, but they are computed as 32-bit
numbers: a step is 0.4 m in latitude and up to 0.85 m in longitude. So the position comes from the
pose, and the other one tells only where the frame lies.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from velocity_mobility_ros.autopilot.autopilot_reports import (
    LandState, LocalPosition, Reference, VehicleOdometry, VehicleStatus, attitude, battery,
    reference, stamp_us, vector
)
from velocity_mobility_ros.autopilot.bridge import Known
from velocity_mobility_ros.autopilot.protocols.ap_dds import (
    BATTERY, FIX, GEOPOSE, POSE, STATUS, TWIST, mode_of_name, name_of
)
from velocity_mobility_ros.autopilot.swarm_frame import project, unproject
from velocity_mobility_ros.core.coordinate_frames import (
    Quaternion, is_plausible_vector, yaw_from_quaternion
)
from velocity_mobility_ros.core.velocity_model import Vector

COPTERS = (2, 13)
"""Vehicle types that fly like a copter: ArduCopter, and its helicopters."""

FAILSAFES = {21: 'remote control', 22: 'battery', 23: 'ground station', 24: 'estimator'}
EKF_FAILSAFE = 24


class HomePose(NamedTuple):
    """A pose about HOME.

    Attributes:
        stamp_us: Its stamp [us].
        position: East, north, up [m].
        attitude: Of the FLU body in ENU, a unit quaternion (x, y, z, w).
    """

    stamp_us: int
    position: Vector
    attitude: Quaternion


class Speed(NamedTuple):
    """Velocity along ENU axes [m/s], angular velocity along those of the body [rad/s]."""

    received: float
    velocity: Vector
    angular_velocity: Vector


def vehicle_status(message: Any, received: float) -> VehicleStatus:
    """Return a Status as a report."""
    name = name_of(message.mode)
    failsafes = [FAILSAFES.get(number, f'failsafe {number}') for number in message.failsafe]
    text = f'{name}, failsafe: {", ".join(failsafes)}' if failsafes else name
    mode = mode_of_name(name)
    return VehicleStatus(
        received, bool(message.armed), mode, mode, text, is_failsafe=bool(failsafes)
    )


def vehicle_fault(message: Any) -> str:
    """Return the fault of a vehicle that does not hover; empty without one."""
    if message.vehicle_type in COPTERS:
        return ''
    return f'the vehicle is no ArduCopter (vehicle_type = {message.vehicle_type})'


def pose_of(message: Any) -> HomePose | None:
    """Return a PoseStamped; None if it is not finite, or absurdly far away."""
    at, turn = vector(message.pose.position), attitude(message.pose.orientation)
    if turn is None or not is_plausible_vector(at):
        return None
    return HomePose(stamp_us(message), at, turn)


def speed_of(message: Any, received: float) -> Speed | None:
    """Return a TwistStamped; None if it is not finite, or absurdly fast."""
    linear, angular = vector(message.twist.linear), vector(message.twist.angular)
    is_sound = is_plausible_vector(linear) and is_plausible_vector(angular)
    return Speed(received, linear, angular) if is_sound else None


def horizontal_deviation(message: Any) -> float:
    """Return the standard deviation of a NavSatFix [m]: infinite without a fix, 0 if unknown."""
    if message.status.status < 0:
        return math.inf
    if message.position_covariance_type == 0:
        return 0.0
    return math.sqrt(max(message.position_covariance[0], message.position_covariance[4], 0.0))


JUMP = 0.1
"""Largest distance between a position and the expected one of a vehicle that stands [m]."""

MAX_GAP = 1.0
"""Time between two positions after which nothing is expected [s]."""

FAR, FAR_ON_GROUND, FAR_TIME = 3.0, 1.0, 1.0
"""So far from the place on Earth [m], in the air and on the ground, for so long [s]: the frame is
laid anew. It happens where HOME is set late, or moved in flight."""


class HomeFrame(NamedTuple):
    """The frame.

    Attributes:
        offset: Where HOME is in it [m].
        position: The last position about HOME [m]; None: none yet.
        received: When that arrived [s].
        reference: Where its origin is on Earth; None: not known.
        far_since: Since when it contradicts the place on Earth [s]; infinite: it does not.
    """

    offset: Vector = (0.0, 0.0, 0.0)
    position: Vector | None = None
    received: float = 0.0
    reference: Reference | None = None
    far_since: float = math.inf

    @property
    def local(self) -> Vector | None:
        """The position in it [m]."""
        return None if self.position is None else _sum(self.offset, self.position)


def moved(
    frame: HomeFrame, position: Vector, velocity: Vector, stands: bool, received: float
) -> HomeFrame:
    """Return the frame after a position.

    Args:
        frame: The frame before.
        position: About HOME [m].
        velocity: Of the vehicle [m/s].
        stands: Whether the vehicle stands: then a jump is one of HOME.
        received: Monotonic time of its arrival [s].
    """
    last, dt, offset = frame.position, received - frame.received, frame.offset
    if last is not None and stands and dt <= MAX_GAP:
        expected = _sum(last, _times(dt, velocity))
        jump = _sum(position, _times(-1.0, expected))
        if math.hypot(*jump) > JUMP:
            offset = _sum(offset, _times(-1.0, jump))
    return frame._replace(offset=offset, position=position, received=received)


def placed(frame: HomeFrame, place: Reference, stands: bool, received: float) -> HomeFrame:
    """Return the frame after a place on Earth: laid there, or compared with it.

    Args:
        frame: The frame before.
        place: Where the vehicle is.
        stands: Whether the vehicle stands.
        received: Monotonic time at which the place arrived [s].
    """
    local = frame.local
    if local is None:
        return frame
    if frame.reference is None or received - frame.far_since > FAR_TIME:
        stamp = 0 if frame.reference is None else frame.reference.stamp + 1
        return frame._replace(reference=_origin(place, local, stamp), far_since=math.inf)
    _, latitude, longitude, _ = frame.reference
    north, east = project((latitude, longitude), place.latitude, place.longitude)
    limit = FAR_ON_GROUND if stands else FAR
    is_far = math.hypot(east - local[0], north - local[1]) > limit
    since = min(frame.far_since, received) if is_far else math.inf
    return frame._replace(far_since=since)


def _origin(place: Reference, local: Vector, stamp: int) -> Reference:
    """Return the origin of a frame in which a place has a position."""
    latitude, longitude = unproject((place.latitude, place.longitude), -local[1], -local[0])
    return Reference(stamp, latitude, longitude, place.altitude - local[2])


def _sum(a: Vector, b: Vector) -> Vector:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def _times(factor: float, vector: Vector) -> Vector:
    return factor * vector[0], factor * vector[1], factor * vector[2]


FIX_TIME = 3.0
"""Age of the last fix of the receiver after which there is none [s]."""

GAP, SETTLE = 1.0, 2.0
"""After a silence of the first time the last status is not believed for the second one [s]."""


class PartReports:
    """The last report of each kind, assembled from messages with a part each.

    Attributes:
        known: The reports.
        fault: Why the vehicle cannot be flown; empty: nothing.
    """

    def __init__(self, takers: Mapping[str, Callable[[Any, float], None]]) -> None:
        """Start without reports.

        Args:
            takers: What takes a message that arrived at a time [s], by topic.
        """
        self.known, self.fault = Known(), ''
        self._passes_preflight, self._takers = True, takers

    def take(self, topic: str, message: Any, received: float) -> None:
        """Take a message.

        Args:
            topic: Its topic, without what comes before the names of all.
            message: The message.
            received: Monotonic time of its arrival [s].
        """
        self._takers[topic](message, received)

    def take_preflight(self, passes: bool) -> None:
        """Take the answer of the checks before arming."""
        self._passes_preflight = passes
        if self.known.status is not None:
            self._know_status(self.known.status)

    def _know(self, **reports: Any) -> None:
        self.known = self.known._replace(**reports)

    def _know_status(self, status: VehicleStatus) -> None:
        self._know(status=status._replace(passes_preflight=self._passes_preflight))

    def _take_battery(self, message: Any, received: float) -> None:
        self._know(battery=battery(message, received))


class ArduPilotReports(PartReports):
    """The last report of each kind."""

    def __init__(self) -> None:
        """Start without reports."""
        super().__init__({
            STATUS: self._take_status,
            GEOPOSE: self._take_place,
            TWIST: self._take_speed,
            POSE: self._take_pose,
            BATTERY: self._take_battery,
            FIX: self._take_fix,
        })  # fmt: skip
        self._frame, self._ekf_failed = HomeFrame(), False
        self._speed: Speed | None = None
        self._fix: tuple[float, float] | None = None
        self._heard, self._trusted_from = math.inf, -math.inf

    def _take_status(self, message: Any, received: float) -> None:
        self.fault = vehicle_fault(message)
        self._ekf_failed = EKF_FAILSAFE in message.failsafe
        self._trusted_from = -math.inf
        self._know_status(vehicle_status(message, received))
        self._know(land=LandState(received, not message.flying))

    def _take_speed(self, message: Any, received: float) -> None:
        self._speed = speed_of(message, received) or self._speed

    def _take_place(self, message: Any, received: float) -> None:
        place = reference(message.pose)
        if place is not None:
            self._frame = placed(self._frame, place, self._stands, received)

    def _take_fix(self, message: Any, received: float) -> None:
        self._fix = received, horizontal_deviation(message)

    def _take_pose(self, message: Any, received: float) -> None:
        """Make the reports: the pose completes the velocity that has come before."""
        self._keep_alive(received)
        pose, speed = pose_of(message), self._speed
        if pose is None or speed is None:
            return
        both, is_valid = min(received, speed.received), not self._ekf_failed
        self._frame = moved(self._frame, pose.position, speed.velocity, self._stands, received)
        position = self._frame.local or pose.position
        local = LocalPosition(
            both, position, speed.velocity, yaw_from_quaternion(*pose.attitude),
            xy_valid=is_valid, v_xy_valid=is_valid, eph=self._deviation(received),
            reference=self._frame.reference,
        )  # fmt: skip
        odometry = VehicleOdometry(
            both, pose.stamp_us, position, pose.attitude, speed.velocity, speed.angular_velocity
        )
        self._know(local=local, odometry=odometry)

    @property
    def _stands(self) -> bool:
        return self.known.land is None or self.known.land.landed

    def _keep_alive(self, received: float) -> None:
        """Give the status, which comes on change only, the age of the pose.

        After a gap it may have changed unheard; if it has, that arrives soon.
        """
        status = self.known.status
        if received - self._heard > GAP:
            self._trusted_from = received + SETTLE
        self._heard = received
        if status is not None and received >= self._trusted_from:
            self._know(status=status._replace(received=received))

    def _deviation(self, now: float) -> float:
        """Return the standard deviation of the place [m]; 0 where no receiver tells one."""
        if self._fix is None:
            return 0.0
        received, deviation = self._fix
        return deviation if now - received <= FIX_TIME else math.inf
