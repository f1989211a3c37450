"""The common grammar of all schedules: ``20..40: 1 2 3 | 4 5; 60..: 2``.

Windows are separated by ``;``. Each has BEGIN..END [s] since the start of the run and, after a
colon, its words; without END it stays open forever. Begin is inclusive, end exclusive.
"""

import math
import re
from typing import NamedTuple

from velocity_mobility_ros.core.user_errors import cut

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.schedules.periodic import ROUNDING

BAR = '|'
"""Separates groups of words; it is a word itself, with or without spaces around it."""

NUMBER = re.compile(r'([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?', re.ASCII)


class Window(NamedTuple):
    """An interval from ``begin`` to ``end`` [s] with its ``words``."""

    begin: float
    end: float
    words: tuple[str, ...]

    def is_open(self, now: float) -> bool:
        """Return whether the window is open at a time [s]."""
        return is_open(self.begin, self.end, now)


def is_open(begin: float, end: float, now: float) -> bool:
    """Return whether a window from ``begin`` to ``end`` [s] is open at a time [s]."""
    return begin <= now + ROUNDING < end


def parse_windows(text: str, name: str) -> tuple[Window, ...]:
    """Return the windows of a text, in its order; an empty text has none.

    Args:
        text: What the user wrote; one ``;`` at its very end is allowed.
        name: The parameter it was written for, named in errors.

    Raises:
        ScenarioError: The text does not follow the grammar.
    """
    pieces = [piece.strip() for piece in text.split(';')]
    if not pieces[-1]:
        pieces.pop()
    return tuple(_window(piece, name) for piece in pieces)


def refusal(name: str, text: str, reason: str) -> ScenarioError:
    """Return the error for a piece of scheduled text.

    Args:
        name: The parameter, for example ``radio.partitions``.
        text: The offending text.
        reason: What is wrong and what to write instead.
    """
    return ScenarioError(f'{name}: {cut(text)!r} {reason}')


def _window(piece: str, name: str) -> Window:
    span, colon, said = piece.partition(':')
    first, dots, last = span.strip().partition('..')
    if not (colon and dots):
        raise refusal(name, piece, 'must be BEGIN..END: WORDS, times in s, windows parted by ;')
    begin = _time(first, piece, name)
    end = _time(last, piece, name) if last.strip() else math.inf
    if end <= begin:
        raise refusal(name, piece, f'ends at {end:g} s, which must be after its begin {begin:g} s')
    words = tuple(said.replace(BAR, f' {BAR} ').split())
    if not words:
        raise refusal(name, piece, 'says nothing after the colon')
    return Window(begin, end, words)


def _time(text: str, piece: str, name: str) -> float:
    if not NUMBER.fullmatch(text.strip()) or not math.isfinite(float(text)):
        reason = f'has {text.strip()[:20]!r} where a time in s, at least 0, must be'
        raise refusal(name, piece, reason)
    return float(text)
