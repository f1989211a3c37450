"""Errors that a user can fix; the message is one line and says how."""


class MobilityError(Exception):
    """Base of every error that this package raises on purpose."""


class ParameterError(MobilityError):
    """A parameter is unknown, of the wrong type, or out of its range."""


class StartupError(MobilityError):
    """A node cannot start: a required resource is missing, in use or broken."""
