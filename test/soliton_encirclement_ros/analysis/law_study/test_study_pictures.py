"""Heat map and forest plot: well-formed pictures that show the numbers of the findings."""

import re
from xml.etree import ElementTree

import pytest
from soliton_encirclement_ros.analysis.law_study.forest_plot import COLOURS, forest_plot
from soliton_encirclement_ros.analysis.law_study.heat_map import ablation_map, law_map
from soliton_encirclement_ros.analysis.law_study.svg import picture, text
from support.sweeping.studies import made_findings

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
