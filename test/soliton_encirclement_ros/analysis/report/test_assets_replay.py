"""The replay in a real browser: play, scrub, hide, keys, colours, a phone; tables are sorted."""

import time

import pytest

from soliton_encirclement_ros.analysis.findings import find
from soliton_encirclement_ros.analysis.report import write_page
from support.recorded.browser import DESKTOP, NEXT_FRAME, PHONE, opened, settled, until
from support.recorded.recordings import body, recording_with, without

pytestmark = pytest.mark.nightly


def picture(page):
    """Return what the canvas shows, after the next frame."""
    page.evaluate(NEXT_FRAME)
    return page.evaluate('document.getElementById("canvas").toDataURL()')


def now(page):
    return page.evaluate('report.clock.time')


def reloaded_theme(page, wanted, seconds=10.0):
    """Return the page's theme after a reload, or after some until it is the wanted one.

    The browser stores what a page keeps in another process: a reload at once can be sooner.
    """
    end = time.monotonic() + seconds
    while True:
        page.reload()
        until(page, 'Boolean(window.report && window.report.panels)')
        theme = page.locator('html').get_attribute('data-theme')
        if theme == wanted or time.monotonic() > end:
            return theme


def test_play_moves_time_and_picture_and_pause_stops_them(shown):
    first = picture(shown)
    shown.get_by_label('Play', exact=True).click()
    until(shown, 'report.clock.time > 0.3')
    shown.get_by_label('Pause', exact=True).click()
    stopped, later = now(shown), picture(shown)
    assert later != first
    shown.evaluate(NEXT_FRAME)  # in which a replay that went on would have moved
    assert now(shown) == stopped


def test_time_runs_at_the_chosen_speed_and_stops_at_the_end(shown):
    shown.locator('#speed').select_option('16')
    shown.keyboard.press('Escape')
    shown.evaluate('report.play(true)')
    until(shown, 'report.clock.time >= report.clock.end')
    assert shown.get_by_label('Play', exact=True).count() == 1
    shown.evaluate('report.play(true)')
    until(shown, 'report.clock.time > 0 && report.clock.time < report.clock.end')


def test_keys_play_and_step(shown):
    shown.keyboard.press('ArrowRight')
    assert now(shown) == 1.0
    shown.keyboard.press('Shift+ArrowRight')
    assert now(shown) == 11.0
    shown.keyboard.press('ArrowLeft')
    assert now(shown) == 10.0
    shown.keyboard.press('End')
    assert now(shown) == shown.evaluate('report.clock.end')
    shown.keyboard.press('Home')
    shown.keyboard.press('Space')
    until(shown, 'report.clock.time > 0 && report.clock.playing')
    shown.keyboard.press('Space')
    assert not shown.evaluate('report.clock.playing')


def test_keys_work_on_the_scrub_bar_too(shown):
    shown.locator('#scrub').focus()
    shown.keyboard.press('ArrowRight')
    assert now(shown) == 1.0
    until(shown, 'document.getElementById("time").textContent === "1.0 s"')
    assert shown.locator('#scrub').get_attribute('aria-valuetext') == '1.0 s'


def test_bodies_are_where_they_were_recorded(shown, flight):
    track = flight.members['uav_2'].track
    i = 180
    x, y = shown.evaluate(
        """(t) => { const body = report.bodies[1]; const k = Math.floor(t / 0.1);
        return [body.x[k], body.y[k]]; }""", float(track.time[i]) + 0.01
    )  # fmt: skip
    assert (x, y) == pytest.approx(tuple(track.position[i, :2]), abs=0.5)


def test_an_agent_is_hidden_everywhere(shown):
    shown.evaluate('report.seek(8)')
    before = picture(shown)
    chip = shown.locator('.chip[data-name=uav_2]')
    chip.click()
    assert chip.get_attribute('aria-pressed') == 'false'
    assert 'uav_2 is hidden' in shown.locator('#said').inner_text()
    shown.mouse.move(5, 5)
    assert picture(shown) != before
    assert shown.locator('#multiples .panel').count() == 4
    assert 'uav_2' not in shown.locator('#multiples').inner_text()
    assert 'is-hidden' in shown.locator('tr[data-row=uav_2]').get_attribute('class')
    marks = 'document.querySelector("#metrics .js-plotly-plot").data[1].x.length'
    assert shown.evaluate(marks) == 0
    chip.click()
    shown.mouse.move(5, 5)
    assert picture(shown) == before
    assert shown.locator('#multiples .panel').count() == 5


def test_the_one_under_the_pointer_is_told(shown):
    x, y = shown.evaluate(
        """() => { const c = report.camera, b = report.bodies[0];
        return [c.width / 2 + (b.x[1] - c.x) * c.scale, c.height / 2 - (b.y[1] - c.y) * c.scale];
        }"""
    )
    shown.locator('#canvas').hover(position={'x': x, 'y': y})
    assert 'uav_1' in shown.locator('#tip').inner_text()


def test_all_agents_can_be_hidden_at_once(shown):
    shown.get_by_label('Hide all agents').click()
    assert 'All agents are hidden' in shown.locator('#multiples').inner_text()
    shown.get_by_label('Show all agents').click()
    assert shown.locator('#multiples .panel').count() == 5


def test_an_agent_that_is_down_looks_different(shown):
    shown.evaluate('report.seek(8)')
    shown.wait_for_selector('.chip[data-name=uav_2].is-down')
    shown.evaluate('report.seek(15)')
    shown.wait_for_selector('.chip[data-name=uav_2]:not(.is-down)')


def test_an_agent_that_is_down_lies_above_the_others(shown):
    colour = """(time) => {
      const [one, other] = [report.bodies[0], report.bodies[1]];
      const kept = [one.x[80], one.y[80]];
      [one.x[80], one.y[80]] = [other.x[80], other.y[80]];
      report.drawReplay(time);
      [one.x[80], one.y[80]] = kept;
      const c = report.camera;
      const canvas = document.getElementById('canvas');
      const ratio = canvas.width / c.width;
      const x = c.width / 2 + (other.x[80] - c.x) * c.scale;
      const y = c.height / 2 - (other.y[80] - c.y) * c.scale;
      return [...canvas.getContext('2d').getImageData(x * ratio, y * ratio, 1, 1).data];
    }"""
    red, green, blue, _ = shown.evaluate(colour, 8.0)
    assert red > 2 * green and red > 2 * blue


def test_the_protected_arc_is_the_rest_of_the_ring(shown):
    begin, end = shown.evaluate('report.protectedArc(19)')
    assert 180.0 < (end - begin) * 57.29578 < 300.0
    low, high = shown.evaluate('report.askedArc(19)')
    assert (high - low) * 57.29578 == pytest.approx(240.0)


@pytest.mark.nightly
def test_an_arc_that_the_target_did_not_tell_is_the_rest_beside_the_widest_gap(
    chromium, page_file, flight, tmp_path
):
    silent = without(flight, 'states', of=['target'])
    path = write_page(tmp_path / 'report.html', find(silent))
    arc = 'report.protectedArc(19)'
    with opened(chromium, page_file, **DESKTOP) as told, opened(chromium, path) as guessed:
        assert guessed.evaluate(arc) == pytest.approx(told.evaluate(arc), abs=1e-6)


def test_follow_keeps_the_target_in_the_middle_and_zoom_its_place(shown):
    shown.locator('#follow').select_option('target')
    shown.evaluate('report.seek(12)')
    picture(shown)
    x, y = shown.evaluate('[report.camera.x, report.camera.y]')
    target = shown.evaluate('[report.bodies[5].x[120], report.bodies[5].y[120]]')
    assert (x, y) == pytest.approx(tuple(target), abs=0.2)
    scale = shown.evaluate('report.camera.scale')
    shown.get_by_label('Zoom in').click()
    assert shown.evaluate('report.camera.scale') == pytest.approx(1.4 * scale)
    shown.locator('#fit').click()
    assert shown.evaluate('report.camera.scale') == pytest.approx(scale)
    assert shown.evaluate('report.camera.follow') is None


def test_dragging_moves_the_map(shown):
    before = shown.evaluate('report.camera.x')
    box = shown.locator('#canvas').bounding_box()
    shown.mouse.move(box['x'] + 30, box['y'] + 200)
    shown.mouse.down()
    shown.mouse.move(box['x'] + 130, box['y'] + 200, steps=5)
    shown.mouse.up()
    moved = before - shown.evaluate('report.camera.x')
    assert moved * shown.evaluate('report.camera.scale') == pytest.approx(100.0, abs=25.0)


@pytest.mark.nightly
def test_colours_follow_the_system_until_somebody_chooses(chromium, page_file):
    for scheme, button in (('dark', 'Light'), ('light', 'Dark')):
        with opened(chromium, page_file, **DESKTOP, color_scheme=scheme) as page:
            settled(page)
            theme = page.locator('html')
            assert theme.get_attribute('data-theme') == scheme
            before = picture(page)
            page.locator('#theme', has_text=button).click()
            assert theme.get_attribute('data-theme') == button.lower()
            settled(page)
            assert picture(page) != before
            assert reloaded_theme(page, button.lower()) == button.lower()


@pytest.mark.nightly
def test_a_phone_never_scrolls_sideways(chromium, page_file):
    with opened(chromium, page_file, **PHONE) as page:
        settled(page)
        assert page.evaluate('document.documentElement.scrollWidth') == 390
        page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true')
        assert page.evaluate('document.documentElement.scrollWidth') == 390
        page.locator('#play').tap()
        until(page, 'report.clock.time > 0.2')
        for control in page.locator('button:visible, select:visible').all():
            assert control.bounding_box()['height'] >= 30


def test_every_button_shows_that_it_has_the_focus(shown):
    for name in ('#quantities button', '#links', '#play', '#fit', '.chip', 'thead button'):
        button = shown.locator(name).first
        button.scroll_into_view_if_needed()
        box = button.bounding_box()
        around = {'x': box['x'] - 4, 'y': box['y'] - 4,
                  'width': box['width'] + 8, 'height': box['height'] + 8}  # fmt: skip
        before = shown.screenshot(clip=around)
        shown.keyboard.press('Shift')
        button.focus()
        assert shown.screenshot(clip=around) != before, name
        shown.evaluate('document.activeElement.blur()')


def test_every_control_has_a_name(shown):
    nameless = shown.evaluate(
        """[...document.querySelectorAll('button, select, input, canvas:not([aria-hidden])')]
        .filter((one) => !(one.getAttribute('aria-label') || one.textContent.trim()
          || (one.labels && one.labels.length))).map((one) => one.outerHTML)"""
    )
    assert nameless == []


AGENTS = 'table:has(caption:text-is("Agents"))'


@pytest.fixture
def table(chromium, tmp_path):
    """Return the table of five agents, one of them without a command."""
    commanded = {1: (2.0, 0.0, 0.0), 2: None, 3: (5.0, 0.0, 0.0), 9: (4.0, 0.0, 0.0),
                 10: (6.0, 0.0, 0.0)}  # fmt: skip
    bodies = [
        body(f'uav_{k}', [0.0, 1.0], (float(k) ** 2, 0.0, 5.0), (1.0, 0.0, 0.0), command)
        for k, command in commanded.items()
    ]
    recording = recording_with(*bodies, body('target', [0.0, 1.0], (0.0, 0.0, 5.0)))
    path = write_page(tmp_path / 'report.html', find(recording))
    with opened(chromium, path, **DESKTOP) as page:
        yield page.locator(AGENTS)


def order(table):
    return [text.removeprefix('uav_') for text in table.locator('tbody th').all_inner_texts()]


def test_names_count_as_people_do(table):
    assert order(table) == ['1', '2', '3', '9', '10']
    head = table.get_by_role('button', name='Agent')
    head.click()
    assert order(table) == ['1', '2', '3', '9', '10']
    head.click()
    assert order(table) == ['10', '9', '3', '2', '1']


def test_the_largest_number_comes_first_and_what_is_not_known_last(table):
    head = table.get_by_role('button', name='Tracking m/s RMS')
    head.click()
    assert order(table) == ['10', '3', '9', '1', '2']
    assert table.locator('th[aria-sort=descending]').inner_text().startswith('Tracking')
    head.click()
    assert order(table) == ['1', '9', '3', '10', '2']
    assert table.locator('th[aria-sort]').count() == 1


def test_keys_sort_too(table):
    table.get_by_role('button', name='Radius error').press('Enter')
    assert table.locator('th[aria-sort=descending]').count() == 1
