"""What replay and plots are told, against the arrays it is made of; truth beside measurements."""

import base64
from dataclasses import replace

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.findings import default_settings, find
from soliton_encirclement_ros.analysis.report import write_page
from soliton_encirclement_ros.analysis.report.page import page
from soliton_encirclement_ros.analysis.report.page_tables import measurements
from soliton_encirclement_ros.analysis.report.viewer_data import (
    MAX_PLACES, MAX_POINTS, QUANTITIES, agent_curves, grid_of, metric_curves, scene
)
from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters
from soliton_encirclement_ros.core.ring.edge_weights import edge_weight
from soliton_encirclement_ros.core.run.observer import SAMPLE_NAMES
from support.recorded.browser import NEXT_FRAME, opened, settled
from support.recorded.recordings import without


def column(text, kind='<f4'):
    return np.frombuffer(base64.b64decode(text), kind)


@pytest.fixture(scope='module')
def told(flight, findings):
    return scene(findings)


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
    assert scene(find(silent))['holder'] is None


def test_without_telemetry_neighbours_and_failures_are_unknown(flight):
    quiet = without(flight, 'telemetry')
    agent = scene(find(quiet))['bodies'][0]
    assert 'succ' not in agent and 'down' not in agent and agent['seen']


def test_a_member_moves_by_the_best_source_there_is(flight):
    member = flight.members['uav_1']
    assert member.motion.time is member.track.time
    assert member._replace(track=None).motion.time is member.telemetry.time
    assert member._replace(track=None, telemetry=None).motion.time is member.states.time
    assert member._replace(track=None, telemetry=None, states=None).motion is None


def test_a_fixed_point_is_the_middle_of_the_ring(flight):
    settings = default_settings(flight, target=(3.0, 4.0, 0.0), radius=15.0)
    told = scene(find(flight, settings))
    assert told['point'] == [3.0, 4.0] and told['radius'] == 15.0


def test_far_from_the_origin_of_the_map_places_are_as_fine(flight):
    far = np.array([500_000.0, 5_400_000.0, 0.0])
    track = flight.members['uav_1'].track
    moved = flight._replace(members={
        'uav_1': flight.members['uav_1']._replace(
            track=track._replace(position=track.position + far))})  # fmt: skip
    told = scene(find(moved))
    assert told['origin'] == [500_000.0, 5_400_000.0]
    near = scene(find(flight))
    assert near['origin'] == [0.0, 0.0]
    ours, theirs = (column(body(one, 'uav_1')['y']) for one in (told, near))
    known = np.isfinite(theirs[: len(ours)])
    assert ours[known] == pytest.approx(theirs[: len(ours)][known], abs=2e-3)


def test_what_agents_keep_is_told_where_a_filter_keeps_it(flight):
    safety = SafetyParameters(separation_distance=3.0, fence='-50 -50, 50 -50, 0 40')
    told = scene(find(with_safety(flight, safety)))['bounds']
    assert told == {'separation': 3.0, 'fence': [[[-50.0, -50.0], [50.0, -50.0], [0.0, 40.0]]]}
    off = replace(safety, separation_filter=False)
    assert scene(find(with_safety(flight, off)))['bounds'] == {}


def with_safety(flight, safety):
    return flight._replace(scenario=replace(flight.scenario, safety=safety))


@pytest.mark.parametrize(('duration', 'bodies'), [(60.0, 4), (3600.0, 12), (600.0, 1000)])
def test_the_number_of_places_is_bounded(duration, bodies):
    grid = grid_of(duration, bodies)
    assert len(grid) * bodies <= MAX_PLACES + bodies
    assert grid[-1] <= duration + 1e-9 and duration - grid[-1] <= grid[1] + 1e-9


@pytest.fixture(scope='module')
def drawn(flight, findings):
    return agent_curves(findings)


def line(drawn, agent, key, role='odometry'):
    return next(one for one in drawn['lines'][agent][key] if one['role'] == role)


def test_all_that_a_monitor_publishes_is_drawn(findings):
    drawn = metric_curves(findings)
    assert [curve['name'] for curve in drawn] == [*SAMPLE_NAMES, 'filtered']
    for curve in drawn:
        wanted = findings.series[curve['name']]
        assert column(curve['y']) == pytest.approx(wanted, rel=1e-6, abs=1e-6)
        assert column(curve['t']) == pytest.approx(findings.series['time'], rel=1e-6)


def test_metrics_that_nobody_knows_are_left_out(flight):
    alone = flight._replace(members={'uav_1': flight.members['uav_1']})
    assert {curve['name'] for curve in metric_curves(find(alone))} <= {'alive', 'filtered'}


def test_the_radius_error_is_the_distance_to_the_ring(drawn, flight):
    place, middle = flight.members['uav_4'].track, flight.members['target'].track
    offset = place.position - middle.position
    wanted = np.hypot(offset[:, 0], offset[:, 1]) - flight.scenario.swarm.encirclement_radius
    assert column(line(drawn, 'uav_4', 'radius')['y']) == pytest.approx(wanted, abs=1e-4)


def test_a_long_recording_has_no_more_points_than_a_page_can_draw(flight, findings):
    series = {name: np.tile(values, 100) for name, values in findings.series.items()}
    track = flight.members['uav_1'].track
    long = type(track)(np.arange(100.0 * len(track.time)), *(
        np.concatenate([column] * 100) for column in track[1:]
    ))  # fmt: skip
    members = {**flight.members, 'uav_1': flight.members['uav_1']._replace(track=long)}
    drawn = agent_curves(findings._replace(recording=flight._replace(members=members)))
    curves = [*metric_curves(findings._replace(series=series)), line(drawn, 'uav_1', 'speed')]
    assert all(500 < len(column(one['y'])) <= MAX_POINTS + 4 for one in curves)


def test_commands_stand_beside_odometry(drawn, flight):
    member = flight.members['uav_5']
    for axis, key in enumerate(('east', 'north', 'up')):
        flown, asked = line(drawn, 'uav_5', key), line(drawn, 'uav_5', key, 'command')
        assert column(flown['y']) == pytest.approx(member.track.velocity[:, axis], abs=1e-5)
        assert column(asked['y']) == pytest.approx(member.commands.velocity[:, axis], abs=1e-5)


def test_u_is_that_of_the_telemetry_else_of_the_words(drawn, flight):
    assert column(line(drawn, 'uav_1', 'u')['y']) == pytest.approx(
        flight.members['uav_1'].telemetry.values['u'], abs=1e-5
    )
    quiet = without(flight, 'telemetry')
    assert 'u' in agent_curves(find(quiet))['lines']['uav_1']


def test_only_quantities_that_somebody_has_are_offered(flight, findings):
    keys = {one['key'] for one in agent_curves(findings)['quantities']}
    assert keys == {one.key for one in QUANTITIES} - {'height'}  # all fly in a plane
    bare = without(flight, 'telemetry', 'states')
    settings = default_settings(bare)._replace(target=None, radius=np.nan)
    assert {one['key'] for one in agent_curves(find(bare, settings))['quantities']} == {
        'speed', 'east', 'north', 'up',
    }  # fmt: skip


def test_heights_are_offered_where_bodies_fly_at_different_ones(flight):
    member = flight.members['uav_3']
    higher = member.track._replace(position=member.track.position + np.array([0.0, 0.0, 0.6]))
    members = {**flight.members, 'uav_3': member._replace(track=higher)}
    recording = flight._replace(members=members)
    told = agent_curves(find(recording))
    assert 'height' in {one['key'] for one in told['quantities']}
    assert column(line(told, 'uav_3', 'height')['y']) == pytest.approx(0.6, abs=1e-6)


def test_a_fixed_point_serves_as_middle(flight):
    settings = default_settings(flight, target=(1.0, 2.0, 0.0), radius=10.0)
    shown = line(agent_curves(find(flight, settings)), 'uav_1', 'radius')
    offset = flight.members['uav_1'].track.position[:, :2] - [1.0, 2.0]
    wanted = np.hypot(offset[:, 0], offset[:, 1]) - 10.0
    assert column(shown['y']) == pytest.approx(wanted, abs=1e-4)


NOISE = 0.8


@pytest.fixture(scope='module')
def blurred(flight):
    """Return a flight in which everybody measures with noise, and nothing for three seconds."""
    noise, members = np.random.default_rng(3), {}
    for name, member in flight.members.items():
        true = member.track
        seen = (true.time < 8.0) | (true.time > 11.0)
        off = NOISE * noise.standard_normal(true.position.shape)
        track = true._replace(position=true.position + off)
        measured = type(true)(*(column[seen] for column in track))
        members[name] = member._replace(track=measured, truth=true)
    return flight._replace(members=members)


def test_the_replay_shows_the_truth_and_beside_it_what_was_measured(flight, findings, blurred):
    true, told = scene(findings), scene(find(blurred))
    for before, body in zip(true['bodies'], told['bodies'], strict=True):
        assert (body['x'], body['y'], body['v']) == (before['x'], before['y'], before['v'])
        off = column(body['mx']) - column(body['x'])
        grid = told['step'] * np.arange(told['count'])
        assert np.isnan(off[(grid > 8.2) & (grid < 10.9)]).all()
        assert 0.5 * NOISE < np.nanstd(off) < 2.0 * NOISE
        assert 'mx' not in before


def test_the_curves_of_an_agent_are_the_truth_and_its_odometry(blurred):
    told = agent_curves(find(blurred))
    roles = [line['role'] for line in told['lines']['uav_3']['radius']]
    assert roles == ['truth', 'odometry']
    speeds = [line['role'] for line in told['lines']['uav_3']['speed']]
    assert speeds == ['truth', 'odometry', 'command']


def test_the_errors_are_in_a_table_of_their_own(findings, blurred):
    html, found = page(find(blurred)), find(blurred).measurements
    assert 'Errors of the odometry' in html and len(found) == 7
    assert f'{found[0].position_rms:.3f}' in measurements(find(blurred))
    assert measurements(findings) == ''


@pytest.mark.nightly
def test_the_page_draws_both(chromium, blurred, tmp_path):
    path = write_page(tmp_path / 'report.html', find(blurred))
    with opened(chromium, path, viewport={'width': 1400, 'height': 1800}) as shown:
        settled(shown)
        assert shown.get_by_text('measured positions').is_visible()
        assert shown.locator('#true-role').is_visible()
        shown.evaluate('report.seek(6)')
        shown.evaluate(NEXT_FRAME)
        image = 'document.getElementById("canvas").toDataURL()'
        with_dots = shown.evaluate(image)
        shown.evaluate('for (const body of bodies) body.mx = null; repaint()')
        shown.evaluate(NEXT_FRAME)
        assert shown.evaluate(image) != with_dots


@pytest.mark.nightly
def test_without_truth_nothing_is_said_of_it(shown):
    assert shown.get_by_text('measured positions').count() == 0
    assert not shown.locator('#true-role').is_visible()
