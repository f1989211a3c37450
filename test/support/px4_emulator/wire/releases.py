"""What differs between releases of PX4: topics, their names and rates, two habits."""

from typing import NamedTuple

IN_TOPICS = 'offboard_control_mode', 'trajectory_setpoint', 'vehicle_command'


class Rate(NamedTuple):
    """Messages a second without a change, and at most; ``at_most`` None: every change at once.

    ``steady`` 0: only on events.
    """

    steady: float
    at_most: float | None = None


class Release(NamedTuple):
    """One release.

    Attributes:
        rates: Rate by topic out of PX4; a topic that is not here does not exist.
        versions: Version of a topic's name where it has one.
        manual_needs_pilot: Whether a failsafe ends in a manual mode only with a pilot.
        new_reasons: Whether it numbers the reasons of disarming anew.
    """

    rates: dict[str, Rate]
    versions: dict[str, int]
    manual_needs_pilot: bool
    new_reasons: bool = False

    def name(self, topic: str) -> str:
        """Return a topic's last part with its suffix."""
        version = self.versions.get(topic, 0)
        return f'{topic}_v{version}' if version else topic


FREE = {
    'vehicle_odometry': Rate(99.0),
    'vehicle_local_position': Rate(99.0),
    'battery_status': Rate(99.0),
    'vehicle_status': Rate(2.0),
    'failsafe_flags': Rate(2.0),
    'vehicle_land_detected': Rate(1.0),
    'timesync_status': Rate(14.0),
    'vehicle_command_ack': Rate(0.0),
}
"""As measured with 1.16.2; a message on change is sent at once."""

CAPPED = FREE | {
    'vehicle_local_position': Rate(50.0),
    'battery_status': Rate(1.0),
    'vehicle_status': Rate(2.0, 5.0),
    'failsafe_flags': Rate(2.0, 5.0),
    'vehicle_land_detected': Rate(1.0, 5.0),
    'timesync_status': Rate(10.0),
}
"""From 1.17 on topics have their own caps, odometry has none."""


def without(rates: dict[str, Rate], *topics: str) -> dict[str, Rate]:
    """Return rates less some topics."""
    return {topic: rate for topic, rate in rates.items() if topic not in topics}


V17 = {
    'vehicle_status': 1,
    'vehicle_local_position': 1,
    'battery_status': 1,
}

RELEASES = {
    '1.14': Release(
        without(FREE, 'vehicle_command_ack', 'vehicle_land_detected', 'battery_status'),
        {}, manual_needs_pilot=False,
    ),
    '1.15': Release(without(FREE, 'vehicle_land_detected'), {}, manual_needs_pilot=False),
    '1.16': Release(FREE, {'vehicle_status': 1}, manual_needs_pilot=False),
    '1.17': Release(CAPPED, V17, manual_needs_pilot=True),
    '1.18': Release(
        CAPPED,
        V17 | {'vehicle_status': 4, 'vehicle_command_ack': 1},
        manual_needs_pilot=True,
        new_reasons=True,
    ),
}  # fmt: skip


def namespace(instance: int) -> str:
    """Return the namespace of an instance: none for the first."""
    return f'/px4_{instance}' if instance else ''
