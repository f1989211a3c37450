"""Flight modes, setpoints, position controller, take-off and land detector at work together."""

import random
from typing import NamedTuple

from support.px4_emulator.constants import NavState
from support.px4_emulator.estimate.estimator import Estimate, Estimator
from support.px4_emulator.flight.body import FlyingBody
from support.px4_emulator.flight.controller import CYCLE, STOP, BodyCommand, control
from support.px4_emulator.flight.land_detector import FREEFALL, LandDetector
from support.px4_emulator.flight.modes import InternalModes
from support.px4_emulator.flight.setpoints import Setpoint, SetpointTopic, asks_up
from support.px4_emulator.flight.take_off import TakeOff
from support.px4_emulator.settings import Px4Parameters
from velocity_mobility_ros.core.velocity_model import Vector

MISSED = 0.06
"""Share of the controller's cycles in which a setpoint from DDS comes after the mode's own."""

FRESH_US = 1_000_000
"""Age up to which a setpoint can start a take-off."""

PRESSING = 0.1
"""Commanded sink speed [m/s] from which it presses on the ground."""


class Task(NamedTuple):
    """What the commander wants.

    Attributes:
        mode: Mode.
        motors: Whether the motors turn.
        controls_position: Whether the position controller is enabled.
        has_pilot: Whether somebody holds the sticks.
        home: Home [m, NED].
        now: Time since boot [us].
    """

    mode: NavState
    motors: bool
    controls_position: bool
    has_pilot: bool
    home: Vector
    now: int


class FlightControl:
    """From the mode to the body's command."""

    def __init__(self, parameters: Px4Parameters, draws: random.Random) -> None:
        self._parameters, self._random = parameters, draws
        self.topic = SetpointTopic()
        self.modes = InternalModes(parameters)
        self.take_off, self.land = TakeOff(), LandDetector()
        self._command: BodyCommand = STOP
        self._enabled_since: int | None = None

    def cycle(self, task: Task, estimator: Estimator, body: FlyingBody) -> None:
        """Run everything once."""
        estimate = estimator.estimate
        internal = self.modes.setpoint(
            task.mode, estimate.position, estimate.velocity, task.home, task.has_pilot
        )
        stamped = None if internal is None else internal._replace(stamp=task.now)
        self.topic.merge(stamped, self._random.random() < MISSED)
        setpoint = self._usable(task)
        self._take_off(task, setpoint, estimate, body)
        limit = self.take_off.climb_limit(self._parameters)
        error = estimator.velocity_error
        self._command = control(setpoint, estimate, error, limit, self._parameters)
        self._detect_landing(task, body)

    def move(self, body: FlyingBody, motors: bool) -> None:
        """Move the body by a tick."""
        if not motors:
            body.fall()
        elif self.take_off.carries:
            body.fly(self._command.velocity, self._command.yaw_rate)
        else:
            body.stand()

    def shift(self, xy: tuple[float, float], z: float) -> None:
        """Follow a jump of the estimate."""
        self.topic.shift(xy, z)
        self.modes.shift(xy, z)

    def _usable(self, task: Task) -> Setpoint | None:
        """Return the setpoint that the controller follows: none from before it was enabled."""
        if not task.controls_position:
            self._enabled_since = None
            return None if task.mode == NavState.OFFBOARD else self.topic.last
        if self._enabled_since is None:
            self._enabled_since = task.now
        last = self.topic.last
        return last if last is not None and last.stamp >= self._enabled_since else None

    def _take_off(
        self, task: Task, setpoint: Setpoint | None, estimate: Estimate, body: FlyingBody
    ) -> None:
        fresh = setpoint is not None and task.now < setpoint.stamp + FRESH_US
        wants = fresh and asks_up(setpoint, estimate.position[2])
        self.take_off.step(CYCLE, task.motors, wants, self._parameters)
        if task.motors and not body.on_ground:
            self.take_off.rise()

    def _detect_landing(self, task: Task, body: FlyingBody) -> None:
        stands = body.on_ground and not self.take_off.is_lifting
        presses = not task.motors or self._command.velocity[2] > PRESSING
        self.land.step(CYCLE, stands, presses)
        self.land.freefall = not task.motors and body.truth.velocity[2] > FREEFALL
        if self.land.landed and self.take_off.carries:
            self.take_off.land()
