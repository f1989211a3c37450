"""Changes of parameters as people make them: one value for one node, or for many at once."""

from collections.abc import Iterable
from typing import NamedTuple

from soliton_encirclement_ros.analysis.recording import ParameterChange, Value

AT_ONCE = 1.0
"""Nodes that get the same value within this time [s] are taken together."""

MAX_NODES = 3
"""So many names of nodes stand in a line."""


class Tuning(NamedTuple):
    """A parameter that got another value: when first [s], and in which nodes."""

    time: float
    name: str
    old: Value
    new: Value
    nodes: tuple[str, ...]

    @property
    def text(self) -> str:
        """The change as text, such as ``k_s 1.5 -> 4.0``."""
        return f'{self.name} {in_words(self.old)} -> {in_words(self.new)}'

    @property
    def where(self) -> str:
        """The nodes as text."""
        shown = ', '.join(node.lstrip('/') for node in self.nodes[:MAX_NODES])
        more = len(self.nodes) - MAX_NODES
        return f'{shown} and {more} more' if more > 0 else shown


def tunings(changes: Iterable[ParameterChange]) -> list[Tuning]:
    """Return changes in order of time, those of several nodes at once as one."""
    found: list[Tuning] = []
    for change in changes:
        same = [
            i for i, one in enumerate(found)
            if (one.name, one.old, one.new) == (change.name, change.old, change.new)
            and change.time - one.time <= AT_ONCE and change.node not in one.nodes
        ]  # fmt: skip
        if same:
            found[same[-1]] = found[same[-1]]._replace(nodes=(*found[same[-1]].nodes, change.node))
        else:
            found.append(Tuning(*change[:1], *change[2:], (change.node,)))
    return found


def in_words(value: Value) -> str:
    """Return a value as people write it, ``?`` if it is not known."""
    if value is None:
        return '?'
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value) if isinstance(value, str) else str(value)
