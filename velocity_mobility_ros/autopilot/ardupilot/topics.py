"""Names of the topics and services of AP_DDS, without its prefix (``/ap``)."""

STATUS, POSE, TWIST = 'status', 'pose/filtered', 'twist/filtered'
GEOPOSE, BATTERY, FIX = 'geopose/filtered', 'battery', 'navsat'
COMMAND = 'cmd_vel'

MESSAGES_OUT = {
    STATUS: ('ardupilot_msgs', 'Status'),
    GEOPOSE: ('geographic_msgs', 'GeoPoseStamped'),
    TWIST: ('geometry_msgs', 'TwistStamped'),
    FIX: ('sensor_msgs', 'NavSatFix'),
    BATTERY: ('sensor_msgs', 'BatteryState'),
    POSE: ('geometry_msgs', 'PoseStamped'),
}
"""Package and message by topic, from the autopilot; the last one completes those before it."""

MODE_SWITCH, ARM_MOTORS, TAKEOFF = 'mode_switch', 'arm_motors', 'experimental/takeoff'
PREARM_CHECK = 'prearm_check'

SERVICES = {
    MODE_SWITCH: ('ardupilot_msgs', 'ModeSwitch'),
    ARM_MOTORS: ('ardupilot_msgs', 'ArmMotors'),
    TAKEOFF: ('ardupilot_msgs', 'Takeoff'),
    PREARM_CHECK: ('std_srvs', 'Trigger'),
}
"""Package and type by service."""
