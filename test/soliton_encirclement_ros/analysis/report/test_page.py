"""The file itself: alone, small, the same every time, and safe whatever a recording says."""

import base64
import gzip
import hashlib
import json
import re

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.findings import find
from soliton_encirclement_ros.analysis.recording import (
    RECEIVED, Member, Recording, Telemetry, Topic, Track
)
from soliton_encirclement_ros.analysis.report import page, write_page
from support.recorded.browser import DESKTOP, load, opened, settled
from support.recorded.recordings import without

HOSTILE = '</script><script>alert(1)</script><img src=x onerror=alert(2)>{{data}}\'"&\x00\u202e'


def nobody(tmp_path):
    return Recording(tmp_path, 0, RECEIVED, 0.0, {}, None, (), ('the bag is empty',))


def test_the_file_fetches_nothing_and_runs_its_own_scripts_only(page_file):
    text = page_file.read_text(encoding='utf-8')
    assert not re.search(r'<(link|img|iframe)|<script[^>]*src=', text.partition('<script>')[0])
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    assert "default-src 'none'" in policy
    (unpack,) = re.findall(r'<script>(.*?)</script>', text, re.DOTALL)
    packed = re.search(r'id="packed">(.*?)<', text)[1]
    scripts = json.loads(gzip.decompress(base64.b64decode(packed)))['scripts']
    assert len(scripts) == 3
    for script in (unpack, *scripts):
        assert base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() in policy


def test_the_same_recording_makes_the_same_file(page_file, flight, findings):
    assert page(findings) == page_file.read_text(encoding='utf-8')


def test_a_page_is_small_and_a_minute_of_ten_agents_below_four_megabytes(
    page_file, flight, tmp_path
):
    recording = nobody(tmp_path)
    without_flight = len(page(find(recording)).encode())
    assert without_flight < 2.3e6
    grows = (page_file.stat().st_size - without_flight) / (flight.duration * 5)
    assert without_flight + grows * 60.0 * 10 < 4e6


def hostile(recording):
    names = (f'/{HOSTILE}', *(topic.name for topic in recording.topics))
    topics = tuple(Topic(name, HOSTILE, 2, 0.0, 1.0, 1.0, 1.0, 0.0, np.nan, np.nan)
                   for name in names)  # fmt: skip
    stranger = recording.members['uav_5']._replace(name=HOSTILE)
    members = {**recording.members, HOSTILE: stranger}
    return recording._replace(topics=topics, problems=(HOSTILE,) * 9, members=members)


def test_no_text_of_a_recording_becomes_markup(chromium, flight, tmp_path):
    recording = hostile(flight)
    found = find(recording)
    renamed = found.agents[1]._replace(name=HOSTILE)
    found = found._replace(agents=(found.agents[0], renamed, *found.agents[2:]))
    path = write_page(tmp_path / 'report.html', found)
    with opened(chromium, path, **DESKTOP) as shown:
        settled(shown)
        assert shown.locator('img').count() == 0
        assert shown.locator('script').count() == 5
        assert (
            '<img src=x'
            in shown.locator('table', has_text='JointState')
            .or_(shown.locator('#problems'))
            .first.inner_text()
        )
        shown.evaluate('document.getElementById("multiples").scrollIntoView()')
        settled(shown)


def gappy(recording):
    """Return a recording with NaN in a track, of which an agent has nothing else."""
    member = recording.members['uav_1']
    track = member.track._replace(position=member.track.position * np.nan)
    return recording._replace(members={**recording.members, 'uav_1': Member('uav_1', track)})


def one_sample(recording):
    track = Track(np.zeros(1), np.ones((1, 3)), np.zeros((1, 3)), np.zeros(1))
    told = Telemetry(np.zeros(1), np.ones((1, 3)), np.zeros((1, 3)), np.zeros(1, bool),
                     np.full(1, -1.0), np.full(1, np.nan), {})  # fmt: skip
    members = {'uav_1': Member('uav_1', track, telemetry=told), 'uav_2': Member('uav_2')}
    return recording._replace(members=members, duration=0.0, scenario=None, metrics=None)


SPARSE = {
    'nobody': lambda flight, path: nobody(path),
    'no target': lambda flight, path: flight._replace(
        members={name: member for name, member in flight.members.items() if name != 'target'}),
    'odometry only': lambda flight, path: without(
        flight, 'states', 'telemetry', 'commands', 'scenario', 'metrics'),
    'one agent': lambda flight, path: flight._replace(
        members={name: flight.members[name] for name in ('uav_1', 'target')}),
    'nothing but NaN': lambda flight, path: gappy(flight),
    'one sample': lambda flight, path: one_sample(flight),
}  # fmt: skip


@pytest.mark.nightly
def test_a_sparse_recording_still_makes_a_page(chromium, flight, findings, tmp_path):
    path = write_page(tmp_path / 'report.html', findings)
    with opened(chromium, path, **DESKTOP) as shown:
        for name, make in SPARSE.items():
            recording = make(flight, tmp_path)
            load(shown, write_page(path, find(recording)))
            settled(shown)
            said = shown.locator('#problems')
            assert said.count() == 1, name
            shown.evaluate('report.play(true)')
            shown.keyboard.press('ArrowRight')
            assert 'NaN' not in shown.locator('body').inner_text(), name


def test_who_was_not_recorded_is_said(chromium, flight, tmp_path):
    recording = nobody(tmp_path)
    path = write_page(tmp_path / 'report.html', find(recording))
    with opened(chromium, path, **DESKTOP) as shown:
        assert shown.locator('#empty').is_visible()
        assert shown.locator('#play').is_disabled()
        assert 'No metrics' in shown.locator('#metrics').inner_text()
        assert shown.evaluate('report.bodies.length') == 0
