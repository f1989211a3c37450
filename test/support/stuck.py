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
"""Wall time [s] that no test takes: 300 s at most, and what is compiled before it."""


@functools.cache
def _stderr() -> int:
    """Return the file of error messages; called between tests, whose own output is caught."""
    return os.dup(2)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Iterator[None]:
    """Watch one test with its fixtures."""
    faulthandler.dump_traceback_later(STUCK, exit=True, file=_stderr())
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()
