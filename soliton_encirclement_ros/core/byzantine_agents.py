"""Byzantine agents: how their states are falsified on the way to the receivers.

They are those of a text such as
``30..60: 2 offset 5 -3; 40..: 4 frozen; 10..20: 5 random 8; 50..55: 6 nan``.

Odometry and the records of the run keep the true values. Sequence numbers continue unchanged.
Kinds:

    frozen        position, velocity and u of the first message inside the window
    offset DX DY  position shifted by (DX, DY) [m]
    random S      position uniform within S [m] of the true one in x and in y, drawn per message
    nan           position is NaN: every receiver refuses the state
    mirrored      position on the other side of the target, velocity as measured
    repeat K      position, velocity and u of the last message of agent K inside the window
    sybil K       its own states are true; mirrored ones are sent in the name of agent K, as long
                  as K itself is silent
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from soliton_encirclement_ros.core.radio_loss_and_delay import OFFSET_X, OFFSET_Y, link_noise
from soliton_encirclement_ros.core.schedules import Window, parse_windows, refusal, to_member
from soliton_encirclement_ros.core.states.swarm_topics import uav_id
from velocity_mobility_ros.core.parameter_declaration import LARGEST_COORDINATE
from velocity_mobility_ros.core.velocity_model import Vector

NAME = 'radio.byzantine'
FROZEN, OFFSET, SCATTER, NO_NUMBER, MIRRORED, REPEAT, SYBIL = range(7)
KIND_NUMBERS = {
    'frozen': FROZEN, 'offset': OFFSET, 'random': SCATTER, 'nan': NO_NUMBER,
    'mirrored': MIRRORED, 'repeat': REPEAT, 'sybil': SYBIL,
}  # fmt: skip
OF_ANOTHER = 'repeat', 'sybil'
"""Kinds whose value is the number of another agent."""

NUMBER = re.compile(r'[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?', re.ASCII)


class ByzantineWindow(NamedTuple):
    """One window of one byzantine agent; ``numbers`` are the values of the kind [m].

    ``other`` is the agent of which the kind says the number, empty for most.
    """

    window: Window
    member: str
    kind: str
    numbers: tuple[float, ...]
    other: str


def mirror(position: Vector, centre: Vector) -> Vector:
    """Return the position [m] on the other side of a centre [m], at the same height."""
    return 2.0 * centre[0] - position[0], 2.0 * centre[1] - position[1], position[2]


def false_place(
    kind: int, position: Vector, centre: Vector, a: float, b: float, seed: int, number: int,
    count: int,
) -> Vector:  # fmt: skip
    """Return the falsified position [m].

    Args:
        kind: ``OFFSET``, ``SCATTER``, ``NO_NUMBER`` or ``MIRRORED``.
        position: The true position [m].
        centre: Where the target is [m].
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
    if kind == MIRRORED:
        return mirror(position, centre)
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


KINDS: Mapping[str, tuple[int, str, Callable[[tuple[float, ...]], bool]]] = {
    'frozen': (0, 'frozen', lambda numbers: True),
    'offset': (2, 'offset DX DY', lambda numbers: True),
    'random': (1, 'random S with S at least 0', lambda numbers: numbers[0] >= 0.0),
    'nan': (0, 'nan', lambda numbers: True),
    'mirrored': (0, 'mirrored', lambda numbers: True),
    'repeat': (1, 'repeat K with the number K of another agent', lambda numbers: True),
    'sybil': (1, 'sybil K with the number K of another agent', lambda numbers: True),
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
    member, other = to_member(who, members, NAME), ''
    if kind in OF_ANOTHER:
        other = to_member(rest[0], members, NAME)
        if other == member or not (uav_id(member) and uav_id(other)):
            raise refusal(NAME, text, f'must be WHO {form}')
        numbers = ()
    return ByzantineWindow(window, member, kind, numbers, other)
