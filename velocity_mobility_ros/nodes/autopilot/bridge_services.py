"""The operator's requests to a bridge, one service each."""

from collections.abc import Callable

from rclpy.node import Node
from std_srvs.srv import Trigger

from velocity_mobility_ros.autopilot.engage.records import Outputs, Request

NOT_SERVED = (Request.RELEASE, Request.CANCEL, Request.GO)
"""The end of the process is a signal; the others belong to a take-off of several vehicles."""

REQUESTS = tuple(one for one in Request if one not in NOT_SERVED)
"""What can be asked for."""


def serve(node: Node, step: Callable[[Request], Outputs]) -> None:
    """Open the services, named as the requests; they answer at once whether they are accepted.

    Args:
        node: The node.
        step: Makes a step of the bridge with a request.
    """
    for request in REQUESTS:
        node.create_service(Trigger, request.value, _answering(step, request))


def _answering(
    step: Callable[[Request], Outputs], request: Request
) -> Callable[[Trigger.Request, Trigger.Response], Trigger.Response]:
    def answer(_: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        out = step(request)
        response.success, response.message = not out.refused, out.reason
        return response

    return answer
