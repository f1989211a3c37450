"""Parameter changes while a bag was recorded, from ``/parameter_events``.

A node announces a parameter as new when it declares it, and as changed whenever it gets another
value. The value before a change is the last that the bag holds, else that of the scenario.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from velocity_mobility_ros.core.parameter_declaration import declarations

from soliton_encirclement_ros.analysis.bag.bag_clock import SECOND, Clock
from soliton_encirclement_ros.analysis.bag.decoding.field_layout import (
    FieldLayout,
    LayoutError,
    Types,
    layout_of,
)
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import MessageBatch
from soliton_encirclement_ros.analysis.recording import ParameterChange, Value
from soliton_encirclement_ros.core.scenario.scenario import SECTIONS, Scenario

PARAMETER_EVENT = 'rcl_interfaces/msg/ParameterEvent'

MAX_EVENTS = 100_000
"""Maximum number of decoded messages: a busy domain may have very many."""

STRING, STRINGS = 4, 9
NUMBERS = {
    1: ('bool_value', bool), 2: ('integer_value', int), 3: ('double_value', float),
}  # fmt: skip
LISTS = {
    5: ('byte_array_value', int), 6: ('bool_array_value', bool),
    7: ('integer_array_value', int), 8: ('double_array_value', float),
}  # fmt: skip
"""Position of a value by its type number, as in rcl_interfaces/ParameterType."""


class ParameterValue(NamedTuple):
    """One parameter of a message that was logged at a time [ns]."""

    logged: int
    node: str
    name: str
    value: Value
    is_change: bool


class ParameterEvents:
    """Takes all messages of the type."""

    def __init__(self, types: Types) -> None:
        """Begin with none."""
        self._types = types
        self._values: list[ParameterValue] = []
        self._count = self._odd = 0

    def add(self, batch: MessageBatch) -> None:
        """Take a batch."""
        for logged, start, size in zip(batch.logged, batch.starts, batch.sizes, strict=True):
            self._count += 1
            if self._count > MAX_EVENTS:
                continue
            data = batch.buffer[start : start + size].tobytes()
            try:
                layout = layout_of(self._types.known, PARAMETER_EVENT, data)
                self._values.extend(_values(int(logged), data, layout))
            except (LayoutError, KeyError):
                self._odd += 1

    def problems(self) -> list[str]:
        """Return a line for the messages that were not decoded."""
        found = []
        if self._odd:
            found.append(f'{self._odd} of {self._count} parameter events are damaged: left out')
        if self._count > MAX_EVENTS:
            found.append(f'{self._count} parameter events: only the first {MAX_EVENTS} are read')
        return found

    def changes(
        self, clock: Clock, start_ns: int, scenario: Scenario | None
    ) -> tuple[ParameterChange, ...]:
        """Return all changes in order of time.

        Args:
            clock: The clock of the recording.
            start_ns: Its time 0 [ns].
            scenario: The scenario, None if unknown.
        """
        in_order = sorted(self._values, key=lambda one: one.logged)
        known: dict[tuple[str, str], Value] = {}
        found = []
        for one in in_order:
            key = one.node, one.name
            old = known[key] if key in known else value_of(scenario, one.name)
            known[key] = one.value
            if one.is_change and (old is None or one.value != old):
                seen = int(clock.of_logged(np.array([one.logged], np.int64))[0])
                found.append(
                    ParameterChange((seen - start_ns) / SECOND, one.node, one.name, old, one.value)
                )
        return tuple(found)


def value_of(scenario: Scenario | None, name: str) -> Value:
    """Return a parameter of a scenario by its name alone, None where it has no such value."""
    for section, record in SECTIONS.items() if scenario is not None else ():
        if name in declarations(record):
            return getattr(getattr(scenario, section), name)
    return None


def _values(logged: int, data: bytes, layout: FieldLayout) -> Iterator[ParameterValue]:
    """Iterate over the parameters of a message."""
    (node,) = layout.texts['node']
    for kind in ('new', 'changed', 'deleted'):
        i = 0
        while (path := f'{kind}_parameters[{i}]') and f'{path}.name' in layout.texts:
            (name,) = layout.texts[f'{path}.name']
            value = None if kind == 'deleted' else _value(data, layout, f'{path}.value')
            yield ParameterValue(logged, node, name, value, kind != 'new')
            i += 1


def _value(data: bytes, layout: FieldLayout, path: str) -> Value:
    (kind,) = _numbers(data, layout, f'{path}.type')
    if kind in NUMBERS:
        field, convert = NUMBERS[kind]
        return convert(_numbers(data, layout, f'{path}.{field}')[0])
    if kind in LISTS:
        field, convert = LISTS[kind]
        return tuple(map(convert, _numbers(data, layout, f'{path}.{field}')))
    if kind == STRINGS:
        return layout.texts[f'{path}.string_array_value']
    return layout.texts[f'{path}.string_value'][0] if kind == STRING else None


def _numbers(data: bytes, layout: FieldLayout, path: str) -> list[float]:
    field = layout.fields[path]
    return np.frombuffer(data, field.code, field.count, field.offset).tolist()
