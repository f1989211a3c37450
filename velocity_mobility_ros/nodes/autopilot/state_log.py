"""The log of a bridge: each new state and each new reason once."""

import re

from diagnostic_msgs.msg import DiagnosticStatus
from rclpy.impl.rcutils_logger import RcutilsLogger

from velocity_mobility_ros.autopilot.engage.states import State

NUMBERS = re.compile(r'[-\d.]+')

LASTS = 3.0
"""Time for which the reason of a vehicle that stands must last until it is logged [s]: at the
start one follows another."""

PASSING = (State.WAIT_LINK, State.READY)
"""States whose reasons have to last."""


class StateLog:
    """Logs what is new."""

    def __init__(self, logger: RcutilsLogger) -> None:
        """Have said nothing yet.

        Args:
            logger: Of the node.
        """
        self._logger = logger
        self._said, self._next, self._since = '', '', 0.0
        self._last: tuple[State, str] | None = None

    def tell(self, state: State, reason: str, level: bytes, now: float) -> None:
        """Log state and reason if they are new; numbers in it alone are not news.

        Args:
            state: The state.
            reason: The reason in words.
            level: Its severity, as in DiagnosticStatus.
            now: Monotonic time [s].
        """
        if (state, reason) == self._last and self._next == self._said:
            return  # most steps: nothing is new, nothing waits to be said
        self._last = state, reason
        text = NUMBERS.sub('', f'{state.name}: {reason}')
        if text != self._next:
            self._next, self._since = text, now
        has_lasted = level == DiagnosticStatus.OK or state not in PASSING
        if text == self._said or not (has_lasted or now - self._since >= LASTS):
            return
        self._said = text
        line = f'{state.name}: {reason}'
        if level == DiagnosticStatus.OK:
            self._logger.info(line)
        elif level == DiagnosticStatus.WARN:
            self._logger.warning(line)
        else:
            self._logger.error(line)
