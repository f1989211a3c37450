"""``swarm param``: lists, reads, explains and sets parameters of running nodes."""

from collections.abc import Sequence
from pathlib import Path
from typing import Optional

import typer
import yaml
from velocity_mobility_ros.core.parameter_files import no_section, read_sections

from soliton_encirclement_ros.cli.graph.graph_session import (
    NAMESPACE,
    conclude,
    graph_session,
    nobody,
    print_rows,
)
from soliton_encirclement_ros.cli.graph.parameter_changes import (
    parameter_as,
    read_value,
    set_all,
)
from soliton_encirclement_ros.cli.graph.parameter_reading import (
    described,
    meaning_of,
    names_of,
    text_of,
    values_of,
)
from soliton_encirclement_ros.cli.options.option_types import PATH
from soliton_encirclement_ros.cli.output import print_error, say
from soliton_encirclement_ros.cli.verbs import need_verb
from soliton_encirclement_ros.core.errors import RunError

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
            return conclude(graph) if owners else nobody()
        found = values_of(graph, names_of(graph, owners))
        rows = [
            (owner, name, text_of(value))
            for owner, values in found.items()
            for name, value in values.items()
        ]
        print_rows(('node', 'parameter', 'value'), rows)
        return conclude(graph, owners, found)


@app.command('get')
def get(
    node: str = NODE,
    names: list[str] = typer.Argument(metavar='PARAMETER...', help='Parameters.'),
    namespace: str = NAMESPACE,
) -> int:
    """Print values of parameters; exit with 1 if a node lacks one."""
    with graph_session('swarm param', namespace) as graph:
        owners = graph.owners(OWNED, [node], 'node')
        found = values_of(graph, dict.fromkeys(owners, names))
        for owner, values in found.items():
            for name in names:
                if name in values:
                    say(f'{owner} {name} = {text_of(values[name])}')
                else:
                    print_error(f'{owner} has no parameter {name}')
        return conclude(graph, owners, [one for one in found if set(names) <= set(found[one])])


@app.command('describe')
def describe(
    node: str = NODE, names: Optional[list[str]] = NAMES, namespace: str = NAMESPACE
) -> int:
    """Print meaning, unit and range of parameters; exit with 1 if a node lacks one."""
    with graph_session('swarm param', namespace) as graph:
        owners = graph.owners(OWNED, [node], 'node')
        wanted = dict.fromkeys(owners, names) if names else names_of(graph, owners)
        found = described(graph, wanted)
        rows = [
            (owner, name, meaning_of(one), 'no' if one.read_only else 'yes')
            for owner, descriptors in found.items()
            for name, one in descriptors.items()
        ]
        print_rows(('node', 'parameter', 'meaning', 'set in flight'), rows)
        for owner, descriptors in found.items():
            for name in wanted[owner]:
                if name not in descriptors:
                    print_error(f'{owner} has no parameter {name}')
        whole = [one for one in found if len(found[one]) == len(wanted[one])]
        return conclude(graph, owners, whole)


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
        found = values_of(graph, {owner: [name] for owner in owners})
        changes = {}
        for owner, values in found.items():
            old = values.get(name)
            written = value if isinstance(old, str) else read_value(value)
            changes[owner] = [parameter_as(name, written, old)]
        return set_all(graph, owners, changes, found)


@app.command('load')
def load(
    node: str = NODE,
    file: Path = typer.Argument(click_type=PATH, metavar='FILE', help='A ROS parameter file.'),
    namespace: str = NAMESPACE,
) -> int:
    """Set the parameters that a file has for a node, all or none; exit with 1 if one refuses."""
    with graph_session('swarm param', namespace) as graph:
        owners = graph.owners(OWNED, [node], 'node')
        given = _given(file, owners)
        found = values_of(graph, {owner: [*given[owner]] for owner in owners})
        changes = {
            owner: [parameter_as(name, one, old.get(name)) for name, one in given[owner].items()]
            for owner, old in found.items()
        }
        return set_all(graph, owners, changes, found)


def _given(file: Path, owners: Sequence[str]) -> dict[str, dict[str, yaml.Node]]:
    """Return what a parameter file has for nodes, by node and name.

    Raises:
        RunError: It has nothing for one of them.
    """
    sections = read_sections(file)
    if fault := next(filter(None, (no_section(str(file), sections, [one]) for one in owners)), ''):
        raise RunError(fault)
    given: dict[str, dict[str, yaml.Node]] = {owner: {} for owner in owners}
    for section in sections:
        for owner in filter(section.is_for, owners):
            given[owner] |= section.values
    return given
