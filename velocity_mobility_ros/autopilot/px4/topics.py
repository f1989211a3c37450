"""Names of PX4's topics: their namespace, and the suffix that a version of a message adds."""

import re
from collections.abc import Iterable, Mapping

MESSAGES_IN = {
    'offboard_control_mode': 'OffboardControlMode',
    'trajectory_setpoint': 'TrajectorySetpoint',
    'vehicle_command': 'VehicleCommand',
}
"""Message by topic, to PX4."""

MESSAGES_OUT = {
    'vehicle_status': 'VehicleStatus',
    'vehicle_local_position': 'VehicleLocalPosition',
    'vehicle_odometry': 'VehicleOdometry',
    'vehicle_command_ack': 'VehicleCommandAck',
    'vehicle_land_detected': 'VehicleLandDetected',
    'battery_status': 'BatteryStatus',
    'failsafe_flags': 'FailsafeFlags',
    'timesync_status': 'TimesyncStatus',
}
"""Message by topic, from PX4."""

REQUEST, RESPONSE = 'message_format_request', 'message_format_response'
"""Question for the format of a message, to PX4, and its answer, from 1.15 on."""

MESSAGES_OF_FORMAT = {REQUEST: 'MessageFormatRequest', RESPONSE: 'MessageFormatResponse'}
"""Message by topic, of these two."""

NEEDED = ('vehicle_status', 'vehicle_local_position', 'vehicle_odometry')
"""Topics from PX4 without which nothing flies."""

SUFFIX = re.compile(r'_v(\d+)$')


def topic_name(namespace: str, direction: str, topic: str, version: int) -> str:
    """Return the full name of a topic.

    Args:
        namespace: PX4's own, such as ``px4_1``; empty: none.
        direction: ``in`` (to PX4) or ``out``.
        topic: Its name without a suffix.
        version: MESSAGE_VERSION of its message; 0: no suffix.
    """
    prefix = f'/{namespace.strip("/")}' if namespace.strip('/') else ''
    return f'{prefix}/fmu/{direction}/{topic}{f"_v{version}" if version else ""}'


def version_trouble(namespace: str, versions: Mapping[str, int], published: Iterable[str]) -> str:
    """Return that the vehicle publishes other versions than those installed; empty if it does not.

    Args:
        namespace: PX4's own.
        versions: MESSAGE_VERSION of the installed messages, by message.
        published: Full names of all topics that somebody publishes.
    """
    names = set(published)
    for topic in NEEDED:
        wanted = versions.get(MESSAGES_OUT[topic], 0)
        if topic_name(namespace, 'out', topic, wanted) in names:
            continue
        base = topic_name(namespace, 'out', topic, 0)
        for name in sorted(names):
            found = 0 if name == base else version_after(base, name)
            if found is not None:
                return (
                    f'px4_msgs is for version {wanted} of {MESSAGES_OUT[topic]}, the vehicle '
                    f'publishes version {found} ({name}); install the branch of px4_msgs that '
                    'belongs to its firmware'
                )
    return ''


def version_after(base: str, name: str) -> int | None:
    """Return the version in a topic's name with a base, None if it is another topic."""
    suffix = SUFFIX.search(name)
    return int(suffix[1]) if suffix and name[: suffix.start()] == base else None


def other_namespaces(namespace: str, published: Iterable[str]) -> tuple[str, ...]:
    """Return the namespaces in which some PX4 publishes its status, other than one's own."""
    found = set()
    for name in published:
        head, middle, tail = name.partition('/fmu/out/vehicle_status')
        if middle and (not tail or SUFFIX.fullmatch(tail)):
            found.add(head.strip('/'))
    return tuple(sorted(found - {namespace.strip('/')}))
