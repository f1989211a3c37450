"""Errors a user can mend; the message is one line and says how."""


class MobilityError(Exception):
    """Base of every error that this package raises on purpose."""


class ParameterError(MobilityError):
    """A parameter is unknown, of the wrong type, or out of its range."""


class StartupError(MobilityError):
    """A node cannot start: something it needs is missing, taken or broken."""
