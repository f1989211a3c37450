"""Ends a launch with one line and exit code 1, which launch gives only for an exception."""

from launch import Event, EventHandler, LaunchContext
from launch.action import Action
from launch.actions import EmitEvent, OpaqueFunction, RegisterEventHandler

from soliton_encirclement_ros.core.errors import RunError


class LaunchFailed(Event):
    """Somebody has found that the launch failed."""

    name = 'soliton_encirclement_ros.LaunchFailed'

    def __init__(self, reason: str) -> None:
        """Keep the reason, one line."""
        self.reason = reason


def fail(reason: str) -> list[Action]:
    """Return what ends the launch with exit code 1.

    The exception is raised by an event of its own, so that the handlers of the present one (the
    last output of a process, say) all come to their turn.
    """
    return [EmitEvent(event=LaunchFailed(reason))]


def on_failure() -> Action:
    """Return the handler that ``fail`` needs."""
    return RegisterEventHandler(EventHandler(
        matcher=lambda event: isinstance(event, LaunchFailed),
        entities=[OpaqueFunction(function=_raise)],
    ))  # fmt: skip


def _raise(context: LaunchContext) -> None:
    raise RunError(context.locals.event.reason)
