"""Parameters of running nodes, read over ROS."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from soliton_encirclement_ros.cli.graph.graph_session import ask_all

if TYPE_CHECKING:
    from soliton_encirclement_ros.cli.graph.graph_node import GraphNode

Names = Mapping[str, Sequence[str]]
"""Names of parameters by node."""


def names_of(graph: 'GraphNode', owners: Collection[str]) -> dict[str, list[str]]:
    """Return the names of all parameters of nodes, by node."""
    from rcl_interfaces.srv import ListParameters

    answers = ask_all(graph, ListParameters, 'list_parameters', {owner: {} for owner in owners})
    return {owner: sorted(answer.result.names) for owner, answer in answers.items()}


def values_of(graph: 'GraphNode', names: Names) -> dict[str, dict[str, Any]]:
    """Return the values of some parameters, by node and name; those that a node lacks left out."""
    from rcl_interfaces.msg import ParameterType
    from rcl_interfaces.srv import GetParameters
    from rclpy.parameter import parameter_value_to_python

    found = _read(graph, GetParameters, 'get_parameters', 'values', names)
    return {
        owner: {
            name: parameter_value_to_python(value)
            for name, value in values.items()
            if value.type != ParameterType.PARAMETER_NOT_SET
        }
        for owner, values in found.items()
    }


def described(graph: 'GraphNode', names: Names) -> dict[str, dict[str, Any]]:
    """Return the descriptors of some parameters, as ``values_of``."""
    from rcl_interfaces.srv import DescribeParameters

    return _read(graph, DescribeParameters, 'describe_parameters', 'descriptors', names)


def _read(
    graph: 'GraphNode', kind: Any, service: str, field: str, names: Names
) -> dict[str, dict[str, Any]]:
    """Return what nodes say of parameters; one that lacks a single one answers nothing at all."""
    answers = ask_all(graph, kind, service, {one: {'names': some} for one, some in names.items()})
    said = {one: list(getattr(answer, field)) for one, answer in answers.items()}
    lacking = [one for one, values in said.items() if len(values) < len(names[one])]
    if lacking:
        known = names_of(graph, lacking)
        rest = {one: [name for name in names[one] if name in known[one]] for one in known}
        requests = {one: {'names': some} for one, some in rest.items()}
        answers, names = ask_all(graph, kind, service, requests), {**names, **rest}
        said |= {one: list(getattr(answer, field)) for one, answer in answers.items()}
    return {one: dict(zip(names[one], values, strict=False)) for one, values in said.items()}


def meaning_of(descriptor: Any) -> str:
    """Return the meaning, unit and range of a parameter."""
    texts = descriptor.description, descriptor.additional_constraints, range_of(descriptor)
    return '; '.join(filter(None, texts))


def range_of(descriptor: Any) -> str:
    """Return the range of a parameter in words, empty if it has none."""
    ranges = [*descriptor.floating_point_range, *descriptor.integer_range]
    return ', '.join(f'{one.from_value:g} to {one.to_value:g}' for one in ranges)


def text_of(value: object) -> str:
    """Return a value as it is printed."""
    return repr(value) if isinstance(value, str) else str(value)
