"""The end of a process without freeing its objects one by one."""

import atexit
import os
import sys
import threading
from contextlib import suppress
from typing import NoReturn


def exit_quickly(code: int) -> NoReturn:
    """End the process; with the compiler loaded, the regular end takes 0.3 s longer.

    Exit handlers run and buffered output is written as usual. If a thread is still running, the
    process ends in the regular way, which waits for it.

    Args:
        code: The exit code.

    Raises:
        SystemExit: A thread is still running.
    """
    if threading.active_count() > 1:
        sys.exit(code)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # closed or broken: reported before
            stream.flush()
    os._exit(code)
