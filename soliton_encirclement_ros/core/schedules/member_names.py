"""Names of members in schedules: an agent by its number, ``target``, ``adversary``."""

from collections.abc import Collection

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav_id


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
