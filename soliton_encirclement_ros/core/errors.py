"""Errors a user can mend; the message is one line and says how."""

from velocity_mobility_ros.core.user_errors import MobilityError


class SwarmError(MobilityError):
    """Base of every error that this package raises on purpose."""


class ScenarioError(SwarmError):
    """A scenario file cannot be read or asks for something impossible."""


class RunError(SwarmError):
    """A run could not start or could not go on."""


class MalformedStateError(SwarmError):
    """A received state is not one: wrong shape, unknown names, or numbers that are none."""


class LawError(SwarmError):
    """An encirclement law cannot be loaded."""


class LawFaultError(SwarmError):
    """A law raised an exception in flight, or wants a velocity that is not finite."""
