"""Groups parameter changes: one update may set the same value in many nodes."""

from collections.abc import Iterable
from typing import NamedTuple

from soliton_encirclement_ros.analysis.recording import ParameterChange, Value

AT_ONCE = 1.0
"""Equal changes within this time [s] are one update."""

MAX_NODES = 3
"""Number of node names in a text."""


class ParameterUpdate(NamedTuple):
    """Change of a parameter in one or more nodes; ``time`` is the first change [s]."""

    time: float
    name: str
    old: Value
    new: Value
    nodes: tuple[str, ...]

    @property
    def text(self) -> str:
        """The change as text, such as ``k_s 1.5 -> 4.0``."""
        return f'{self.name} {value_text(self.old)} -> {value_text(self.new)}'

    @property
    def where(self) -> str:
        """The nodes as text."""
        shown = ', '.join(node.lstrip('/') for node in self.nodes[:MAX_NODES])
        more = len(self.nodes) - MAX_NODES
        return f'{shown} and {more} more' if more > 0 else shown


def grouped_updates(changes: Iterable[ParameterChange]) -> list[ParameterUpdate]:
    """Return the updates in order of time; equal changes of several nodes are one update."""
    found: list[ParameterUpdate] = []
    for change in changes:
        same = [
            i for i, one in enumerate(found)
            if (one.name, one.old, one.new) == (change.name, change.old, change.new)
            and change.time - one.time <= AT_ONCE and change.node not in one.nodes
        ]  # fmt: skip
        if same:
            found[same[-1]] = found[same[-1]]._replace(nodes=(*found[same[-1]].nodes, change.node))
        else:
            found.append(ParameterUpdate(*change[:1], *change[2:], (change.node,)))
    return found


def value_text(value: Value) -> str:
    """Return a value as text, ``?`` if unknown."""
    if value is None:
        return '?'
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value) if isinstance(value, str) else str(value)
