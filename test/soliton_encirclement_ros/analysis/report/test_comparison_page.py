"""The page of a comparison, opened in a real browser."""

from pathlib import Path

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.comparison_records import side_from_recording
from soliton_encirclement_ros.analysis.findings import find
from soliton_encirclement_ros.analysis.recording_comparison import compare_sides
from soliton_encirclement_ros.analysis.report.comparison_page import comparison_page
from soliton_encirclement_ros.analysis.report.page_markup import write_whole
from support.recorded.browser import DESKTOP, PHONE, chromium, load, opened, swipe_up, until
from support.recorded.contrast import faint_texts
from support.recorded.recordings import recording_of
from support.ros.swarm import scenario

__all__ = ['chromium']

EVIL = '</script><b>x</b>{{data}}'


@pytest.fixture(scope='module')
def recordings():
    return [recording_of(scenario(run={'sim_duration': 6.0, 'seed': seed})) for seed in (1, 2, 3)]


@pytest.fixture(scope='module')
def comparison(recordings):
    names = ('sim', 'flight', EVIL)
    sides = [
        side_from_recording(name, find(recording))
        for name, recording in zip(names, recordings, strict=True)
    ]
    return compare_sides(sides, 'motion')


@pytest.fixture(scope='module')
def page(comparison, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp('page') / 'compare.html'
    return write_whole(path, comparison_page(comparison))


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
        assert drawn(tab) == [3] * 8 + [2]
        width = tab.evaluate('document.documentElement.scrollWidth')
        assert width <= device['viewport']['width']
        assert tab.locator('h2').first.is_visible()
        tab.screenshot(path=tmp_path / 'page.png')


def test_differences_hiding_and_common_zoom_work(chromium, page):
    with opened(chromium, page, **DESKTOP) as tab:
        tab.click('#differences')
        assert drawn(tab) == [2] * 9
        tab.click('#values')
        tab.locator('#names button').nth(1).click()
        assert drawn(tab) == [2] * 8 + [1]
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
        assert drawn(tab) == [2] * 8 + [1]


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


SOLID = '(document.getElementById("solid").data || [])'
GHOST_OF_UAV_1 = """(time) => {
  const one = report.ghosts().find((body) => body.name === 'uav_1');
  return report.ghostPlace(one, time);
}"""
PICTURE = """() => {
  report.drawReplay(2.0);
  return document.getElementById('canvas').toDataURL();
}"""


def flown(recording, name, time):
    """Return where a member was at a time of its recording."""
    track = recording.members[name].flown
    return [np.interp(time, track.time, column) for column in track.position.T]


def test_another_recording_flies_along_as_a_ghost(chromium, page, comparison, recordings):
    with opened(chromium, page, **DESKTOP) as tab:
        assert tab.locator('#ghost option').count() == 3
        pictures = set()
        for i, chosen in ((1, 'B flight'), (2, f'C {EVIL}')):
            tab.locator('#ghost').select_option(index=i)
            wanted = flown(recordings[i], 'uav_1', 2.0 + comparison.zeros[i])
            assert tab.evaluate(GHOST_OF_UAV_1, 2.0) == pytest.approx(wanted, abs=0.02)
            assert f'ghost: {chosen[:10]}' in tab.locator('#legend').inner_text()
            pictures.add(tab.evaluate(PICTURE))
        assert np.isnan(tab.evaluate(GHOST_OF_UAV_1, 60.0)).all()
        tab.locator('#ghost').select_option('none')
        assert len(pictures | {tab.evaluate(PICTURE)}) == 3
        assert 'ghost' not in tab.locator('#legend').inner_text()


def test_the_flight_is_shown_in_the_time_of_the_curves(chromium, page, comparison, recordings):
    with opened(chromium, page, **DESKTOP) as tab:
        x, y = tab.evaluate(
            """(time) => { const body = report.bodies[0];
            const i = Math.round((time - report.scene.first) / report.scene.step);
            return [body.x[i], body.y[i]]; }""", 2.0
        )  # fmt: skip
        wanted = flown(recordings[0], 'uav_1', 2.0 + comparison.zeros[0])
        assert (x, y) == pytest.approx(wanted[:2], abs=0.3)
        tab.evaluate('report.seek(2)')
        until(tab, '!document.querySelector(".over .cursor").hidden')


def test_a_ghost_is_there_in_three_dimensions_too(chromium, page):
    with chromium.tab(**DESKTOP) as tab:  # of which drivers of graphics warn
        load(tab, page)
        tab.keyboard.press('3')
        until(tab, f'{SOLID}.some((one) => one.opacity === 0.6)')


def test_recordings_that_do_not_tell_where_anybody_was_have_curves_only(
    chromium, comparison, tmp_path
):
    sides = tuple(side._replace(replay=None) for side in comparison.sides)
    path = write_whole(tmp_path / 'c.html', comparison_page(comparison._replace(sides=sides)))
    with opened(chromium, path, **DESKTOP) as tab:
        assert tab.locator('#stage').is_hidden() and tab.locator('#transport').is_hidden()
        assert drawn(tab) == [3] * 8 + [2]


def test_names_never_become_markup(chromium, page):
    with opened(chromium, page, **DESKTOP) as tab:
        assert tab.locator('#names .name').nth(2).inner_text() == f'C {EVIL}'
        assert tab.locator('b').count() == 0


def test_the_tables_hold_differences_with_units(chromium, page, comparison):
    with opened(chromium, page, **DESKTOP) as tab:
        row = tab.locator('tr[data-row="mean speed (median agent)"]')
        cells = row.locator('td').all_inner_texts()
        found = next(row for row in comparison.rows if row.name == 'mean speed (median agent)')
        assert cells[0] == 'm/s' and cells[1] == f'{found.values[0]:.3f}'
        assert float(cells[3]) == pytest.approx(found.differences[1], abs=1e-3)
        assert 'run.seed' in tab.locator('#notes').inner_text()


def test_the_page_is_the_same_every_time_and_small(comparison, page):
    text = comparison_page(comparison)
    assert text == page.read_text(encoding='utf-8') and len(text) < 8e6
