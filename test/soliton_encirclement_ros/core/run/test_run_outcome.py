"""How a run ended: summary and exit code."""

import pytest

from soliton_encirclement_ros.core.run.finished_run import (
    Ending, amended_summary, exit_code, read_run, verdict_line, with_ending
)
from soliton_encirclement_ros.core.run.run_folder import manifest, write_json
from soliton_encirclement_ros.core.scenario.scenario import Scenario

GOOD = {
    'ticks': 3,
    'metrics_mean': {'E_gap': 0.1},
    'verdict': {'encircled': True, 'why': 'E_gap = 0.1 <= 0.2'},
}


@pytest.mark.parametrize(
    ('encircled', 'complete', 'interrupted', 'code'),
    [(True, True, False, 0), (False, True, False, 1), (True, False, False, 1),
     (True, True, True, 130)],
)  # fmt: skip
def test_exit_codes(encircled, complete, interrupted, code):
    verdict = {'encircled': encircled}
    summary = {'verdict': verdict, 'complete': complete, 'interrupted': interrupted}
    assert exit_code(summary) == code


def test_a_run_to_its_end_keeps_its_verdict():
    summary = with_ending(GOOD, Ending())
    assert summary == {**GOOD, 'interrupted': False, 'complete': True}
    assert verdict_line(summary) == 'ENCIRCLED: E_gap = 0.1 <= 0.2'


def test_a_run_that_ended_early_did_not_encircle():
    summary = with_ending(GOOD, Ending(complete=False, ended_early='world died'))
    assert verdict_line(summary) == 'NOT ENCIRCLED: world died'
    assert (summary['complete'], exit_code(summary)) == (False, 1)


def left_behind(folder, **summary):
    """Let a run leave manifest and summary in a folder."""
    write_json(folder / 'manifest.json', manifest(Scenario(), ['x']))
    if summary:
        write_json(folder / 'summary.json', with_ending({**GOOD, **summary}, Ending(True)))


def test_a_summary_is_amended_by_what_its_writer_could_not_see(tmp_path):
    left_behind(tmp_path, ticks=3)
    summary = amended_summary(tmp_path, ['world_node ended with exit code 1'], 'world_node died')
    assert verdict_line(summary) == 'NOT ENCIRCLED: world_node died'
    assert (summary['interrupted'], summary['complete']) == (False, False)
    assert read_run(tmp_path).summary == summary


def test_a_run_that_left_no_summary_has_none(tmp_path):
    left_behind(tmp_path)
    assert amended_summary(tmp_path, ['monitor_node ended with exit code 2'], 'x') is None
