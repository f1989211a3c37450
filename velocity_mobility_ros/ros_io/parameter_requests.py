"""Services that set parameters, safe against invalid requests.

In rclpy a value of an unknown type raises an exception that ends the node. Here the request is
refused in one line.
"""

from collections.abc import Callable, Sequence
from typing import Any

from rcl_interfaces.msg import Parameter as ParameterMessage
from rcl_interfaces.msg import SetParametersResult
from rcl_interfaces.srv import SetParameters, SetParametersAtomically
from rclpy.node import Node
from rclpy.parameter import Parameter

from velocity_mobility_ros.core.shown import shown

TYPES = frozenset(one.value for one in Parameter.Type)
"""Numbers of the value types of ROS."""


def refused(reason: str) -> SetParametersResult:
    """Return the answer to a request that is refused."""
    return SetParametersResult(successful=False, reason=reason)


def answer_for(node: Node, kind: type, answer: Callable[..., Any]) -> Callable[..., Any]:
    """Return the callback of a service; for one that sets parameters, a safe one.

    Args:
        node: The node.
        kind: Type of the service.
        answer: The callback of rclpy.
    """
    if kind is SetParameters:
        return lambda request, response: _answer_each(node, request, response)
    if kind is SetParametersAtomically:
        return lambda request, response: _answer_all(node, request, response)
    return answer


def _answer_each(
    node: Node, request: SetParameters.Request, response: SetParameters.Response
) -> SetParameters.Response:
    response.results = [_set(node, [one]) for one in request.parameters]
    return response


def _answer_all(
    node: Node,
    request: SetParametersAtomically.Request,
    response: SetParametersAtomically.Response,
) -> SetParametersAtomically.Response:
    response.result = _set(node, request.parameters)
    return response


def _set(node: Node, messages: Sequence[ParameterMessage]) -> SetParametersResult:
    for one in messages:
        if one.value.type not in TYPES:
            return refused(
                f'{shown(one.name)} has a value of type {one.value.type}, must be one of '
                f'rcl_interfaces/ParameterType, {min(TYPES)} to {max(TYPES)}'
            )
    return node.set_parameters_atomically([Parameter.from_parameter_msg(one) for one in messages])
