"""Ends a launch with one line and exit code 1, which requires an exception."""

from launch import Event, EventHandler, LaunchContext
from launch.action import Action
from launch.actions import EmitEvent, OpaqueFunction, RegisterEventHandler

from soliton_encirclement_ros.core.errors import RunError


class LaunchFailed(Event):
    """The launch has failed."""

    name = 'soliton_encirclement_ros.LaunchFailed'

    def __init__(self, reason: str) -> None:
        """Store the reason, one line."""
        self.reason = reason


def fail(reason: str) -> list[Action]:
    """Return the actions that end the launch with exit code 1.

    The exception is raised in a separate event, so that all handlers of the present event (for
    example the last output of a process) run first.
    """
    return [EmitEvent(event=LaunchFailed(reason))]


def on_failure() -> Action:
    """Return the handler for ``fail``."""
    return RegisterEventHandler(EventHandler(
        matcher=lambda event: isinstance(event, LaunchFailed),
        entities=[OpaqueFunction(function=_raise)],
    ))  # fmt: skip


def _raise(context: LaunchContext) -> None:
    raise RunError(context.locals.event.reason)
