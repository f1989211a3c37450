"""Entry point of the node executables: one line where the middleware or a library is missing.

Nothing large is imported here: a signal during the imports just ends the process, so that a launch
that is interrupted while its nodes still load ends without tracebacks.
"""

import importlib
from collections.abc import Callable
from functools import partial

from soliton_encirclement_ros.cli.output import WRONG_INPUT, explain, print_error
from velocity_mobility_ros.core.environment.ros_environment import check_middleware
from velocity_mobility_ros.core.environment.unix_process import end_process, on_stop_signals
from velocity_mobility_ros.core.user_errors import StartupError

MODULES = {
    'mobility_node': 'velocity_mobility_ros.nodes.mobility_node',
    'twist_limiter_node': 'velocity_mobility_ros.nodes.twist_limiter_node',
    'trajectory_node': 'velocity_mobility_ros.nodes.trajectory_node',
    'px4_bridge_node': 'velocity_mobility_ros.nodes.autopilot.px4_bridge_node',
    'ardupilot_bridge_node': 'velocity_mobility_ros.nodes.autopilot.ardupilot_bridge_node',
    'mavros_bridge_node': 'velocity_mobility_ros.nodes.autopilot.mavros_bridge_node',
    'agent_node': 'soliton_encirclement_ros.nodes.actors.agent_node',
    'safety_node': 'soliton_encirclement_ros.nodes.actors.safety_node',
    'target_node': 'soliton_encirclement_ros.nodes.actors.target_node',
    'adversary_node': 'soliton_encirclement_ros.nodes.actors.adversary_node',
    'world_node': 'soliton_encirclement_ros.nodes.world.world_node',
    'monitor_node': 'soliton_encirclement_ros.cli.runs.monitor_process',
    'recorder_node': 'soliton_encirclement_ros.nodes.observers.recorder_node',
    'node_host': 'soliton_encirclement_ros.cli.runs.node_host',
}
"""Module with the ``main`` of a node, by its executable, as setup.py installs them."""


def __getattr__(name: str) -> Callable[[], int]:
    """Return the entry point of an executable."""
    if name not in MODULES:
        raise AttributeError(name)
    return partial(start, MODULES[name])


def start(module: str) -> int:
    """Import a node's module, run its ``main`` and end the process with the exit code.

    Returns only where a library or the middleware is missing: rclpy would end the process in C.
    """
    on_stop_signals(lambda *_: end_process(0))  # rclpy would catch what is raised
    try:
        check_middleware()
        code = importlib.import_module(module).main()
    except StartupError as error:
        print_error(str(error))
        return WRONG_INPUT
    except ImportError as error:
        line = explain(error)
        if line is None:
            raise
        print_error(line)
        return WRONG_INPUT
    end_process(code)
