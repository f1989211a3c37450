"""What nodes said, read from a bag: bridges, diagnostics, orders of the stop, parameters."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
from soliton_encirclement_ros.analysis.bag.decoding.node_reports import PARAMETER_EVENT, value_of
from soliton_encirclement_ros.analysis.findings import default_settings, find
from soliton_encirclement_ros.analysis.flight_window import between
from soliton_encirclement_ros.analysis.recording import (
    BridgeChange, ParameterChange, Recording, StatusReport, StopChange
)
from soliton_encirclement_ros.core.emergency_stop import (
    EVERYBODY, StopMessage, StopOrder, fields_of, message_of_order
)
from soliton_encirclement_ros.core.run.run_folder import BAG, create_run_folder
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.nodes.stop_topic import NAME
from support.chunks import lively
from support.recorded.bags import Raw, Scribe, beside_a_flight, flown_messages, write_bag
from support.recorded.bridge_reports import told as bridge

KIND = 'diagnostic_msgs/msg/DiagnosticArray'
HEALTH = 'monitor: health'
OF_SWARM = '/swarm/bridge_states'
AGENT = '/uav_1/agent'
FIELDS = {
    bool: ('bool_value', 1), int: ('integer_value', 2), float: ('double_value', 3),
    str: ('string_value', 4),
}  # fmt: skip


@pytest.fixture
def reading(tmp_path):
    """Return a reader of a bag of a flight with further messages."""

    def read(*messages: Raw, form: str = 'mcap-none-9') -> Recording:
        return read_recording(beside_a_flight(tmp_path / 'bag', *messages, form=form))

    return read


def array(time: float, topic: str, *statuses: Mapping[str, Any]) -> Raw:
    """Return a message with statuses, logged at a time [s]; ``values`` are keys and texts."""
    scribe = Scribe()
    made = []
    for status in statuses:
        pairs = [scribe.make('diagnostic_msgs/msg/KeyValue', key=key, value=value)
                 for key, value in status['values'].items()]  # fmt: skip
        fields = {'level': 0, 'message': '', 'hardware_id': 'x', **status, 'values': pairs}
        made.append(scribe.make('diagnostic_msgs/msg/DiagnosticStatus', **fields))
    header = scribe.make('std_msgs/msg/Header', stamp=scribe.stamp(10**18), frame_id='')
    return Raw(topic, KIND, round(time * 1e9), scribe.bytes(KIND, header=header, status=made))


def diagnostics(time: float, *said: tuple[str, int, str], topic: str = '/diagnostics') -> Raw:
    """Return statuses of name, level and message."""
    return array(time, topic, *(
        {'name': name, 'level': level, 'message': message, 'values': {'age': '3', f'{i}': 'x'}}
        for i, (name, level, message) in enumerate(said)
    ))  # fmt: skip


def stop_orders(time: float, *words: StopMessage, topic: str = '/swarm/stop') -> Raw:
    """Return words of the emergency stop."""
    return array(time, topic, *(
        {'name': NAME, 'hardware_id': word.source, 'values': fields_of(word)} for word in words
    ))  # fmt: skip


def test_a_state_of_a_bridge_is_read_when_it_begins_and_is_an_event_from_the_second_on(reading):
    recording = reading(
        bridge(0.5, 'uav_1', 'holds', state='HOLD'), bridge(1.0, 'uav_1', 'tracks'),
        bridge(1.5, 'uav_1', 'tracks on'), bridge(2.0, 'uav_1', 'no\nstatus', state='LINK_LOST'),
    )  # fmt: skip
    assert recording.bridges == (
        BridgeChange(0.5, 'uav_1', 'HOLD', 'holds'),
        BridgeChange(1.0, 'uav_1', 'TRACK', 'tracks'),
        BridgeChange(2.0, 'uav_1', 'LINK_LOST', 'no\nstatus'),
    )
    events = find(recording, default_settings(recording)).alarms
    found = [(one.time, one.who, one.what) for one in events if one.what.startswith('bridge')]
    assert found == [
        (1.0, 'uav_1', 'bridge TRACK: tracks'), (2.0, 'uav_1', 'bridge LINK_LOST: no status'),
    ]  # fmt: skip


@pytest.mark.parametrize('topics', [('',), (OF_SWARM,), ('', OF_SWARM)])
def test_the_topic_of_the_swarm_tells_the_same_by_itself_or_beside(reading, topics):
    said = [
        (0.5, 'uav_1', 'HOLD'), (0.6, 'uav_2', 'HOLD'), (1.0, 'uav_1', 'TRACK'),
        (1.5, 'uav_1', 'TRACK'), (2.0, 'uav_2', 'TRACK'),
    ]  # fmt: skip
    found = reading(*(
        bridge(time, name, 'why', state=state, topic=topic)
        for time, name, state in said for topic in topics
    )).bridges  # fmt: skip
    assert [one[:3] for one in found] == [one for one in said if one[0] != 1.5]


def test_a_vehicle_that_takes_off_or_lands_is_told_without_an_event(reading):
    recording = reading(
        bridge(0.5, 'uav_1', 'ready', state='HOLD', landed='true'),
        bridge(1.0, 'uav_1', 'ready', state='HOLD', armed='false', landed='unknown'),
        bridge(1.5, 'uav_1', 'ready', state='HOLD', landed='false'),
    )
    assert [(one.time, one.stands) for one in recording.bridges] == [(0.5, True), (1.5, False)]
    assert find(recording, default_settings(recording)).alarms == ()


def test_all_statuses_are_read_and_what_is_repeated_once(reading):
    agent = ('uav_1/agent: control', 2, 'odometry lost; more')
    well = (HEALTH, 0, 'ok')
    assert reading(
        diagnostics(1.0, agent, well), diagnostics(2.0, agent), diagnostics(3.0, well),
        diagnostics(3.5, (*agent[:2], 'else')), diagnostics(3.6, agent, topic='/diagnostics_agg'),
    ).statuses == (
        StatusReport(1.0, *agent), StatusReport(1.0, *well), StatusReport(3.5, *agent[:2], 'else'),
    )  # fmt: skip


def test_what_is_damaged_or_has_no_state_is_counted_and_costs_no_other_message(reading):
    whole = bridge(1.0, 'uav_1', 'tracks'), diagnostics(1.0, (HEALTH, 1, 'silent: uav_1'))
    cut = [one._replace(time_ns=k, data=one.data[:k]) for one in whole for k in (1, 5, 30)]
    found = reading(*whole, *cut, bridge(2.0, 'uav_1', 'tracks', key='status'))
    assert len(found.bridges) == 1
    assert [one.message for one in found.statuses] == ['silent: uav_1']
    assert {
        'bridge_state: 4 of 5 messages are damaged or without a state: left out',
        '/diagnostics: 3 of 4 messages are damaged: left out',
    } <= {*found.problems}


def test_a_window_begins_with_what_was_said_before(reading):
    cut = between(
        reading(*(diagnostics(k, (HEALTH, 1, f'{k}')) for k in (0.5, 1.0, 2.0, 3.0))), 1.5, 2.5
    )
    assert [(one.time, one.message) for one in cut.statuses] == [(1.5, '1.0'), (2.0, '2.0')]


def test_an_order_that_everybody_repeats_is_one_event(reading):
    stop = message_of_order(StopOrder(EVERYBODY, True, 5, 'swarm stop on a laptop'))
    alone = message_of_order(StopOrder('uav_2', True, 6, 'a node'))
    release = message_of_order(StopOrder(EVERYBODY, False, 9, 'swarm stop on a laptop'))
    beat = StopMessage('heartbeat', source='me', timeout=1.0)
    broken = StopMessage('stop', source='me', stamp_ns=-1)
    recording = reading(
        stop_orders(1.0, stop, beat), stop_orders(1.1, stop._replace(source='uav_3')),
        stop_orders(2.0, stop, alone), stop_orders(3.0, broken, release),
        stop_orders(3.1, stop, topic='/other/swarm/stop'),
    )  # fmt: skip
    assert recording.stops == (
        StopChange(1.0, '', True, 'swarm stop on a laptop'),
        StopChange(2.0, 'uav_2', True, 'a node'),
        StopChange(3.0, '', False, 'swarm stop on a laptop'),
    )
    orders = [alarm for alarm in find(recording).alarms if 'emergency' in alarm.what]
    assert [(one.time, one.who, one.what) for one in orders] == [
        (1.0, 'all', 'emergency stop by swarm stop on a laptop'),
        (2.0, 'uav_2', 'emergency stop by a node'),
        (3.0, 'all', 'released from the emergency stop by swarm stop on a laptop'),
    ]


def value(scribe: Scribe, given: Any) -> Any:
    """Return a value of a parameter as a message."""
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
        field, kind = FIELDS[type(given)]
        fields |= {'type': kind, field: given}
    return scribe.make('rcl_interfaces/msg/ParameterValue', **fields)


def event(time: float, node: str, little: bool = True, **told: Mapping[str, Any]) -> Raw:
    """Return an event with ``new``, ``changed`` and ``deleted`` parameters at a time [s]."""
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
    return Raw('/parameter_events', PARAMETER_EVENT, round(time * 1e9), data)


def test_a_change_has_the_value_that_was_announced_before(reading):
    found = reading(
        event(0.0, AGENT, new={'k_s': 1.5, 'mode': 'sum', 'on': True}),
        event(1.0, AGENT, changed={'k_s': 2.0}),
        event(1.2, AGENT, changed={'k_s': 2.0}),  # the same again is no change
        event(2.0, AGENT, changed={'k_s': 4.0, 'mode': 'blend', 'on': False}),
        event(2.5, '/target/target', changed={'speed': 3}),
        event(3.0, AGENT, deleted={'k_s': None}),
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
    folder = create_run_folder(tmp_path, lively(), ['test'])
    beside_a_flight(folder / BAG, event(1.0, AGENT, changed={'k_s': 9.0, 'x': 1.0}))
    assert read_recording(folder).changes == (
        ParameterChange(1.0, AGENT, 'k_s', 1.3, 9.0), ParameterChange(1.0, AGENT, 'x', None, 1.0)
    )  # fmt: skip
    assert value_of(Scenario().as_dict(), 'max_acc_xy') == 4.0 and value_of(None, 'k_s') is None


def test_lists_and_either_byte_order_are_read(reading):
    found = reading(
        event(1.0, AGENT, False, changed={'a': [1.0, 2.0], 'b': ['x', 'y'], 'c': 2.5}),
        form='sqlite3-none-9',
    )
    told = {change.name: change.new for change in found.changes}
    assert told == {'a': (1.0, 2.0), 'b': ('x', 'y'), 'c': 2.5}


def test_damaged_events_are_left_out_and_told(reading):
    whole = event(1.0, AGENT, changed={'k_s': 2.0})
    cut = whole._replace(data=whole.data[:-9], time_ns=2 * 10**9)
    wild = whole._replace(data=whole.data[:12] + b'\xff' * 40, time_ns=2 * 10**9)
    found = reading(whole, cut, wild)
    assert [change.new for change in found.changes] == [2.0]
    assert found.problems == (
        '/parameter_events: 2 of 3 messages are damaged: left out',
    )


def test_nodes_of_other_fleets_are_not_told(tmp_path):
    """Every recorder of a domain hears of them."""
    flown = [*flown_messages()]
    moved = [one._replace(topic=f'/fleet{one.topic}') for one in flown if one.topic != '/clock']
    said = diagnostics(1.0, ('uav_1/agent: x', 0, 'ok'), ('fleet/uav_1/agent: x', 2, 'bad'))
    told = [event(1.0, node, changed={'k_s': 9.0})
            for node in (f'/fleet{AGENT}', f'/fleet_2{AGENT}', AGENT)]  # fmt: skip
    everything = sorted([*flown, *moved, said, *told], key=lambda one: one.time_ns)
    bag = write_bag(tmp_path / 'bag', everything)
    root, fleet = (read_recording(bag, namespace=one) for one in ('/', '/fleet'))
    assert [one.message for one in root.statuses] == ['ok']
    assert [(one.name, one.message) for one in fleet.statuses] == [('uav_1/agent: x', 'bad')]
    assert [change.node for change in fleet.changes] == [f'/fleet{AGENT}']
