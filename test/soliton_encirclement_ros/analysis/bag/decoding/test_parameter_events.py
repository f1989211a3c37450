"""Changed parameters, read from the events in a bag."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from soliton_encirclement_ros.analysis.bag import read_recording
from soliton_encirclement_ros.analysis.bag.decoding.parameter_events import (
    PARAMETER_EVENT,
    value_of,
)
from soliton_encirclement_ros.analysis.recording import ParameterChange
from soliton_encirclement_ros.core.run.run_folder import BAG, create_run_folder
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.chunks import lively
from support.recorded.bags import FORMS, Raw, Scribe, raw_messages, write_bag

AGENT = '/uav_1/agent'
KINDS = {
    bool: ('bool_value', 1), int: ('integer_value', 2), float: ('double_value', 3),
    str: ('string_value', 4),
}  # fmt: skip


def value(scribe: Scribe, given: Any) -> Any:
    """Return a value as a message."""
    fields: dict[str, Any] = {
        'type': 0, 'bool_value': False, 'integer_value': 0, 'double_value': 0.0,
        'string_value': '', 'byte_array_value': np.zeros(0, np.uint8),
        'bool_array_value': np.zeros(0, bool),
        'integer_array_value': np.zeros(0, np.int64), 'double_array_value': np.zeros(0),
        'string_array_value': [],
    }  # fmt: skip
    if isinstance(given, list):
        texts = isinstance(given[0], str)
        field, kind = ('string_array_value', 9) if texts else ('double_array_value', 8)
        fields |= {'type': kind, field: given if texts else np.array(given)}
    elif given is not None:
        field, kind = KINDS[type(given)]
        fields |= {'type': kind, field: given}
    return scribe.make('rcl_interfaces/msg/ParameterValue', **fields)


def event(time_ns: int, node: str, little: bool = True, **told: Mapping[str, Any]) -> Raw:
    """Return an event with ``new``, ``changed`` and ``deleted`` parameters."""
    scribe = Scribe(little_endian=little)
    lists = {
        f'{kind}_parameters': [
            scribe.make('rcl_interfaces/msg/Parameter', name=name, value=value(scribe, one))
            for name, one in told.get(kind, {}).items()
        ]
        for kind in ('new', 'changed', 'deleted')
    }
    stamp = scribe.stamp(1_700_000_000 * 10**9)  # simulated or not, nodes stamp by the wall
    data = scribe.bytes(PARAMETER_EVENT, stamp=stamp, node=node, **lists)
    return Raw('/parameter_events', PARAMETER_EVENT, time_ns, data)


def read(folder: Path, *events: Raw, run: bool = False, form: str = 'mcap-none-9') -> Any:
    """Return the recording of a simulated flight with some events in its bag."""
    from support.recorded.bags import fly_bag

    flown = raw_messages(fly_bag(folder / 'flown', lively()))
    messages = sorted([*flown, *events], key=lambda one: one.time_ns)
    place = create_run_folder(folder, lively(), ['test']) / BAG if run else folder / 'bag'
    write_bag(place, messages, FORMS[form])
    return read_recording(place.parent if run else place)


def second(time: float) -> int:
    """Return a time [s] in ns."""
    return round(time * 1e9)


def test_a_change_has_the_value_that_was_announced_before(tmp_path):
    found = read(
        tmp_path,
        event(0, AGENT, new={'k_s': 1.5, 'mode': 'sum', 'on': True}),
        event(second(1.0), AGENT, changed={'k_s': 2.0}),
        event(second(1.2), AGENT, changed={'k_s': 2.0}),  # the same again is no change
        event(second(2.0), AGENT, changed={'k_s': 4.0, 'mode': 'blend', 'on': False}),
        event(second(2.5), '/target/target', changed={'speed': 3}),
        event(second(3.0), AGENT, deleted={'k_s': None}),
    )
    assert found.changes == (
        ParameterChange(1.0, AGENT, 'k_s', 1.5, 2.0),
        ParameterChange(2.0, AGENT, 'k_s', 2.0, 4.0),
        ParameterChange(2.0, AGENT, 'mode', 'sum', 'blend'),
        ParameterChange(2.0, AGENT, 'on', True, False),
        ParameterChange(2.5, '/target/target', 'speed', None, 3),
        ParameterChange(3.0, AGENT, 'k_s', 4.0, None),
    )
    assert found.problems == ()


def test_the_first_change_of_a_run_starts_from_its_scenario(tmp_path):
    found = read(tmp_path, event(second(1.0), AGENT, changed={'k_s': 9.0, 'x': 1.0}), run=True)
    assert found.changes == (
        ParameterChange(1.0, AGENT, 'k_s', 1.5, 9.0), ParameterChange(1.0, AGENT, 'x', None, 1.0)
    )  # fmt: skip
    assert value_of(Scenario(), 'max_acc_xy') == 4.0 and value_of(None, 'k_s') is None


def test_lists_and_either_byte_order_are_read(tmp_path):
    found = read(
        tmp_path,
        event(second(1.0), AGENT, False, changed={'a': [1.0, 2.0], 'b': ['x', 'y'], 'c': 2.5}),
        form='sqlite3-none-9',
    )
    told = {change.name: change.new for change in found.changes}
    assert told == {'a': (1.0, 2.0), 'b': ('x', 'y'), 'c': 2.5}


def test_damaged_events_are_left_out_and_told(tmp_path):
    whole = event(second(1.0), AGENT, changed={'k_s': 2.0})
    cut = whole._replace(data=whole.data[:-9], time_ns=second(2.0))
    wild = whole._replace(data=whole.data[:12] + b'\xff' * 40, time_ns=second(2.0))
    found = read(tmp_path, whole, cut, wild)
    assert [change.new for change in found.changes] == [2.0]
    assert found.problems == ('2 of 3 parameter events are damaged: left out',)


def test_changes_in_other_fleets_are_not_told(tmp_path):
    """Every recorder of a domain hears of them."""
    read(tmp_path)
    flown = raw_messages(tmp_path / 'flown')
    moved = [one._replace(topic=f'/fleet{one.topic}') for one in flown]
    told = [event(second(1.0), node, changed={'k_s': 9.0})
            for node in (f'/fleet{AGENT}', f'/fleet_2{AGENT}', AGENT)]  # fmt: skip
    found = read_recording(write_bag(tmp_path / 'moved', [*moved, *told]))
    assert [change.node for change in found.changes] == [f'/fleet{AGENT}']
