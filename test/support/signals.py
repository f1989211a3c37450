"""For tests whose code takes signals in the process of the tests."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

from velocity_mobility_ros.core.environment.unix_process import SIGNALS


@contextmanager
def handlers_kept() -> Iterator[None]:
    """Give the signals that ask a process to end their handlers back afterwards."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
