"""Findings of a study: what they hold, written and read, as tables, Markdown and pictures."""

import math
import re
from xml.etree import ElementTree

import pytest
from soliton_encirclement_ros.analysis.law_study.law_contrasts import tallies
from soliton_encirclement_ros.analysis.law_study.study_findings import (
    FILE,
    contrast_table,
    findings_of,
    flight_table,
    read_findings,
    tuning_table,
    write_findings,
)
from soliton_encirclement_ros.analysis.law_study.study_page import gains_text, study_markdown
from soliton_encirclement_ros.analysis.law_study.study_plots import (
    COLOURS,
    ablation_map,
    forest_plot,
    law_map,
    picture,
    text,
)
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.run.experiment_records import Candidate, StudyFlight, TunedLaw
from support.sweeping.studies import CALM, OUTLINE, made_findings, made_flights


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


def test_a_row_per_flight():
    flights = made_flights(dict.fromkeys(('ours', 'ours_tuned', 'theirs', 'without'), 1.0), 2)
    table = flight_table(OUTLINE, flights)
    assert table.columns == ['law', 'case', 'setting', 'seed', 'E_wgap', 'min_separation']
    assert len(table.rows) == 2 * 4 * 2
    assert list(table.rows[0]) == table.columns


def test_a_row_per_comparison_with_its_family():
    table = contrast_table(made_findings())
    assert [row['family'] for row in table.rows] == ['law'] * 8 + ['ablation'] * 4
    assert table.rows[0]['chosen'] == 'ours'
    assert {row['verdict'] for row in table.rows} == {'better', 'worse', 'open'}


def test_a_row_per_set_of_gains_with_a_column_per_gain_of_any_law():
    tried = [Candidate('a', {}, 3, 0.5), Candidate('b', {'control.k_s': 2.0}, 1, 0.7)]
    assert tuning_table(tried).rows == [
        {'law': 'a', 'flights': 3, 'cost': 0.5, 'control.k_s': None},
        {'law': 'b', 'flights': 1, 'cost': 0.7, 'control.k_s': 2.0},
    ]


PICTURES = {'heat map of E_wgap': 'x_heat_map.svg'}


def test_it_has_pictures_counts_medians_ablation_and_gains():
    page = study_markdown(made_findings(), PICTURES)
    assert page.startswith('![heat map of E_wgap](x_heat_map.svg)\n')
    headings = re.findall('^## (.*)$', page, re.MULTILINE)
    assert headings == [
        '`ours` against each other law', 'E_wgap, lag 1 s', 'min separation [m], lag 1 s',
        'Ablation', 'Gains that tuning found',
    ]  # fmt: skip
    assert re.search(r'\| `theirs` \| 2\+ 0−, 0\.\d\d \| 0\+ 2−, 0\.\d\d \|', page)
    assert '| `ours_tuned` | k_r 1.25 | -1.500 | -1.000 | 2 | 12 |' in page
    medians = next(line for line in page.splitlines() if line.startswith('| calm |'))
    assert medians.count('**') == 2 and re.search(r'\| 0\.\d+ \(12\+\) \|$', medians)


def test_all_tables_have_rows_of_equal_length():
    page = study_markdown(made_findings(), PICTURES)
    for table in re.findall(r'(?:^\|.*\n)+', page, re.MULTILINE):
        assert len({line.count('|') for line in table.splitlines()}) == 1


def test_gains_are_rounded_and_none_are_those_shipped():
    gains = {'control.k_r': 0.123456, 'control.ring_hops': 3}
    assert gains_text(gains) == 'k_r 0.123, ring_hops 3'
    assert gains_text({}) == 'as shipped'


SVG = '{http://www.w3.org/2000/svg}'


@pytest.fixture(scope='module')
def findings():
    return made_findings()


def texts(svg):
    return [one.text for one in ElementTree.fromstring(svg).iter(f'{SVG}text')]


def fills(svg):
    return [one.get('fill') for one in ElementTree.fromstring(svg).iter(f'{SVG}rect')][1:]


def test_the_map_of_laws_has_the_ratio_to_the_best_other_law(findings):
    svg = law_map(findings, 'E_wgap')
    shown = texts(svg)
    assert {'lag 1 s', 'calm', 'loss', 'ours', 'ours_tuned', 'theirs'} <= {*shown}
    ratios = [float(one) for one in shown if re.fullmatch(r'\d\.\d\d', one)]
    assert len(ratios) == 6
    assert ratios == pytest.approx([0.5, 0.5, 2.0] * 2, abs=0.15)


def test_better_is_blue_and_worse_red(findings):
    blue, _, red = fills(law_map(findings, 'E_wgap'))[:3]
    assert int(blue[5:], 16) > int(blue[1:3], 16)
    assert int(red[1:3], 16) > int(red[5:], 16)
    assert fills(law_map(findings, 'min_separation'))[0] > fills(law_map(findings, 'E_wgap'))[0]


def test_the_map_of_the_ablation_is_relative_to_the_chosen_law(findings):
    ratios = [float(one) for one in texts(ablation_map(findings, 'E_wgap'))
              if re.fullmatch(r'\d\.\d\d', one)]  # fmt: skip
    assert ratios == pytest.approx([1.5, 1.5], abs=0.1)


def test_the_forest_has_a_coloured_interval_for_every_comparison(findings):
    tree = ElementTree.fromstring(forest_plot(findings, 'E_wgap'))
    dots = [one.get('fill') for one in tree.iter(f'{SVG}circle')]
    assert sorted(dots) == sorted([COLOURS['open']] * 2 + [COLOURS['better']] * 2)
    assert [one.get('stroke-width') for one in tree.iter(f'{SVG}path')].count('1.6') == 4
    titles = [one.text for one in tree.iter(f'{SVG}title')]
    assert any(one.endswith('better in 12 of 12 seeds') for one in titles)


def test_texts_never_become_elements():
    svg = picture(10.0, 10.0, [text(0.0, 0.0, '<script>"&')])
    assert texts(svg) == ['<script>"&']
