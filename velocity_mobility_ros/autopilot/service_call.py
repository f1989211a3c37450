"""A request to an autopilot as a call of a ROS service, where that is how it is asked."""

from typing import NamedTuple

from velocity_mobility_ros.autopilot.outputs import Action, Answer, Result


class ServiceCall(NamedTuple):
    """A call.

    Attributes:
        service: Name of the service, without the autopilot's prefix.
        fields: Fields of its request, by name.
    """

    service: str
    fields: dict[str, float | int | bool | str]


def unsupported(action: Action, received: float) -> Answer:
    """Return the answer to an action for which there is no service.

    Args:
        action: What was asked for.
        received: Monotonic time of the request [s].
    """
    return Answer(received, frozenset({action}), Result.UNSUPPORTED)
