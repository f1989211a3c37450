"""Parts of a sweep: points of a design, each flown with some seeds."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

CONTROLLER = 'control.controller'
SEED = 'run.seed'


class Point(NamedTuple):
    """One point of a design.

    Attributes:
        number: Its number in the design, from 1.
        values: The value of every parameter that the design varies, by ``section.key``.
        controller: The law that flies, varied or not.
    """

    number: int
    values: Mapping[str, Any]
    controller: str

    @property
    def label(self) -> str:
        """The values as short text, without those that its law does not have."""
        parts = [
            f'{key.partition(".")[2]} {shown(value)}'
            for key, value in self.values.items() if value is not None
        ]  # fmt: skip
        return ', '.join(parts) or self.controller


class SweptRun(NamedTuple):
    """A finished run of a sweep; ``study`` holds the original's scalar metrics by name."""

    point: Point
    seed: int
    summary: Mapping[str, Any]
    study: Mapping[str, float]


Curves = Mapping[str, Sequence[float]]
"""The metrics of a run about once a second, by name, with their ``time`` [s]."""


def shown(value: Any) -> str:
    """Return a value of a parameter as text."""
    return format(value, '.4g') if isinstance(value, float) else str(value)
