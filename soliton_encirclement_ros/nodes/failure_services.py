"""The services ``fail`` and ``recover`` of an agent."""

from collections.abc import Callable

from rclpy.node import Node
from std_srvs.srv import Trigger


def offer_failures(
    node: Node, agent: str, fail: Callable[[], bool], recover: Callable[[], bool]
) -> None:
    """Create the services of an agent; both succeed where there is nothing to do.

    Args:
        node: The node that offers them.
        agent: Full name of the agent; empty: the namespace of the node.
        fail: Takes the agent down; returns whether it was up.
        recover: Lets it come back; returns whether it was down.
    """
    prefix = f'{agent}/' if agent else ''

    def on_fail(_: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        was_up = fail()
        response.success = True
        response.message = f'{"down" if was_up else "already down,"} until recover is called'
        return response

    def on_recover(_: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        was_down = recover()
        response.success, response.message = True, 'up again' if was_down else 'already up'
        return response

    node.create_service(Trigger, f'{prefix}fail', on_fail)
    node.create_service(Trigger, f'{prefix}recover', on_recover)
