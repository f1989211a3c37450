"""Entry points of the node executables: they handle a signal as soon as Python has started.

A launch that is interrupted while its nodes still load their libraries ends without tracebacks, so
nothing large is imported here.
"""

import importlib
import os
import sys

from velocity_mobility_ros.core.environment.unix_process import on_stop_signals

WRONG_INPUT = 2


def start(module: str) -> int:
    """Import a node's module, run its ``main`` and end the process with the exit code.

    A signal during the import just ends the process. Returns only where a library is missing or
    warns and that is an error, or where the environment is wrong. What names such errors is loaded
    first: where memory is missing there may be none for it later.
    """
    on_stop_signals(lambda *_: os._exit(0))
    libraries = importlib.import_module('soliton_encirclement_ros.cli.output')
    try:
        streams = importlib.import_module('velocity_mobility_ros.core.environment.unix_process')
        streams.open_missing_streams()
        if not _middleware_is_there():
            return WRONG_INPUT
        code = importlib.import_module(module).main()
    except Exception as error:
        return libraries.refuse_library(error)
    importlib.import_module('velocity_mobility_ros.ros_io.process.node_process').end_process(code)


def _middleware_is_there() -> bool:
    """Return whether rclpy can be imported; without its middleware that ends the process in C."""
    environment = importlib.import_module('velocity_mobility_ros.core.environment.ros_environment')
    try:
        environment.check_middleware()
    except environment.StartupError as error:
        print(f'error: {error}', file=sys.stderr)
        return False
    return True


def mobility_node() -> int:
    """Run a simulated vehicle."""
    return start('velocity_mobility_ros.nodes.mobility_node')


def twist_limiter_node() -> int:
    """Run a limiter of velocity commands."""
    return start('velocity_mobility_ros.nodes.twist_limiter_node')


def trajectory_node() -> int:
    """Fly a vehicle along paths."""
    return start('velocity_mobility_ros.nodes.trajectory_node')


def px4_bridge_node() -> int:
    """Run the bridge of a vehicle with PX4."""
    return start('velocity_mobility_ros.nodes.autopilot.px4_bridge_node')


def ardupilot_bridge_node() -> int:
    """Run the bridge of a vehicle with ArduPilot."""
    return start('velocity_mobility_ros.nodes.autopilot.ardupilot_bridge_node')


def mavros_bridge_node() -> int:
    """Run the bridge of a vehicle behind MAVROS."""
    return start('velocity_mobility_ros.nodes.autopilot.mavros_bridge_node')


def agent_node() -> int:
    """Run an agent."""
    return start('soliton_encirclement_ros.nodes.actors.agent_node')


def safety_node() -> int:
    """Run the separation filter of a vehicle with a controller of its own."""
    return start('soliton_encirclement_ros.nodes.actors.safety_node')


def target_node() -> int:
    """Run the target."""
    return start('soliton_encirclement_ros.nodes.actors.target_node')


def adversary_node() -> int:
    """Run the adversary."""
    return start('soliton_encirclement_ros.nodes.actors.adversary_node')


def world_node() -> int:
    """Run the simulated world."""
    return start('soliton_encirclement_ros.nodes.world.world_node')


def monitor_node() -> int:
    """Run the monitor."""
    return start('soliton_encirclement_ros.cli.runs.monitor_process')


def recorder_node() -> int:
    """Run the recorder."""
    return start('soliton_encirclement_ros.nodes.observers.recorder_node')


def node_host() -> int:
    """Run some nodes of a saved plan."""
    return start('soliton_encirclement_ros.cli.runs.node_host')
