"""Orders as a page sends them, checked before anybody hears of them."""

import json
import math
from typing import NamedTuple

from soliton_encirclement_ros.core.parameters.run_parameters import LARGEST_SEED
from soliton_encirclement_ros.core.stop.stop_words import MEMBER

LONGEST = 64 * 1024
"""Bytes of a message of a page, at most."""

MOST_MEMBERS = 1000


class Verb(NamedTuple):
    """An order that pages may give.

    Attributes:
        command: Words of ``swarm`` that carry it out; empty: it leaves from the page's own node.
        values: How many numbers it has.
        needs_members: Whether it names its members; others are for all without.
        is_flight: Whether one of its kind is under way at a time: it passes a gate.
        takes_fleet: Whether ``--agents`` and ``--scenario`` say who all are.
    """

    command: tuple[str, ...] = ()
    values: int = 0
    needs_members: bool = False
    is_flight: bool = False
    takes_fleet: bool = False


VERBS = {
    'hold': Verb(),
    'land': Verb(),
    'rtl': Verb(),
    'stop': Verb(),
    'check takeoff': Verb(('fly', 'takeoff', '--dry-run'), takes_fleet=True),
    'check engage': Verb(('fly', 'engage', '--dry-run'), takes_fleet=True),
    'takeoff': Verb(('fly', 'takeoff'), is_flight=True, takes_fleet=True),
    'engage': Verb(('fly', 'engage'), is_flight=True, takes_fleet=True),
    'release': Verb(('stop', '--release'), is_flight=True, takes_fleet=True),
    'cancel': Verb(),
    'restart': Verb(values=2),
    'fail': Verb(('fail',), needs_members=True),
    'recover': Verb(('recover',), needs_members=True),
    'pause': Verb(),
    'go on': Verb(),
    'step': Verb(),
    'pace': Verb(values=1),
    'send target': Verb(values=2),
    'let target go': Verb(),
}


class PageOrder(NamedTuple):
    """One order.

    Attributes:
        verb: A key of ``VERBS``.
        members: Whom it is for; empty: all.
        values: Its numbers.
    """

    verb: str
    members: tuple[str, ...] = ()
    values: tuple[float, ...] = ()

    @property
    def in_words(self) -> str:
        """What is ordered."""
        return ' '.join([self.verb, *self.members, *(f'{one:g}' for one in self.values)])


def read_order(text: str) -> PageOrder | None:
    """Return the order in a message of a page, None if it is none.

    Args:
        text: JSON with ``verb``, ``members`` and ``values``.
    """
    try:
        found = json.loads(text)
        if found.keys() != {'verb', 'members', 'values'}:
            return None
        verb, members, values = found['verb'], tuple(found['members']), tuple(found['values'])
        known = VERBS[verb]
        numbers = tuple(map(float, values))
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return None
    named = all(isinstance(one, str) and MEMBER.fullmatch(one) for one in members)
    is_sound = named and len(members) <= MOST_MEMBERS and all(map(math.isfinite, numbers))
    if not is_sound or len(numbers) != known.values or (known.needs_members and not members):
        return None
    if verb == 'restart' and not _can_restart(*numbers):
        return None
    return PageOrder(verb, tuple(dict.fromkeys(members)), numbers)


def _can_restart(agents: float, seed: float) -> bool:
    return 1 <= agents <= MOST_MEMBERS and 0 <= seed <= LARGEST_SEED
