"""How a budget of flights is spent on tuning: successive halving over random candidates.

All candidates fly a few flights; the better third goes on to three times as many, and so on. The
last ones are judged on all flights. Every law has the same plan, whatever the number of its gains.

Source: K. Jamieson, A. Talwalkar, "Non-stochastic best arm identification and hyperparameter
optimization", AISTATS 2016, arXiv:1502.07943.
"""

from collections.abc import Sequence
from typing import NamedTuple

from soliton_encirclement_ros.core.errors import ScenarioError

SHARE = 3
"""One in so many candidates goes on to a round with so many times the flights."""

LEAST = 2
"""Candidates in every round: the gains as shipped, and one other."""


class Round(NamedTuple):
    """A round: number of candidates, and of flights on which each is judged, earlier included."""

    candidates: int
    flights: int


def rounds_of(budget: int, flights: int, first: int, source: str) -> list[Round]:
    """Return the rounds that a budget allows.

    Args:
        budget: Largest number of flights for one law.
        flights: Number of flights of the last round, per candidate.
        first: The same of the first round.
        source: Location of the budget, named in errors.

    Raises:
        ScenarioError: The budget is too small for two candidates.
    """
    sizes = [min(first, flights)]
    while sizes[-1] < flights:
        sizes.append(min(flights, SHARE * sizes[-1]))
    least = cost_of(_rounds(LEAST, sizes))
    if budget < least:
        raise ScenarioError(
            f'{source} = {budget} must be at least {least}: {LEAST} sets of gains on all '
            f'{flights} conditions and seeds'
        )
    count = LEAST
    while cost_of(_rounds(count + 1, sizes)) <= budget:
        count += 1
    return _rounds(count, sizes)


def cost_of(rounds: Sequence[Round]) -> int:
    """Return the number of flights of some rounds: what has been flown is not flown again."""
    before = [0, *(one.flights for one in rounds)]
    return sum(one.candidates * (one.flights - done)
               for one, done in zip(rounds, before, strict=False))  # fmt: skip


def _rounds(candidates: int, sizes: Sequence[int]) -> list[Round]:
    return [Round(max(LEAST, -(-candidates // SHARE**i)), size) for i, size in enumerate(sizes)]
