"""The checks' trust in an estimate: it must be valid for a while first."""

TIME_US = 1_000_000
"""[us]"""

LARGEST_EPH, ONCE_VALID = 5.0, 2.5
"""COM_POS_FS_EPH [m], and how much more of it a position that is valid already may have."""


class Probation:
    """Since when an estimate is valid [us]; ``trusted_at``: it is trusted already then."""

    def __init__(self, trusted_at: int | None) -> None:
        self._since = None if trusted_at is None else trusted_at - TIME_US

    def watch(self, is_valid: bool, eph: float, now: int) -> None:
        """Look at the estimate and its standard deviation [m]."""
        most = LARGEST_EPH * (1.0 if self._since is None else ONCE_VALID)
        if not is_valid or eph > most:
            self._since = None
        elif self._since is None:
            self._since = now

    def is_passed(self, now: int) -> bool:
        """Return whether it has been valid for long enough."""
        return self._since is not None and now - self._since >= TIME_US
