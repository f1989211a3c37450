"""Reports of nodes in a bag: parameter changes, statuses, states of bridges, emergency stops.

These messages are few and have many texts, so each is read as an object, and what is repeated is
kept once: a node repeats its status once a second, a bridge its state twice a second on one topic
or on two, every member the orders on ``swarm/stop`` that it knows. Of a parameter the value before
a change is the last that the bag holds, else that of the scenario.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from soliton_encirclement_ros.analysis.bag.bag_clock import SECOND, Clock
from soliton_encirclement_ros.analysis.bag.decoding.message_decoder import TopicTimes, Types
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import MessageBatch
from soliton_encirclement_ros.analysis.bag.topic_roles import Key
from soliton_encirclement_ros.analysis.recording import (
    BridgeChange, ParameterChange, StatusReport, StopChange, Value
)
from soliton_encirclement_ros.core.emergency_stop import order_of, read_stop
from soliton_encirclement_ros.core.errors import MalformedStateError
from soliton_encirclement_ros.core.parameters.renamed_parameters import RENAMED
from soliton_encirclement_ros.core.states.swarm_topics import DIAGNOSTICS, STOP
from velocity_mobility_ros.ros_io.vehicle_topics import BRIDGE_STATE

PARAMETER_EVENT = 'rcl_interfaces/msg/ParameterEvent'
DIAGNOSTIC_ARRAY = 'diagnostic_msgs/msg/DiagnosticArray'
DIAGNOSTIC_STATUS = 'diagnostic_msgs/msg/DiagnosticStatus'

OF_BRIDGES = (f'/{BRIDGE_STATE}', '/swarm/bridge_states')
"""How the names of such topics end: that of one vehicle, and that of the swarm."""

VALUES = (
    '', 'bool_value', 'integer_value', 'double_value', 'string_value', 'byte_array_value',
    'bool_array_value', 'integer_array_value', 'double_array_value', 'string_array_value',
)  # fmt: skip
"""Field of a value by its type number, as in rcl_interfaces/ParameterType."""

Settings = Mapping[str, Any]
"""What was flown, as a manifest has it: values by section and name."""

Report = TypeVar('Report')


class ReportTimes(NamedTuple):
    """Times of messages by topic and type, the recording's clock, and its time 0 [ns]."""

    topics: Mapping[Key, TopicTimes]
    clock: Clock
    start_ns: int


class Reports(Generic[Report]):
    """Takes all messages of topics of a kind, and keeps those reports that are new."""

    what = ''
    """Name of the messages."""
    damage = 'damaged'

    def __init__(self) -> None:
        """Begin with none."""
        self._entries: list[tuple[Key, int, Any, Report]] = []
        self._distinct: dict[Any, Any] = {}
        self._count = self._damaged = 0

    def add(self, types: Types, batch: MessageBatch, index: int) -> None:
        """Take a batch, given the index of its first message among all of the topic."""
        topic = batch.channel.topic, batch.channel.type
        for row in range(len(batch.starts)):
            self._count += 1
            try:
                reports = [*self._read(types.message(batch, row))]
            except Exception:  # of a damaged message, in the words of the library
                self._damaged += 1
                continue
            for item in reports:
                about, report = self._distinct.setdefault(item, item)  # mostly repeated
                self._entries.append((topic, index + row, about, report))

    def problems(self) -> list[str]:
        """Return a line on messages that were left out."""
        share = f'{self._damaged} of {self._count}'
        line = f'{self.what}: {share} messages are {self.damage}: left out'
        return [line] if self._damaged else []

    def in_time(self, when: ReportTimes) -> list[tuple[float, str, Report]]:
        """Return time [s], topic and report of all new reports, in order of time."""
        entries = []
        for topic, index, about, report in self._entries:
            times = when.topics.get(topic)
            if times is not None and times.selected[index]:
                entries.append((int(times.logged[index]), topic[0], about, report))
        entries.sort(key=lambda entry: entry[0])
        times_ns = when.clock.of_logged(np.array([entry[0] for entry in entries], np.int64))
        seconds = ((times_ns - when.start_ns) / SECOND).tolist()
        last: dict[Any, Report] = {}
        new = []
        for time, (_, topic, about, report) in zip(seconds, entries, strict=True):
            if self._is_new(report, last.get((topic, about))):
                new.append((time, topic, report))
            last[topic, about] = report
        return new

    def _read(self, message: Any) -> Iterable[tuple[Any, Report]]:
        """Return the reports in a message, each with what it is about."""
        raise NotImplementedError

    def _is_new(self, report: Report, before: Report | None) -> bool:
        return report != before


class ParameterEvents(Reports[tuple[str, str, Value, bool]]):
    """Values of parameters: node, name, value, and whether it is another one than before."""

    what = '/parameter_events'

    def changes(
        self, when: ReportTimes, settings: Settings | None, is_wanted: Callable[[str], bool]
    ) -> tuple[ParameterChange, ...]:
        """Return the changes of wanted nodes, given what was flown, in order of time."""
        known: dict[tuple[str, str], Value] = {}
        changes = []
        for time, _, (node, name, value, is_change) in self.in_time(when):
            old = known[node, name] if (node, name) in known else value_of(settings, name)
            known[node, name] = value
            if is_change and (old is None or value != old) and is_wanted(node):
                changes.append(ParameterChange(time, node, name, old, value))
        return tuple(changes)

    def _read(self, message: Any) -> Iterator[tuple[Any, tuple[str, str, Value, bool]]]:
        for kind in ('new', 'changed', 'deleted'):
            for parameter in getattr(message, f'{kind}_parameters'):
                value = None if kind == 'deleted' else _value(parameter.value)
                yield parameter.name, (message.node, parameter.name, value, kind != 'new')

    def _is_new(self, report: Any, before: Any) -> bool:
        return True


def _value(parameter_value: Any) -> Value:
    kind = parameter_value.type
    value = getattr(parameter_value, VALUES[kind]) if kind else None
    if isinstance(value, (list, np.ndarray)):
        return tuple(value if isinstance(value, list) else value.tolist())
    return value


def value_of(settings: Settings | None, name: str) -> Value:
    """Return a parameter of what was flown by its name alone, None where it has no such value.

    The name may be an old one; settings have the present ones.
    """
    names = [name, *(present[name] for present in RENAMED.values() if name in present)]
    for key in names:
        for section in (settings or {}).values():
            if isinstance(section, Mapping) and key in section:
                return section[key]
    return None


class StopOrders(Reports[tuple[str, bool, int, str]]):
    """Orders of an emergency stop, of any fleet; invalid ones are left out, as by the members."""

    def changes(
        self, when: ReportTimes, wanted: Callable[[str], bool]
    ) -> tuple[StopChange, ...]:
        """Return all orders on wanted topics, each when it was first logged."""
        orders: dict[Any, StopChange] = {}
        for time, topic, (scope, stop, stamp_ns, source) in self.in_time(when):
            if wanted(topic):
                orders.setdefault((scope, stop, stamp_ns), StopChange(time, scope, stop, source))
        return tuple(sorted(orders.values()))

    def problems(self) -> list[str]:
        """Return none: members ignore invalid orders, too."""
        return []

    def _read(self, message: Any) -> Iterator[tuple[Any, tuple[str, bool, int, str]]]:
        for status in message.status:
            try:
                values = {item.key: item.value for item in status.values}
                word = read_stop(status.hardware_id, values)
            except MalformedStateError:
                continue  # members refuse such a word, too
            order = order_of(word)
            if order is not None:
                yield order, order


class DiagnosticStatuses(Reports[tuple[str, int, str]]):
    """Statuses of nodes: name, level and message."""

    what = DIAGNOSTICS

    def reports(
        self, when: ReportTimes, is_wanted: Callable[[str], bool]
    ) -> tuple[StatusReport, ...]:
        """Return the statuses of wanted nodes, by their full names, in order of time."""
        return tuple(
            StatusReport(time, *status) for time, _, status in self.in_time(when)
            if is_wanted(f'/{status[0].partition(": ")[0]}')
        )  # fmt: skip

    def _read(self, message: Any) -> Iterator[tuple[Any, tuple[str, int, str]]]:
        for status in message.status:
            yield status.name, (status.name, status.level, status.message)


class BridgeStates(Reports[BridgeChange]):
    """States of the bridges to autopilots, with the reason that came with each."""

    what = BRIDGE_STATE
    damage = 'damaged or without a state'

    def changes(self, when: ReportTimes) -> tuple[BridgeChange, ...]:
        """Return the states in order of time; of two topics with one state the first counts."""
        last: dict[str, BridgeChange] = {}
        changes = []
        for time, _, change in self.in_time(when):
            if not _is_same(change, last.get(change.name)):
                changes.append(change._replace(time=time))
            last[change.name] = change
        return tuple(changes)

    def _read(self, message: Any) -> Iterator[tuple[Any, BridgeChange]]:
        values = {item.key: item.value for item in message.values}
        stands = values.get('landed') == 'true' or values.get('armed') == 'false'
        name = message.hardware_id.strip('/')
        yield name, BridgeChange(0.0, name, values['state'], message.message, stands)

    def _is_new(self, report: BridgeChange, before: BridgeChange | None) -> bool:
        return not _is_same(report, before)


def _is_same(change: BridgeChange, before: BridgeChange | None) -> bool:
    """Return whether a bridge has the same state as before, whatever the reason."""
    new = change.state, change.stands
    return before is not None and new == (before.state, before.stands)


class NodeReports:
    """The reports of all kinds."""

    def __init__(self) -> None:
        """Begin with none."""
        self.events, self.stops = ParameterEvents(), StopOrders()
        self.statuses, self.bridges = DiagnosticStatuses(), BridgeStates()

    def add(self, types: Types, batch: MessageBatch, index: int) -> None:
        """Take a batch, if its topic has reports."""
        topic, kind = batch.channel.topic, batch.channel.type
        if kind == PARAMETER_EVENT:
            self.events.add(types, batch, index)
        elif kind == DIAGNOSTIC_ARRAY and topic.endswith(f'/{STOP}'):
            self.stops.add(types, batch, index)
        elif kind == DIAGNOSTIC_ARRAY and topic == DIAGNOSTICS:
            self.statuses.add(types, batch, index)
        elif kind == DIAGNOSTIC_STATUS and topic.endswith(OF_BRIDGES):
            self.bridges.add(types, batch, index)

    def problems(self) -> list[str]:
        """Return a line for what was left out."""
        return [
            *self.events.problems(), *self.statuses.problems(), *self.bridges.problems(),
        ]  # fmt: skip
