"""Requests to set parameters, answered whatever stands in them.

The answers of rclpy raise where a value has a type that ROS does not know: the node would end of
a request. Here it is refused in one line, as every other bad value.
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
"""How ROS numbers the types of values."""


def refused(reason: str) -> SetParametersResult:
    """Return the answer to a request that is refused."""
    return SetParametersResult(successful=False, reason=reason)


def answer_for(node: Node, kind: type, answer: Callable[..., Any]) -> Callable[..., Any]:
    """Return how a node answers a service: as it would, or safely where it sets parameters.

    Args:
        node: The node.
        kind: Type of the service.
        answer: How it would.
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
                f'{shown(one.name)} has a value of type {one.value.type}, must be of a type of '
                f'rcl_interfaces/ParameterType, {min(TYPES)} to {max(TYPES)}'
            )
    return node.set_parameters_atomically([Parameter.from_parameter_msg(one) for one in messages])
