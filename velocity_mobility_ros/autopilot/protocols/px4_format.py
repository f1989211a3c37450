"""The formats of PX4's messages in each release, and whether those installed here are the same.

The fields stand in their order on the wire.

The first release is written out, the later ones by what they changed. What is only read by name
where it exists (FailsafeFlags, BatteryStatus) is not here.

From release 1.15 on PX4 tells the format of a message by a hash.

It is that of a text with one line for each field, its type and its name as in the .msg file.
Constants are left out. After a field that is a message stand the lines of that message.
ROS does not tell ``char`` from ``uint8``; no message of the bridge has a ``char``.

Message by message PX4 is asked for it.

PX4 keeps one question and one answer at a time, and either may be lost: each question is asked
alone, and again until it is answered.
"""

import math
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from velocity_mobility_ros.core.cdr_readers import FixedLayout

RELEASES = ('1.14', '1.15', '1.16', '1.17', '1.18')
"""Releases of px4_msgs that are known, the oldest first."""


class Change(NamedTuple):
    """What a release changed.

    Attributes:
        removed: Names of fields that it does not have any more.
        added: Fields by the name of the one after which they stand.
        version: The new MESSAGE_VERSION; None: as before.
        whole: All fields, where their order is another one.
    """

    removed: tuple[str, ...] = ()
    added: Mapping[str, str] = {}
    version: int | None = None
    whole: str = ''


class Definition(NamedTuple):
    """A message of one release: type by field, in their order, and MESSAGE_VERSION."""

    fields: dict[str, str]
    version: int


def parsed(text: str) -> dict[str, str]:
    """Return type by name of fields such as ``bool a b; float32[3] c``."""
    found = {}
    for part in text.split(';'):
        kind, *names = part.split()
        found |= dict.fromkeys(names, kind)
    return found


FIRST = {
    'OffboardControlMode':
        'uint64 timestamp; bool position velocity acceleration attitude body_rate actuator',
    'TrajectorySetpoint':
        'uint64 timestamp; float32[3] position velocity acceleration jerk; float32 yaw yawspeed',
    'VehicleCommand':
        'uint64 timestamp; float32 param1 param2 param3 param4; float64 param5 param6; '
        'float32 param7; uint32 command; uint8 target_system target_component source_system '
        'source_component confirmation; bool from_external',
    'VehicleCommandAck':
        'uint64 timestamp; uint32 command; uint8 result result_param1; int32 result_param2; '
        'uint8 target_system target_component; bool from_external',
    'VehicleOdometry':
        'uint64 timestamp timestamp_sample; uint8 pose_frame; float32[3] position; '
        'float32[4] q; uint8 velocity_frame; float32[3] velocity angular_velocity '
        'position_variance orientation_variance velocity_variance; uint8 reset_counter; '
        'int8 quality',
    'VehicleLocalPosition':
        'uint64 timestamp timestamp_sample; bool xy_valid z_valid v_xy_valid v_z_valid; '
        'float32 x y z; float32[2] delta_xy; uint8 xy_reset_counter; float32 delta_z; '
        'uint8 z_reset_counter; float32 vx vy vz z_deriv; float32[2] delta_vxy; '
        'uint8 vxy_reset_counter; float32 delta_vz; uint8 vz_reset_counter; '
        'float32 ax ay az heading delta_heading; uint8 heading_reset_counter; '
        'bool heading_good_for_control xy_global z_global; uint64 ref_timestamp; '
        'float64 ref_lat ref_lon; float32 ref_alt dist_bottom; bool dist_bottom_valid; '
        'uint8 dist_bottom_sensor_bitfield; float32 eph epv evh evv; bool dead_reckoning; '
        'float32 vxy_max vz_max hagl_min hagl_max',
    'VehicleStatus':
        'uint64 timestamp armed_time takeoff_time; uint8 arming_state latest_arming_reason '
        'latest_disarming_reason; uint64 nav_state_timestamp; uint8 nav_state_user_intention '
        'nav_state; uint16 failure_detector_status; uint8 hil_state vehicle_type; bool failsafe '
        'failsafe_and_user_took_over gcs_connection_lost; uint8 gcs_connection_lost_counter; '
        'bool high_latency_data_link_lost is_vtol is_vtol_tailsitter in_transition_mode '
        'in_transition_to_fw; uint8 system_type system_id component_id; '
        'bool safety_button_available safety_off power_input_valid usb_connected '
        'open_drone_id_system_present open_drone_id_system_healthy parachute_system_present '
        'parachute_system_healthy avoidance_system_required avoidance_system_valid '
        'rc_calibration_in_progress calibration_enabled pre_flight_checks_pass',
    'VehicleControlMode':
        'uint64 timestamp; bool flag_armed flag_multicopter_position_control_enabled '
        'flag_control_manual_enabled flag_control_auto_enabled flag_control_offboard_enabled '
        'flag_control_rates_enabled flag_control_attitude_enabled '
        'flag_control_acceleration_enabled flag_control_velocity_enabled '
        'flag_control_position_enabled flag_control_altitude_enabled '
        'flag_control_climb_rate_enabled flag_control_termination_enabled',
    'TimesyncStatus':
        'uint64 timestamp; uint8 source_protocol; uint64 remote_timestamp; int64 observed_offset '
        'estimated_offset; uint32 round_trip_time',
    'VehicleLandDetected':
        'uint64 timestamp; bool freefall ground_contact maybe_landed landed in_ground_effect '
        'in_descend has_low_throttle vertical_movement horizontal_movement rotational_movement '
        'close_to_ground_or_skipped_check at_rest',
}  # fmt: skip
"""Release 1.14."""

CONTROL_MODE = (
    'uint64 timestamp; bool flag_armed flag_multicopter_position_control_enabled '
    'flag_control_manual_enabled flag_control_auto_enabled flag_control_offboard_enabled '
    'flag_control_position_enabled flag_control_velocity_enabled flag_control_altitude_enabled '
    'flag_control_climb_rate_enabled'
)
"""The part of VehicleControlMode that 1.15 and 1.18 have in common."""

CHANGES: dict[str, dict[str, Change]] = {
    '1.15': {
        'OffboardControlMode': Change(
            ('actuator',), {'body_rate': 'bool thrust_and_torque direct_actuator'}
        ),
        'VehicleCommand': Change(
            ('source_component',), {'source_system': 'uint16 source_component'}
        ),
        'VehicleCommandAck': Change(
            ('target_component',), {'target_system': 'uint16 target_component'}
        ),
        'VehicleLocalPosition': Change((), {
            'heading': 'float32 heading_var unaided_heading',
            'heading_good_for_control': 'float32 tilt_var',
        }),
        'VehicleStatus': Change((), {
            'nav_state': 'uint8 executor_in_charge; uint32 valid_nav_states_mask '
                         'can_set_nav_states_mask',
            'failsafe_and_user_took_over': 'uint8 failsafe_defer_state',
        }),
        'VehicleControlMode': Change(
            whole=f'{CONTROL_MODE} flag_control_acceleration_enabled '
                  'flag_control_attitude_enabled flag_control_rates_enabled '
                  'flag_control_allocation_enabled flag_control_termination_enabled; '
                  'uint8 source_id'
        ),
    },
    '1.16': {
        'VehicleLocalPosition': Change(
            ('dist_bottom', 'hagl_max'),
            {
                'dist_bottom_valid': 'float32 dist_bottom dist_bottom_var delta_dist_bottom; '
                                     'uint8 dist_bottom_reset_counter',
                'hagl_min': 'float32 hagl_max_z hagl_max_xy',
            },
        ),
        'VehicleStatus': Change(
            ('avoidance_system_required', 'avoidance_system_valid'), version=1
        ),
    },
    '1.17': {'VehicleLocalPosition': Change(version=1)},
    '1.18': {
        'VehicleCommandAck': Change(version=1),
        'VehicleStatus': Change(
            ('failure_detector_status',),
            {
                'executor_in_charge': 'uint8 nav_state_display; bool accepts_offboard_setpoints',
                'parachute_system_healthy': 'bool traffic_avoidance_system_present',
            },
            version=4,
        ),
        'VehicleControlMode': Change(
            whole=f'{CONTROL_MODE} flag_control_attitude_enabled flag_control_rates_enabled '
                  'flag_control_allocation_enabled'
        ),
    },
}  # fmt: skip


def changed(before: Definition, change: Change) -> Definition:
    """Return a message as a later release has it."""
    version = before.version if change.version is None else change.version
    if change.whole:
        return Definition(parsed(change.whole), version)
    fields: dict[str, str] = {}
    for name, kind in before.fields.items():
        if name not in change.removed:
            fields[name] = kind
        if name in change.added:
            fields |= parsed(change.added[name])
    return Definition(fields, version)


def definitions(release: str) -> dict[str, Definition]:
    """Return the messages of a release by name."""
    found = {name: Definition(parsed(text), 0) for name, text in FIRST.items()}
    for one in RELEASES[1 : RELEASES.index(release) + 1]:
        for name, change in CHANGES.get(one, {}).items():
            found[name] = changed(found[name], change)
    return found


def matching(fields: Mapping[str, Sequence[str]], versions: Mapping[str, int]) -> tuple[str, ...]:
    """Return the releases that installed messages belong to, the oldest first; none: unknown.

    Args:
        fields: Names of the fields in their order, by message.
        versions: MESSAGE_VERSION by message; 0 for those without.
    """
    found = []
    for release in RELEASES:
        known = definitions(release)
        if all(
            tuple(fields[name]) == tuple(known[name].fields)
            and versions.get(name, 0) == known[name].version
            for name in fields
            if name in known
        ):
            found.append(release)
    return tuple(found)


ROS_NAMES = (('float32', 'float'), ('float64', 'double'), ('bool', 'boolean'))
"""Types in definitions of messages, and as ROS names them."""


def releases_of_size(name: str, size: int) -> tuple[str, ...]:
    """Return the releases in which a message has a size, the oldest first.

    Args:
        name: The message.
        size: Bytes of a serialized one.
    """
    data = bytes(size)
    return tuple(
        release
        for release in RELEASES
        for found in [definitions(release).get(name)]
        if found is not None and FixedLayout(ros_types(found.fields)).fits(data)
    )


def ros_types(fields: Mapping[str, str]) -> dict[str, str]:
    """Return the types of fields as ROS names them."""
    found = {}
    for name, kind in fields.items():
        for given, named in ROS_NAMES:
            kind = kind.replace(given, named)
        found[name] = kind
    return found


OFFSET_BASIS, PRIME, LIMIT = 0x811C9DC5, 0x01000193, 1 << 32
"""Of the FNV-1a hash with 32 bits."""

MSG_NAMES = {ros: name for name, ros in ROS_NAMES}
"""Type in a .msg file by its name in ROS, where they differ."""


def message_hash(message: str, fields: Mapping[str, Mapping[str, str]]) -> int:
    """Return the hash of a message.

    Args:
        message: Its name, such as ``VehicleStatus``.
        fields: Type by name of the fields, as ROS names types, by message; with those of
            messages inside.

    Raises:
        KeyError: The fields of a message are missing.
    """
    return fnv1a(''.join(_lines(message, fields)).encode())


def fnv1a(data: bytes) -> int:
    """Return the FNV-1a hash with 32 bits."""
    found = OFFSET_BASIS
    for byte in data:
        found = (found ^ byte) * PRIME % LIMIT
    return found


def _lines(message: str, fields: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    for name, kind in fields[message].items():
        package, _, bare = kind.rpartition('/')
        base, bracket, length = bare.partition('[')
        yield f'{MSG_NAMES.get(base, base)}{bracket}{length} {name}\n'
        if package:
            yield from _lines(base, fields)


AGAIN = 0.2
"""Time after which a question without an answer is followed by the next one [s]."""

PATIENCE = 2.0
"""Time without any answer after which the vehicle may fly unchecked [s]."""

SELDOM = 1.0
"""Time between two questions from then on [s]."""


class Expected(NamedTuple):
    """An installed message, and the hash of its fields."""

    message: str
    hash: int


class FormatCheck:
    """Asks for the formats of all messages.

    Attributes:
        trouble: The first message that differs; empty: none. It stays.
        compared: How many messages are known to be the same.
        is_given_up: Whether nothing was answered for too long; late answers count all the same.
    """

    def __init__(self, expected: Mapping[str, Expected]) -> None:
        """Have asked nothing yet.

        Args:
            expected: What is installed by topic, as PX4 names it: ``/fmu/out/vehicle_status``,
                with neither namespace nor version.
        """
        self.trouble, self.compared, self.is_given_up = '', 0, False
        self._expected, self._open = expected, deque(expected)
        self._asked, self._heard = -math.inf, math.inf

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to ask."""
        return not self._open or bool(self.trouble)

    @property
    def waits(self) -> str:
        """That a vehicle which was asked has to be waited for, in words; empty if it has not."""
        if self.is_done or self.is_given_up or math.isinf(self._heard):
            return ''
        return 'PX4 is asked for the formats of its messages'

    @property
    def in_words(self) -> str:
        """How many of the messages were compared."""
        return f'{self.compared} of {len(self._expected)}'

    def question(self, now: float) -> str:
        """Return the topic to ask for now; empty: none.

        Args:
            now: Monotonic time since the vehicle is heard [s].
        """
        if self.is_done:
            return ''
        self._heard = min(self._heard, now)
        self.is_given_up = self.is_given_up or now - self._heard >= PATIENCE
        if now - self._asked < (SELDOM if self.is_given_up else AGAIN):
            return ''
        self._asked = now
        self._open.rotate(-1)
        return self._open[-1]

    def answer(self, topic: str, found: int | None, now: float) -> None:
        """Take an answer, also to a question of somebody else.

        Args:
            topic: The topic in the question.
            found: The hash; None: PX4 knows no such topic, or another protocol.
            now: Monotonic time [s].
        """
        if topic not in self._open:
            return
        self._open.remove(topic)
        self._asked, self._heard = -math.inf, now
        expected = self._expected[topic]
        if found == expected.hash:
            self.compared += 1
        elif found is not None:
            self.trouble = self.trouble or difference(expected.message)


def difference(message: str) -> str:
    """Return that a message differs, and what to do."""
    return (
        f'px4_msgs/{message} differs from that of the firmware: build the branch of px4_msgs that '
        'belongs to the firmware, or for a firmware of your own px4_msgs from its msg folder'
    )
