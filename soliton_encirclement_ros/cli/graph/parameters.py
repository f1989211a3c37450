"""``swarm param``: lists, reads, explains and sets parameters of running nodes."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

import typer
import yaml
from rich.table import Table
from velocity_mobility_ros.core.parameter_files import no_section, read_sections, value_of

from soliton_encirclement_ros.cli.graph.graph_session import NAMESPACE, graph_session
from soliton_encirclement_ros.cli.graph.name_patterns import NOBODY
from soliton_encirclement_ros.cli.options.option_types import PATH
from soliton_encirclement_ros.cli.output import print_error, say
from soliton_encirclement_ros.cli.verbs import need_verb
from soliton_encirclement_ros.cli.views.terminal_tables import print_table, wide_console
from soliton_encirclement_ros.core.errors import RunError

if TYPE_CHECKING:
    from rclpy.parameter import Parameter

    from soliton_encirclement_ros.cli.graph.graph_node import GraphNode

app = typer.Typer(help='List, read, explain and set parameters of running nodes.')

NODE = typer.Argument(
    metavar='NODE', help="Node such as uav_1/agent, or several: 'uav_*/agent', uav_1."
)
NODES = typer.Argument(None, metavar='[NODE]', help='As of the other verbs; none: all nodes.')
NAMES = typer.Argument(None, metavar='[PARAMETER]...', help='Parameters; none: all.')
OWNED = 'get_parameters'
"""The service by which a node with parameters is known."""


app.callback(invoke_without_command=True)(need_verb)


@app.command('list')
def show(node: Optional[str] = NODES, namespace: str = NAMESPACE) -> int:
    """List the nodes that have parameters, or the parameters of some with their values."""
    with graph_session('swarm param', namespace) as graph:
        owners = graph.owners(OWNED, [node] if node else [], 'node')
        if node is None:
            for owner in owners:
                say(owner)
            return 0 if owners else _nobody()
        table = Table('node', 'parameter', 'value')
        for owner in owners:
            for name, value in _values(graph, owner, None).items():
                table.add_row(owner, name, _text(value))
        print_table(table, wide_console(False))
        return 0


@app.command('get')
def get(
    node: str = NODE,
    names: list[str] = typer.Argument(metavar='PARAMETER...', help='Parameters.'),
    namespace: str = NAMESPACE,
) -> int:
    """Print values of parameters; exit with 1 if a node lacks one."""
    with graph_session('swarm param', namespace) as graph:
        code = 0
        for owner in graph.owners(OWNED, [node], 'node'):
            found = _values(graph, owner, names)
            for name in names:
                if name in found:
                    say(f'{owner} {name} = {_text(found[name])}')
                else:
                    print_error(f'{owner} has no parameter {name}')
                    code = 1
        return code


@app.command('describe')
def describe(
    node: str = NODE, names: Optional[list[str]] = NAMES, namespace: str = NAMESPACE
) -> int:
    """Print meaning, unit and range of parameters."""
    with graph_session('swarm param', namespace) as graph:
        from rcl_interfaces.srv import DescribeParameters

        table = Table('node', 'parameter', 'meaning', 'set in flight')
        for owner in graph.owners(OWNED, [node], 'node'):
            wanted = names or _names(graph, owner)
            answer = graph.ask(DescribeParameters, f'{owner}/describe_parameters', names=wanted)
            for one in answer.descriptors:
                table.add_row(owner, one.name, _meaning(one), 'no' if one.read_only else 'yes')
        print_table(table, wide_console(False))
        return 0


@app.command('set', context_settings={'ignore_unknown_options': True})
def set_value(
    node: str = NODE,
    name: str = typer.Argument(metavar='PARAMETER', help='The parameter.'),
    value: str = typer.Argument(metavar='VALUE', help='Its new value.'),
    namespace: str = NAMESPACE,
) -> int:
    """Set a parameter in flight, of one node or of several; exit with 1 if one refuses."""
    with graph_session('swarm param', namespace) as graph:
        code = 0
        for owner in graph.owners(OWNED, [node], 'node'):
            old = _values(graph, owner, [name]).get(name)
            written = value if isinstance(old, str) else _yaml(value)
            code |= _set(graph, owner, [_parameter(name, written, old)])
        return code


@app.command('load')
def load(
    node: str = NODE,
    file: Path = typer.Argument(click_type=PATH, metavar='FILE', help='A ROS parameter file.'),
    namespace: str = NAMESPACE,
) -> int:
    """Set the parameters that a file has for a node; exit with 1 if one is refused."""
    with graph_session('swarm param', namespace) as graph:
        sections, code = read_sections(file), 0
        for owner in graph.owners(OWNED, [node], 'node'):
            if fault := no_section(str(file), sections, [owner]):
                raise RunError(fault)
            given: dict[str, yaml.Node] = {}
            for section in sections:
                if section.is_for(owner):
                    given |= section.values
            old = _values(graph, owner, list(given))
            wanted = [_parameter(name, value, old.get(name)) for name, value in given.items()]
            code |= _set(graph, owner, wanted)
        return code


def _set(graph: 'GraphNode', owner: str, wanted: Sequence['Parameter']) -> int:
    from rcl_interfaces.srv import SetParameters

    messages = [one.to_parameter_msg() for one in wanted]
    answer = graph.ask(SetParameters, f'{owner}/set_parameters', parameters=messages)
    for one, result in zip(wanted, answer.results, strict=True):
        if result.successful:
            say(f'{owner} {one.name} = {_text(one.value)}')
            if result.reason:
                print(f'warning: {owner} {result.reason}', file=sys.stderr)
        else:
            print_error(f'{owner} {one.name} = {_text(one.value)}: {result.reason or "refused"}')
    return int(not all(result.successful for result in answer.results))


def _parameter(name: str, value: yaml.Node | str, old: object) -> 'Parameter':
    """Return a parameter of the type that the node has, where a whole number is given for it."""
    from rclpy.parameter import Parameter

    found = value if isinstance(value, str) else _value(value)
    if isinstance(old, float) and type(found) is int:
        found = float(found)
    return Parameter(name, value=found)


def _yaml(text: str) -> yaml.Node | str:
    try:
        return yaml.compose(text, yaml.SafeLoader) or text
    except yaml.YAMLError:
        return text


def _value(node: yaml.Node) -> Any:
    if isinstance(node, yaml.SequenceNode):
        return [_value(one) for one in node.value]
    return value_of(node)


def _names(graph: 'GraphNode', owner: str) -> list[str]:
    from rcl_interfaces.srv import ListParameters

    return sorted(graph.ask(ListParameters, f'{owner}/list_parameters').result.names)


def _values(graph: 'GraphNode', owner: str, names: Sequence[str] | None) -> dict[str, Any]:
    """Return values by name, of all parameters or of some, those that the node lacks left out."""
    from rcl_interfaces.msg import ParameterType
    from rcl_interfaces.srv import GetParameters
    from rclpy.parameter import parameter_value_to_python

    known = _names(graph, owner)
    wanted = known if names is None else [name for name in names if name in known]
    answer = graph.ask(GetParameters, f'{owner}/get_parameters', names=wanted)
    return {
        name: parameter_value_to_python(value)
        for name, value in zip(wanted, answer.values, strict=False)
        if value.type != ParameterType.PARAMETER_NOT_SET
    }


def _meaning(descriptor: Any) -> str:
    ranges = [*descriptor.floating_point_range, *descriptor.integer_range]
    limits = ', '.join(f'{one.from_value:g} to {one.to_value:g}' for one in ranges)
    texts = descriptor.description, descriptor.additional_constraints, limits
    return '; '.join(filter(None, texts))


def _text(value: object) -> str:
    return repr(value) if isinstance(value, str) else str(value)


def _nobody() -> int:
    print_error(NOBODY)
    return 1
