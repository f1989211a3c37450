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
    found = find(recording, default_settings(recording, target))
    json.dumps(as_json(found), allow_nan=False)
    count = len(found.series['time'])
    assert all(len(values) == count for values in found.series.values())
    assert (np.diff(found.series['time']) >= 0.0).all()
    assert len(found.events) == len(found.closings)
    for event in found.events:
        assert found.name_of(event.agent_id) in recording.members
    if found.encircled:
        assert found.settings.target is not None and count > 0
    for one in found.agents:
        assert one.saturation is None and (one.time_down or 0.0) >= 0.0
        if one.outages is not None:
            assert one.failures == len(one.outages)
    for one in found.collisions:
        assert one.begin <= one.time <= one.end and one.distance < 0.5
    for table in tables_of(found):
        for part in table.parts():
            for values in part.values.values():
                assert (
                    not hasattr(values, '__len__')
                    or isinstance(values, str)
                    or (len(values) == part.rows)
                )
