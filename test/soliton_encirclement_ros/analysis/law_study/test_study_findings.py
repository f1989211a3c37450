"""Findings of a study: what they hold, written and read."""

import json
import math

import pytest
from soliton_encirclement_ros.analysis.law_study.study_counts import tallies
from soliton_encirclement_ros.analysis.law_study.study_findings import (
    FILE,
    findings_of,
    read_findings,
    write_findings,
)
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.law_study.study_records import Candidate, StudyFlight, TunedLaw
from support.sweeping.studies import CALM, OUTLINE, made_findings


def test_what_is_written_is_read(tmp_path):
    findings = made_findings()
    write_findings(tmp_path / FILE, findings)
    assert read_findings(tmp_path) == findings


def test_ablations_are_compared_apart_from_laws():
    findings = made_findings()
    assert {row.other for row in findings.laws} == {'ours_tuned', 'theirs'}
    assert {row.other for row in findings.ablations} == {'without'}
    assert len(findings.medians) == 2 * 2 * 4


def test_what_never_happened_is_counted_and_not_written_as_a_number(tmp_path):
    flights = [StudyFlight(law, CALM, seed, {'E_wgap': math.inf if seed else 0.1})
               for law in OUTLINE.laws for seed in range(3)]  # fmt: skip
    lost = Candidate('ours_tuned', {}, 1, math.inf)
    findings = findings_of(OUTLINE, flights, {'ours_tuned': TunedLaw(lost, lost, [lost], 1)})
    first = findings.medians[0]
    assert (first.median, first.count, first.never) == (None, 3, 2)
    assert findings.tuned[0].cost is None
    write_findings(tmp_path / FILE, findings)
    assert 'Infinity' not in (tmp_path / FILE).read_text()


def test_a_tally_counts_conditions_seeds_and_the_middle_ratio():
    found = {(one.metric, one.other): one for one in tallies(made_findings().laws)}
    theirs, apart = found['E_wgap', 'theirs'], found['min_separation', 'theirs']
    assert (theirs.better, theirs.worse, theirs.conditions) == (2, 0, 2)
    assert (theirs.won, theirs.pairs) == (24, 24)
    assert theirs.ratio == pytest.approx(0.5, rel=0.1)
    assert (apart.better, apart.worse) == (0, 2)
    assert (found['E_wgap', 'ours_tuned'].better, found['E_wgap', 'ours_tuned'].worse) == (0, 0)


@pytest.mark.parametrize('text', ['', '[]', '{}', '{"layout": 2}', '{"layout": 1}', 'null'])
def test_a_file_that_is_none_is_refused_in_one_line(tmp_path, text):
    (tmp_path / FILE).write_text(text)
    with pytest.raises(RunError, match=r'study\.json: is not the result of a study'):
        read_findings(tmp_path)


def test_a_folder_without_findings_is_refused(tmp_path):
    with pytest.raises(RunError, match=r'has no study\.json: name the folder of a finished study'):
        read_findings(tmp_path)


def test_the_file_says_what_was_compared(tmp_path):
    write_findings(tmp_path / FILE, made_findings())
    outline = json.loads((tmp_path / FILE).read_text())['outline']
    assert outline['chosen'] == 'ours'
    assert outline['conditions'][0] == {'case': 'calm', 'setting': 'lag 1 s'}
