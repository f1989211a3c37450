"""What an agent holds of the target: the last broadcast, or a younger report of another agent."""

from soliton_encirclement_ros.core.states.message_acceptance import (
    NEVER,
    SingleCache,
    is_news,
)
from soliton_encirclement_ros.core.states.states import TargetState
from soliton_encirclement_ros.core.states.target_relay import FIRST_TAKEN, Relayed, is_taken


class TargetCache(SingleCache):
    """The youngest report of the target. A broadcast is judged by those before it alone.

    Which of two broadcasts is newer is decided by their numbers, which of a broadcast and a
    relayed report by their ages.
    """

    def __init__(self, timeout: float) -> None:
        """Treat a report as fresh for ``timeout`` [s]."""
        super().__init__(timeout)
        self._heard = NEVER
        self._next = FIRST_TAKEN
        self._is_relayed = False

    def accept(self, state: TargetState, now: float) -> bool:
        """Store a broadcast unless it is a replay; return whether it was none.

        While a relayed report is younger, the weights of the arcs are all that is taken of it.
        """
        if not is_news(state.seq, self._last_seq, self._heard, now, self.timeout):
            return False
        self._last_seq, self._heard = state.seq, now
        if self._is_relayed and self.age(now) < state.age:
            self.state = self.state._replace(lambdas=state.lambdas)
            return True
        self.state, self._received, self._is_relayed = state, now, False
        return True

    def take(self, told: Relayed, now: float, hold: float, period: float) -> bool:
        """Store a report of another agent if it is younger; return whether it is.

        The weights of the arcs stay, unless what was known of the target was lost.

        Args:
            told: The report.
            now: Time [s].
            hold: Age [s] beyond which the target is lost.
            period: Control period [s].
        """
        own_age = self.age(now)
        if not is_taken(told.age, own_age, hold, period):
            return False
        lambdas = () if self.state is None or own_age > hold else self.state.lambdas
        self.state = told.report._replace(seq=self._next, lambdas=lambdas, age=told.age)
        self._next -= 1
        self._received, self._is_relayed = now, True
        return True
