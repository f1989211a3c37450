"""Kinds of vehicles that an agent can command, by what publishes their odometry."""

SIMULATED = 'simulated'
"""A vehicle of this package."""

NONE = 'none'
"""A real vehicle that takes ``cmd_vel`` and publishes ``odom`` by itself."""

PX4, ARDUPILOT, MAVROS = 'px4', 'ardupilot', 'mavros'

BRIDGES = {
    PX4: 'px4_bridge_node',
    ARDUPILOT: 'ardupilot_bridge_node',
    MAVROS: 'mavros_bridge_node',
}
"""Executable of the bridge by kind of autopilot."""

VEHICLE_KINDS = (SIMULATED, NONE, *BRIDGES)
