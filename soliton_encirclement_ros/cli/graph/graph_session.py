"""Lends a node that asks others to a command, and says whom it has not found."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from soliton_encirclement_ros.cli.graph.name_patterns import NOBODY, AbsentError
from soliton_encirclement_ros.cli.operator.operating import check_environment, operating
from soliton_encirclement_ros.cli.output import FAILED, print_error
from soliton_encirclement_ros.core.files.name_list import named
from soliton_encirclement_ros.core.states.swarm_topics import named_fleet

if TYPE_CHECKING:
    from soliton_encirclement_ros.cli.graph.graph_node import GraphNode

NAMESPACE = typer.Option('', help='Namespace of the fleet.')


@contextmanager
def graph_session(verb: str, namespace: str) -> Iterator['GraphNode']:
    """Lend a node.

    Args:
        verb: The command, named in errors.
        namespace: Namespace of the fleet, as the user wrote it.

    Raises:
        RunError: ROS is not installed.
        Exit: Somebody who is named is not there.
    """
    fleet = named_fleet(namespace, '--namespace')
    check_environment()
    with operating(verb, _kind, fleet) as node:
        try:
            yield node
        except AbsentError as error:
            print_error(str(error))
            raise typer.Exit(FAILED) from None


def ask_all(
    node: 'GraphNode', kind: Any, service: str, requests: Mapping[str, Mapping[str, object]]
) -> dict[str, Any]:
    """Ask several at once; say who does not answer, and return the answers of the others.

    Args:
        node: The node that asks.
        kind: Type of the service.
        service: Its name, without that of the owner.
        requests: Fields of the request by owner.
    """
    given = {f'{owner}/{service}': fields for owner, fields in requests.items()}
    answers = node.ask(kind, given)
    for name in given.keys() - answers.keys():
        print_error(f'{name} does not answer')
    return {one: answers[name] for one in requests if (name := f'{one}/{service}') in answers}


def nobody() -> int:
    """Say that nobody is found; return the exit code."""
    print_error(NOBODY)
    return FAILED


def conclude(node: 'GraphNode', asked: Sized = (), done: Sized = ()) -> int:
    """Say who was not found, and what is not known of the graph; return the exit code.

    Args:
        node: The node, after its search.
        asked: Whom it has found and asked.
        done: Who of these has done what was asked.
    """
    if node.absent:
        names = [one.removeprefix(f'{node.root}/') for one in node.absent]
        print_error(f'not found, though others have heard it: {named(names)}')
    if node.unfinished:
        print_error(f'discovery has not ended: {node.unfinished}')
    is_whole = not node.absent and not node.unfinished and len(done) == len(asked)
    return 0 if is_whole else FAILED


def print_rows(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table; what draws it is loaded only then, after the search has begun."""
    from rich.table import Table

    from soliton_encirclement_ros.cli.views.terminal_tables import print_table, wide_console

    table = Table(*heads)
    for row in rows:
        table.add_row(*row)
    print_table(table, wide_console(False))


def _kind() -> type['GraphNode']:
    from soliton_encirclement_ros.cli.graph.graph_node import GraphNode

    return GraphNode
