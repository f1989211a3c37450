"""Declares and checks the ROS parameters of records; an unknown name stops the start."""

import math
from collections.abc import Mapping
from functools import partial
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from rcl_interfaces.msg import (
    FloatingPointRange, IntegerRange, ParameterDescriptor, SetParametersResult
)
from rclpy.exceptions import InvalidParameterValueException
from rclpy.node import Node
from rclpy.parameter import Parameter

from velocity_mobility_ros.core.parameter_declaration import (
    Declaration, Parameters, build, declarations, without_effect
)
from velocity_mobility_ros.core.user_errors import ParameterError, meant, shown

Record = TypeVar('Record')

USE_SIM_TIME = 'use_sim_time'
QOS = 'qos_overrides.'
ROS_OWN = (USE_SIM_TIME, QOS, 'start_type_description_service')
"""Parameters that ROS itself declares in every node."""

_declared: WeakKeyDictionary[Node, dict[str, Declaration]] = WeakKeyDictionary()


def declare(node: Node, record: type[Record]) -> Record:
    """Declare every parameter of a record and return the record with the actual values.

    Args:
        node: The node that gets the parameters.
        record: The record class.

    Raises:
        ParameterError: A given value is refused; the message names node, parameter and bound.
    """
    values = {name: _declare(node, field) for name, field in declarations(record).items()}
    return build(record, values, node.get_fully_qualified_name())


def _declare(node: Node, declaration: Declaration) -> Any:
    """Declare one parameter; return its value, even one that ROS refuses.

    The record refuses it as well, with a more precise error.
    """
    name = declaration.name
    _declared.setdefault(node, {})[name] = declaration
    try:
        default = _to_ros(declaration.default)
        return node.declare_parameter(name, default, _descriptor(declaration)).value
    except InvalidParameterValueException:
        return _overrides(node)[name].value


def given(node: Node, name: str, default: Any) -> Any:
    """Return the given value of a parameter that is not declared yet, else ``default``."""
    parameter = _overrides(node).get(name)
    return default if parameter is None else parameter.value


def rename_given(node: Node, present: Mapping[str, str]) -> None:
    """Give values of parameters under old names to the present ones, and log a warning of each.

    Args:
        node: The node, before it declares them.
        present: Present names by old ones.
    """
    overrides = _overrides(node)
    for old in [name for name in overrides if name in present]:
        new, value = present[old], overrides.pop(old).value
        overrides.setdefault(new, Parameter(new, value=value))
        node.get_logger().warning(f'parameter {old} is now {new}; rename it')


def declared(node: Node) -> Mapping[str, Declaration]:
    """Return the parameters declared from records, by name."""
    return _declared.get(node, {})


def given_values(node: Node) -> dict[str, Any]:
    """Return the values given on the command line, in files or by the caller, by name."""
    return {name: parameter.value for name, parameter in _overrides(node).items()}


def _overrides(node: Node) -> dict[str, Parameter]:
    """Return the values given on the command line, in files or by the caller."""
    return getattr(node, '_parameter_overrides', {})


def refuse_unknown(node: Node) -> None:
    """Refuse values of undeclared parameters; call it after declaring all.

    From then on a change of ``use_sim_time`` is refused.

    Raises:
        ParameterError: A name is unknown.
    """
    for name in _overrides(node):
        if node.has_parameter(name) or name.startswith(ROS_OWN):
            continue
        raise ParameterError(f'{node.get_fully_qualified_name()}: {unknown_parameter(node, name)}')
    node.add_on_set_parameters_callback(partial(_keep_clock, node))


def warn_of_idle(node: Node, *records: Parameters) -> None:
    """Log one warning per given value without effect because of another parameter."""
    for line in without_effect(records).values():
        node.get_logger().warning(line)


def warn_of_unused_qos(node: Node) -> None:
    """Log one warning per quality-of-service parameter that no topic uses."""
    for name in _overrides(node):
        if name.startswith(QOS) and not node.has_parameter(name):
            node.get_logger().warning(
                f'{shown(name)} has no effect: the node has no topic of this full name, or the '
                'policy is fixed; history, depth and reliability can be set, not in lockstep'
            )


def unknown_parameter(node: Node, name: str) -> str:
    """Return the error for an unknown parameter, with the most similar names of the node."""
    near = meant(name, node.get_parameters_by_prefix(''))
    hint = f'; did you mean {near}?' if near else ''
    return f'unknown parameter {shown(name)}{hint}'


def _keep_clock(node: Node, parameters: list[Parameter]) -> SetParametersResult:
    """Refuse a change of the clock: time would jump, and every stamp with it.

    The callback that was added last is called first, before ROS changes the clock.
    """
    present = node.get_parameter(USE_SIM_TIME).value
    changes = [each.value for each in parameters if each.name == USE_SIM_TIME]
    if all(value == present for value in changes):
        return SetParametersResult(successful=True)
    reason = (
        f'{USE_SIM_TIME} = {present} cannot change while the node runs, its time would jump: '
        f'restart it with -p {USE_SIM_TIME}:={str(not present).lower()}'
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
    ranged = declaration.minimum is not None and declaration.maximum is not None
    bounded = ranged and not declaration.optional  # not set is NaN, which no range takes
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
    """Return NaN for an optional number that is not set: ROS has no null."""
    return math.nan if value is None else value
