"""Findings as people see them."""

import io

import numpy as np
import pytest
from rich.console import Console

from soliton_encirclement_ros.analysis.findings import default_settings, find
from soliton_encirclement_ros.analysis.flight_window import between
from soliton_encirclement_ros.analysis.recording import HEADER
from soliton_encirclement_ros.cli.recordings.report_verb import (
    MAX_ROWS, first, lines, print_findings
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.recorded.recordings import body, recording_of, recording_with

TIME = np.arange(0.0, 20.0, 0.1)


def printed(findings, folder, files=()):
    console = Console(file=io.StringIO(), width=200)
    print_findings(findings, folder, [folder / name for name in files], console)
    return console.file.getvalue()


def ring(count, *others):
    angles = np.arange(count) * 2.0 * np.pi / count
    drones = [
        body(f'uav_{k}', TIME, (10.0 * np.cos(a), 10.0 * np.sin(a), 0.0))
        for k, a in enumerate(angles, 1)
    ]
    return recording_with(*drones, *others)


def test_a_whole_flight_is_told_with_verdict_and_files(tmp_path):
    flown = Scenario('demo').with_changes({'run': {'sim_duration': 8.0, 'num_agents': 4}}, 'test')
    text = printed(find(recording_of(flown)), tmp_path, ['findings.json', 'tables/agents.csv'])
    assert 'written: findings.json, tables/agents.csv' in text
    assert f'report folder: {tmp_path}' in text
    assert '8.0 s (simulated clock), 4 agents, radius 20.00 m (scenario)' in text
    assert 'ENCIRCLED: E_gap = ' in text and 'collisions (below 0.3 m): 0' in text
    assert '│ uav_4 ' in text and '│ /swarm/metrics ' in text and 'mean of the last 20 %' in text


@pytest.mark.parametrize(
    ('recording', 'verdict'),
    [
        (ring(3), 'NO VERDICT: there is no target to encircle'),
        (ring(3, body('target', TIME, (0.0,) * 3)), 'ENCIRCLED: E_gap = 0.000'),
        (ring(3, body('target', TIME, (9.0, 0.0, 0.0))), 'NOT ENCIRCLED: E_r = '),
        (recording_with(), 'NO VERDICT'),
    ],
)
def test_the_verdict_is_told(recording, verdict, tmp_path):
    assert verdict in printed(find(recording), tmp_path)


def test_a_crowd_is_cut_short_and_problems_too(tmp_path):
    recording = ring(MAX_ROWS + 5)._replace(problems=tuple(map(str, range(MAX_ROWS + 3))))
    text = printed(find(recording), tmp_path)
    assert f'uav_{MAX_ROWS} ' in text and f'uav_{MAX_ROWS + 1} ' not in text
    found = first(recording.problems, 'problems')
    assert len(found) == MAX_ROWS + 1 and found[-1] == 'and 3 more problems'
    assert first(['one'], 'problems') == ['one']
    assert 'problem: 1\n' in text


def test_names_are_printed_as_they_are(tmp_path):
    recording = recording_with(body('[red]bob', TIME, (1.0, 0.0, 0.0)))
    assert '[red]bob' in printed(find(recording), tmp_path)


@pytest.mark.parametrize(
    ('closed', 'told'), [(0, ''), (2, ' in 1.50 s (median)')],
)  # fmt: skip
def test_a_median_says_of_how_many(closed, told):
    findings = find(ring(3, body('target', TIME, (9.0, 0.0, 0.0))))
    summary = {
        **findings.summary,
        'failures': 3,
        'failures_recovered': 1,
        'closed_after_failure': closed,
        'unclosed_after_failure': 3 - closed,
        'time_to_close_after_failure_s': 1.5 if closed else None,
        'closed_after_recovery': 1,
        'unclosed_after_recovery': 0,
        'time_to_close_after_recovery_s': 0.04,
    }
    line, *_ = lines(findings._replace(summary=summary))
    assert 'settled' in line, 'also with failures'
    assert line.endswith(
        '; failures 3, recovered 1; ring closed again (E_gap below 0.05) after '
        f'{closed} of 3 failures{told} and 1 of 1 return in 0.04 s (median)'
    )


def test_the_nearest_two_are_named():
    recording = ring(3, body('target', TIME, (0.0,) * 3))
    told = lines(find(recording, default_settings(recording)._replace(collision_distance=18.0)))
    assert told[1].startswith('smallest separation 17.32 m: uav_')
    assert told[1].endswith('collisions (below 18 m): 6')


def test_one_agent_is_one_and_what_is_normal_for_other_software_is_no_problem():
    findings = find(recording_with(body('ant', TIME, (0.0,) * 3)))
    assert ' 1 agent' in lines(findings)[0] and '1 agents' not in lines(findings)[0]
    assert not [line for line in findings.problems if 'software' in line]


def test_a_part_has_its_own_length_and_begin():
    part = between(recording_with(body('ant', TIME, (0.0,) * 3)), 5.0, 15.0)
    assert lines(find(part))[0].startswith('10.0 s from 5.0 s on (')
    part = between(ring(3, body('target', TIME, (0.0,) * 3)), 5.0, 15.0)
    assert lines(find(part))[0].endswith('; settled at 5.00 s')


def test_a_flight_of_other_software_has_no_rows_of_dashes(tmp_path):
    """It is no encirclement: nothing of a ring, the date of its clock, and who may be a target."""
    drones = [body(name, TIME, (10.0 * k, 0.0, 0.0)) for k, name in enumerate(('ant', 'bee'))]
    recording = recording_with(*drones, clock=HEADER, start_ns=1_780_000_000 * 10**9)
    text = printed(find(recording), tmp_path)
    assert '(header clock from 2026-05-28T20:26:40+00:00), 2 agents\n' in text
    assert not {'ring error', 'tracking', 'saturated', 'switches', 'settled'} & set(text.split())
    assert 'ring' not in text and 'radius' not in text and 'settled' not in text
    assert 'name one of ant, bee with --target NAME' in text
    assert 'flown' in text and 'nearest' in text
    early = find(recording._replace(start_ns=5 * 10**9))
    assert lines(early)[0] == f'{early.recording.duration:.1f} s (header clock), 2 agents'
