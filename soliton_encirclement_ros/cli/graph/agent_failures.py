"""``swarm fail`` and ``swarm recover``: take agents down, and let them return."""

import typer

from soliton_encirclement_ros.cli.graph.graph_session import NAMESPACE, graph_session
from soliton_encirclement_ros.cli.output import print_error, say

MEMBERS = typer.Argument(metavar='AGENT...', help="Agents such as uav_3, or 'uav_*'.")


def fail(agents: list[str] = MEMBERS, namespace: str = NAMESPACE) -> int:
    """Take agents down until they are asked to recover; exit with 1 if one is not."""
    return _call('fail', agents, namespace)


def recover(agents: list[str] = MEMBERS, namespace: str = NAMESPACE) -> int:
    """Let agents that are down return; exit with 1 if one was not."""
    return _call('recover', agents, namespace)


def _call(service: str, agents: list[str], namespace: str) -> int:
    with graph_session(f'swarm {service}', namespace) as node:
        from std_srvs.srv import Trigger

        code = 0
        for owner in node.owners(service, agents, 'agent'):
            answer = node.ask(Trigger, f'{owner}/{service}')
            line = f'{owner}: {answer.message}'
            say(line) if answer.success else print_error(line)
            code |= not answer.success
        return int(code)
