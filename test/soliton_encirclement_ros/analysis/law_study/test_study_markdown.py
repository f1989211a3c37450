"""The tables of a study in Markdown."""

import re

from soliton_encirclement_ros.analysis.law_study.study_markdown import study_markdown
from soliton_encirclement_ros.analysis.law_study.study_texts import gains_text
from support.sweeping.studies import made_findings

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


def test_medians_say_which_is_best_and_how_many_seeds_are_won():
    lines = study_markdown(made_findings(), {}).splitlines()
    head = lines.index('|  | `ours` | `ours_tuned` | `theirs` |')
    _, case, ours, tuned, theirs, _ = map(str.strip, lines[head + 2].split('|'))
    assert case == 'calm'
    assert [one.startswith('**') for one in (ours, tuned)].count(True) == 1
    assert re.fullmatch(r'[*\d.]+', ours) and re.fullmatch(r'[*\d.]+ \(\d+\)', tuned)
    assert re.fullmatch(r'0\.\d+ \(12\+\)', theirs)


def test_all_tables_have_rows_of_equal_length():
    page = study_markdown(made_findings(), PICTURES)
    for table in re.findall(r'(?:^\|.*\n)+', page, re.MULTILINE):
        assert len({line.count('|') for line in table.splitlines()}) == 1


def test_gains_are_rounded_and_none_are_those_shipped():
    gains = {'control.k_r': 0.123456, 'control.ring_hops': 3}
    assert gains_text(gains) == 'k_r 0.123, ring_hops 3'
    assert gains_text({}) == 'as shipped'
