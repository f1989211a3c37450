"""What the replay is told: places, neighbours, who is down, where the arc is open."""

import base64

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.findings import default_settings, find
from soliton_encirclement_ros.analysis.report.scene import MAX_PLACES, grid_of, motion, scene
from soliton_encirclement_ros.core.ring.edge_weights import edge_weight
from support.recorded.recordings import without


def column(text, kind='<f4'):
    return np.frombuffer(base64.b64decode(text), kind)


@pytest.fixture(scope='module')
def told(flight, findings):
    return scene(flight, findings)


def body(told, name):
    return next(body for body in told['bodies'] if body['name'] == name)


def test_everybody_is_there_agents_first(told, flight):
    assert [body['name'] for body in told['bodies']] == list(flight.members)
    kinds = [body['kind'] for body in told['bodies']]
    assert kinds == ['agent'] * 5 + ['target', 'adversary']


def test_places_are_those_of_the_track(told, flight):
    track = flight.members['uav_3'].track
    grid = told['step'] * np.arange(told['count'])
    known = grid >= track.time[0]
    for axis in range(2):
        wanted = np.interp(grid, track.time, track.position[:, axis])
        shown = column(body(told, 'uav_3')['xy'[axis]])
        assert shown[known] == pytest.approx(wanted[known], abs=2e-3)


def test_neighbours_are_positions_in_the_list(told, flight):
    telemetry = flight.members['uav_1'].telemetry
    shown = column(body(told, 'uav_1')['succ'], '<i2')
    assert shown[-1] == telemetry.succ[-1] - 1
    assert set(shown) <= {-1, 1, 2, 3, 4}


def test_who_fails_is_down_for_that_time(told):
    ((begin, end),) = body(told, 'uav_2')['down']
    assert begin == pytest.approx(6.0, abs=0.2) and end == pytest.approx(12.0, abs=0.2)
    assert body(told, 'uav_1')['down'] == []


def test_the_holder_is_the_one_whose_arc_weighs_unlike_the_others(told, flight):
    values = flight.members['target'].states.values
    last = {name: float(weight[-1]) for name, weight in values.items() if '/lambda' in name}
    heaviest = max(last, key=last.get)
    assert last[heaviest] == pytest.approx(edge_weight(240.0, 5))
    shown = column(told['holder'], '<i2')
    assert told['bodies'][shown[-1]]['name'] == heaviest.partition('/')[0]


def test_without_words_of_the_target_nobody_is_known_to_hold_the_arc(flight):
    silent = without(flight, 'states', of=['target'])
    assert scene(silent, find(silent))['holder'] is None


def test_without_telemetry_neighbours_and_failures_are_unknown(flight):
    quiet = without(flight, 'telemetry')
    agent = scene(quiet, find(quiet))['bodies'][0]
    assert 'succ' not in agent and 'down' not in agent and agent['seen']


def test_a_member_moves_by_the_best_source_there_is(flight):
    member = flight.members['uav_1']
    assert motion(member).time is member.track.time
    assert motion(member._replace(track=None)).time is member.telemetry.time
    assert motion(member._replace(track=None, telemetry=None)).time is member.states.time
    assert motion(member._replace(track=None, telemetry=None, states=None)) is None


def test_a_fixed_point_is_the_middle_of_the_ring(flight):
    settings = default_settings(flight, target=(3.0, 4.0, 0.0), radius=15.0)
    told = scene(flight, find(flight, settings))
    assert told['point'] == [3.0, 4.0] and told['radius'] == 15.0


def test_far_from_the_origin_of_the_map_places_are_as_fine(flight):
    far = np.array([500_000.0, 5_400_000.0, 0.0])
    track = flight.members['uav_1'].track
    moved = flight._replace(members={
        'uav_1': flight.members['uav_1']._replace(
            track=track._replace(position=track.position + far))})  # fmt: skip
    told = scene(moved, find(moved))
    assert told['origin'] == [500_000.0, 5_400_000.0]
    near = scene(flight, find(flight))
    assert near['origin'] == [0.0, 0.0]
    ours, theirs = (column(body(one, 'uav_1')['y']) for one in (told, near))
    known = np.isfinite(theirs[: len(ours)])
    assert ours[known] == pytest.approx(theirs[: len(ours)][known], abs=2e-3)


@pytest.mark.parametrize(('duration', 'bodies'), [(60.0, 4), (3600.0, 12), (600.0, 1000)])
def test_the_number_of_places_is_bounded(duration, bodies):
    grid = grid_of(duration, bodies)
    assert len(grid) * bodies <= MAX_PLACES + bodies
    assert grid[-1] <= duration + 1e-9 and duration - grid[-1] <= grid[1] + 1e-9
