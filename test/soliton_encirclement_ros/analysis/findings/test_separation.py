"""How near bodies came to each other, against a search through all pairs and samples."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.analysis.findings import agent_figures
from soliton_encirclement_ros.analysis.findings.agent_figures import find_separations
from soliton_encirclement_ros.analysis.findings.participants import participants_of
from soliton_encirclement_ros.analysis.recording import BridgeChange
from support.recorded.recordings import body, recording_with

PLACES = st.lists(
    st.lists(st.tuples(*[st.integers(0, 6).map(float)] * 3), min_size=5, max_size=5),
    min_size=0, max_size=5,
)  # fmt: skip
TIME = np.arange(5.0)


def participants(*paths, **others):
    members = [body(f'uav_{k}', TIME[: len(path)], path) for k, path in enumerate(paths, 1)]
    members += [body(name, TIME[: len(path)], path) for name, path in others.items()]
    return participants_of(recording_with(*members), 'target' if 'target' in others else None)


@given(PLACES, st.integers(1, 40))
def test_smallest_separations_are_those_of_all_pairs(paths, block):
    before, agent_figures.MAX_DISTANCES = agent_figures.MAX_DISTANCES, block
    try:
        found = find_separations(participants(*paths), TIME, 10.0, 2.0)
    finally:
        agent_figures.MAX_DISTANCES = before
    pairs = {
        (f'uav_{i + 1}', f'uav_{j + 1}'): [math.dist(*two) for two in zip(a, b, strict=True)]
        for i, a in enumerate(paths)
        for j, b in enumerate(paths)
        if i < j
    }
    for name, smallest in found.smallest.items():
        own = [min(distances) for pair, distances in pairs.items() if name in pair]
        assert smallest == pytest.approx(min(own, default=math.inf))
    if not pairs:
        assert found.closest is None
        return
    distance, time, first, second = found.closest
    assert distance == pytest.approx(min(min(distances) for distances in pairs.values()))
    assert pairs[first, second][int(time)] == pytest.approx(distance)
    near = {(pair, i) for pair, ds in pairs.items() for i, d in enumerate(ds) if d < 2.0}
    told = {
        ((one.first, one.second), i)
        for one in found.collisions
        for i in range(int(one.begin), int(one.end) + 1)
    }
    assert told == near
    for one in found.collisions:
        assert pairs[one.first, one.second][int(one.time)] == pytest.approx(one.distance)


def test_two_that_part_and_meet_again_collide_twice_in_order_of_time():
    path = [(v, 0.0, 0.0) for v in (0.1, 5.0, 0.1, 5.0, 0.1)]
    other = [(v, 9.0, 0.0) for v in (5.0, 0.1, 5.0, 5.0, 5.0)]
    far = np.tile((0.0, 9.0, 0.0), (5, 1))
    found = find_separations(participants(np.zeros((5, 3)), path, other, far), TIME, 10.0, 0.5)
    assert [(one.begin, one.second) for one in found.collisions] == [
        (0.0, 'uav_2'), (1.0, 'uav_4'), (2.0, 'uav_2'), (4.0, 'uav_2'),
    ]  # fmt: skip


def test_who_is_near_again_within_a_second_is_still_in_the_same_collision():
    times = np.arange(0.0, 4.0, 0.1)
    x = np.full(40, 9.0)
    x[[3, 5, 13, 25]] = 0.4, 0.2, 0.3, 0.1
    members = (body('uav_1', times, (0.0,) * 3), body('uav_2', times, np.outer(x, (1, 0, 0))))
    found = find_separations(participants_of(recording_with(*members), None), times, 10.0, 0.5)
    assert [(one.begin, one.end, one.time) for one in found.collisions] == [
        pytest.approx((0.3, 1.3, 0.5)), pytest.approx((2.5, 2.5, 2.5)),
    ]  # fmt: skip


def test_bodies_that_are_near_all_the_time_collide_once(monkeypatch):
    monkeypatch.setattr(agent_figures, 'MAX_DISTANCES', 1000)
    times = np.arange(0.0, 200.0, 0.02)
    members = [body(f'uav_{k}', times, (0.01 * k, 0.0, 0.0)) for k in range(1, 7)]
    found = find_separations(participants_of(recording_with(*members), None), times, 10.0, 0.5)
    assert len(found.collisions) == 15
    assert {(one.begin, one.end) for one in found.collisions} == {(0.0, times[-1])}


def test_target_and_adversary_collide_but_do_not_count_as_separation():
    still = np.zeros((5, 3))
    found = find_separations(
        participants(still, still + 7.0, target=still + 0.1, adversary=still + 7.1),
        TIME,
        10.0,
        0.5,
    )
    assert [(one.first, one.second) for one in found.collisions] == [
        ('uav_1', 'target'), ('uav_2', 'adversary'),
    ]  # fmt: skip
    assert found.closest.distance == pytest.approx(7.0 * math.sqrt(3.0))


def test_a_vehicle_on_the_ground_is_in_nobodys_way():
    still = np.zeros((5, 3))
    there = participants(still, still + 7.0, target=still + 0.1)
    landed = [
        BridgeChange(time, 'uav_1', 'READY', 'why', stands)
        for time, stands in ((0.0, True), (2.0, False), (4.0, True))
    ]
    found = find_separations(there._replace(bridges=landed), TIME, 10.0, 0.5)
    (crash,) = found.collisions
    assert (crash.first, crash.second, crash.begin, crash.end) == ('uav_1', 'target', 2.0, 3.0)
    assert found.closest.time == 2.0


def test_an_agent_that_is_gone_is_nowhere():
    still = np.zeros((5, 3))
    found = find_separations(participants(still, still[:2] + 3.0), TIME, 0.5, 0.5)
    assert found.closest.time == 0.0
    moved = still.copy()
    moved[3:] = 3.0
    assert find_separations(participants(moved, still[:2] + 3.0), TIME, 0.5, 0.5).collisions == ()
