"""Byzantine agents: ``30..60: 2 offset 5 -3; 40..: 4 frozen; 10..20: 5 random 8; 50..55: 6 nan``.

A member's states are falsified on their way to the receivers; its odometry and the records of
the run keep the true values. Sequence numbers continue unchanged. Kinds:

    frozen        position, velocity and u of the first message inside the window
    offset DX DY  position shifted by (DX, DY) [m]
    random S      position uniform within S [m] of the true one in x and in y, drawn per message
    nan           position is NaN: every receiver refuses the state
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from velocity_mobility_ros.core.parameter_declaration import LARGEST_COORDINATE
from velocity_mobility_ros.core.velocity_model import Vector

from soliton_encirclement_ros.core.radio.link_noise import OFFSET_X, OFFSET_Y, link_noise
from soliton_encirclement_ros.core.radio.links import link_number
from soliton_encirclement_ros.core.schedules.member_names import to_member
from soliton_encirclement_ros.core.schedules.windows import Window, parse_windows, refusal
from soliton_encirclement_ros.core.states.states import AgentState, State

NAME = 'radio.byzantine'
FROZEN, OFFSET, SCATTER, NO_NUMBER = range(4)
KIND_NUMBERS = {'frozen': FROZEN, 'offset': OFFSET, 'random': SCATTER, 'nan': NO_NUMBER}
NUMBER = re.compile(r'[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?', re.ASCII)


class ByzantineWindow(NamedTuple):
    """One window of one byzantine agent; ``numbers`` are the values of the kind [m]."""

    window: Window
    member: str
    kind: str
    numbers: tuple[float, ...]


class Byzantine:
    """The byzantine agents of a run. It keeps the first state of frozen members."""

    def __init__(self, text: str, seed: int, members: Sequence[str]) -> None:
        """Read a text.

        Args:
            text: The schedule.
            seed: Seed of the run.
            members: Names of all members.

        Raises:
            ScenarioError: The text is not a schedule, or names unknown members or kinds.
        """
        self._seed = seed
        self._windows = byzantine_windows(text, members)
        self._frozen: dict[int, State] = {}

    def is_silent(self, now: float) -> bool:
        """Return whether no state is falsified at a time [s]."""
        return not any(window.window.is_open(now) for window in self._windows)

    def falsify(self, member: str, state: State, count: int, now: float) -> State:
        """Return the state that the receivers get from a member.

        Args:
            member: The sender.
            state: The true state.
            count: Which message of the member it is.
            now: When it is sent [s].
        """
        for number, window in enumerate(self._windows):
            if window.member == member and window.window.is_open(now):
                state = self._falsified(number, window, state, count)
        return state

    def _falsified(self, number: int, window: ByzantineWindow, state: State, count: int) -> State:
        if window.kind == 'frozen':
            return _as_before(state, self._frozen.setdefault(number, state))
        sender, numbers = link_number(window.member), (*window.numbers, 0.0, 0.0)
        kind = KIND_NUMBERS[window.kind]
        place = false_place(
            kind, state.position, numbers[0], numbers[1], self._seed, sender, count
        )
        return state._replace(position=place)


def false_place(
    kind: int, position: Vector, a: float, b: float, seed: int, number: int, count: int
) -> Vector:
    """Return the falsified position [m].

    Args:
        kind: ``OFFSET``, ``SCATTER`` or ``NO_NUMBER``.
        position: The true position [m].
        a: First value of the falsification [m].
        b: Second value of the falsification [m].
        seed: Seed of the run.
        number: Number of the byzantine agent on the radio.
        count: Which of its messages it is.
    """
    x, y, z = position
    if kind == OFFSET:
        return x + a, y + b, z
    if kind == SCATTER:
        dx, dy = scatter(seed, number, count, a)
        return x + dx, y + dy, z
    return math.nan, math.nan, math.nan


def scatter(seed: int, number: int, count: int, size: float) -> tuple[float, float]:
    """Return the position offset of a byzantine agent [m], uniform within ``size`` [m].

    Args:
        seed: Seed of the run.
        number: Number of the byzantine agent on the radio.
        count: Which of its messages it is.
        size: Largest offset.
    """
    u_x = link_noise(seed, number, number, count, OFFSET_X)
    u_y = link_noise(seed, number, number, count, OFFSET_Y)
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
"""Number of values of a kind, its syntax, and whether its values are valid."""


def byzantine_windows(text: str, members: Sequence[str]) -> list[ByzantineWindow]:
    """Return the falsifications of a text, in its order.

    Args:
        text: The schedule.
        members: Names of all members.

    Raises:
        ScenarioError: The text is not a schedule, or names unknown members or kinds.
    """
    return [_byzantine_window(window, members) for window in parse_windows(text, NAME)]


def _byzantine_window(window: Window, members: Sequence[str]) -> ByzantineWindow:
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
    return ByzantineWindow(window, to_member(who, members, NAME), kind, numbers)
