"""A test that is stuck in a library ends its process, with the traces of all threads.

Neither ctrl-C nor the timeout of a test is heard while a library does not return, and nothing else
would end the whole run.
"""

import faulthandler
import functools
import os
from collections.abc import Iterator

import pytest

STUCK = 420.0
"""Wall time [s] that no test takes which says nothing else: 300 s at most, and what is compiled
before it."""

SPARE = 120.0
"""So much longer than its own timeout a test may take [s]."""


@functools.cache
def _stderr() -> int:
    """Return the file of error messages; called between tests, whose own output is caught."""
    return os.dup(2)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Watch one test with its fixtures."""
    own = item.get_closest_marker('timeout')
    longest = STUCK if own is None else max(STUCK, own.args[0] + SPARE)
    faulthandler.dump_traceback_later(longest, exit=True, file=_stderr())
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()
