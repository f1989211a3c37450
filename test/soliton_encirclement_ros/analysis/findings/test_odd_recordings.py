"""Whatever a bag holds, in whatever gaps, gives findings that can be told."""

import json

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from soliton_encirclement_ros.analysis.findings import as_json, default_settings, find
from soliton_encirclement_ros.analysis.recording import (
    Commands, Member, StateSeries, Telemetry, Track
)
from soliton_encirclement_ros.analysis.recording_tables import tables_of
from soliton_encirclement_ros.analysis.table_files import frame_of
from support.recorded.recordings import recording_with

NAMES = st.sampled_from(['uav_1', 'uav_2', 'uav_7', 'bob', 'target', 'adversary'])


@st.composite
def times(draw):
    """Return ascending times with gaps, repeats and none at all."""
    steps = draw(st.lists(st.sampled_from([0.0, 0.05, 0.05, 0.1, 2.0, 30.0]), max_size=12))
    return draw(st.sampled_from([0.0, 5.0, 1e9])) + np.cumsum(steps)


@st.composite
def vectors(draw, count):
    seed = draw(st.integers(0, 3))
    scale = draw(st.sampled_from([0.0, 1.0, 1e8]))
    return np.random.default_rng(seed).normal(0.0, 1.0, (count, 3)) * scale


def part(kind, time, place, speed):
    count, plain = len(time), np.zeros(len(time))
    if kind is Track:
        return Track(time, place, speed, plain)
    if kind is Commands:
        return Commands(time, speed, plain)
    if kind is StateSeries:
        return StateSeries(time, np.arange(float(count)), place, speed, {'u': plain})
    failed = place[:, 0] > 0.5
    return Telemetry(time, place, speed, failed, plain - 1.0, plain + 2.0, {'u': plain})


@st.composite
def member(draw, name):
    parts = []
    for kind in (Track, Commands, StateSeries, Telemetry):
        time = draw(times())
        place, speed = draw(vectors(len(time))), draw(vectors(len(time)))
        parts.append(part(kind, time, place, speed) if draw(st.booleans()) else None)
    return Member(name, *parts)


@st.composite
def recordings(draw):
    names = draw(st.lists(NAMES, unique=True, max_size=5))
    return recording_with(*(draw(member(name)) for name in names))


@pytest.mark.nightly
@settings(max_examples=100)
@given(recordings(), st.sampled_from([None, (1.0, 2.0, 0.0)]))
def test_odd_recordings_have_findings(recording, target):
    findings = find(recording, default_settings(recording, target))
    json.dumps(as_json(findings), allow_nan=False)
    count = len(findings.series['time'])
    assert all(len(values) == count for values in findings.series.values())
    assert (np.diff(findings.series['time']) >= 0.0).all()
    assert len(findings.events) == len(findings.closings)
    for event in findings.events:
        assert findings.name_of(event.agent_id) in recording.members
    if findings.encircled:
        assert findings.settings.target is not None and count > 0
    for one in findings.agents:
        assert one.saturation is None and (one.time_down or 0.0) >= 0.0
        if one.outages is not None:
            assert one.failures == len(one.outages)
    for one in findings.collisions:
        assert one.begin <= one.time <= one.end and one.distance < 0.5
    for table in tables_of(findings):
        assert [*frame_of(table).columns] == [column.name for column in table.columns]
