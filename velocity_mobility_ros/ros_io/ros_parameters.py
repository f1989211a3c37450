"""ROS parameters from parameter records: declared, ranged, checked; a typo stops the start."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any, TypeVar

from rcl_interfaces.msg import (
    FloatingPointRange,
    IntegerRange,
    ParameterDescriptor,
    SetParametersResult,
)
from rclpy.exceptions import InvalidParameterValueException
from rclpy.node import Node
from rclpy.parameter import Parameter

from velocity_mobility_ros.core.declaration import Declaration
from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.parameters import Parameters, build, declarations, without_effect
from velocity_mobility_ros.core.shown import closest, cut, shown
from velocity_mobility_ros.ros_io.process.parameter_arguments import is_lost, told_parameters

Record = TypeVar('Record')

USE_SIM_TIME = 'use_sim_time'
QOS = 'qos_overrides.'
ROS_OWN = (USE_SIM_TIME, QOS, 'start_type_description_service')
"""Parameters that ROS itself declares in every node."""


def declare(node: Node, record: type[Record], defaults: Record | None = None) -> Record:
    """Declare every parameter of a record and return the record with the values in force.

    Args:
        node: The node that gets the parameters.
        record: The record class.
        defaults: Values to use instead of the record's own defaults.

    Raises:
        ParameterError: A given value is refused; the message names node, parameter and bound.
    """
    known = defaults or record()
    values = {}
    for name, declaration in declarations(record).items():
        values[name] = _declare(node, declaration, getattr(known, name))
    return build(record, values, node.get_fully_qualified_name())


def _declare(node: Node, declaration: Declaration, default: Any) -> Any:
    """Declare one parameter; return the value in force, even one that ROS itself refuses.

    The record refuses it as well, and says what is wrong in our own words.
    """
    name = declaration.name
    try:
        return node.declare_parameter(name, _to_ros(default), _descriptor(declaration)).value
    except InvalidParameterValueException:
        return _overrides(node)[name].value


def given(node: Node, name: str, default: Any) -> Any:
    """Return the value that somebody gave for a parameter that is not declared yet."""
    found = _overrides(node).get(name)
    return default if found is None else found.value


def _overrides(node: Node) -> dict[str, Parameter]:
    """Return the values given on the command line, in files or by the caller."""
    return getattr(node, '_parameter_overrides', {})


def refuse_unknown(node: Node) -> None:
    """Refuse values given for parameters that nobody declared; call it after declaring all.

    From then on the node keeps its clock: a change of ``use_sim_time`` is refused.

    Raises:
        ParameterError: A name is unknown.
    """
    for name in _overrides(node):
        if node.has_parameter(name) or name.startswith(ROS_OWN):
            continue
        raise ParameterError(f'{node.get_fully_qualified_name()}: {unknown_parameter(node, name)}')
    node.add_on_set_parameters_callback(partial(_keep_clock, node))


def warn_of_idle(node: Node, *records: Parameters) -> None:
    """Log one warning per given value that changes nothing, as another parameter has it."""
    for line in without_effect(records).values():
        node.get_logger().warning(line)


def refuse_lost(node: Node, arguments: Sequence[str]) -> None:
    """Refuse values of the command line that ROS does not take, since it was told others before.

    Args:
        node: The node, all its parameters declared.
        arguments: The command line.

    Raises:
        ParameterError: There is one; the message says how to write it.
    """
    for name, text in told_parameters(arguments).items():
        known = _overrides(node).get(name)
        if known is not None and is_lost(text, known.value):
            raise ParameterError(
                f'{node.get_fully_qualified_name()}: -p {name}:={cut(text)} is lost: ROS takes '
                f'{shown(known.value)}, of another type and given before, in a file or by -p; '
                'write both as the same type, numbers all with or all without a point'
            )


def warn_of_unused_qos(node: Node) -> None:
    """Log one warning per given quality of service that no topic has taken up to now."""
    for name in _overrides(node):
        if name.startswith(QOS) and not node.has_parameter(name):
            node.get_logger().warning(
                f'{shown(name)} has no effect: the node has no such topic by its full name, or '
                'nothing can be told there; history, depth and reliability can, not in lockstep'
            )


def unknown_parameter(node: Node, name: str) -> str:
    """Return one line about a name that a node has no parameter of, with the nearest it has."""
    close = closest(name, node.get_parameters_by_prefix(''))
    hint = '' if close is None else f'; did you mean {close!r}?'
    return f'unknown parameter {shown(name)}{hint}'


def _keep_clock(node: Node, parameters: list[Parameter]) -> SetParametersResult:
    """Refuse another clock: time would jump, and every stamp with it.

    The callback that was added last is asked first, so ROS has not changed the clock yet.
    """
    held = node.get_parameter(USE_SIM_TIME).value
    given = [each.value for each in parameters if each.name == USE_SIM_TIME]
    if all(value == held for value in given):
        return SetParametersResult(successful=True)
    reason = (
        f'{USE_SIM_TIME} = {held} cannot change while the node runs, its time would jump: '
        f'restart it with -p {USE_SIM_TIME}:={str(not held).lower()}'
    )
    return SetParametersResult(successful=False, reason=reason)


def _descriptor(declaration: Declaration) -> ParameterDescriptor:
    descriptor = ParameterDescriptor(
        name=declaration.name,
        description=f'{declaration.meaning} [{declaration.unit or "-"}]',
        additional_constraints=declaration.constraints,
        read_only=not declaration.runtime,
        dynamic_typing=True,
    )
    bounded = declaration.minimum is not None and declaration.maximum is not None
    if bounded and declaration.kind is float:
        span = FloatingPointRange(
            from_value=float(declaration.minimum), to_value=float(declaration.maximum)
        )
        descriptor.floating_point_range = [span]
    elif bounded and declaration.kind is int:
        span = IntegerRange(
            from_value=int(declaration.minimum), to_value=int(declaration.maximum), step=1
        )
        descriptor.integer_range = [span]
    return descriptor


def _to_ros(value: Any) -> Any:
    """ROS has no null: an optional number that is not set travels as NaN."""
    return math.nan if value is None else value
