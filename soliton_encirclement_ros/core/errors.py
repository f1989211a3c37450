"""Errors a user can mend; the message is one line and says how."""

from collections.abc import Mapping, Sequence

from velocity_mobility_ros.core.user_errors import MobilityError


class SwarmError(MobilityError):
    """Base of every error that this package raises on purpose."""


class ScenarioError(SwarmError):
    """A scenario file cannot be read or asks for something impossible."""


class RunError(SwarmError):
    """A run could not start or could not go on."""


class OrderError(RunError):
    """An order to vehicles was not given, or not all of them do as ordered.

    Attributes:
        reasons: Why, by name of the vehicle; each reason is one line.
    """

    def __init__(self, line: str, reasons: Mapping[str, Sequence[str]]) -> None:
        """Tell all reasons in one line."""
        super().__init__(line)
        self.reasons = {name: list(lines) for name, lines in reasons.items()}


class NotReadyError(OrderError):
    """The readiness gate has kept vehicles; nothing was ordered."""


class MalformedStateError(SwarmError):
    """A received state is not one: wrong shape, unknown names, or numbers that are none."""


class LawError(SwarmError):
    """An encirclement law cannot be loaded."""


class LawFaultError(SwarmError):
    """A law raised an exception in flight, or wants a velocity that is not finite."""
