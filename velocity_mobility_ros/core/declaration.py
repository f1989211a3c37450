"""Declaration of a parameter, and its allowed range as text."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from velocity_mobility_ros.core.shown import shown


class Declaration(NamedTuple):
    """Declaration of one parameter.

    ``minimum`` and ``maximum`` are inclusive, ``above`` is exclusive. ``optional`` allows None
    in every spelling that ``is_missing`` accepts. ``runtime`` allows a change while the node runs;
    ``fixed`` is the reason why not, if reading it once at start is not reason enough.
    ``only_with`` maps other parameters to the values without which this one has no effect,
    ``not_with`` to those with which it has none.
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
    not_with: Mapping[str, Any]

    @property
    def bound(self) -> str:
        """The allowed range as text, with its unit."""
        if self.choices:
            return 'one of ' + ', '.join(self.choices)
        if self.kind in (bool, str):
            return 'true or false' if self.kind is bool else 'any text'
        limits = (('above', self.above), ('at least', self.minimum), ('at most', self.maximum))
        parts = [f'{relation} {_plain(limit)}' for relation, limit in limits if limit is not None]
        return f'{" and ".join(parts) or "any number"} {self.unit}'.strip()

    @property
    def constraints(self) -> str:
        """The allowed range, its preconditions, and why it cannot change while the node runs."""
        parts = [self.bound]
        if self.only_with:
            needed = (assigned(*pair) for pair in self.only_with.items())
            parts.append(f'only with {" and ".join(needed)}')
        if self.not_with:
            refused = (assigned(*pair) for pair in self.not_with.items())
            parts.append(f'not with {" or ".join(refused)}')
        if not self.runtime:
            parts.append(self.fixed or 'read at start')
        return '; '.join(parts)


def assigned(name: str, value: Any) -> str:
    """Return ``name = value`` as text."""
    return f'{name} = {str(value).lower() if isinstance(value, bool) else shown(value)}'


def _plain(limit: float) -> str:
    return str(limit) if isinstance(limit, int) else f'{limit:g}'
