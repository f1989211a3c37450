"""Changes of parameters of running nodes: all that are asked of a node, or none."""

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import yaml
from velocity_mobility_ros.core.parameter_files import value_of

from soliton_encirclement_ros.cli.graph.graph_session import ask_all, conclude
from soliton_encirclement_ros.cli.graph.parameter_reading import (
    described,
    range_of,
    text_of,
)
from soliton_encirclement_ros.cli.output import FAILED, print_error, say

if TYPE_CHECKING:
    from rclpy.parameter import Parameter

    from soliton_encirclement_ros.cli.graph.graph_node import GraphNode

Changes = Mapping[str, Sequence['Parameter']]
"""New values by node."""

Values = Mapping[str, Mapping[str, Any]]
"""Present values by node and name."""


def parameter_as(name: str, value: yaml.Node | str, old: object) -> 'Parameter':
    """Return a parameter of the type that the node has, where a whole number is given for it."""
    from rclpy.parameter import Parameter

    found = value if isinstance(value, str) else _value(value)
    if isinstance(old, float) and type(found) is int:
        found = float(found)
    return Parameter(name, value=found)


def read_value(text: str) -> yaml.Node | str:
    """Return a value as it would be in a parameter file; what is none there is a text."""
    try:
        return yaml.compose(text, yaml.SafeLoader) or text
    except yaml.YAMLError:
        return text


def _value(node: yaml.Node) -> Any:
    if isinstance(node, yaml.SequenceNode):
        return [_value(one) for one in node.value]
    return value_of(node)


def set_all(
    graph: 'GraphNode', asked: Collection[str], changes: Changes, values: Values
) -> int:
    """Set parameters, of each node all or none, and of no node if one is known to refuse.

    Args:
        graph: The node that asks.
        asked: The nodes that are meant, also those that have not answered yet.
        changes: What to set.
        values: The present values.

    Returns:
        The exit code.
    """
    if len(changes) > 1 and (faults := list(_faults(graph, changes, values))):
        for fault in faults:
            print_error(fault)
        print_error(f'nothing is set in any of {len(changes)} nodes')
        return FAILED
    answers = _set(graph, changes)
    for owner, result in answers.items():
        _say(owner, changes[owner], result)
    done = [owner for owner, result in answers.items() if result.successful]
    there = len(asked) + len(graph.absent)
    if there > 1:
        say(f'set: {len(done)} of {there} nodes')
    return conclude(graph, asked, done)


def _set(graph: 'GraphNode', changes: Changes) -> dict[str, Any]:
    """Set parameters; return the results by node."""
    from rcl_interfaces.srv import SetParametersAtomically

    requests = {
        owner: {'parameters': [one.to_parameter_msg() for one in wanted]}
        for owner, wanted in changes.items()
    }
    answers = ask_all(graph, SetParametersAtomically, 'set_parameters_atomically', requests)
    return {owner: answer.result for owner, answer in answers.items()}


def _say(owner: str, wanted: Sequence['Parameter'], result: Any) -> None:
    """Say what a node has set, or that it has set nothing and why."""
    lines = [f'{owner} {one.name} = {text_of(one.value)}' for one in wanted]
    if not result.successful:
        what = lines[0] if len(lines) == 1 else f'{owner} sets none of {len(lines)} parameters'
        print_error(f'{what}: {result.reason or "refused"}')
        return
    for line in lines:
        say(line)
    if result.reason:
        print(f'warning: {owner} {result.reason}', file=sys.stderr)


def _faults(graph: 'GraphNode', changes: Changes, values: Values) -> Iterator[str]:
    """Iterate over what nodes will refuse, as far as they describe their parameters."""
    found = described(graph, {owner: [one.name for one in changes[owner]] for owner in changes})
    for owner, descriptors in found.items():
        for one in changes[owner]:
            if one.name not in descriptors:
                yield f'{owner} has no parameter {one.name}'
            elif fault := _fault(one, descriptors[one.name], values[owner].get(one.name)):
                yield f'{owner} {one.name} = {text_of(one.value)}: {fault}'


def _fault(one: 'Parameter', descriptor: Any, old: object) -> str:
    """Return why a node will refuse a value, empty if nothing is known against it."""
    from rclpy.parameter import Parameter

    if descriptor.read_only:
        return '' if one.value == old else f'read-only, it stays {text_of(old)}'
    kinds = one.type_, Parameter.Type(descriptor.type)
    if not descriptor.dynamic_typing and kinds[0] != kinds[1]:
        return f'must be a {kinds[1].name.lower()}'
    for span in (*descriptor.floating_point_range, *descriptor.integer_range):
        if one.value < span.from_value or one.value > span.to_value:
            return f'must be {range_of(descriptor)}'
    return ''
