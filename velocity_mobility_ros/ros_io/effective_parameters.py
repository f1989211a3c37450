"""Parameters of a node that differ from their defaults, and where each comes from.

A node tells them in one line of its log, and in the table of its run if there is one.
"""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from rclpy.node import Node

from velocity_mobility_ros.core.parameter_checks import is_missing
from velocity_mobility_ros.core.parameter_files import is_value
from velocity_mobility_ros.core.parameter_table import TABLE, Changed, add_rows
from velocity_mobility_ros.ros_io.live_parameters import change_text
from velocity_mobility_ros.ros_io.process.parameter_arguments import (
    LAUNCH,
    Given,
    Source,
    given_to,
    refuse_lost,
)
from velocity_mobility_ros.ros_io.ros_parameters import (
    QOS,
    USE_SIM_TIME,
    declared,
    given_values,
)

RUN = 'run'
"""Where values come from that the program sets itself: the scenario and options of a run."""

OF_ROS = {USE_SIM_TIME: False, 'start_type_description_service': True}
"""Defaults of the parameters that ROS itself declares."""

PIPE = 'pipe'
"""Where values come from that are in no file that can be read a second time."""

IN_VAIN = ', not'


def check_parameters(node: Node, sources: Sequence[Source] = (), table: str = '') -> None:
    """Refuse values that ROS ignores, and tell those in force that are not the defaults.

    Args:
        node: The node, all its parameters declared.
        sources: What gives parameters to its process.
        table: Path of the run's table; empty: that of the environment, if there is one.

    Raises:
        ParameterError: A value is ignored.
    """
    name = node.get_fully_qualified_name()
    given = given_to(name, sources)
    refuse_lost(name, given, given_values(node), _set_values(node))
    changed = changed_parameters(node, given)
    told = [
        f'{_text(one)} ({one.origin})'
        for one in changed
        if not one.parameter.startswith(QOS)  # dozens in a file of `ros2 param dump`
    ]
    if told:
        node.get_logger().info(f'parameters that differ from the defaults: {"; ".join(told)}')
    rows = [one for one in changed if one.origin != RUN]  # those of the scenario are there already
    add_rows(name, rows, table or os.environ.get(TABLE, ''))


def changed_parameters(node: Node, given: Mapping[str, Sequence[Given]]) -> list[Changed]:
    """Return the parameters that are not at their defaults, in the order of their declaration.

    Args:
        node: The node.
        given: What files and command line give to it.
    """
    known, values, found = declared(node), given_values(node), []
    for name in dict.fromkeys([*filter(values.__contains__, known), *values]):
        value, default, unit = values[name], OF_ROS.get(name, ''), ''
        if name in known:
            default, unit = known[name].default, known[name].unit
            value = None if known[name].optional and is_missing(value) else value
        origin = _origin(given.get(name, ()), values[name], name in _set_values(node))
        if value != default or IN_VAIN in origin:
            found.append(Changed(name, value, default, unit, origin))
    return found


def _set_values(node: Node) -> set[str]:
    return getattr(node, 'set_values', set())


def _text(one: Changed) -> str:
    if one.value == one.default:
        return f'{one.parameter} stays {one.value} {one.unit}'.rstrip()
    return change_text(one.parameter, one.default, one.value, one.unit)


def _origin(given: Sequence[Given], used: Any, is_set: bool) -> str:
    """Return where a value comes from, and what a user has given in vain to a node of a run."""
    origin = RUN if is_set else given[-1].origin if given else PIPE
    lost = [one for one in given if one.origin != LAUNCH and not is_value(one.value, used)]
    if lost and origin in (RUN, LAUNCH):
        return f'{origin}{IN_VAIN} {lost[-1].value.value} of {lost[-1].origin}'
    return origin
