"""Who is meant by a name or a pattern, among the names in the graph."""

from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files.name_list import named

NOBODY = 'none is found at all: compare ROS_DOMAIN_ID and the settings of discovery'


class AbsentError(RunError):
    """Somebody who is named is not there."""


def chosen(names: Sequence[str], patterns: Sequence[str], root: str, what: str) -> list[str]:
    """Return the names that somebody means.

    Args:
        names: Full names that exist.
        patterns: Names as ``uav_1/agent`` or ``uav_*/agent`` in the fleet, or with a first slash
            anywhere; a name also means all that is below it.
        root: Namespace of the fleet, without a slash at the end.
        what: What is looked for, in errors.

    Raises:
        AbsentError: One of them means nobody.
    """
    if missing := unmatched(names, patterns, root):
        hint = f'there are {named(names)}' if names else NOBODY
        raise AbsentError(f'no {what} is called {named(missing)}: {hint}')
    meant = [one for pattern in patterns for one in _matches(names, _whole(pattern, root))]
    return list(dict.fromkeys(meant))


def unmatched(names: Sequence[str], patterns: Sequence[str], root: str) -> list[str]:
    """Return the full patterns, as of ``chosen``, that mean nobody."""
    full = [_whole(pattern, root) for pattern in patterns]
    return [one for one in full if not _matches(names, one)]


def are_said(names: Collection[str], patterns: Sequence[str], root: str) -> bool:
    """Return whether each pattern is the full name of one that is found: it means that alone.

    Args:
        names: Full names that are found; none is below another one.
        patterns: As of ``chosen``.
        root: As of ``chosen``.
    """
    return bool(patterns) and all(_whole(pattern, root) in names for pattern in patterns)


def absent(
    names: Sequence[str], patterns: Sequence[str], root: str, members: Sequence[str],
    kinds: Collection[str],
) -> list[str]:
    """Return the members that patterns mean, and of which no name is found.

    A pattern for all members says nothing of who there is; what it misses is not seen otherwise.

    Args:
        names: Full names that are found.
        patterns: As of ``chosen``.
        root: As of ``chosen``.
        members: Namespaces of all members of the fleet, with the first slash.
        kinds: Names of the nodes that make a member: it has at least one of them.
    """
    found = []
    for pattern in (_whole(one, root) for one in patterns):
        member_part, *rest = pattern.removeprefix(f'{root}/').split('/', 1)
        if rest and not any(fnmatchcase(kind, rest[0]) for kind in kinds):
            continue  # such as a bridge, which not every member has
        for member in members:
            own = {member, *(f'{member}/{kind}' for kind in kinds)}
            if fnmatchcase(member, f'{root}/{member_part}') and own.isdisjoint(names):
                found.append(member)
    return sorted(set(found))


def is_pattern(name: str) -> bool:
    """Return whether a name means several, as ``uav_*``."""
    return '*' in name or '?' in name or '[' in name


def _whole(pattern: str, root: str) -> str:
    return pattern if pattern.startswith('/') else f'{root}/{pattern}'


def _matches(names: Sequence[str], pattern: str) -> list[str]:
    return [one for one in names if fnmatchcase(one, pattern) or fnmatchcase(one, f'{pattern}/*')]
