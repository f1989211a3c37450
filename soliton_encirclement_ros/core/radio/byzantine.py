"""What liars say: ``30..60: 2 offset 5 -3; 40..: 4 frozen; 10..20: 5 random 8; 50..55: 6 nan``.

The lie replaces a member's words on their way to the listeners; its own body and the records of
the run keep the truth. Sequence numbers go on as they were. Kinds:

    frozen        position, velocity and u as first said inside the window
    offset DX DY  position moved by (DX, DY) [m]
    random S      position uniform within S [m] of the truth in x and in y, anew every message
    nan           position is no number: every sound listener refuses the words
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from velocity_mobility_ros.core.frames import LARGEST_COORDINATE
from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.radio.link_noise import OFFSET_X, OFFSET_Y, link_noise
from soliton_encirclement_ros.core.radio.links import link_number
from soliton_encirclement_ros.core.schedules.member_names import to_member
from soliton_encirclement_ros.core.schedules.windows import Window, parse_windows, refusal
from soliton_encirclement_ros.core.states.states import AgentState, State

NAME = 'radio.byzantine'
FROZEN, OFFSET, SCATTER, NO_NUMBER = range(4)
KIND_NUMBERS = {'frozen': FROZEN, 'offset': OFFSET, 'random': SCATTER, 'nan': NO_NUMBER}
NUMBER = re.compile(r'[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?', re.ASCII)


class Lie(NamedTuple):
    """One window of one liar; ``numbers`` are those of the kind [m]."""

    window: Window
    member: str
    kind: str
    numbers: tuple[float, ...]


class Byzantine:
    """The liars of a run. It remembers what frozen members first said."""

    def __init__(self, text: str, seed: int, members: Sequence[str]) -> None:
        """Read a text.

        Args:
            text: The schedule.
            seed: Seed of the run.
            members: Names of all members.

        Raises:
            ScenarioError: The text is no schedule, or names strangers or unknown kinds.
        """
        self._seed = seed
        self._lies = lies_of(text, members)
        self._frozen: dict[int, State] = {}

    def is_silent(self, now: float) -> bool:
        """Say whether nobody lies at a time [s]."""
        return not any(lie.window.is_open(now) for lie in self._lies)

    def twist(self, member: str, state: State, count: int, now: float) -> State:
        """Return what the others get to hear of a member's words.

        Args:
            member: Who speaks.
            state: The truth.
            count: Which message of the member it is.
            now: When it is said [s].
        """
        for number, lie in enumerate(self._lies):
            if lie.member == member and lie.window.is_open(now):
                state = self._tell(number, lie, state, count)
        return state

    def _tell(self, number: int, lie: Lie, state: State, count: int) -> State:
        if lie.kind == 'frozen':
            return _as_before(state, self._frozen.setdefault(number, state))
        liar, numbers = link_number(lie.member), (*lie.numbers, 0.0, 0.0)
        kind = KIND_NUMBERS[lie.kind]
        place = false_place(kind, state.position, numbers[0], numbers[1], self._seed, liar, count)
        return state._replace(position=place)


def false_place(
    kind: int, position: Vector, a: float, b: float, seed: int, liar: int, count: int
) -> Vector:
    """Return where a liar says that it is [m].

    Args:
        kind: ``OFFSET``, ``SCATTER`` or ``NO_NUMBER``.
        position: Where it is [m].
        a: First number of the lie [m].
        b: Second number of the lie [m].
        seed: Seed of the run.
        liar: Number of the liar on the radio.
        count: Which of its messages it is.
    """
    x, y, z = position
    if kind == OFFSET:
        return x + a, y + b, z
    if kind == SCATTER:
        dx, dy = scatter(seed, liar, count, a)
        return x + dx, y + dy, z
    return math.nan, math.nan, math.nan


def scatter(seed: int, liar: int, count: int, size: float) -> tuple[float, float]:
    """Return by how much a liar moves its place [m], uniform within ``size`` [m] either way.

    Args:
        seed: Seed of the run.
        liar: Number of the liar on the radio.
        count: Which of its messages it is.
        size: Largest move.
    """
    u_x = link_noise(seed, liar, liar, count, OFFSET_X)
    u_y = link_noise(seed, liar, liar, count, OFFSET_Y)
    return size * (2.0 * u_x - 1.0), size * (2.0 * u_y - 1.0)


def _as_before(state: State, first: State) -> State:
    frozen = state._replace(position=first.position, velocity=first.velocity)
    return frozen._replace(u=first.u) if isinstance(state, AgentState) else frozen


KINDS: Mapping[str, tuple[int, str, Callable[[tuple[float, ...]], bool]]] = {
    'frozen': (0, 'frozen', lambda numbers: True),
    'offset': (2, 'offset DX DY', lambda numbers: True),
    'random': (1, 'random S with S at least 0', lambda numbers: numbers[0] >= 0.0),
    'nan': (0, 'nan', lambda numbers: True),
}
"""How many numbers a kind takes, how it is written, and whether its numbers make sense."""


def lies_of(text: str, members: Sequence[str]) -> list[Lie]:
    """Return the lies of a text, in its order.

    Args:
        text: The schedule.
        members: Names of all members.

    Raises:
        ScenarioError: The text is no schedule, or names strangers or unknown kinds.
    """
    return [_lie(window, members) for window in parse_windows(text, NAME)]


def _lie(window: Window, members: Sequence[str]) -> Lie:
    text = ' '.join(window.words)
    if len(window.words) < 2:
        raise refusal(NAME, text, 'must be WHO KIND NUMBERS, as 2 offset 5 -3')
    who, kind, *rest = window.words
    if kind not in KINDS:
        raise refusal(NAME, text, f'has the kind {kind!r}, must be one of {", ".join(KINDS)}')
    count, form, makes_sense = KINDS[kind]
    numbers = tuple(float(word) for word in rest if NUMBER.fullmatch(word))
    sane = len(numbers) == len(rest) == count and makes_sense(numbers)
    if not sane or any(abs(number) > LARGEST_COORDINATE for number in numbers):
        raise refusal(NAME, text, f'must be WHO {form}, numbers in m')
    return Lie(window, to_member(who, members, NAME), kind, numbers)
