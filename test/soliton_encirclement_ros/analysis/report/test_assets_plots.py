"""The plots in a real browser: one cursor, zoom together, small multiples."""

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.recording import ParameterChange
from soliton_encirclement_ros.analysis.report import write_page
from support.recorded.browser import NEXT_FRAME, opened, settled

pytestmark = pytest.mark.nightly

ALL = "[...document.querySelectorAll('.js-plotly-plot')]"
SMALL = "[...document.querySelectorAll('#multiples .js-plotly-plot')]"
METRICS = 10
"""Panels beside the replay: metrics, agents heard, separation, share filtered, who was down."""


def cursors(page):
    """Return the time that the cursor of every panel in sight stands at, by its place."""
    page.evaluate(NEXT_FRAME)
    return page.evaluate(
        """[...report.panels].filter((one) => one.ready && one.near).map((one) => {
          const glass = one.glass.getBoundingClientRect();
          const line = one.cursor.getBoundingClientRect();
          const [from, to] = report.range();
          return from + (to - from) * (line.left + 0.5 - glass.left) / glass.width; })"""
    )


def middle_of(page, index, share):
    box = page.locator('#metrics .glass').nth(index).bounding_box()
    return box['x'] + share * box['width'], box['y'] + box['height'] / 2


def test_scrubbing_moves_the_cursor_of_every_plot_and_the_replay(shown):
    box = shown.locator('#scrub').bounding_box()
    shown.mouse.click(box['x'] + box['width'] / 2, box['y'] + box['height'] / 2)
    time = shown.evaluate('report.clock.time')
    assert time == pytest.approx(10.0, abs=0.2)
    found = cursors(shown)
    assert len(found) == METRICS + 5
    assert found == pytest.approx([time] * len(found), abs=0.1)


def test_hovering_shows_a_time_everywhere_and_leaving_takes_it_back(shown):
    shown.evaluate('report.seek(3)')
    shown.mouse.move(*middle_of(shown, 2, 0.75))
    assert cursors(shown) == pytest.approx([15.0] * (METRICS + 5), abs=0.15)
    assert shown.locator('#time').inner_text() == '15.0 s'
    shown.mouse.move(5, 5)
    assert cursors(shown) == pytest.approx([3.0] * (METRICS + 5), abs=0.1)


def test_a_click_in_a_plot_moves_the_replay_there(shown):
    shown.mouse.click(*middle_of(shown, 0, 0.25))
    shown.mouse.move(5, 5)
    assert shown.evaluate('report.clock.time') == pytest.approx(5.0, abs=0.1)


def test_the_cursor_stands_where_plotly_draws_that_time(shown):
    for panel in ('#metrics .panel', '#multiples .panel'):
        drawn = shown.evaluate(
            """(name) => { const plot = document.querySelector(name + ' .js-plotly-plot');
            const axis = plot._fullLayout.xaxis;
            const glass = plot.parentNode.querySelector('.glass');
            return [axis._offset, axis._length, glass.offsetLeft, glass.offsetWidth]; }""",
            panel,
        )
        assert drawn[:2] == pytest.approx(drawn[2:], abs=0.6)


def test_readouts_tell_the_value_at_the_cursor(shown, findings):
    shown.evaluate('report.seek(15)')
    cursors(shown)
    wanted = np.interp(15.0, findings.series['time'], findings.series['E_r'])
    assert shown.locator('#metrics .readout').first.inner_text() == f'{wanted:.3f}'


def test_zooming_one_plot_zooms_all_and_a_double_click_shows_the_whole_flight(shown):
    x, y = middle_of(shown, 1, 0.25)
    shown.mouse.move(x, y)
    shown.mouse.down()
    shown.mouse.move(middle_of(shown, 1, 0.75)[0], y, steps=4)
    shown.mouse.up()
    settled(shown)
    assert shown.evaluate('report.range()') == pytest.approx([5.0, 15.0], abs=0.1)
    ranges = shown.evaluate(f'{ALL}.map((one) => one.layout.xaxis.range)')
    assert len(ranges) == METRICS + 5
    assert all(one == pytest.approx([5.0, 15.0], abs=0.1) for one in ranges)
    shown.mouse.dblclick(x, y)
    settled(shown)
    assert shown.evaluate('report.range()') == [0, shown.evaluate('report.clock.end')]


def test_failures_and_recoveries_are_marked_in_every_metric(shown, findings):
    times = {event.failed: event.time for event in findings.events}
    marked = shown.evaluate(
        f'{ALL}.slice(0, 7).map((one) => one.data.slice(1).map((trace) => trace.x[0]))'
    )
    assert marked == [[times[True], times[False]]] * 7


def test_changed_parameters_are_marked_and_told(chromium, flight, findings, tmp_path):
    changes = [ParameterChange(9.0, f'/uav_{k}/agent', 'k_s', 1.5, 4.0) for k in range(1, 6)]
    tuned = findings._replace(recording=flight._replace(changes=tuple(changes)))
    path = write_page(tmp_path / 'tuned.html', tuned)
    with opened(chromium, path, viewport={'width': 1400, 'height': 1800}) as page:
        settled(page)
        marked = page.evaluate(f'{ALL}.slice(0, 7).map((one) => one.data.at(-1).x)')
        assert marked == [[9.0]] * 7
        assert page.locator('#changes').is_visible()
        page.evaluate('report.seek(9.0)')
        cursors(page)
        told = [one.inner_text() for one in page.locator('#metrics .readout').all()]
        assert any(one.startswith('k_s 1.5 -> 4.0 (uav_1/agent, ') for one in told)


def test_small_multiples_show_the_chosen_quantity(shown):
    shown.get_by_role('button', name='Speed [m/s]').click()
    settled(shown)
    lines = shown.evaluate(f'{SMALL}.map((one) => one.data.length)')
    assert lines == [2] * 5
    assert shown.locator('#roles').is_visible()


def test_small_multiples_have_one_scale_or_their_own(shown):
    ranges = f'{SMALL}.map((one) => String(one.layout.yaxis.range))'
    assert len(set(shown.evaluate(ranges))) == 1
    shown.get_by_label('Same scale').uncheck()
    settled(shown)
    assert len(set(shown.evaluate(ranges))) > 1
