"""The top of the page says what matters, and what is missing."""

from soliton_encirclement_ros.analysis.findings import find
from soliton_encirclement_ros.analysis.report import overview
from soliton_encirclement_ros.core.run.separation.near_misses import RATES
from support.recorded.recordings import without


def test_the_verdict_has_a_word_and_a_reason(findings):
    shown = overview.verdict(findings)
    word = 'Encircled' if findings.encircled else 'Not encircled'
    assert f'<strong>{word}</strong>' in shown
    assert 'E_gap' in shown


def test_without_a_target_nothing_is_judged(flight):
    others = {name: one for name, one in flight.members.items() if name != 'target'}
    assert 'Not judged' in overview.verdict(find(flight._replace(members=others)))


def test_figures_have_units_and_names(findings):
    shown = overview.tiles(findings)
    nearest = findings.min_separation
    assert f'{nearest.distance:.2f} m' in shown and nearest.first in shown
    assert '20.0 s' in shown and '20.0 m' in shown
    assert '1 recovered' in shown


def test_near_misses_are_per_minute(findings):
    summary = {**findings.summary, **dict(zip(RATES, (3.06, 0.5, None), strict=True))}
    shown = overview.tiles(findings._replace(summary=summary))
    assert '<dt>Nearer than 2 m</dt><dd>3.1 / min<small>0.5 below 1 m</small>' in shown
    unknown = {**summary, **dict.fromkeys(RATES)}
    assert '<dt>Nearer than 2 m</dt><dd>–</dd>' in overview.tiles(
        findings._replace(summary=unknown)
    )


def test_a_long_name_leaves_room_in_its_tile(findings):
    long = 'a_vehicle_with_a_very_long_name'
    nearest = findings.min_separation._replace(first=f'{long}_1', second=f'{long}_2')
    shown = overview.tiles(findings._replace(min_separation=nearest))
    assert long not in shown and '…ery_long_name_1, …ery_long_name_2 at' in shown


def test_a_complete_recording_lacks_nothing(flight, findings):
    assert overview.notes(flight, findings) == ''


def test_what_is_missing_is_said(flight):
    bare = without(flight, 'telemetry', 'commands', 'scenario')
    shown = overview.notes(bare, find(bare))
    for what in ('telemetry', 'commands', 'scenario'):
        assert f'no {what}' in shown


def test_many_problems_are_folded(flight, findings):
    shown = overview.notes(flight, findings._replace(problems=tuple(map(str, range(100)))))
    assert '96 more' in shown and shown.count('<li>') == 100
