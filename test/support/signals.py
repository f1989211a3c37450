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


IMPORTER = """
import os, sys

class Importer:
    def find_spec(self, name, *rest):
        if name == {name!r}:
            sys.meta_path.remove(self)
            try:
                os.kill(os.getpid(), {number})
            except BaseException as error:
                if {in_init}:
                    raise ImportError('initialization failed') from error
                raise

sys.meta_path.insert(0, Importer())
"""


def signal_at_import(name: str, number: int, in_init: bool) -> str:
    """Return the beginning of a program that is sent a signal when it imports a module.

    Args:
        name: The module.
        number: The signal.
        in_init: Whether what the handler raises becomes an ImportError, as where a library that
            is built with pybind11 initializes.
    """
    return IMPORTER.format(name=name, number=int(number), in_init=in_init)
