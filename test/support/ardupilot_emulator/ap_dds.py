"""AP_DDS: the vehicle's topics and services, with their habits.

Messages have the attributes of the ROS messages. Latitude and longitude have the steps of 32-bit
numbers, ``pose/filtered`` counts from HOME, the twist mixes two frames, all of them say
``base_link``. The status is published on change only. Nothing says why a request was refused.
"""

import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

from support.ardupilot_emulator import wire
from support.ardupilot_emulator.copter import FAILSAFES, Copter
from support.ardupilot_emulator.guided import Target
from support.ardupilot_emulator.settings import ArduSettings
from support.px4_emulator.flight.body import TICK

PERIODS = {
    'geopose/filtered': 0.033, 'pose/filtered': 0.033, 'twist/filtered': 0.033, 'battery': 1.0,
    'navsat': 0.2, 'status': 0.1,
}  # fmt: skip
"""Time between two messages [s]; the status is compared with the last one so often."""


class Sent(NamedTuple):
    """A message: its topic without the prefix, and when it is sent [s]."""

    topic: str
    message: SimpleNamespace
    time: float


class ApDdsEmulator:
    """A vehicle and its DDS client.

    Attributes:
        copter: The vehicle.
        is_up: Whether the link works.
        ignored: Commands that were ignored without a word, by reason.
        battery: Share that is left.
        deviation: Standard deviation of the position by its receiver [m].
    """

    def __init__(self, settings: ArduSettings | None = None, now: float = 0.0) -> None:
        self.settings = settings or ArduSettings()
        self.copter = Copter(self.settings, now)
        self._random = random.Random(f'{self.settings.seed}/ap_dds')
        self._ticks, self._target = round(now / TICK), now
        self.is_up = True
        self.ignored: list[str] = []
        self.battery, self.deviation = 0.9, 0.6
        self._due = {topic: now for topic in PERIODS}
        self._last_status: SimpleNamespace | None = None
        self._calls: list[tuple[float, Callable[[], None]]] = []
        self.last: dict[str, SimpleNamespace] = {}

    @property
    def now(self) -> float:
        """Time [s]."""
        return TICK * self._ticks

    def receive(self, message: Any) -> None:
        """Take a ``cmd_vel``: a TwistStamped; a bridge uses the frame ``map`` alone."""
        if not self.is_up:
            return
        linear, frame = message.twist.linear, message.header.frame_id
        velocity = linear.x, linear.y, linear.z
        if frame != 'map':
            self.ignored.append(f'frame {frame!r}')
            return
        rate = message.twist.angular.z
        rate = 0.0 if rate != rate else rate
        if not self.copter.command(Target('velocity', velocity, yaw_rate=rate)):
            self.ignored.append('not armed in GUIDED')

    def call(self, service: str, request: Any, done: Callable[[Any], None]) -> None:
        """Call a service; ``done`` gets the response some time later, or never."""
        if not self.is_up or self._random.random() < self.settings.service_loss:
            return
        wait = self._random.uniform(*self.settings.service_delay)
        self._calls.append((self.now + wait, lambda: done(self._serve(service, request))))

    def step(self, dt: float) -> list[Sent]:
        """Advance by a time [s] and return what was sent meanwhile."""
        self._target += dt
        found = []
        while self.now + 0.5 * TICK < self._target:
            self._ticks += 1
            self.copter.tick()
            self._answer()
            found += self._publish()
        return found

    def _answer(self) -> None:
        due = [one for at, one in self._calls if at <= self.now]
        self._calls = [one for one in self._calls if one[0] > self.now]
        for answer in due:
            answer()

    def _serve(self, service: str, request: Any) -> SimpleNamespace:
        copter = self.copter
        if service == 'mode_switch':
            done = copter.set_mode(request.mode)
            return SimpleNamespace(status=done, curr_mode=int(copter.mode))
        if service == 'arm_motors':
            return SimpleNamespace(result=copter.arm() if request.arm else copter.disarm())
        if service == 'experimental/takeoff':
            return SimpleNamespace(status=copter.take_off(request.alt))
        word = '' if copter.passes_prearm else 'Not '
        return SimpleNamespace(success=copter.passes_prearm, message=f'Vehicle is {word}Armable')

    def _publish(self) -> list[Sent]:
        found = []
        for topic, period in PERIODS.items():
            if self.now < self._due[topic]:
                continue
            self._due[topic] += period
            message = self._message(topic)
            if message is not None and self.is_up:
                self.last[topic] = message
                found.append(Sent(topic, message, self.now))
        return found

    def _message(self, topic: str) -> SimpleNamespace | None:
        copter, now = self.copter, self.now
        if topic == 'status':
            return self._status()
        if topic == 'battery':
            return SimpleNamespace(present=True, percentage=self.battery)
        if topic == 'navsat':
            return wire.fix(copter, now, self.deviation)
        if topic == 'twist/filtered':
            return wire.twist(copter, now)
        if topic == 'pose/filtered':
            return wire.pose(copter, now, copter.home)
        return wire.geopose(copter, now)

    def _status(self) -> SimpleNamespace | None:
        """Return the status if it differs from the last one; which failsafe is not compared."""
        copter = self.copter
        message = SimpleNamespace(
            vehicle_type=2, armed=copter.armed, mode=int(copter.mode), flying=copter.flying,
            external_control=True, failsafe=sorted(FAILSAFES[one] for one in copter.failsafes),
        )  # fmt: skip
        last = self._last_status
        kept = vars(message) | {'failsafe': len(message.failsafe)}
        if last is not None and kept == vars(last) | {'failsafe': len(last.failsafe)}:
            return None
        self._last_status = message
        return message
