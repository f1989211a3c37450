"""Everything known about one parameter, and how people write it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from velocity_mobility_ros.core.shown import shown


class Declaration(NamedTuple):
    """Everything known about one parameter.

    ``minimum`` and ``maximum`` are inclusive, ``above`` is exclusive. ``optional`` allows None
    in every spelling that ``is_missing`` knows. ``runtime`` allows a change while the node runs;
    ``fixed`` says why not, where it is not plain that a value is read once. ``only_with`` names
    other parameters and the values of them without which this one changes nothing.
    """

    name: str
    kind: type
    default: Any
    meaning: str
    unit: str
    minimum: float | None
    maximum: float | None
    above: float | None
    choices: tuple[str, ...]
    optional: bool
    runtime: bool
    fixed: str
    only_with: Mapping[str, Any]

    @property
    def bound(self) -> str:
        """The allowed range in words, with its unit."""
        if self.choices:
            return 'one of ' + ', '.join(self.choices)
        if self.kind in (bool, str):
            return 'true or false' if self.kind is bool else 'any text'
        limits = (('above', self.above), ('at least', self.minimum), ('at most', self.maximum))
        parts = [f'{word} {_plain(limit)}' for word, limit in limits if limit is not None]
        return f'{" and ".join(parts) or "any number"} {self.unit}'.strip()

    @property
    def constraints(self) -> str:
        """The allowed range, when it counts, and why it cannot change while the node runs."""
        parts = [self.bound]
        if self.only_with:
            needed = (assigned(*pair) for pair in self.only_with.items())
            parts.append(f'only with {" and ".join(needed)}')
        if not self.runtime:
            parts.append(self.fixed or 'read at start')
        return '; '.join(parts)


def assigned(name: str, value: Any) -> str:
    """Return a parameter with a value, as people write it."""
    return f'{name} = {str(value).lower() if isinstance(value, bool) else shown(value)}'


def _plain(limit: float) -> str:
    return str(limit) if isinstance(limit, int) else f'{limit:g}'
