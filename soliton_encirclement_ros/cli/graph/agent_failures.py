"""``swarm fail`` and ``swarm recover``: take agents down, and let them return."""

import typer

from soliton_encirclement_ros.cli.graph.graph_session import (
    NAMESPACE,
    ask_all,
    conclude,
    graph_session,
)
from soliton_encirclement_ros.cli.graph.name_patterns import is_pattern
from soliton_encirclement_ros.cli.output import print_error, say
from soliton_encirclement_ros.core.states.swarm_topics import AGENT

MEMBERS = typer.Argument(metavar='AGENT...', help="Agents such as uav_3, or 'uav_*'.")


def fail(agents: list[str] = MEMBERS, namespace: str = NAMESPACE) -> int:
    """Take agents down until they are asked to recover; exit with 1 if one is not."""
    return _call('fail', 'down', agents, namespace)


def recover(agents: list[str] = MEMBERS, namespace: str = NAMESPACE) -> int:
    """Let agents that are down return; exit with 1 if one is not up then."""
    return _call('recover', 'up', agents, namespace)


def _call(service: str, state: str, agents: list[str], namespace: str) -> int:
    with graph_session(f'swarm {service}', namespace) as node:
        from std_srvs.srv import Trigger

        owners = node.owners(service, agents, 'agent', (AGENT,))
        answers = ask_all(node, Trigger, service, {owner: {} for owner in owners})
        for owner, answer in answers.items():
            (say if answer.success else print_error)(f'{owner}: {answer.message}')
        done = [owner for owner, answer in answers.items() if answer.success]
        if any(map(is_pattern, agents)):
            say(f'{state}: {len(done)} of {len(owners) + len(node.absent)}')
        return conclude(node, owners, done)
