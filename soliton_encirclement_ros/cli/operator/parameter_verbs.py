"""``swarm param``: lists, reads, explains and sets parameters of running nodes.

Of the changes that are asked of a node all are made, or none.
"""

import contextlib
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

import typer
import yaml

from soliton_encirclement_ros.cli.app import require_verb
from soliton_encirclement_ros.cli.operator.addressees import NAMESPACE
from soliton_encirclement_ros.cli.operator.graph_verbs import (
    ask_all, conclude, graph_session, report_nobody_found
)
from soliton_encirclement_ros.cli.options import PATH
from soliton_encirclement_ros.cli.output import FAILED, print_error, say
from soliton_encirclement_ros.core.errors import RunError
from velocity_mobility_ros.core.environment.parameter_files import parse_yaml

if TYPE_CHECKING:
    from rclpy.parameter import Parameter

    from soliton_encirclement_ros.cli.operator.operator_nodes import GraphNode


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

    by_owner = _read(graph, GetParameters, 'get_parameters', 'values', names)
    return {
        owner: {
            name: parameter_value_to_python(value)
            for name, value in values.items()
            if value.type != ParameterType.PARAMETER_NOT_SET
        }
        for owner, values in by_owner.items()
    }


def descriptors_of(graph: 'GraphNode', names: Names) -> dict[str, dict[str, Any]]:
    """Return the descriptors of some parameters, as ``values_of``."""
    from rcl_interfaces.srv import DescribeParameters

    return _read(graph, DescribeParameters, 'describe_parameters', 'descriptors', names)


def _read(
    graph: 'GraphNode', kind: Any, service: str, field: str, names: Names
) -> dict[str, dict[str, Any]]:
    """Return the answers of nodes about those of the named parameters that they have."""
    known = names_of(graph, names)
    asked = {owner: [name for name in names[owner] if name in known[owner]] for owner in known}
    requests = {owner: {'names': asked_names} for owner, asked_names in asked.items()}
    answers = ask_all(graph, kind, service, requests)
    return {
        owner: dict(zip(asked[owner], getattr(answer, field), strict=False))
        for owner, answer in answers.items()
    }


def meaning_of(descriptor: Any) -> str:
    """Return the meaning, unit and range of a parameter."""
    texts = descriptor.description, descriptor.additional_constraints, range_of(descriptor)
    return '; '.join(filter(None, texts))


def range_of(descriptor: Any) -> str:
    """Return the range of a parameter as text, empty if it has none."""
    ranges = [*descriptor.floating_point_range, *descriptor.integer_range]
    return ', '.join(f'{span.from_value:g} to {span.to_value:g}' for span in ranges)


def text_of(value: object) -> str:
    """Return a value as it is printed."""
    return repr(value) if isinstance(value, str) else str(value)


Changes = Mapping[str, Sequence['Parameter']]
"""New values by node."""

Values = Mapping[str, Mapping[str, Any]]
"""Present values by node and name."""


def parameter_as(name: str, value: Any, old: object) -> 'Parameter':
    """Return a parameter of the type that the node has, where a number is given for it."""
    from rclpy.parameter import Parameter

    if isinstance(old, float) and type(value) in (int, str):
        with contextlib.suppress(ValueError):  # 1e-3 is a text to YAML
            value = float(value)
    return Parameter(name, value=value)


def read_value(text: str) -> Any:
    """Return a value as a parameter file would have it; what is not valid YAML is a text."""
    try:
        value = parse_yaml(text)
    except yaml.YAMLError:
        return text
    return text if value is None or isinstance(value, dict) else value


def set_all(
    graph: 'GraphNode', asked: Collection[str], changes: Changes, values: Values
) -> int:
    """Set parameters, of each node all or none, and of no node if one is known to refuse.

    Args:
        graph: The node that asks.
        asked: The addressed nodes, also those that have not answered yet.
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
        _print_result(owner, changes[owner], result)
    done = [owner for owner, result in answers.items() if result.successful]
    total = len(asked) + len(graph.missing_members)
    if total > 1:
        say(f'set: {len(done)} of {total} nodes')
    return conclude(graph, asked, done)


def _set(graph: 'GraphNode', changes: Changes) -> dict[str, Any]:
    """Set parameters; return the results by node."""
    from rcl_interfaces.srv import SetParametersAtomically

    requests = {
        owner: {'parameters': [parameter.to_parameter_msg() for parameter in wanted]}
        for owner, wanted in changes.items()
    }
    answers = ask_all(graph, SetParametersAtomically, 'set_parameters_atomically', requests)
    return {owner: answer.result for owner, answer in answers.items()}


def _print_result(owner: str, wanted: Sequence['Parameter'], result: Any) -> None:
    """Print what a node has set, or why it has set nothing."""
    lines = [f'{owner} {parameter.name} = {text_of(parameter.value)}' for parameter in wanted]
    if not result.successful:
        what = lines[0] if len(lines) == 1 else f'{owner} sets none of {len(lines)} parameters'
        print_error(f'{what}: {result.reason or "refused"}')
        return
    for line in lines:
        say(line)
    if result.reason:
        print(f'warning: {owner} {result.reason}', file=sys.stderr)


def _faults(graph: 'GraphNode', changes: Changes, values: Values) -> Iterator[str]:
    """Iterate over the changes that nodes will refuse, as far as their descriptors tell."""
    by_owner = descriptors_of(
        graph, {owner: [parameter.name for parameter in changes[owner]] for owner in changes}
    )
    for owner, descriptors in by_owner.items():
        for parameter in changes[owner]:
            if parameter.name not in descriptors:
                yield f'{owner} has no parameter {parameter.name}'
                continue
            old = values[owner].get(parameter.name)
            if fault := _fault(parameter, descriptors[parameter.name], old):
                yield f'{owner} {parameter.name} = {text_of(parameter.value)}: {fault}'


def _fault(parameter: 'Parameter', descriptor: Any, old: object) -> str:
    """Return why a node will refuse a value, empty if nothing is known against it."""
    from rclpy.parameter import Parameter

    if descriptor.read_only:
        return '' if parameter.value == old else f'read-only, it stays {text_of(old)}'
    kinds = parameter.type_, Parameter.Type(descriptor.type)
    if not descriptor.dynamic_typing and kinds[0] != kinds[1]:
        return f'must be a {kinds[1].name.lower()}'
    for span in (*descriptor.floating_point_range, *descriptor.integer_range):
        if parameter.value < span.from_value or parameter.value > span.to_value:
            return f'must be {range_of(descriptor)}'
    return ''


app = typer.Typer(
    help='List, read, explain and set parameters of running nodes.', add_completion=False
)

NODE = typer.Argument(
    metavar='NODE', help="Node such as uav_1/agent, or several: 'uav_*/agent', uav_1."
)
NODES = typer.Argument(None, metavar='[NODE]', help='As of the other verbs; none: all nodes.')
NAMES = typer.Argument(None, metavar='[PARAMETER]...', help='Parameters; none: all.')
OWNED = 'get_parameters'
"""The service by which a node with parameters is known."""


app.callback(invoke_without_command=True)(require_verb)


@app.command('list')
def show(node: Optional[str] = NODES, namespace: str = NAMESPACE) -> int:
    """List the nodes that have parameters, or the parameters of some with their values."""
    with graph_session('swarm param', namespace) as graph:
        owners = graph.owners(OWNED, [node] if node else [], 'node')
        if node is None:
            for owner in owners:
                say(owner)
            return conclude(graph) if owners else report_nobody_found()
        by_owner = values_of(graph, names_of(graph, owners))
        rows = [
            (owner, name, text_of(value))
            for owner, values in by_owner.items()
            for name, value in values.items()
        ]
        from soliton_encirclement_ros.cli.views.terminal_display import print_rows

        print_rows(('node', 'parameter', 'value'), rows)
        return conclude(graph, owners, by_owner)


@app.command('get')
def get(
    node: str = NODE,
    names: list[str] = typer.Argument(metavar='PARAMETER...', help='Parameters.'),
    namespace: str = NAMESPACE,
) -> int:
    """Print values of parameters; exit with 1 if a node lacks one."""
    with graph_session('swarm param', namespace) as graph:
        owners = graph.owners(OWNED, [node], 'node')
        by_owner = values_of(graph, dict.fromkeys(owners, names))
        for owner, values in by_owner.items():
            for name in names:
                if name in values:
                    say(f'{owner} {name} = {text_of(values[name])}')
                else:
                    print_error(f'{owner} has no parameter {name}')
        done = [owner for owner in by_owner if set(names) <= set(by_owner[owner])]
        return conclude(graph, owners, done)


@app.command('describe')
def describe(
    node: str = NODE, names: Optional[list[str]] = NAMES, namespace: str = NAMESPACE
) -> int:
    """Print meaning, unit and range of parameters; exit with 1 if a node lacks one."""
    with graph_session('swarm param', namespace) as graph:
        owners = graph.owners(OWNED, [node], 'node')
        wanted = dict.fromkeys(owners, names) if names else names_of(graph, owners)
        by_owner = descriptors_of(graph, wanted)
        rows = [
            (owner, name, meaning_of(descriptor), 'no' if descriptor.read_only else 'yes')
            for owner, descriptors in by_owner.items()
            for name, descriptor in descriptors.items()
        ]
        from soliton_encirclement_ros.cli.views.terminal_display import print_rows

        print_rows(('node', 'parameter', 'meaning', 'set in flight'), rows)
        for owner, descriptors in by_owner.items():
            for name in wanted[owner]:
                if name not in descriptors:
                    print_error(f'{owner} has no parameter {name}')
        complete = [owner for owner in by_owner if len(by_owner[owner]) == len(wanted[owner])]
        return conclude(graph, owners, complete)


@app.command('set', context_settings={'ignore_unknown_options': True})
def set_value(
    node: str = NODE,
    name: str = typer.Argument(metavar='PARAMETER', help='The parameter.'),
    value: str = typer.Argument(metavar='VALUE', help='Its new value.'),
    namespace: str = NAMESPACE,
) -> int:
    """Set a parameter in flight, of one node or of several; exit with 1 if one refuses."""
    with graph_session('swarm param', namespace) as graph:
        owners = graph.owners(OWNED, [node], 'node')
        by_owner = values_of(graph, {owner: [name] for owner in owners})
        changes = {}
        for owner, values in by_owner.items():
            old = values.get(name)
            written = value if isinstance(old, str) else read_value(value)
            changes[owner] = [parameter_as(name, written, old)]
        return set_all(graph, owners, changes, by_owner)


@app.command('load')
def load(
    node: str = NODE,
    file: Path = typer.Argument(click_type=PATH, metavar='FILE', help='A ROS parameter file.'),
    namespace: str = NAMESPACE,
) -> int:
    """Set the parameters that a file has for a node, all or none; exit with 1 if one refuses."""
    with graph_session('swarm param', namespace) as graph:
        owners = graph.owners(OWNED, [node], 'node')
        parameters = _parameters_in_file(file, owners)
        by_owner = values_of(graph, {owner: [*parameters[owner]] for owner in owners})
        changes = {
            owner: [
                parameter_as(name, value, old.get(name))
                for name, value in parameters[owner].items()
            ]
            for owner, old in by_owner.items()
        }
        return set_all(graph, owners, changes, by_owner)


def _parameters_in_file(file: Path, owners: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the values that a parameter file has for nodes, by node and name.

    Raises:
        RunError: It cannot be read, or has nothing for one of them.
    """
    try:
        content = parse_yaml(file.read_bytes())
        sections = {
            name: _flatten(section['ros__parameters']) for name, section in content.items()
        }
        if not all(isinstance(name, str) for name in sections):
            raise TypeError
    except OSError as error:
        raise RunError(f'{file}: cannot read the parameters: {error.strerror}') from None
    except (yaml.YAMLError, AttributeError, TypeError, KeyError, RecursionError):
        raise RunError(
            f'{file}: no parameter file: write NODE: {{ros__parameters: {{NAME: VALUE}}}}'
        ) from None
    given: dict[str, dict[str, Any]] = {}
    for owner in owners:
        for name, values in sections.items():
            if fnmatch(owner, f'/{name.lstrip("/").replace("**/", "*")}'):
                given.setdefault(owner, {}).update(values)
        if owner not in given:
            raise RunError(
                f'{file} has no section for {owner}: it has {", ".join(sections)}; call it '
                f'{owner} or /**'
            )
    return given


def _flatten(values: Mapping[str, Any], above: str = '') -> dict[str, Any]:
    """Return parameters whose names may be written as nested mappings."""
    flat: dict[str, Any] = {}
    for name, value in values.items():
        nested = isinstance(value, dict)
        flat |= _flatten(value, f'{above}{name}.') if nested else {f'{above}{name}': value}
    return flat
