"""SIGTERM and SIGHUP end a launch in order, like ctrl-C; launch itself would leave its nodes.

Launch meant to end at once at SIGTERM, but asks for no such signal, so that the system ends it at
once: its nodes go on. In a container, where it is process 1, nothing happens at all until all are
killed. Nodes of these launch files end by themselves when launch has been killed.
"""

import signal
from types import FrameType

from launch import LaunchContext
from launch.actions import Shutdown
from launch.logging import get_logger
from launch.utilities.signal_management import AsyncSafeSignalManager

SIGNALS = (signal.SIGTERM, signal.SIGHUP)

CURRENT = '_AsyncSafeSignalManager__current'
"""Where launch keeps who takes its signals: it offers no other way to take them from it."""


def end_in_order(context: LaunchContext) -> None:
    """Let SIGTERM and SIGHUP shut a running launch down: every process is asked to end.

    What somebody has set already stays: ``nohup`` ignores SIGHUP.
    """
    manager = getattr(AsyncSafeSignalManager, CURRENT, None)

    def asked(number: int, frame: FrameType | None) -> None:
        del frame
        loop = context.asyncio_loop
        if loop is None:  # the launch is over
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        elif not context.is_shutdown:
            loop.call_soon_threadsafe(_shut_down, context, signal.Signals(number).name)

    for number in SIGNALS if manager else ():
        if signal.getsignal(number) is signal.SIG_DFL:
            manager.handle(number, None)
            signal.signal(number, asked)


def _shut_down(context: LaunchContext, reason: str) -> None:
    get_logger('launch').warning(f'{reason}: all processes are asked to end, as at ctrl-C')
    Shutdown(reason=reason).execute(context)
