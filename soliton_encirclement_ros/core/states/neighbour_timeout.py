"""Neighbours that are present, with a timeout that grows with the measured packet loss.

A sender that is up publishes every period T. If a share p of messages is lost, n silent periods
in a row happen by chance with probability ``p^n``. A neighbour counts as gone once its silence is
both longer than the timeout of the law and less likely than ``CHANCE``. Without loss that is the
timeout itself, so a failure is detected at once; with loss the set of neighbours stays stable.
"""

import math

CHANCE = 1e-6
"""Probability below which silence is not attributed to packet loss."""

FEWEST_PERIODS = 2.5
"""Periods of silence that are always tolerated: in real time a message may come just after the
tick that would have used it."""

MEMORY = 200.0
"""Messages over which the loss is averaged, all senders together."""


def update_loss(lost: float, got: float, messages: int, left_out: int) -> tuple[float, float]:
    """Return the decaying counts of lost and received messages after some more.

    Args:
        lost: Lost messages so far.
        got: Received messages so far.
        messages: How many were received; their order does not matter.
        left_out: How many are missing between them and those before.
    """
    keep = 1.0 - 1.0 / MEMORY
    for _ in range(messages):
        before = got
        got = got * keep + 1.0
        lost = lost * keep
        if got == before and lost == 0.0:
            break
    return lost + left_out, got


def share_lost(lost: float, got: float) -> float:
    """Return the share of messages that are lost."""
    total = lost + got
    return lost / total if total > 0.0 else 0.0


def silence_timeout(loss: float, period: float, timeout: float, longest: float) -> float:
    """Return the silence [s] after which a neighbour counts as gone.

    Args:
        loss: Share of messages that are lost.
        period: Time between two messages of a sender [s].
        timeout: Silence that is always tolerated [s].
        longest: Longest silence that is ever tolerated [s].
    """
    if loss <= 0.0:
        return timeout
    if loss >= 1.0:
        return longest
    periods = math.log(CHANCE) / math.log(loss)
    return min(longest, max(timeout, periods * period))


def timeout_without_loss(wanted: float, period: float, most: float) -> float:
    """Return a law's timeout: the wanted one, but some periods at least, and a time at most [s].

    Args:
        wanted: The wanted timeout [s].
        period: Time between two messages of a sender [s].
        most: The longest timeout [s]: that after which states are not used any more.
    """
    return min(most, max(wanted, FEWEST_PERIODS * period))
