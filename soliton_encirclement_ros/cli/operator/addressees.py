"""The addressees of an order, by names, patterns, a number or a scenario, and their reports.

Members report about the emergency stop, so that it is known who has not confirmed an order yet.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple, Optional

import typer

from soliton_encirclement_ros.cli.options import TEXT, Count
from soliton_encirclement_ros.core.emergency_stop import EVERYBODY, MEMBER, StopOrder
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import named, named as named_list
from soliton_encirclement_ros.core.states.swarm_topics import (
    MEMBERS, MEMBERS_HEARD, MORE_MEMBERS, ODOM_TWIST, ODOM_TWIST_WRONG, STOP_STAMP, STOPPED, uav
)

if TYPE_CHECKING:
    from soliton_encirclement_ros.core.scenario.scenario import Scenario


NAMESPACE = typer.Option('', help='Namespace of the fleet.')
AGENTS = typer.Option(
    None, click_type=Count(min=1, max=1000), help='Number N of vehicles: uav_1 to uav_N.'
)
SCENARIO = typer.Option(
    None, click_type=TEXT, help='Scenario: its agents are expected, its separation distance holds.'
)


class Addressees(NamedTuple):
    """The vehicles that an order addresses.

    Attributes:
        named: Vehicles that he names one by one: an order is for them alone; empty: for all.
        expected: Vehicles that an answer has to come from; empty: the fleet, as it says itself.
    """

    named: tuple[str, ...] = ()
    expected: tuple[str, ...] = ()


WHOLE_SWARM = Addressees()


def parse_addressees(
    names: Optional[Sequence[str]] = None, agents: Optional[int] = None,
    scenario: Optional[str] = None,
) -> Addressees:  # fmt: skip
    """Return the addressees of an order, and whose confirmations it waits for.

    Args:
        names: Names that were given.
        agents: A number of agents that was given.
        scenario: Name or path of a scenario that was given.

    Raises:
        RunError: A name is invalid, the two contradict each other, or both numbers are given.
    """
    if agents is not None and scenario is not None:
        raise RunError('--agents and --scenario both say who there is: give one of them')
    for name in names or ():
        if not MEMBER.fullmatch(name):
            raise RunError(f'VEHICLE = {name[:40]!r} must be a name such as uav_3')
    expected = tuple(map(uav, _agent_ids(agents, scenario)))
    named = tuple(dict.fromkeys(names or ()))
    unknown = [name for name in named if expected and name not in expected]
    if unknown:
        source = f'--agents {agents}' if agents is not None else f'scenario {scenario!r}'
        raise RunError(f'{unknown[0]} is none of the vehicles of {source}: {named_list(expected)}')
    return Addressees(named, expected)


def _agent_ids(agents: Optional[int], scenario: Optional[str]) -> Sequence[int]:
    if agents is not None:
        return range(1, agents + 1)
    loaded = load_given_scenario(scenario)
    return () if loaded is None else loaded.agent_ids


def load_given_scenario(name: Optional[str]) -> 'Optional[Scenario]':
    """Return a scenario by name or path, None without a name."""
    if name is None:
        return None
    from soliton_encirclement_ros.core.scenario.scenario import load_scenario
    from soliton_encirclement_ros.core.scenario.user_files import find_scenario

    return load_scenario(find_scenario(name))


NOBODY = 'none is found at all: compare ROS_DOMAIN_ID and the settings of discovery'


class NoMatchError(RunError):
    """A name matches nothing that is found."""


def match_names(names: Sequence[str], patterns: Sequence[str], root: str, what: str) -> list[str]:
    """Return the names that match patterns.

    Args:
        names: Full names that exist.
        patterns: Names as ``uav_1/agent`` or ``uav_*/agent`` in the fleet, or with a first slash
            anywhere; a name also means all that is below it.
        root: Namespace of the fleet, without a slash at the end.
        what: What is looked for, in errors.

    Raises:
        NoMatchError: A pattern matches nothing.
    """
    if missing := unmatched_patterns(names, patterns, root):
        hint = f'there are {named(names)}' if names else NOBODY
        raise NoMatchError(f'no {what} is called {named(missing)}: {hint}')
    full = [_full_pattern(pattern, root) for pattern in patterns]
    return list(dict.fromkeys(name for pattern in full for name in _matches(names, pattern)))


def unmatched_patterns(names: Sequence[str], patterns: Sequence[str], root: str) -> list[str]:
    """Return the full patterns, as of ``match_names``, that match nothing."""
    full = [_full_pattern(pattern, root) for pattern in patterns]
    return [pattern for pattern in full if not _matches(names, pattern)]


def are_full_names(names: Collection[str], patterns: Sequence[str], root: str) -> bool:
    """Return whether each pattern is the full name of one that is found, and so matches it alone.

    Args:
        names: Full names that are found; none is below another one.
        patterns: As of ``match_names``.
        root: As of ``match_names``.
    """
    return bool(patterns) and all(_full_pattern(pattern, root) in names for pattern in patterns)


def missing_members(
    names: Sequence[str], patterns: Sequence[str], root: str, members: Sequence[str],
    kinds: Collection[str],
) -> list[str]:
    """Return the members that patterns match, and of which no name is found.

    A pattern for all members does not show that one is missing; this does.

    Args:
        names: Full names that are found.
        patterns: As of ``match_names``.
        root: As of ``match_names``.
        members: Namespaces of all members of the fleet, with the first slash.
        kinds: Names of the nodes that make a member: it has at least one of them.
    """
    missing = []
    for pattern in (_full_pattern(name, root) for name in patterns):
        member_part, *node_part = pattern.removeprefix(f'{root}/').split('/', 1)
        if node_part and not any(fnmatchcase(kind, node_part[0]) for kind in kinds):
            continue  # such as a bridge, which not every member has
        for member in members:
            own = {member, *(f'{member}/{kind}' for kind in kinds)}
            if fnmatchcase(member, f'{root}/{member_part}') and own.isdisjoint(names):
                missing.append(member)
    return sorted(set(missing))


def is_pattern(name: str) -> bool:
    """Return whether a name is a pattern, as ``uav_*``."""
    return '*' in name or '?' in name or '[' in name


def _full_pattern(pattern: str, root: str) -> str:
    return pattern if pattern.startswith('/') else f'{root}/{pattern}'


def _matches(names: Sequence[str], pattern: str) -> list[str]:
    return [
        name for name in names if fnmatchcase(name, pattern) or fnmatchcase(name, f'{pattern}/*')
    ]


HEARTBEATS = 'operator_heartbeats'
FENCE = 'fence_distance_m'


class MemberReport(NamedTuple):
    """The last status of a member.

    Attributes:
        stopped: Whether it is stopped.
        stamp_ns: Stamp [ns] of the newest order that it has heard.
        heartbeats: How many operators it watches.
        text: Its faults, worst first.
        heard: Short names of the members that it has heard lately.
        evades: Whom its separation filter keeps away from, as text; empty: nobody.
        fence: How far inside its fence it is [m]; negative: outside; infinite: no fence is known.
        has_wrong_twist: Whether it has seen that its odometry's twist is in another frame.
    """

    stopped: bool
    stamp_ns: int
    heartbeats: int
    text: str
    heard: frozenset[str] = frozenset()
    evades: str = ''
    fence: float = math.inf
    has_wrong_twist: bool = False

    @property
    def stop_text(self) -> str:
        """Why it is stopped, as text; empty if it is not."""
        return self.text.partition(';')[0][:MAX_TEXT] if self.stopped else ''


Reports = Mapping[str, MemberReport]
"""By namespace of the member, without the first slash."""


MAX_TEXT = 120
"""Characters of a fault that are shown."""

EVADES_FROM = 0.1
"""Share of changed commands from which on a member is said to evade."""


def member_report(values: Mapping[str, str], text: str) -> MemberReport | None:
    """Return the report in the key values of a status, None if it has none or invalid ones."""
    try:
        stopped = {'true': True, 'false': False}[values[STOPPED]]
        stamp_ns, heartbeats = int(values[STOP_STAMP]), int(values[HEARTBEATS])
    except (KeyError, ValueError):
        return None
    heard, fence = members_named(values, MEMBERS_HEARD), number_in(values, FENCE, math.inf)
    is_wrong = values.get(ODOM_TWIST) == ODOM_TWIST_WRONG
    evades = _evades(values)
    return MemberReport(stopped, stamp_ns, heartbeats, text, heard, evades, fence, is_wrong)


def members_named(values: Mapping[str, str], key: str = MEMBERS) -> frozenset[str]:
    """Return the short names in a list of members of a status, MORE_MEMBERS if it is cut."""
    names = map(str.strip, values.get(key, '').split(','))
    return frozenset(name for name in names if MEMBER.fullmatch(name) or name == MORE_MEMBERS)


def number_in(values: Mapping[str, str], key: str, unknown: float) -> float:
    """Return a number of a status, ``unknown`` if it is missing, none, or not finite."""
    try:
        value = float(values.get(key, ''))
    except ValueError:
        return unknown
    return value if math.isfinite(value) else unknown


def _evades(values: Mapping[str, str]) -> str:
    share = number_in(values, 'filter_share', 0.0)
    if not share >= EVADES_FROM:
        return ''
    whom = values.get('filter_last_pusher') or values.get('filter_last_reason', '')
    return f'keeps away from {whom[:MAX_TEXT]} ({100.0 * share:.0f} % of its commands)'


def short_name(member: str) -> str:
    """Return the name of a member in its fleet."""
    return member.rpartition('/')[2]


def members_in_scope(members: Iterable[str], scope: str) -> list[str]:
    """Return the members that an order is for."""
    return [member for member in members if scope in (EVERYBODY, short_name(member))]


def is_confirmed(report: MemberReport | None, order: StopOrder) -> bool:
    """Return whether a member has heard an order and obeys."""
    if report is None:
        return False
    return report.stamp_ns >= order.stamp_ns and report.stopped == order.stop


def is_final(report: MemberReport | None, order: StopOrder) -> bool:
    """Return whether a member has confirmed an order, or heard it and is stopped by another."""
    if report is None:
        return False
    return report.stamp_ns >= order.stamp_ns and (report.stopped or not order.stop)


def refusing_stamp_ns(reports: Iterable[MemberReport], order: StopOrder) -> int:
    """Return the newest stamp [ns] by which a member refuses an order to stop, 0 if none does.

    It was given by a clock that is ahead of that of the order.
    """
    refusing = (report.stamp_ns for report in reports if order.stop and not report.stopped)
    return max((stamp for stamp in refusing if stamp >= order.stamp_ns), default=0)


def unconfirmed_reason(report: MemberReport | None, order: StopOrder) -> str:
    """Return as text why a member has not confirmed an order."""
    if report is None:
        return 'no diagnostics'
    if report.stamp_ns < order.stamp_ns:
        return 'has not heard the order'
    return report.stop_text if report.stopped else 'flies by a newer order'
