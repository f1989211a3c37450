"""For tests of full disks: the system itself refuses to let a file grow."""

import resource
import signal
from collections.abc import Callable, Iterator

import pytest


@pytest.fixture
def limit() -> Iterator[Callable[[int], None]]:
    """Return a function that bounds the size [bytes] of every file of this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    yield lambda size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    signal.signal(signal.SIGXFSZ, before)
