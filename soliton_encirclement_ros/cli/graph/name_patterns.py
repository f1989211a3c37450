"""Who is meant by a name or a pattern, among the names in the graph."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files.name_list import named

NOBODY = 'none is found at all: compare ROS_DOMAIN_ID and the settings of discovery'


def chosen(names: Sequence[str], patterns: Sequence[str], root: str, what: str) -> list[str]:
    """Return the names that somebody means.

    Args:
        names: Full names that exist.
        patterns: Names as ``uav_1/agent`` or ``uav_*/agent`` in the fleet, or with a first slash
            anywhere; a name also means all that is below it.
        root: Namespace of the fleet, without a slash at the end.
        what: What is looked for, in errors.

    Raises:
        RunError: One of them means nobody.
    """
    if missing := unmatched(names, patterns, root):
        hint = f'there are {named(names)}' if names else NOBODY
        raise RunError(f'no {what} is called {missing[0]}: {hint}')
    meant = [one for pattern in patterns for one in _matches(names, _whole(pattern, root))]
    return list(dict.fromkeys(meant))


def unmatched(names: Sequence[str], patterns: Sequence[str], root: str) -> list[str]:
    """Return the full patterns, as of ``chosen``, that mean nobody."""
    full = [_whole(pattern, root) for pattern in patterns]
    return [one for one in full if not _matches(names, one)]


def is_pattern(name: str) -> bool:
    """Return whether a name means several, as ``uav_*``, so that all have to be found."""
    return '*' in name or '?' in name or '[' in name


def _whole(pattern: str, root: str) -> str:
    return pattern if pattern.startswith('/') else f'{root}/{pattern}'


def _matches(names: Sequence[str], pattern: str) -> list[str]:
    return [one for one in names if fnmatchcase(one, pattern) or fnmatchcase(one, f'{pattern}/*')]
