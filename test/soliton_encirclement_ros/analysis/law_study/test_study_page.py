"""The page of a study, opened in a real browser."""

import re

import pytest
from soliton_encirclement_ros.analysis.law_study.study_page import study_page
from support.recorded.browser import DESKTOP, PHONE, chromium, opened
from support.recorded.contrast import faint_texts
from support.sweeping.studies import made_findings

__all__ = ['chromium']

EVIL = '</script><b>x</b>{{data}}'


@pytest.fixture(scope='module')
def page(tmp_path_factory):
    path = tmp_path_factory.mktemp('page') / 'study.html'
    path.write_text(study_page(made_findings()), encoding='utf-8')
    return path


def shown(tab):
    """Return the metrics of which something is in sight."""
    return set(tab.evaluate(
        "[...document.querySelectorAll('[data-metric]')].filter((one) => one.checkVisibility())"
        '.map((one) => one.dataset.metric)'
    ))  # fmt: skip


@pytest.mark.parametrize('device', [DESKTOP, PHONE], ids=['desktop', 'phone'])
def test_one_metric_is_shown_at_a_time_and_nothing_is_wider_than_the_window(
    chromium, page, device
):
    with opened(chromium, page, **device) as tab:
        assert shown(tab) == {'E_wgap'}
        tab.click('[data-choice="min_separation"]')
        assert shown(tab) == {'min_separation'}
        assert tab.get_attribute('[data-choice="min_separation"]', 'aria-pressed') == 'true'
        assert tab.evaluate('document.documentElement.scrollWidth') <= device['viewport']['width']


def test_it_has_both_plots_all_comparisons_the_ablation_and_the_gains(chromium, page):
    with opened(chromium, page, **DESKTOP) as tab:
        assert tab.locator('[data-metric="E_wgap"] svg').count() == 3
        rows = tab.locator('[data-metric="E_wgap"] tbody tr')
        assert rows.count() == 4
        assert 'k_r 1.25' in tab.inner_text('main')
        tab.click('[data-metric="E_wgap"] summary')
        assert rows.first.is_visible()
        assert tab.locator('[data-metric="E_wgap"] td', has_text='better').count() == 2


def test_all_texts_can_be_read_in_both_themes(chromium, page):
    with opened(chromium, page, **DESKTOP) as tab:
        assert not faint_texts(tab)
        tab.click('#theme')
        assert not faint_texts(tab)


PICTURES = """() => {
  const grounds = [...document.querySelectorAll('.paper svg')].map(
    (one) => getComputedStyle(one.querySelector('rect')).fill);
  const inks = [...document.querySelectorAll('.paper text')].map((one) => {
    const before = one.previousElementSibling;
    const cell = before.matches('rect') && before.querySelector('title') ? before : null;
    const ground = cell || one.ownerSVGElement.querySelector('rect');
    return [getComputedStyle(one).fill, getComputedStyle(ground).fill];
  });
  return [grounds, inks, getComputedStyle(document.querySelector('.scroll')).backgroundColor];
}"""


def luminance(colour):
    shares = [float(one) / 255.0 for one in re.findall(r'[\d.]+', colour)[:3]]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in shares]
    return sum(w * one for w, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize('scheme', ['light', 'dark'])
def test_pictures_stand_on_the_ground_of_the_page_and_can_be_read(chromium, page, scheme):
    with opened(chromium, page, **DESKTOP, color_scheme=scheme) as tab:
        grounds, inks, card = tab.evaluate(PICTURES)
        assert set(grounds) == {card}
        for ink, ground in inks:
            low, high = sorted((luminance(ink), luminance(ground)))
            assert (high + 0.05) / (low + 0.05) >= 4.5, (ink, ground)


def test_names_never_become_elements(chromium, tmp_path):
    findings = made_findings()
    outline = findings.outline._replace(name=EVIL)
    path = tmp_path / 'evil.html'
    path.write_text(study_page(findings._replace(outline=outline)), encoding='utf-8')
    with opened(chromium, path, **DESKTOP) as tab:
        assert tab.inner_text('h1') == EVIL
        assert tab.locator('b').count() == 0


def test_the_same_findings_give_the_same_page():
    assert study_page(made_findings()) == study_page(made_findings())
