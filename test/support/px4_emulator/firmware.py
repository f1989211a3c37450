"""PX4 without its link: inputs in, ticks, state out."""

import random

from support.px4_emulator.commander import heartbeat
from support.px4_emulator.commander.commander import Commander
from support.px4_emulator.commander.requirements import Conditions
from support.px4_emulator.constants import NavState, Reason
from support.px4_emulator.estimate.estimator import Estimator
from support.px4_emulator.estimate.probation import Probation
from support.px4_emulator.flight.body import TICK, FlyingBody
from support.px4_emulator.flight.controller import CYCLE
from support.px4_emulator.flight.flight_control import FlightControl, Task
from support.px4_emulator.flight.modes import HANDS_OFF
from support.px4_emulator.settings import Settings
from support.px4_emulator.strict import Scene, Strict
from support.px4_emulator.wire.answers import Answers
from support.px4_emulator.wire.clock import Px4Clock
from support.px4_emulator.wire.releases import RELEASES
from velocity_mobility_ros.core.velocity_model import Vector

CHECK_TICKS, CYCLE_TICKS = 10, round(CYCLE / TICK)
"""Ticks between two checks of the commander, and between two cycles of the controller."""

EXPECTED = frozenset((Reason.EXTERNAL_COMMAND, Reason.LANDING))
"""Reasons of disarming that surprise no bridge."""


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
        self._ticks = 0
        self._start()

    def _start(self) -> None:
        """Begin, at the start and after a reboot."""
        self.commander = Commander(self.parameters, self.release)
        self.heartbeat = heartbeat.NEVER
        self.flight = FlightControl(self.parameters, self._random)
        self.answers = Answers(self.settings.seed)
        self.answers.announce_foreign(self.now)
        self.home: Vector | None = None
        self._counts = dict(self.estimator.counters.counts)
        ready = self.estimator.estimate.xy_valid
        self.probation = Probation(self.boot if ready else None)
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

    def stamp(self) -> int:
        """Return the stamp of a message that leaves now."""
        return self.clock.out(self.now)

    @property
    def conditions(self) -> Conditions:
        """What the checks see."""
        estimate, now = self.estimator.estimate, self.boot
        position = self.probation.is_passed(now)
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
            landed=self.flight.land.landed,
            maybe_landed=self.flight.land.maybe_landed,
        )

    @property
    def scene(self) -> Scene:
        """What strict mode sees."""
        commander, estimate = self.commander, self.estimator.estimate
        since = 1e-6 * (self.now - self.boot + commander.nav_state_since)
        return Scene(
            1e-6 * self.now, commander.nav_state, since, commander.armed, self.flight.land.landed,
            estimate.xy_valid, estimate.position, self.heartbeat,
        )  # fmt: skip

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
        self.flight.move(self.body, self.commander.motors)
        self.estimator.step(self.body.truth, self.boot, TICK)
        self._follow_resets()

    def check(self) -> None:
        """Run the commander's checks."""
        before = self.memory()
        self.strict.silence(self.scene)
        self.last_conditions = self.conditions
        self.commander.check(self.last_conditions, self.boot)
        self.notice(before, is_commanded=False)
        taken_off = self.flight.modes.has_taken_off(self.estimator.estimate.position)
        if self.commander.nav_state == NavState.AUTO_TAKEOFF and taken_off:
            self.commander.request(NavState.AUTO_LOITER, self.conditions, self.boot)

    def memory(self) -> tuple[NavState, bool]:
        """Return mode and arming, to see what changes them."""
        return self.commander.nav_state, self.commander.armed

    def notice(self, before: tuple[NavState, bool], is_commanded: bool) -> None:
        """Do what follows from a change of mode or arming."""
        mode, armed = before
        commander = self.commander
        if commander.armed and not armed:
            self.set_home()
        if armed and not commander.armed and commander.disarming_reason not in EXPECTED:
            self.strict.is_disarmed = True
        if mode == commander.nav_state or not (armed and commander.armed) or is_commanded:
            return
        if commander.nav_state == NavState.OFFBOARD:
            self.strict.resumed()
        elif mode == NavState.OFFBOARD:
            self.strict.left(self.scene, self.conditions.heartbeat)

    def set_home(self) -> None:
        """Make the present place home."""
        estimate = self.estimator.estimate
        if estimate.xy_valid:
            self.home = estimate.position

    def _watch_estimate(self) -> None:
        """Set home with the first valid estimate."""
        estimate = self.estimator.estimate
        self.probation.watch(estimate.xy_valid, estimate.eph, self.boot)
        if estimate.xy_valid and self.home is None:
            self.set_home()

    def _cycle(self) -> None:
        """Run the controllers once."""
        mode = self.commander.nav_state
        in_offboard = mode == NavState.OFFBOARD
        controls = self.heartbeat.controls_position if in_offboard else mode not in HANDS_OFF
        home = self.home or (0.0, 0.0, 0.0)
        self.flight.cycle(
            Task(mode, self.commander.motors, controls, self.has_pilot, home, self.boot),
            self.estimator,
            self.body,
        )

    def _follow_resets(self) -> None:
        """Shift what PX4 itself remembers when the estimate jumps."""
        counters = self.estimator.counters
        if counters.counts == self._counts:
            return
        before, self._counts = self._counts, dict(counters.counts)
        xy = counters.xy if before['xy'] != self._counts['xy'] else (0.0, 0.0)
        z = counters.z if before['z'] != self._counts['z'] else 0.0
        self.flight.shift(xy, z)
        if self.home is not None:
            x, y, down = self.home
            self.home = x + xy[0], y + xy[1], down + z
