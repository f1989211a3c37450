"""Statuses of nodes, read from a bag."""

import struct
from typing import Any

import pytest
from soliton_encirclement_ros.analysis.bag import read_recording
from soliton_encirclement_ros.analysis.bag.decoding import diagnostic_statuses
from soliton_encirclement_ros.analysis.bag.decoding.diagnostic_statuses import statuses_in
from soliton_encirclement_ros.analysis.recording import StatusReport
from soliton_encirclement_ros.analysis.window import between
from support.chunks import lively
from support.recorded.bags import FORMS, Raw, Scribe, fly_bag, raw_messages, write_bag

KIND = 'diagnostic_msgs/msg/DiagnosticArray'
HEALTH = 'monitor: health'


def told(time: float, *statuses: tuple[str, int, str], topic: str = '/diagnostics') -> Raw:
    """Return a message with some statuses, logged at a time [s]."""
    scribe = Scribe()
    pair = scribe.make('diagnostic_msgs/msg/KeyValue', key='age', value='3.1')
    made = [
        scribe.make(
            'diagnostic_msgs/msg/DiagnosticStatus', level=level, name=name, message=message,
            hardware_id='x', values=[pair] * (i + 1),
        )
        for i, (name, level, message) in enumerate(statuses)
    ]  # fmt: skip
    header = scribe.make('std_msgs/msg/Header', stamp=scribe.stamp(10**18), frame_id='')
    return Raw(topic, KIND, round(time * 1e9), scribe.bytes(KIND, header=header, status=made))


def bag_with(folder: Any, *messages: Raw) -> Any:
    """Return a bag of a flight with further messages."""
    flown = raw_messages(fly_bag(folder / 'flown', lively()))
    place = folder / 'bag'
    write_bag(
        place, sorted([*flown, *messages], key=lambda one: one.time_ns), FORMS['mcap-none-9']
    )
    return place


def test_all_statuses_are_read_and_what_is_repeated_once(tmp_path) -> None:
    agent = ('uav_1/agent: control', 2, 'odometry lost; more')
    well = (HEALTH, 0, 'ok')
    place = bag_with(
        tmp_path, told(1.0, agent, well), told(2.0, agent), told(3.0, well),
        told(3.5, (*agent[:2], 'else')), told(3.6, agent, topic='/diagnostics_agg'),
    )  # fmt: skip
    assert read_recording(place).statuses == (
        StatusReport(1.0, *agent), StatusReport(1.0, *well), StatusReport(3.5, *agent[:2], 'else'),
    )  # fmt: skip


def test_of_two_fleets_only_the_nodes_of_one_count(tmp_path) -> None:
    messages = [told(1.0, ('uav_1/agent: control', 0, 'ok'), ('b/uav_1/agent: control', 2, 'bad'))]
    flown = raw_messages(fly_bag(tmp_path / 'flown', lively()))
    flown = [*flown]
    other = [one._replace(topic=f'/b{one.topic}') for one in flown if one.topic != '/clock']
    place = tmp_path / 'bag'
    both = sorted([*flown, *other, *messages], key=lambda one: one.time_ns)
    write_bag(place, both, FORMS['mcap-none-9'])
    assert [one.message for one in read_recording(place, namespace='/').statuses] == ['ok']
    (found,) = read_recording(place, namespace='/b').statuses
    assert (found.name, found.message) == ('uav_1/agent: control', 'bad')


def test_damage_is_counted_and_costs_no_other_message(tmp_path) -> None:
    whole = told(1.0, (HEALTH, 1, 'silent: uav_1'))
    pieces = [whole._replace(time_ns=k, data=whole.data[:k]) for k in range(1, 40)]
    found = read_recording(bag_with(tmp_path, whole, *pieces))
    assert [one.message for one in found.statuses] == ['silent: uav_1']
    line = '/diagnostics: 39 of 40 messages are damaged: left out'
    assert line in found.problems


def test_every_cut_and_every_count_is_refused_or_read_but_never_an_endless_loop() -> None:
    data = told(1.0, (HEALTH, 1, 'silent')).data
    assert list(statuses_in(data)) == [(HEALTH, 1, 'silent')]
    for at in range(4, len(data) - 3):
        broken = data[:at] + struct.pack('<I', 2**31) + data[at + 4 :]
        try:
            assert len(list(statuses_in(broken))) <= 1
        except (struct.error, UnicodeDecodeError):
            continue


def test_there_are_not_endlessly_many(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnostic_statuses, 'MAX_STATUSES', 2)
    found = read_recording(bag_with(tmp_path, *(told(k, (HEALTH, 1, f'{k}')) for k in range(3))))
    assert len(found.statuses) == 2
    assert '/diagnostics: only the first 2 changes are read' in found.problems


def test_a_window_begins_with_what_was_said_before(tmp_path) -> None:
    place = bag_with(tmp_path, *(told(k, (HEALTH, 1, f'{k}')) for k in (0.5, 1.0, 2.0, 3.0)))
    cut = between(read_recording(place), 1.5, 2.5)
    assert [(one.time, one.message) for one in cut.statuses] == [(1.5, '1.0'), (2.0, '2.0')]
