"""Errors of batches."""

from soliton_encirclement_ros.core.errors import SwarmError


class BatchError(SwarmError):
    """A function cannot be rewritten over arrays, or a batch is given what does not fit it."""
