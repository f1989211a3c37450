"""Manifest and scenario on the page."""

import json
import re
from pathlib import Path

import pytest
from soliton_encirclement_ros.analysis.report.origin import name_of, origin, read_manifest


@pytest.fixture
def run(tmp_path):
    (tmp_path / 'manifest.json').write_text(
        json.dumps(
            {
                'command': ['swarm', 'run <b>'],
                'seed': 7,
                'machine': {'cores': 2},
                'distro': None,
                'dirty': True,
            }
        )
    )
    return tmp_path


def test_the_manifest_of_the_run_is_shown(run, flight, findings):
    shown = origin(flight._replace(path=run), findings)
    assert '<dt>distro</dt><dd>–</dd>' in shown and '<dt>dirty</dt><dd>true</dd>' in shown
    assert 'swarm run &lt;b&gt;' in shown and '<dt>machine.cores</dt><dd>2</dd>' in shown


def test_it_is_found_from_the_bag_in_the_folder(run):
    assert read_manifest(run / 'bag') == read_manifest(run)
    assert read_manifest(run)['seed'] == 7


@pytest.mark.parametrize('text', ['', '{', '[' * 100_000, '\udcff', ' ' * 2_000_000])
def test_a_manifest_that_cannot_be_read_is_none(run, text):
    (run / 'manifest.json').write_text(text, errors='surrogateescape')
    assert read_manifest(run) is None


def test_no_manifest_is_said(tmp_path, flight, findings):
    assert 'No manifest' in origin(flight._replace(path=tmp_path / 'x.mcap'), findings)


@pytest.mark.parametrize('content', [3, 'text', ['a'], None])
def test_a_manifest_of_another_form_is_shown_as_it_is(run, flight, findings, content):
    (run / 'manifest.json').write_text(json.dumps(content))
    assert origin(flight._replace(path=run), findings)


def test_values_that_are_not_the_defaults_stand_out(flight, findings):
    shown = origin(flight, findings)
    assert re.search(r'class=changed [^>]*><dt>protection_angle_deg</dt><dd>240.0 deg</dd>', shown)
    assert re.search(r'<div title="radial gain"><dt>k_r</dt><dd>1.0 1/s</dd>', shown)
    assert 'scenario is unknown' in origin(flight._replace(scenario=None), findings)


def test_a_recording_is_called_as_its_folder(tmp_path):
    run = tmp_path / '20260101T000000Z-demo'
    (run / 'bag').mkdir(parents=True)
    (tmp_path / 'latest').symlink_to(run.name)
    assert name_of(tmp_path / 'latest') == run.name
    assert name_of(run / 'bag') == 'bag'
    (run / 'manifest.json').write_text('{}')
    assert name_of(tmp_path / 'latest' / 'bag') == run.name
    assert name_of(Path('/')) == 'recording'
