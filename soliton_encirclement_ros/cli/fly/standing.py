"""How an order stands with one vehicle: done, under way, or failed and why."""

import enum
from collections.abc import Callable, Mapping
from typing import NamedTuple

from soliton_encirclement_ros.cli.fly.fly_order import FlyOrder
from soliton_encirclement_ros.cli.fly.sighting import FRESH, UNSEEN, Sighting, silence

NO_ANSWER = 3.0
"""Time after which an order counts as not answered, to say so [s]."""


class Progress(enum.Enum):
    """How far an order is."""

    UNDER_WAY = 'under way'
    DONE = 'done'
    FAILED = 'failed'


class Standing(NamedTuple):
    """How an order stands with a vehicle, and a line about it."""

    progress: Progress
    text: str


class Attempt(NamedTuple):
    """What was tried with one vehicle.

    Attributes:
        age: Time since the order was given [s].
        accepted: The answer of the bridge; None: none yet.
        answer: Its text.
        overruled: Which later order the bridge has answered since, in words; empty: none.
        seen: What is known now.
    """

    age: float = 0.0
    accepted: bool | None = None
    answer: str = ''
    overruled: str = ''
    seen: Sighting = UNSEEN


def standing(order: FlyOrder, attempt: Attempt) -> Standing:
    """Return how an order stands with a vehicle.

    Only reports that have the answer count: what a vehicle did before proves nothing. A refusal is
    no failure where the vehicle is already as ordered: one that stands needs not land.
    """
    report = attempt.seen.report
    if report is None or attempt.seen.age > FRESH:
        return _waits(attempt, silence(attempt.seen))
    if attempt.accepted is None:
        return _waits(attempt, f'{report.in_words}; its bridge does not answer')
    if order.is_done(report):
        return Standing(Progress.DONE, report.reason)
    if attempt.overruled:
        return Standing(Progress.FAILED, f'{report.in_words}; overruled by {attempt.overruled}')
    if not attempt.accepted:
        return Standing(Progress.FAILED, f'refused: {attempt.answer}')
    if report.state not in order.on_the_way:
        return Standing(Progress.FAILED, f'{report.in_words} ({report.reason})')
    return Standing(Progress.UNDER_WAY, f'{report.in_words} ({report.reason})')


def _waits(attempt: Attempt, trouble: str) -> Standing:
    """Return that nothing is known yet, with the trouble if that lasts."""
    text = trouble if attempt.age > NO_ANSWER else 'asked'
    return Standing(Progress.UNDER_WAY, text)


Standings = Mapping[str, Standing]
"""How an order stands, by name of the vehicle."""

Each = Callable[[Standings], bool]
"""Shows how an order stands; returns whether the operator wants to end."""


def of(found: Standings, progress: Progress) -> list[str]:
    """Return the vehicles with which an order stands so."""
    return [name for name, one in found.items() if one.progress is progress]


def not_done(found: Standings) -> list[str]:
    """Return the vehicles that do not do as ordered."""
    return [name for name, one in found.items() if one.progress is not Progress.DONE]


def unseen(found: Standings) -> bool:
    """Show nothing, and never end."""
    del found
    return False
