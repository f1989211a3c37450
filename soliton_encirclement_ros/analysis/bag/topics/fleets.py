"""Several fleets in one bag, each in its own namespace: detection and selection."""

from collections.abc import Iterable, Iterator, Sequence

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.states.swarm_topics import (
    ADVERSARY_STATE,
    AGENT_STATES,
    CLOCK,
    DIAGNOSTICS,
    METRICS,
    PARAMETER_EVENTS,
    ROOT,
    SWARM,
    TARGET_STATE,
    Fleet,
    named_fleet,
)

JOINT_STATE, CLOCK_TYPE = 'sensor_msgs/msg/JointState', 'rosgraph_msgs/msg/Clock'

SIGNS = (AGENT_STATES, TARGET_STATE, ADVERSARY_STATE, METRICS)
"""Topics that identify a fleet, by the names that they have in its namespace."""

OF_ALL = (DIAGNOSTICS, PARAMETER_EVENTS)
"""Topics that all fleets share, also one at the root, in whose namespace they are."""


def fleets(keys: Iterable[tuple[str, str]]) -> list[Fleet]:
    """Return the fleets with topics in a list of names and types: at the root first."""
    return sorted({Fleet(topic[: -len(sign) - 1]) for topic, sign in _signs(keys)})


def may_be_shared(topic: str, type_name: str) -> bool:
    """Return whether a topic is a fleet's own, if there is a fleet in its namespace."""
    clock = type_name == CLOCK_TYPE and topic.endswith(f'/{CLOCK}')
    return clock or any(_signs([(topic, type_name)]))


def choose(found: Sequence[Fleet], namespace: str | None) -> Fleet:
    """Return the requested fleet, by default the first; at the root if there is none.

    Raises:
        RunError: There is no such fleet.
        ParameterError: The text is not a valid namespace.
    """
    if namespace is None:
        return found[0] if found else ROOT
    fleet = named_fleet(namespace, '--namespace')
    if fleet not in found:
        raise RunError(f'--namespace {namespace}: the bag holds {_others(found)}')
    return fleet


def in_words(found: Sequence[Fleet], fleet: Fleet) -> str:
    """Return the fleets in the bag, and which of them is used."""
    return (
        f'the bag holds {len(found)} fleets, in {_listed(found)}; only the one in '
        f'{fleet.namespace_of("")} is looked at; --namespace chooses another'
    )


def is_of(topic: str, fleet: Fleet, found: Sequence[Fleet]) -> bool:
    """Return whether a topic is of a fleet, or of none; of nested namespaces the innermost."""
    if topic in OF_ALL:
        return True
    owners = [one for one in found if one.has(topic)]
    return not owners or max(owners, key=lambda one: len(one.namespace)) == fleet


def has_node(node: str, fleet: Fleet, found: Sequence[Fleet]) -> bool:
    """Return whether a node, by its full name, is of a fleet; for topics that all fleets share."""
    return fleet.has(node) and is_of(node, fleet, found)


def _signs(keys: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Iterate over the topics that identify a fleet, with their names within its namespace."""
    for topic, type_name in keys:
        own = SWARM + topic.rpartition(f'/{SWARM}')[2]
        if type_name == JOINT_STATE and own in SIGNS and topic.endswith(f'/{own}'):
            yield topic, own


def _others(found: Sequence[Fleet]) -> str:
    """Return which fleets there are instead of the requested one."""
    if not found:
        return 'no fleet, in any namespace: leave --namespace out'
    if list(found) == [ROOT]:
        return 'one fleet, without a namespace: leave --namespace out'
    return f'{"fleets" if len(found) > 1 else "one fleet"}, in {_listed(found)}'


def _listed(found: Sequence[Fleet]) -> str:
    return ', '.join(fleet.namespace_of('') for fleet in found)
