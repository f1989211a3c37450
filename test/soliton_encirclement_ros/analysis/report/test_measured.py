"""The page of a flight whose members measure their motion with errors: truth and measurement."""

import base64

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.findings import find
from soliton_encirclement_ros.analysis.report import write_page
from soliton_encirclement_ros.analysis.report.curves import agent_curves
from soliton_encirclement_ros.analysis.report.page import page
from soliton_encirclement_ros.analysis.report.page_tables import measurements
from soliton_encirclement_ros.analysis.report.scene import scene
from support.recorded.browser import NEXT_FRAME, opened, settled

NOISE = 0.8


def column(text):
    return np.frombuffer(base64.b64decode(text), '<f4')


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
    true, told = scene(flight, findings), scene(blurred, find(blurred))
    for before, body in zip(true['bodies'], told['bodies'], strict=True):
        assert (body['x'], body['y'], body['v']) == (before['x'], before['y'], before['v'])
        off = column(body['mx']) - column(body['x'])
        grid = told['step'] * np.arange(told['count'])
        assert np.isnan(off[(grid > 8.2) & (grid < 10.9)]).all()
        assert 0.5 * NOISE < np.nanstd(off) < 2.0 * NOISE
        assert 'mx' not in before


def test_the_curves_of_an_agent_are_the_truth_and_its_odometry(blurred):
    told = agent_curves(blurred, find(blurred))
    roles = [line['role'] for line in told['lines']['uav_3']['radius']]
    assert roles == ['truth', 'odometry']
    speeds = [line['role'] for line in told['lines']['uav_3']['speed']]
    assert speeds == ['truth', 'odometry', 'command']


def test_the_errors_are_in_a_table_of_their_own(findings, blurred):
    html, found = page(blurred, find(blurred)), find(blurred).measurements
    assert 'Errors of the odometry' in html and len(found) == 7
    assert f'{found[0].position_rms:.3f}' in measurements(find(blurred))
    assert measurements(findings) == ''


@pytest.mark.nightly
def test_the_page_draws_both(chromium, blurred, tmp_path):
    path = write_page(tmp_path / 'report.html', blurred, find(blurred))
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
