"""One line of the doctor."""

from collections.abc import Callable
from typing import NamedTuple

from velocity_mobility_ros.core.errors import MobilityError

OK, WARNING, ERROR = 'ok', 'warning', 'error'


class Check(NamedTuple):
    """What was looked at.

    Attributes:
        name: What it is.
        value: How it is.
        verdict: ``error``: it will stop a flight; ``warning``: it may; ``ok``.
        cure: What is wrong and what to do, or what is worth knowing.
    """

    name: str
    value: str
    verdict: str = OK
    cure: str = ''


def worst(checks: list[Check]) -> str:
    """Return the worst verdict."""
    verdicts = {one.verdict for one in checks}
    return next((one for one in (ERROR, WARNING) if one in verdicts), OK)


def judged(name: str, value: str, *rules: Callable[[], object], lines: list[str]) -> Check:
    """Return a check that is an error if a rule refuses, else a warning if there are lines.

    Args:
        name: What it is.
        value: How it is.
        *rules: Raise a ``MobilityError`` that says what is wrong and what to do.
        lines: What is worth a warning.
    """
    for rule in rules:
        try:
            rule()
        except MobilityError as error:
            return Check(name, value, ERROR, str(error))
    return Check(name, value, WARNING if lines else OK, '; '.join(lines))
