"""Messages of a vehicle by topic, and what is published when it changes."""

import random
from collections.abc import Callable, Hashable
from types import SimpleNamespace

from support.px4_emulator.firmware import Firmware
from support.px4_emulator.wire import estimate_messages as estimates, status_messages as states


class Messages:
    """Makers of messages from the present state of a vehicle.

    Attributes:
        make: Maker by topic.
        keys: For the topics that are published on change: what must differ.
    """

    def __init__(self, firmware: Firmware) -> None:
        self._firmware = firmware
        self._random = random.Random(f'{firmware.settings.seed}/noise')
        self._noise = firmware.settings.noise
        self.make: dict[str, Callable[[], SimpleNamespace]] = {
            'vehicle_odometry': self._odometry,
            'vehicle_local_position': self._local_position,
            'vehicle_status': self._status,
            'failsafe_flags': self._failsafe_flags,
            'vehicle_land_detected': self._land_detected,
            'battery_status': self._battery,
            'timesync_status': self._timesync,
        }
        self.keys: dict[str, Callable[[], Hashable]] = {
            'vehicle_status': self._status_key,
            'failsafe_flags': lambda: firmware.last_conditions,
            'vehicle_land_detected': self._land_key,
        }

    def _odometry(self) -> SimpleNamespace:
        f, e = self._firmware, self._firmware.estimator
        return estimates.vehicle_odometry(
            f.stamp(), e.estimate, f.body.truth, e.heading_error, e.counters.total, self._noise,
            self._random,
        )  # fmt: skip

    def _local_position(self) -> SimpleNamespace:
        e = self._firmware.estimator
        return estimates.vehicle_local_position(
            self._firmware.stamp(), e.estimate, e.reference, e.counters, self._noise, self._random
        )

    def _status(self) -> SimpleNamespace:
        f = self._firmware
        return states.vehicle_status(
            f.stamp(), f.commander, f.conditions, f.system_id, f.release.new_reasons
        )

    def _failsafe_flags(self) -> SimpleNamespace:
        f = self._firmware
        return states.failsafe_flags(f.stamp(), f.last_conditions)

    def _land_detected(self) -> SimpleNamespace:
        f = self._firmware
        return states.vehicle_land_detected(f.stamp(), f.flight.land)

    def _battery(self) -> SimpleNamespace:
        f = self._firmware
        return states.battery_status(f.stamp(), f.battery_remaining, f.battery_warning)

    def _timesync(self) -> SimpleNamespace:
        f = self._firmware
        epoch, offset = f.clock.epoch(f.now), f.clock.offset(f.now)
        return states.timesync_status(f.stamp(), epoch, offset)

    def _status_key(self) -> Hashable:
        one = self._firmware.commander
        return one.armed, one.nav_state, one.intention, one.failsafe, one.user_took_over

    def _land_key(self) -> Hashable:
        land = self._firmware.flight.land
        return land.landed, land.maybe_landed, land.ground_contact, land.freefall
