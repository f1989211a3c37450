"""Schedules: windows of time, periodic events, outages, and the members that they name.

All schedules have one grammar: ``20..40: 1 2 3 | 4 5; 60..: 2``.

Windows are separated by ``;``. Each has BEGIN..END [s] since the start of the run and, after a
colon, its words; without END it stays open forever. Begin is inclusive, end exclusive.

Members are agents by their number, ``target`` and ``adversary``. Scheduled outages are such as
``40..48: 3; 0..30: 7 8``; a late joiner is down from 0 on. Periodic events are computed by
counting and not by summing up periods. Files of single members are those of target and adversary
by name, and of agents by a text such as ``iris: 2 3; x500: 5``.
"""

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav, uav_id
from velocity_mobility_ros.core.user_errors import cut, shown

ROUNDING = 1e-9
"""Tolerance [s] for the rounding of times."""


def firings(now: float, start: float, period: float) -> int:
    """Return how many of the times ``start + n period``, n = 1, 2, ... have passed.

    Args:
        now: Time [s]; before the start the count is negative.
        start: When the first period begins [s].
        period: Time between two firings [s].
    """
    return int((now - start + ROUNDING) // period)


class Periodic(NamedTuple):
    """An event at ``start + n period``, n = 1, 2, ..., and how often it has fired.

    Times are small numbers of seconds (since the start of a run), not seconds since 1970, whose
    rounding exceeds the slack.
    """

    start: float
    fired: int


def due(periodic: Periodic, now: float, period: float) -> int:
    """Return how many firing times have passed that were not counted yet.

    Args:
        periodic: Start, and number of firings counted.
        now: Time [s].
        period: Time between two firings [s].
    """
    return max(0, firings(now, periodic.start, period) - periodic.fired)


def counted(periodic: Periodic, fired: int) -> Periodic:
    """Return the state after some more firing times were counted."""
    return Periodic(periodic.start, periodic.fired + fired)


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
        text: The user's text; one ``;`` at its very end is allowed.
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
        reason: The error and the remedy.
    """
    return ScenarioError(f'{name}: {cut(text)!r} {reason}')


def _window(piece: str, name: str) -> Window:
    span, colon, selection = piece.partition(':')
    first, dots, last = span.strip().partition('..')
    if not (colon and dots):
        raise refusal(name, piece, 'must be BEGIN..END: WORDS, times in s, windows parted by ;')
    begin = _time(first, piece, name)
    end = _time(last, piece, name) if last.strip() else math.inf
    if end <= begin:
        raise refusal(name, piece, f'ends at {end:g} s, which must be after its begin {begin:g} s')
    words = tuple(selection.replace(BAR, f' {BAR} ').split())
    if not words:
        raise refusal(name, piece, 'says nothing after the colon')
    return Window(begin, end, words)


def _time(text: str, piece: str, name: str) -> float:
    if not NUMBER.fullmatch(text.strip()) or not math.isfinite(float(text)):
        reason = f'has {text.strip()[:20]!r} where a time in s, at least 0, must be'
        raise refusal(name, piece, reason)
    return float(text)


def to_member(word: str, members: Collection[str], name: str) -> str:
    """Return the member that a word stands for: ``uav_3`` for ``3``.

    Args:
        word: The word.
        members: Members that may be named.
        name: The parameter, named in errors.

    Raises:
        ScenarioError: The word names no member.
    """
    member = word if word in (TARGET, ADVERSARY) else f'uav_{word}'
    if member in members:
        return member
    numbers = [k for k in map(uav_id, members) if k is not None]
    known = [f'the agents {min(numbers)} to {max(numbers)}'] if numbers else []
    known += [other for other in (TARGET, ADVERSARY) if other in members]
    raise ScenarioError(f'{name}: {word[:40]!r} names no member; there are {", ".join(known)}')


NAME = 'failure.failure_schedule'


def check_schedule(text: str, agents: Collection[str] | None = None) -> None:
    """Check the agents named in a schedule.

    Args:
        text: The schedule.
        agents: Names of the existing agents; None: not known, a word may be any number.

    Raises:
        ScenarioError: The text is not a schedule, or names another member.
    """
    for window in parse_windows(text, NAME):
        for word in window.words:
            if agents is not None:
                to_member(word, agents, NAME)
            elif not uav_id(f'uav_{word}'):
                raise ScenarioError(f"{NAME}: {word[:40]!r} must be an agent's number, as 3")
            if window.words.count(word) > 1:
                raise ScenarioError(f'{NAME}: {word!r} is named twice in one window')


def outages(text: str, agent_id: int) -> tuple[Window, ...]:
    """Return when one agent is down.

    Raises:
        ScenarioError: The text is not a schedule.
    """
    name = uav(agent_id)
    return tuple(
        window
        for window in parse_windows(text, NAME)
        if name in [f'uav_{word}' for word in window.words]
    )


class MemberFiles(NamedTuple):
    """The parameters of a section that give files to single members.

    Those of target and adversary name a file, that of the agents is a text such as
    ``iris: 2 3; x500: 5``.

    Attributes:
        section: The section.
        kind: Kind of the files; parameters are ``target_KIND``, ``adversary_KIND`` and
            ``agent_KINDs``.
        example: A valid part of a text.
    """

    section: str
    kind: str
    example: str

    def parameter_of(self, member: str) -> str:
        """Return the parameter that gives a member its file."""
        is_agent = member not in (TARGET, ADVERSARY)
        return f'{self.section}.{f"agent_{self.kind}s" if is_agent else f"{member}_{self.kind}"}'

    def by_agents(self, text: str) -> dict[str, list[str]]:
        """Return numbers of agents by file.

        Raises:
            ScenarioError: The text is not understood.
        """
        agents: dict[str, list[str]] = {}
        for part in filter(None, map(str.strip, text.split(';'))):
            file, colon, words = part.rpartition(':')
            if not (colon and file.strip() and words.split()):
                raise ScenarioError(
                    f'{self.parameter_of("")}: {shown(part)} must be a {self.kind} file, a colon '
                    f'and numbers of agents, such as {self.example}'
                )
            agents.setdefault(file.strip(), []).extend(words.split())
        return agents

    def names(self, choices: Any) -> list[str]:
        """Return all files of a section."""
        own = (getattr(choices, f'{name}_{self.kind}').strip() for name in (TARGET, ADVERSARY))
        return [*filter(None, own), *self.by_agents(getattr(choices, f'agent_{self.kind}s'))]

    def chosen(self, choices: Any, members: Sequence[str]) -> dict[str, str]:
        """Return the files by member.

        Raises:
            ScenarioError: A text is not understood, there is no such member, or one has two files.
        """
        others = {member: getattr(choices, f'{member}_{self.kind}').strip() for member in members
                  if member in (TARGET, ADVERSARY)}  # fmt: skip
        files = {member: name for member, name in others.items() if name}
        where = self.parameter_of('')
        for name, words in self.by_agents(getattr(choices, f'agent_{self.kind}s')).items():
            for word in words:
                member = to_member(word, members, where)
                if member in files:
                    raise ScenarioError(f'{where}: {member} has two {self.kind}s; give it one')
                files[member] = name
        return files

    def with_absolute(
        self, values: Mapping[str, Any], absolute: Callable[[str], str]
    ) -> dict[str, Any]:
        """Return the values of the section with absolute paths of the files in a folder.

        Invalid values are returned unchanged, to be refused later.

        Args:
            values: The values by key.
            absolute: Returns the absolute path of a file in the folder, any other name unchanged.
        """
        changed = dict(values)
        for key in (f'target_{self.kind}', f'adversary_{self.kind}'):
            if isinstance(values.get(key), str):
                changed[key] = absolute(values[key])
        agents = values.get(f'agent_{self.kind}s')
        if isinstance(agents, str):
            choices = [choice.rpartition(':') for choice in agents.split(';')]
            changed[f'agent_{self.kind}s'] = ';'.join(
                f'{absolute(name.strip())}{colon}{words}' for name, colon, words in choices
            )
        return changed


VEHICLE_FILES = MemberFiles('vehicles', 'vehicle', 'iris: 2 3')
PATH_FILES = MemberFiles('paths', 'path', 'survey.csv: 2 3')
