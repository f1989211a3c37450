"""Standard streams that were closed by the parent process: their output is discarded."""

import os
import sys

MODES = {'stdin': 'r', 'stdout': 'w', 'stderr': 'w'}
"""By the name in ``sys``, in the order of the descriptors."""


def open_missing_streams() -> None:
    """Open ``/dev/null`` for each standard stream that is closed.

    Otherwise libraries fail, and the next file or socket would get the descriptor and with it all
    printed output.
    """
    for descriptor in range(len(MODES)):
        if not _is_open(descriptor):
            _open_nothing(descriptor)
    for name, mode in MODES.items():
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding='utf-8'))  # noqa: SIM115 (it stays)


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _open_nothing(descriptor: int) -> None:
    opened = os.open(os.devnull, os.O_RDWR)
    if opened != descriptor:
        os.dup2(opened, descriptor)
        os.close(opened)
    os.set_inheritable(descriptor, True)
