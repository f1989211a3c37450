"""Scripted events: what happens to a vehicle besides what the bridge does."""

from support.px4_emulator.constants import NavState
from support.px4_emulator.firmware import Firmware


def pilot_takes(firmware: Firmware, mode: NavState = NavState.POSCTL) -> None:
    """A pilot at the sticks chooses a mode."""
    firmware.has_pilot = True
    firmware.strict.is_overridden = True
    firmware.commander.request(mode, firmware.conditions, firmware.boot)


def kill_switch(firmware: Firmware, is_on: bool = True) -> None:
    """The motors stop; after COM_KILL_DISARM it disarms."""
    firmware.commander.killed_since = firmware.boot if is_on else None


def battery(firmware: Firmware, remaining: float, warning: int) -> None:
    """The battery runs down: warning 1 low, 2 critical, 3 emergency; PX4 only warns."""
    firmware.battery_remaining, firmware.battery_warning = remaining, warning


def terminate(firmware: Firmware) -> None:
    """The flight is terminated: final until a reboot."""
    if firmware.commander.armed:
        firmware.commander.terminated = True
        firmware.check()


def gps(firmware: Firmware, is_on: bool) -> None:
    """GPS fails, or is back."""
    firmware.estimator.gps(is_on, firmware.boot)


def accuracy(firmware: Firmware, eph: float) -> None:
    """The position has a standard deviation of so much [m]; above 12.5 m it is not believed."""
    firmware.estimator.gps_eph = eph


def estimate_reset(
    firmware: Firmware,
    xy: tuple[float, float] | None = None,
    z: float | None = None,
    heading: float | None = None,
) -> None:
    """The estimate jumps by so much [m, NED; rad, clockwise]."""
    firmware.estimator.shift(xy, z, heading)


def counter(firmware: Firmware, part: str, value: int) -> None:
    """A reset counter stands at a value: ``'xy'``, ``'z'``, ``'vxy'``, ``'vz'``, ``'heading'``."""
    firmware.estimator.counters.counts[part] = value


def new_reference(firmware: Firmware, latitude: float, longitude: float, altitude: float) -> None:
    """The origin of the local frame moves."""
    firmware.estimator.set_reference(latitude, longitude, altitude, firmware.boot)


def time_jump(firmware: Firmware, by: float = 0.0) -> None:
    """The host's clock jumps [s], or the client believes so."""
    firmware.clock.jump(firmware.now, round(1e6 * by))


def armed_by_hand(firmware: Firmware) -> None:
    """Somebody arms it on the ground, in hold mode."""
    firmware.commander.intention = NavState.AUTO_LOITER
    firmware.check()
    firmware.commander.arm(firmware.boot)


def in_the_air(firmware: Firmware, height: float, mode: NavState = NavState.AUTO_LOITER) -> None:
    """Be there already, armed."""
    firmware.body.lift(height)
    firmware.estimator.step(firmware.body.truth, firmware.boot, 0.0)
    firmware.flight.land.step(0.0, False, False)
    firmware.commander.arm(firmware.boot)
    firmware.commander.taken_off_since = firmware.boot
    firmware.flight.take_off.rise()
    firmware.commander.intention = mode
    firmware.check()
