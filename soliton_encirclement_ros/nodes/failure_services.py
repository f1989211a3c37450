"""The services ``fail`` and ``recover`` of an agent."""

from collections.abc import Callable

from rclpy.node import Node
from std_srvs.srv import Trigger


def offer_failures(
    node: Node, agent: str, fail: Callable[[], None], recover: Callable[[], bool]
) -> None:
    """Create the services of an agent.

    Args:
        node: The node that offers them.
        agent: Full name of the agent; empty: the namespace of the node.
        fail: Takes the agent down.
        recover: Lets it come back; returns whether it was down.
    """
    prefix = f'{agent}/' if agent else ''

    def on_fail(_: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        fail()
        response.success, response.message = True, 'down until recover is called'
        return response

    def on_recover(_: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        response.success = recover()
        response.message = 'up again' if response.success else 'was not down'
        return response

    node.create_service(Trigger, f'{prefix}fail', on_fail)
    node.create_service(Trigger, f'{prefix}recover', on_recover)
