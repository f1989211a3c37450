"""Curves of the page against the arrays they are made of."""

import base64

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.findings import default_settings, find
from soliton_encirclement_ros.analysis.report.curves import (
    QUANTITIES,
    agent_curves,
    metric_curves,
)
from soliton_encirclement_ros.core.run.observer import SAMPLE_NAMES
from support.recorded.recordings import without


def column(text):
    return np.frombuffer(base64.b64decode(text), '<f4')


@pytest.fixture(scope='module')
def told(flight, findings):
    return agent_curves(flight, findings)


def line(told, agent, key, role='odometry'):
    return next(one for one in told['lines'][agent][key] if one['role'] == role)


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


def test_the_radius_error_is_the_distance_to_the_ring(told, flight):
    place, middle = flight.members['uav_4'].track, flight.members['target'].track
    offset = place.position - middle.position
    wanted = np.hypot(offset[:, 0], offset[:, 1]) - flight.scenario.swarm.encirclement_radius
    assert column(line(told, 'uav_4', 'radius')['y']) == pytest.approx(wanted, abs=1e-4)


def test_commands_stand_beside_odometry(told, flight):
    member = flight.members['uav_5']
    for axis, key in enumerate(('east', 'north', 'up')):
        flown, asked = line(told, 'uav_5', key), line(told, 'uav_5', key, 'command')
        assert column(flown['y']) == pytest.approx(member.track.velocity[:, axis], abs=1e-5)
        assert column(asked['y']) == pytest.approx(member.commands.velocity[:, axis], abs=1e-5)


def test_u_is_that_of_the_telemetry_else_of_the_words(told, flight):
    assert column(line(told, 'uav_1', 'u')['y']) == pytest.approx(
        flight.members['uav_1'].telemetry.values['u'], abs=1e-5
    )
    quiet = without(flight, 'telemetry')
    assert 'u' in agent_curves(quiet, find(quiet))['lines']['uav_1']


def test_only_quantities_that_somebody_has_are_offered(flight, findings):
    keys = {one['key'] for one in agent_curves(flight, findings)['quantities']}
    assert keys == {one.key for one in QUANTITIES}
    bare = without(flight, 'telemetry', 'states')
    settings = default_settings(bare)._replace(target=None, radius=np.nan)
    assert {one['key'] for one in agent_curves(bare, find(bare, settings))['quantities']} == {
        'speed', 'east', 'north', 'up',
    }  # fmt: skip


def test_a_fixed_point_serves_as_middle(flight):
    settings = default_settings(flight, target=(1.0, 2.0, 0.0), radius=10.0)
    shown = line(agent_curves(flight, find(flight, settings)), 'uav_1', 'radius')
    offset = flight.members['uav_1'].track.position[:, :2] - [1.0, 2.0]
    wanted = np.hypot(offset[:, 0], offset[:, 1]) - 10.0
    assert column(shown['y']) == pytest.approx(wanted, abs=1e-4)
