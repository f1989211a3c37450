"""Names of the topics and services of MAVROS, below its namespace."""

STATE, EXTENDED_STATE, SYSTEM = 'state', 'extended_state', 'sys_status'
ODOMETRY, ORIGIN = 'local_position/odom', 'global_position/gp_origin'
BATTERY, ESTIMATOR = 'battery', 'estimator_status'
SETPOINT = 'setpoint_raw/local'

MESSAGES_OUT = {
    STATE: ('mavros_msgs', 'State'),
    EXTENDED_STATE: ('mavros_msgs', 'ExtendedState'),
    SYSTEM: ('mavros_msgs', 'SysStatus'),
    ESTIMATOR: ('mavros_msgs', 'EstimatorStatus'),
    ODOMETRY: ('nav_msgs', 'Odometry'),
    ORIGIN: ('geographic_msgs', 'GeoPointStamped'),
    BATTERY: ('sensor_msgs', 'BatteryState'),
}
"""Package and message by topic, from MAVROS."""

LATCHED = frozenset({STATE, EXTENDED_STATE, SYSTEM, ESTIMATOR, ORIGIN})
"""Topics that MAVROS publishes reliably, for late subscribers too."""

SET_MODE, ARMING = 'set_mode', 'cmd/arming'
TAKEOFF, COMMAND = 'cmd/takeoff', 'cmd/command'

SERVICES = {
    SET_MODE: ('mavros_msgs', 'SetMode'),
    ARMING: ('mavros_msgs', 'CommandBool'),
    TAKEOFF: ('mavros_msgs', 'CommandTOL'),
    COMMAND: ('mavros_msgs', 'CommandLong'),
}
"""Package and type by service."""
