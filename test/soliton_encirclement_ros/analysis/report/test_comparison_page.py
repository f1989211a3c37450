"""The page of a comparison, opened in a real browser."""

from pathlib import Path

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.compare.comparing import compare_sides
from soliton_encirclement_ros.analysis.compare.sides import side_from_recording
from soliton_encirclement_ros.analysis.findings import find
from soliton_encirclement_ros.analysis.report.comparison_page import (
    comparison_page,
    write_comparison_page,
)
from support.recorded.browser import DESKTOP, PHONE, chromium, opened, swipe_up, until
from support.recorded.contrast import faint_texts
from support.recorded.recordings import recording_of
from support.ros.swarm import scenario

__all__ = ['chromium']

EVIL = '</script><b>x</b>{{data}}'


@pytest.fixture(scope='module')
def comparison():
    recordings = [
        recording_of(scenario(run={'sim_duration': 6.0, 'seed': seed})) for seed in (1, 2, 3)
    ]
    names = ('sim', 'flight', EVIL)
    sides = [
        side_from_recording(name, one, find(one))
        for name, one in zip(names, recordings, strict=True)
    ]
    return compare_sides(sides, 'motion')


@pytest.fixture(scope='module')
def page(comparison, tmp_path_factory) -> Path:
    return write_comparison_page(tmp_path_factory.mktemp('page') / 'compare.html', comparison)


@pytest.mark.filterwarnings('error::RuntimeWarning')
def test_infinite_figures_have_no_difference_and_nobody_is_warned(comparison):
    nobody = comparison.curves['G_max'][0] * np.inf
    alone = {**comparison.curves, 'G_max': [nobody] * 3}
    assert 'G_max' in comparison_page(comparison._replace(curves=alone))


def drawn(tab):
    """Return how many lines with points every plot shows."""
    return tab.evaluate(
        "[...document.querySelectorAll('.chart')].map((p) => p.data.filter("
        '(t) => t.visible && t.x.length > 2).length)'
    )


@pytest.mark.nightly
@pytest.mark.parametrize('device', [DESKTOP, PHONE], ids=['desktop', 'phone'])
def test_all_curves_are_drawn_over_each_other_without_an_error(chromium, page, device, tmp_path):
    with opened(chromium, page, **device) as tab:
        assert drawn(tab) == [3] * 8
        width = tab.evaluate('document.documentElement.scrollWidth')
        assert width <= device['viewport']['width']
        assert tab.locator('h2').first.is_visible()
        tab.screenshot(path=tmp_path / 'page.png')


def test_differences_hiding_and_common_zoom_work(chromium, page):
    with opened(chromium, page, **DESKTOP) as tab:
        tab.click('#differences')
        assert drawn(tab) == [2] * 8
        tab.click('#values')
        tab.locator('#names button').nth(1).click()
        assert drawn(tab) == [2] * 8
        box = tab.locator('.chart').first.bounding_box()
        tab.mouse.move(box['x'] + 150, box['y'] + 60)
        tab.mouse.down()
        tab.mouse.move(box['x'] + 300, box['y'] + 70, steps=5)
        tab.mouse.up()
        until(tab, "!document.getElementById('whole').hidden")
        ranges = tab.evaluate(
            "[...document.querySelectorAll('.chart')].map((p) => p.layout.xaxis.range.map(Number))"
        )
        assert np.allclose(ranges, ranges[0]) and 0.1 < ranges[0][1] - ranges[0][0] < 5.0
        tab.click('#whole')
        assert tab.locator('#whole').is_hidden()
        tab.click('#theme')
        assert drawn(tab) == [2] * 8


@pytest.mark.nightly
def test_a_finger_on_a_plot_scrolls_the_page_and_a_tap_reads_it(chromium, page):
    with opened(chromium, page, **PHONE) as tab:
        swipe_up(tab, '.chart')
        tab.locator('.chart').nth(1).tap()
        until(tab, 'document.querySelectorAll(".hovertext").length === 3')
        assert tab.locator('#whole').is_hidden()


@pytest.mark.nightly
@pytest.mark.parametrize('scheme', ['light', 'dark'])
def test_every_text_stands_out_from_its_ground(chromium, page, scheme):
    with opened(chromium, page, **DESKTOP, color_scheme=scheme) as tab:
        tab.locator('#names button').first.click()
        tab.mouse.move(5, 5)
        assert faint_texts(tab) == []


def test_names_never_become_markup(chromium, page):
    with opened(chromium, page, **DESKTOP) as tab:
        assert tab.locator('#names .name').nth(2).inner_text() == f'C {EVIL}'
        assert tab.locator('b').count() == 0


def test_the_tables_hold_differences_with_units(chromium, page, comparison):
    with opened(chromium, page, **DESKTOP) as tab:
        row = tab.locator('tr[data-row="mean speed (median agent)"]')
        cells = row.locator('td').all_inner_texts()
        found = next(one for one in comparison.rows if one.name == 'mean speed (median agent)')
        assert cells[0] == 'm/s' and cells[1] == f'{found.values[0]:.3f}'
        assert float(cells[3]) == pytest.approx(found.differences[1], abs=1e-3)
        assert 'run.seed' in tab.locator('#notes').inner_text()


def test_the_page_is_the_same_every_time_and_small(comparison, page):
    text = comparison_page(comparison)
    assert text == page.read_text(encoding='utf-8') and len(text) < 8e6
