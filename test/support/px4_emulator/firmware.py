"""PX4 without its link: inputs in, ticks, state out."""

import random
from typing import Any, NamedTuple

from support.px4_emulator.commander import commands, heartbeat
from support.px4_emulator.commander.commander import Commander
from support.px4_emulator.commander.requirements import Conditions
from support.px4_emulator.constants import Cmd, NavState, Reason
from support.px4_emulator.estimate.estimator import Estimator
from support.px4_emulator.flight import setpoints
from support.px4_emulator.flight.body import TICK, FlyingBody
from support.px4_emulator.flight.controller import CYCLE, STOP, BodyCommand, control
from support.px4_emulator.flight.land_detector import FREEFALL, LandDetector
from support.px4_emulator.flight.modes import HANDS_OFF, InternalModes
from support.px4_emulator.flight.take_off import TakeOff
from support.px4_emulator.settings import Settings
from support.px4_emulator.strict import Scene, Strict
from support.px4_emulator.wire.answers import Answers
from support.px4_emulator.wire.clock import Px4Clock
from support.px4_emulator.wire.releases import RELEASES
from support.px4_emulator.wire.status_messages import vehicle_command_ack
from velocity_mobility_ros.core.model import Vector

CHECK_TICKS, CYCLE_TICKS = 10, round(CYCLE / TICK)
"""Ticks between two checks of the commander, and between two cycles of the controller."""

MISSED = 0.06
"""Share of the controller's cycles in which a setpoint from DDS comes after the mode's own."""

PROBATION_US = 1_000_000
"""For so long an estimate must be valid before the checks believe it."""

FOREIGN_ACK = 211, 0, (3, 184)
"""What somebody else asks at the start: command, result, whom the answer is for."""

FRESH_US = 1_000_000
"""Age up to which a setpoint can start a take-off."""

EXPECTED = frozenset((Reason.EXTERNAL_COMMAND, Reason.LANDING))
"""Reasons of disarming that surprise no bridge."""


class Home(NamedTuple):
    """Home in the local frame [m, NED], on Earth [deg, m], its heading [rad], how often set."""

    local: Vector
    place: Vector
    heading: float
    count: int


class Firmware:
    """All of PX4 that a bridge can see, in ticks of 10 ms."""

    def __init__(self, settings: Settings, now: int) -> None:
        self.settings = settings
        self.release = RELEASES[settings.release]
        self.parameters = settings.parameters
        self.system_id = settings.instance + 1
        self.now = now
        self.clock = Px4Clock(settings, now)
        self.body = FlyingBody(settings)
        self.estimator = Estimator(settings, self.body.truth, self.boot)
        self.strict = Strict(settings.strict)
        self._random = random.Random(f'{settings.seed}/firmware')
        self.has_pilot = settings.has_pilot
        self.battery_remaining, self.battery_warning = 1.0, 0
        self.is_fence_breached = False
        self.dropped_commands = 0
        self._ticks = 0
        self._start()

    def _start(self) -> None:
        """Begin, at the start and after a reboot."""
        self.commander = Commander(self.parameters, self.release)
        self.heartbeat = heartbeat.NEVER
        self.topic = setpoints.SetpointTopic()
        self.modes = InternalModes(self.parameters)
        self.take_off, self.land = TakeOff(), LandDetector()
        self.answers = Answers(self.settings.seed)
        self.answers.announce(self.now + 1_000_000, vehicle_command_ack(*FOREIGN_ACK))
        self.home: Home | None = None
        self.is_home_new = False
        self._command: BodyCommand = STOP
        self._enabled_since: int | None = None
        self._counts = dict(self.estimator.counters.counts)
        ready = self.estimator.estimate.xy_valid
        self._valid_since: int | None = self.boot - PROBATION_US if ready else None
        self.last_conditions = self.conditions

    def reboot(self) -> None:
        """Restart: another time, other counters, another origin."""
        self.clock.start(self.now, 0.0)
        self.estimator.restart(self.body.truth)
        self._start()

    @property
    def boot(self) -> int:
        """Time since boot [us]."""
        return self.clock.boot(self.now)

    @property
    def conditions(self) -> Conditions:
        """What the checks see."""
        estimate, now = self.estimator.estimate, self.boot
        position = self._valid_since is not None and now - self._valid_since >= PROBATION_US
        fresh = heartbeat.is_fresh(self.heartbeat, now, self.parameters.com_of_loss_t)
        return Conditions(
            heartbeat=fresh,
            offboard=fresh and heartbeat.has_estimates(self.heartbeat, position, True),
            local_position=position,
            global_position=position and not estimate.dead_reckoning,
            altitude=estimate.is_valid,
            attitude=estimate.is_valid,
            home=self.home is not None,
            manual_control=self.has_pilot,
            battery_warning=self.battery_warning,
            landed=self.land.landed,
            maybe_landed=self.land.maybe_landed,
        )

    @property
    def scene(self) -> Scene:
        """What strict mode sees."""
        commander, estimate = self.commander, self.estimator.estimate
        since = 1e-6 * (self.now - self.boot + commander.nav_state_since)
        return Scene(
            1e-6 * self.now, commander.nav_state, since, commander.armed, self.land.landed,
            estimate.xy_valid, estimate.position, self.heartbeat,
        )  # fmt: skip

    def take(self, topic: str, message: Any) -> None:
        """Take a message of one of the topics into PX4."""
        takers = {
            'offboard_control_mode': self._take_heartbeat,
            'trajectory_setpoint': self._take_setpoint,
            'vehicle_command': self.take_command,
        }
        takers[topic](message)

    def _take_heartbeat(self, message: Any) -> None:
        stamp = self.clock.into(int(message.timestamp), self.now)
        self.heartbeat = heartbeat.read(message, stamp)
        self.strict.heartbeat(message, self.heartbeat, 1e-6 * (self.boot - stamp), self.scene)

    def _take_setpoint(self, message: Any) -> None:
        stamp = self.clock.into(int(message.timestamp), self.now)
        setpoint = setpoints.read(message, stamp)
        self.strict.setpoint(setpoint, self.scene)
        self.topic.receive(setpoint)

    def take_command(self, message: Any, done: Any = None) -> None:
        """Take a command; ``done`` gets the answer of a call of the service."""
        self.strict.command(message, self.system_id, self.scene)
        if message.target_system not in (0, self.system_id) or message.target_component > 1:
            self.dropped_commands += 1
            return
        before = self._memory()
        conditions, now = self.conditions, self.boot
        has_nav_state = self.release.has_set_nav_state
        result = commands.answered(self.commander, message, conditions, now, has_nav_state)
        if message.command == Cmd.SET_GPS_GLOBAL_ORIGIN:
            place = float(message.param5), float(message.param6), float(message.param7)
            self.estimator.set_reference(*place, now)
        self._notice(before, is_commanded=True)
        if result is not None:
            self.answers.add(self.now, message, result, done)
            self.strict.opened(int(message.command))

    def tick(self, now: int) -> None:
        """Advance to a time [us], 10 ms after the last."""
        self.now = now
        self._ticks += 1
        self.clock.step(now, TICK)
        self._watch_estimate()
        if self._ticks % CHECK_TICKS == 0:
            self.check()
        if self._ticks % CYCLE_TICKS == 0:
            self._cycle()
        self._move()
        self.estimator.step(self.body.truth, self.boot, TICK)
        self._follow_resets()

    def check(self) -> None:
        """Run the commander's checks."""
        before = self._memory()
        self.strict.silence(self.scene)
        self.last_conditions = self.conditions
        self.commander.check(self.last_conditions, self.boot)
        self._notice(before, is_commanded=False)
        taken_off = self.modes.has_taken_off(self.estimator.estimate.position)
        if self.commander.nav_state == NavState.AUTO_TAKEOFF and taken_off:
            self.commander.request(NavState.AUTO_LOITER, self.conditions, self.boot)

    def _memory(self) -> tuple[NavState, bool]:
        return self.commander.nav_state, self.commander.armed

    def _notice(self, before: tuple[NavState, bool], is_commanded: bool) -> None:
        """Do what follows from a change of mode or arming."""
        mode, armed = before
        commander = self.commander
        if commander.armed and not armed:
            self.set_home()
        if armed and not commander.armed and commander.disarming_reason not in EXPECTED:
            self.strict.is_disarmed_unexpectedly = True
        if mode == commander.nav_state or not (armed and commander.armed) or is_commanded:
            return
        if commander.nav_state == NavState.OFFBOARD:
            self.strict.is_resumed = True
        elif mode == NavState.OFFBOARD and not self.conditions.heartbeat:
            self.strict.left(self.scene)

    def set_home(self) -> None:
        """Make the present place home."""
        estimate = self.estimator.estimate
        if not estimate.xy_valid:
            return
        place = estimate.latitude, estimate.longitude, estimate.altitude
        count = self.home.count + 1 if self.home else 1
        self.home = Home(estimate.position, place, estimate.heading, count)
        self.is_home_new = True

    def _watch_estimate(self) -> None:
        """Count since when the estimate is valid; set home with the first."""
        if not self.estimator.estimate.xy_valid:
            self._valid_since = None
            return
        if self._valid_since is None:
            self._valid_since = self.boot
        if self.home is None:
            self.set_home()

    def _cycle(self) -> None:
        """Run modes, controller, take-off and land detector once."""
        mode, estimate = self.commander.nav_state, self.estimator.estimate
        home = self.home.local if self.home else (0.0, 0.0, 0.0)
        internal = self.modes.setpoint(
            mode, estimate.position, estimate.velocity, home, self.has_pilot
        )
        stamped = None if internal is None else internal._replace(stamp=self.boot)
        self.topic.merge(stamped, self._random.random() < MISSED)
        setpoint = self._usable(mode)
        self._take_off(setpoint)
        limit = self.take_off.climb_limit(self.parameters)
        error = self.estimator.velocity_error
        self._command = control(setpoint, estimate, error, limit, self.parameters)
        self._detect_landing()

    def _usable(self, mode: NavState) -> setpoints.Setpoint | None:
        """Return the setpoint that the controller follows: none from before it was enabled."""
        in_offboard = mode == NavState.OFFBOARD
        enabled = self.heartbeat.controls_position if in_offboard else mode not in HANDS_OFF
        if not enabled:
            self._enabled_since = None
            return None if in_offboard else self.topic.last
        if self._enabled_since is None:
            self._enabled_since = self.boot
        last = self.topic.last
        return last if last is not None and last.stamp >= self._enabled_since else None

    def _take_off(self, setpoint: setpoints.Setpoint | None) -> None:
        fresh = setpoint is not None and self.boot < setpoint.stamp + FRESH_US
        z = self.estimator.estimate.position[2]
        wants = fresh and setpoints.asks_up(setpoint, z)
        self.take_off.step(CYCLE, self.commander.motors, wants, self.parameters)
        if self.commander.motors and not self.body.on_ground:
            self.take_off.rise()

    def _detect_landing(self) -> None:
        motors, off = self.commander.motors, self.take_off
        stands = self.body.on_ground and not off.is_lifting
        self.land.step(CYCLE, stands, not motors or self._command.velocity[2] > 0.1)
        self.land.freefall = not motors and self.body.truth.velocity[2] > FREEFALL
        if self.land.landed and off.carries:
            off.land()

    def _move(self) -> None:
        """Move the body by a tick."""
        if not self.commander.motors:
            self.body.fall()
        elif self.take_off.carries:
            self.body.fly(self._command.velocity, self._command.yaw_rate)
        else:
            self.body.stand()

    def _follow_resets(self) -> None:
        """Shift what PX4 itself remembers when the estimate jumps."""
        counters = self.estimator.counters
        if counters.counts == self._counts:
            return
        before, self._counts = self._counts, dict(counters.counts)
        xy = counters.xy if before['xy'] != self._counts['xy'] else (0.0, 0.0)
        z = counters.z if before['z'] != self._counts['z'] else 0.0
        self.topic.shift(xy, z)
        self.modes.shift(xy, z)
        if self.home is not None:
            x, y, down = self.home.local
            self.home = self.home._replace(local=(x + xy[0], y + xy[1], down + z))
