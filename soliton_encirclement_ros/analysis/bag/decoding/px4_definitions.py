"""Definitions of PX4 messages for bags without them, identified by message length.

Humble recorders write no definitions into sqlite3. The PX4 messages used here have a different
length in every release that changed them, so the length determines the fields. Unused fields are
blocks here.
"""

LOCAL_POSITION = (
    'uint64 timestamp; uint64 -; bool xy_valid; bool z_valid; bool v_xy_valid; bool v_z_valid;'
    'float32 x; float32 y; float32 z; float32[2] -; uint8 -; float32 -; uint8 -;'
    'float32 vx; float32 vy; float32 vz; float32[3] -; uint8 -; float32 -; uint8 -; float32[3] -;'
    'float32 heading; {}; bool xy_global; bool z_global; uint64 -;'
    'float64 ref_lat; float64 ref_lon; float32 ref_alt; {}'
)
HEADING_13, HEADING_15 = 'float32 -; uint8[2] -', 'float32[3] -; uint8[2] -; float32 -'
LIMITS_13 = 'float32 -; uint8[2] -; float32[8] -'
LIMITS_14 = 'float32 -; uint8[2] -; float32[4] -; uint8 -; float32[4] -'
LIMITS_16 = 'uint8 -; float32[3] -; uint8[2] -; float32[4] -; uint8 -; float32[5] -'
ODOMETRY = (
    'uint64 timestamp; uint64 -; uint8 pose_frame; float32[3] position; float32[4] q;'
    'uint8 velocity_frame; float32[3] velocity; float32[12] -; uint8[2] -'
)
SETPOINT = (
    'uint64 timestamp; float32[3] position; float32[3] velocity; float32[6] -; float32 yaw;'
    'float32 yawspeed'
)

KNOWN = {
    'px4_msgs/msg/VehicleLocalPosition': {
        184: ('1.13', LOCAL_POSITION.format(HEADING_13, LIMITS_13)),
        188: ('1.14', LOCAL_POSITION.format(HEADING_13, LIMITS_14)),
        204: ('1.15', LOCAL_POSITION.format(HEADING_15, LIMITS_14)),
        220: ('1.16 or newer', LOCAL_POSITION.format(HEADING_15, LIMITS_16)),
    },
    'px4_msgs/msg/VehicleOdometry': {118: ('1.14 or newer', ODOMETRY)},
    'px4_msgs/msg/TrajectorySetpoint': {68: ('1.14 or newer', SETPOINT)},
}
"""Release and fields by type and length of the serialized message [bytes]."""

PADDING = 3
"""Bytes by which some middlewares lengthen a message."""


def px4_definition(kind: str, size: int) -> tuple[str, str]:
    """Return the release and the definition of a message of PX4, both empty if it is unknown.

    Args:
        kind: Its type.
        size: Its length [bytes].
    """
    for length, (release, fields) in KNOWN.get(kind, {}).items():
        if length <= size <= length + PADDING:
            return release, _text(fields)
    return '', ''


def _text(fields: str) -> str:
    lines = [field.split() for field in fields.split(';')]
    named = [f'{kind} {name}' if name != '-' else f'{kind} skipped_{i}'
             for i, (kind, name) in enumerate(lines)]  # fmt: skip
    return '\n'.join(named) + '\n'
