"""The commander: arming, modes, failsafes. Times are of boot [us]."""

from support.px4_emulator.commander.failsafe import DISARM_ACTION, OFFBOARD_LOSS, fallback
from support.px4_emulator.commander.requirements import ARMABLE, Conditions, can_arm, can_run
from support.px4_emulator.constants import NavState, Reason
from support.px4_emulator.settings import Px4Parameters
from support.px4_emulator.wire.releases import Release


class Commander:
    """What VehicleStatus tells.

    ``intention`` is the mode that a user asked for, ``nav_state`` the one that flies.
    """

    def __init__(self, parameters: Px4Parameters, release: Release) -> None:
        self._parameters, self._release = parameters, release
        self.armed = False
        self.intention = NavState.AUTO_LOITER
        self.nav_state = NavState.AUTO_LOITER
        self.nav_state_since = 0
        self.failsafe = False
        self.user_took_over = False
        self.terminated = False
        self.killed_since: int | None = None
        self.armed_since = 0
        self.taken_off_since = 0
        self.disarming_reason = Reason.NONE
        self._landed_since: int | None = None
        self._before_landing = NavState.AUTO_LOITER

    @property
    def motors(self) -> bool:
        return self.armed and not self.terminated and self.killed_since is None

    def passes_preflight(self, conditions: Conditions) -> bool:
        """Return whether it would arm in the present mode."""
        is_stopped = self.terminated or self.killed_since is not None
        return not is_stopped and can_arm(self.intention, conditions)

    def arm(self, now: int) -> None:
        if self.armed:
            return
        self.armed, self.armed_since, self.taken_off_since = True, now, 0
        self._landed_since = None

    def disarm(self, reason: Reason) -> None:
        """Stop the motors; after a landing mode the intention before it comes back."""
        self.armed, self.disarming_reason = False, reason
        self.user_took_over = False
        if self.intention not in ARMABLE:
            self.intention = self._before_landing

    def request(self, mode: NavState, conditions: Conditions, now: int) -> bool:
        """Change the user's intention if the mode may; disarmed it always may."""
        if self.terminated or (self.armed and not can_run(mode, conditions)):
            return False
        if mode not in ARMABLE and self.intention in ARMABLE:
            self._before_landing = self.intention
        self.user_took_over = self.failsafe
        self.intention = mode
        self.check(conditions, now)
        return True

    def check(self, conditions: Conditions, now: int) -> None:
        """Decide anew which mode flies."""
        self._disarm_by_itself(conditions, now)
        mode, failsafe = self._decided(conditions)
        if mode == NavState.TERMINATION and self.armed:
            self.terminated = True
        if mode != self.nav_state:
            self.nav_state_since = now
        self.nav_state, self.failsafe = mode, failsafe

    def _decided(self, conditions: Conditions) -> tuple[NavState, bool]:
        if self.terminated:
            return NavState.TERMINATION, True
        if not self.armed:
            return self.intention, False
        if can_run(self.intention, conditions):
            return self.intention, False
        if self.intention == NavState.OFFBOARD:
            return self._without_offboard(conditions)
        return self._fallback(self.intention, conditions), True

    def _without_offboard(self, conditions: Conditions) -> tuple[NavState, bool]:
        number = self._parameters.com_obl_rc_act
        if number == DISARM_ACTION:
            self.disarm(Reason.FAILSAFE)
            return self.intention, False
        return self._fallback(OFFBOARD_LOSS[number], conditions), True

    def _fallback(self, action: NavState, conditions: Conditions) -> NavState:
        known = action if action in OFFBOARD_LOSS.values() else NavState.AUTO_LOITER
        if action == NavState.DESCEND:
            known = action
        return fallback(
            known, conditions, self._release.manual_needs_pilot, self._parameters.nav_rcl_act
        )

    def _disarm_by_itself(self, conditions: Conditions, now: int) -> None:
        """Disarm after a landing, without a take-off, and after the kill switch."""
        if not self.armed:
            return
        if self.killed_since is not None:
            if now - self.killed_since >= 1e6 * self._parameters.com_kill_disarm:
                self.disarm(Reason.KILL_SWITCH)
        elif not conditions.landed:
            self.taken_off_since = self.taken_off_since or now
            self._landed_since = None
        else:
            self._disarm_on_ground(now)

    def _disarm_on_ground(self, now: int) -> None:
        px4 = self._parameters
        if self._landed_since is None:
            # The time without a take-off counts from the end of the spool-up.
            spool = 0 if self.taken_off_since else round(1e6 * px4.com_spoolup_time)
            self._landed_since = now + spool
        limit = px4.com_disarm_land if self.taken_off_since else px4.com_disarm_prflt
        if limit > 0.0 and now - self._landed_since >= 1e6 * limit:
            self.disarm(Reason.LANDING if self.taken_off_since else Reason.NO_TAKE_OFF)
