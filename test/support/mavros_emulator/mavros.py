"""MAVROS: its topics and services, with their habits.

``mode_sent`` says that a request was sent; the state comes once a second; a lost vehicle is
noticed after 10 s, and the state then says disarmed without a mode, which nobody knows.
"""

import math
import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

from support.ardupilot_emulator.wire import header, vector
from support.mavros_emulator.side import ACCEPTED, Side, Target
from velocity_mobility_ros.core.coordinate_frames import inverse, rotate

TICK = 0.01
PERIODS = {
    'state': 1.0, 'extended_state': 0.5, 'sys_status': 0.5, 'local_position/odom': 0.033,
    'battery': 1.0, 'global_position/gp_origin': 1.0,
}  # fmt: skip
"""Time between two messages [s]."""

CONNECTION_TIMEOUT, ACK_TIMEOUT = 10.0, 5.0
GEOID = 47.3
"""Height of the geoid over the ellipsoid that MAVROS adds to altitudes [m]."""

PREARM_CHECK = 1 << 28


class Sent(NamedTuple):
    """A message: its topic below MAVROS's namespace, and when it is sent [s]."""

    topic: str
    message: SimpleNamespace
    time: float


class Call(NamedTuple):
    """A call of a service that waits."""

    at: float
    done: Callable[[], None]


class MavrosEmulator:
    """MAVROS and its vehicle.

    Attributes:
        side: The vehicle.
        is_up: Whether the link to the vehicle works.
        deaf_to_modes: So many requests for a mode get lost though they are sent.
        ack_loss: Probability that an acknowledgement of a command gets lost.
        service_delay: Shortest and longest time until a service answers [s].
    """

    def __init__(self, side: Side, seed: int = 0) -> None:
        self.side, self.is_up = side, True
        self.deaf_to_modes, self.ack_loss = 0, 0.0
        self.service_delay = (0.005, 0.05)
        self._random = random.Random(f'{seed}/mavros')
        self._ticks, self._target = 0, 0.0
        self._due = dict.fromkeys(PERIODS, 0.0)
        self._heard, self._is_connected = -math.inf, False
        self._calls: list[Call] = []
        self.last: dict[str, SimpleNamespace] = {}

    @property
    def now(self) -> float:
        """Time [s]."""
        return TICK * self._ticks

    def receive(self, message: Any) -> None:
        """Take a PositionTarget of ``setpoint_raw/local``."""
        if self.is_up and message.coordinate_frame == 1:
            self.side.setpoint(_target(message))

    def call(self, service: str, request: Any, done: Callable[[Any], None]) -> None:
        """Call a service; ``done`` gets the response some time later."""
        wait = self._random.uniform(*self.service_delay)
        if service == 'set_mode':
            known = self._set_mode(request.custom_mode)
            self._answer(self.now + wait, lambda: done(SimpleNamespace(mode_sent=known)))
            return
        number, params = _command(service, request)
        self._command(number, params, wait, done)

    def step(self, dt: float) -> list[Sent]:
        """Advance by a time [s] and return what was sent meanwhile."""
        self._target += dt
        found = []
        while self.now + 0.5 * TICK < self._target:
            self._ticks += 1
            self.side.step(TICK)
            for call in [one for one in self._calls if one.at <= self.now]:
                self._calls.remove(call)
                call.done()
            found += self._publish()
        return found

    def _set_mode(self, name: str) -> bool:
        if not self.is_up or self.deaf_to_modes > 0:
            self.deaf_to_modes -= 1
            return True
        return self.side.set_mode(name)

    def _command(
        self, number: int, params: list[float], wait: float, done: Callable[[Any], None]
    ) -> None:
        """Send a command; without an acknowledgement in time the result is 0 and no success."""
        is_open = [True]

        def finish(success: bool, result: int) -> None:
            if is_open[0]:
                is_open[0] = False
                done(SimpleNamespace(success=success, result=result))

        def acknowledged(result: int) -> None:
            if self._random.random() >= self.ack_loss:
                self._answer(self.now + wait, lambda: finish(result == ACCEPTED, result))

        self._answer(self.now + ACK_TIMEOUT, lambda: finish(False, 0))
        if self.is_up:
            self.side.command(number, params, acknowledged)

    def _answer(self, at: float, done: Callable[[], None]) -> None:
        self._calls.append(Call(at, done))

    def _publish(self) -> list[Sent]:
        found = []
        for topic, period in PERIODS.items():
            if self.now < self._due[topic]:
                continue
            self._due[topic] += period
            message = self._message(topic) if self.is_up else None
            if message is not None:
                found.append(Sent(topic, message, self.now))
        if self.is_up:
            self._heard, self._is_connected = self.now, True
        elif self._is_connected and self.now - self._heard > CONNECTION_TIMEOUT:
            self._is_connected = False
            found.append(Sent('state', _state(False, False, '', 0, self.now), self.now))
        self.last.update({one.topic: one.message for one in found})
        return found

    def _message(self, topic: str) -> SimpleNamespace | None:
        side = self.side
        if topic == 'state':
            return _state(True, *side.heartbeat(), self.now)
        if topic == 'extended_state':
            return SimpleNamespace(vtol_state=0, landed_state=side.landed())
        if topic == 'sys_status':
            health = PREARM_CHECK if side.passes_prearm() else 0
            return SimpleNamespace(sensors_enabled=PREARM_CHECK, sensors_health=health)
        if topic == 'battery':
            return SimpleNamespace(present=True, percentage=side.battery)
        if topic == 'global_position/gp_origin':
            return self._origin()
        return self._odometry()

    def _origin(self) -> SimpleNamespace | None:
        spot = self.side.origin()
        if spot is None:
            return None
        at = SimpleNamespace(
            latitude=spot.latitude, longitude=spot.longitude, altitude=spot.altitude + GEOID
        )
        return SimpleNamespace(header=header(self.now, 'earth'), position=at)

    def _odometry(self) -> SimpleNamespace | None:
        motion = self.side.motion()
        if motion is None:
            return None
        x, y, z, w = motion.attitude
        covariance = [0.0] * 36
        covariance[0] = covariance[7] = motion.eph**2
        pose = SimpleNamespace(position=vector(*motion.position),
                               orientation=SimpleNamespace(x=x, y=y, z=z, w=w))  # fmt: skip
        body = rotate(inverse(motion.attitude), motion.velocity)
        twist = SimpleNamespace(linear=vector(*body), angular=vector(*motion.rates))
        return SimpleNamespace(
            header=header(self.now, 'map'), child_frame_id='base_link',
            pose=SimpleNamespace(pose=pose, covariance=covariance),
            twist=SimpleNamespace(twist=twist, covariance=[0.0] * 36),
        )  # fmt: skip


def _state(
    connected: bool, armed: bool, mode: str, system_status: int, now: float
) -> SimpleNamespace:
    return SimpleNamespace(
        header=header(now, ''), connected=connected, armed=armed, mode=mode,
        guided=mode in ('OFFBOARD', 'GUIDED'), manual_input=False, system_status=system_status,
    )  # fmt: skip


def _command(service: str, request: Any) -> tuple[int, list[float]]:
    """Return number and parameters of the MAVLink command of a service."""
    if service == 'cmd/arming':
        return 400, [1.0 if request.value else 0.0]
    if service == 'cmd/takeoff':
        return 22, [0.0] * 6 + [request.altitude]
    return request.command, [request.param1, getattr(request, 'param2', 0.0)]


def _target(message: Any) -> Target:
    mask, nan = message.type_mask, math.nan
    position, velocity = message.position, message.velocity
    acceleration = message.acceleration_or_force
    return Target(
        (nan, nan, nan) if mask & 7 else (position.x, position.y, position.z),
        (nan, nan, nan) if mask & 56 else (velocity.x, velocity.y, velocity.z),
        (nan, nan, nan) if mask & 448 else (acceleration.x, acceleration.y, acceleration.z),
        nan if mask & 1024 else message.yaw,
        nan if mask & 2048 else message.yaw_rate,
    )
