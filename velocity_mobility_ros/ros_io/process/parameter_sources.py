"""Logs the parameters of a node that differ from their defaults, and files without any for it.

They are listed in one line of its log, and in the table of its run if there is one.
"""

import os
from collections.abc import Sequence

from rclpy.node import Node

from velocity_mobility_ros.core.environment.parameter_files import TABLE, Changed, add_rows
from velocity_mobility_ros.core.parameter_declaration import is_missing
from velocity_mobility_ros.ros_io.live_parameters import change_text
from velocity_mobility_ros.ros_io.ros_parameters import QOS, USE_SIM_TIME, declared, given_values

RUN, GIVEN = 'run', 'given'
"""Who has given a value: the program itself, from scenario and options of a run, or a user."""

OF_ROS = {USE_SIM_TIME: False, 'start_type_description_service': True}
"""Defaults of the parameters that ROS itself declares."""


def warn_of_empty_file(node: Node, arguments: Sequence[str]) -> None:
    """Log a warning if a parameter file is given, and nothing in it is for a node.

    ROS says nothing then, and the node has its defaults.

    Args:
        node: The node.
        arguments: The command line.
    """
    if '--params-file' in arguments and not given_values(node):
        name = node.get_fully_qualified_name()
        node.get_logger().warning(
            f'--params-file: no section is for {name}, which has its defaults; call it {name}, '
            f'/**/{node.get_name()} or /**, with the parameters below ros__parameters'
        )


def tell_parameters(node: Node, table: str = '') -> None:
    """Log the parameters in force that are not the defaults.

    Args:
        node: The node, all its parameters declared.
        table: Path of the run's table; empty: that of the environment, if there is one.
    """
    changed = changed_parameters(node)
    texts = [
        change_text(row.parameter, row.default, row.value, row.unit)
        for row in changed
        if not row.parameter.startswith(QOS)  # dozens in a file of `ros2 param dump`
    ]
    if texts:
        node.get_logger().info(f'parameters that differ from the defaults: {"; ".join(texts)}')
    rows = [row for row in changed if row.origin != RUN]  # those of the scenario are there already
    add_rows(node.get_fully_qualified_name(), rows, table or os.environ.get(TABLE, ''))


def changed_parameters(node: Node) -> list[Changed]:
    """Return the parameters that are not at their defaults, in the order of their declaration."""
    known, values, changed = declared(node), given_values(node), []
    of_run = getattr(node, 'set_values', ())
    for name in dict.fromkeys([*filter(values.__contains__, known), *values]):
        value, default, unit = values[name], OF_ROS.get(name, ''), ''
        if name in known:
            default, unit = known[name].default, known[name].unit
            value = None if known[name].optional and is_missing(value) else value
        if value != default:
            changed.append(Changed(name, value, default, unit, RUN if name in of_run else GIVEN))
    return changed
