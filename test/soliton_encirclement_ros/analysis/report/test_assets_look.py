"""How the page looks in a real browser: on small screens, in both colours, on paper."""

import pytest

from soliton_encirclement_ros.analysis.findings import find
from soliton_encirclement_ros.analysis.report import write_page
from support.recorded.browser import DESKTOP, NEXT_FRAME, PHONE, opened, settled, swipe_up
from support.recorded.contrast import faint_texts
from support.recorded.recordings import body, recording_with

pytestmark = pytest.mark.nightly

WRITTEN = """(time) => {
  const said = [];
  const pen = CanvasRenderingContext2D.prototype;
  const { fillText } = pen;
  pen.fillText = function (text, x, y) {
    said.push({ text, x, y, align: this.textAlign, width: this.measureText(text).width });
    return fillText.call(this, text, x, y);
  };
  report.drawReplay(time);
  pen.fillText = fillText;
  return said;
}"""

ON_THE_MAP = """(name) => {
  const c = report.camera;
  const b = report.bodies.find((one) => one.name === name);
  return [c.width / 2 + (b.x[0] - c.x) * c.scale, c.height / 2 - (b.y[0] - c.y) * c.scale];
}"""


def page_of(folder, *members):
    recording = recording_with(*members)
    return write_page(folder / 'report.html', find(recording))


@pytest.mark.one_in(2)
@pytest.mark.parametrize('scheme', ['light', 'dark'])
def test_every_text_stands_out_from_its_ground(chromium, page_file, scheme):
    with opened(chromium, page_file, **DESKTOP, color_scheme=scheme) as page:
        page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true')
        page.locator('.chip[data-name=uav_1]').click()
        page.mouse.move(5, 5)
        page.evaluate('report.seek(8)')
        settled(page)
        assert faint_texts(page) == []


@pytest.mark.nightly
def test_all_is_still_seen_when_a_phone_is_turned(chromium, page_file):
    with opened(chromium, page_file, **PHONE) as page:
        settled(page)
        upright = page.evaluate('report.camera.scale')
        page.set_viewport_size({'width': 844, 'height': 390})
        settled(page)
        assert page.evaluate('report.camera.scale') != upright
        page.set_viewport_size({'width': 390, 'height': 844})
        settled(page)
        assert page.evaluate('report.camera.scale') == pytest.approx(upright)
        page.locator('[aria-label="Zoom in"]').tap()
        chosen = page.evaluate('report.camera.scale')
        page.set_viewport_size({'width': 844, 'height': 390})
        settled(page)
        assert page.evaluate('report.camera.scale') == chosen


@pytest.mark.one_in(2)
@pytest.mark.parametrize('under', ['#canvas', '#metrics .glass'])
def test_a_finger_on_map_or_plot_scrolls_the_page(chromium, page_file, under):
    with opened(chromium, page_file, **PHONE) as page:
        swipe_up(page, under)


def test_plots_that_come_into_sight_show_the_time_that_was_chosen_before(chromium, page_file):
    with opened(chromium, page_file, **PHONE) as page:
        page.evaluate('document.getElementById("multiples").scrollIntoView()')
        settled(page)
        page.evaluate('scrollTo(0, 0)')
        settled(page)
        page.evaluate('report.seek(15)')
        settled(page)
        page.evaluate('document.getElementById("multiples").scrollIntoView()')
        settled(page)
        moved = 'new DOMMatrix(document.querySelector("#multiples .cursor").style.transform).m41'
        width = page.evaluate('document.querySelector("#multiples .glass").clientWidth')
        end = page.evaluate('report.clock.end')
        assert page.evaluate(moved) == pytest.approx(15.0 / end * width, abs=0.6)


def test_lines_of_the_map_tell_where_they_are(chromium, tmp_path):
    square = [(450020.0, 5400020.0, 5.0), (449980.0, 5400020.0, 5.0), (450000.0, 5399980.0, 5.0)]
    bodies = [body(f'uav_{k}', [0.0, 1.0], place) for k, place in enumerate(square, 1)]
    path = page_of(tmp_path, *bodies, body('target', [0.0, 1.0], (450000.0, 5400000.0, 5.0)))
    with opened(chromium, path, **DESKTOP) as page:
        said = page.evaluate(WRITTEN, 0.0)
        x, y = page.evaluate(ON_THE_MAP, 'uav_1')
        easts = {one['text']: one['x'] for one in said if one['text'].startswith('4')}
        norths = {one['text']: one['y'] for one in said if one['text'].startswith('5')}
        assert easts['450020 m'] == pytest.approx(x, abs=0.5)
        assert norths['5400020 m'] == pytest.approx(y + 4.0, abs=0.5)


def test_no_name_is_cut_off_at_the_edge_of_the_map(chromium, tmp_path):
    names = ('the_vehicle_far_in_the_west', 'another_far_in_the_east')
    bodies = [
        body(name, [0.0, 1.0], (x, 0.0, 5.0)) for name, x in zip(names, (-40.0, 40.0), strict=True)
    ]
    with opened(chromium, page_of(tmp_path, *bodies), **PHONE) as page:
        width = page.evaluate('report.camera.width')
        for one in page.evaluate(WRITTEN, 0.0):
            begin = one['x'] - {'right': 1.0, 'center': 0.5}.get(one['align'], 0.0) * one['width']
            assert begin >= 0.0 and begin + one['width'] <= width, one['text']


def test_names_of_agents_stand_outside_the_arc_that_is_asked_for(shown):
    said = {one['text']: one for one in shown.evaluate(WRITTEN, 19.0)}
    away = shown.evaluate(
        """([x, y]) => { const c = report.camera, t = report.bodies[5];
        return Math.hypot(x - (c.width / 2 + (t.x[190] - c.x) * c.scale),
          y - (c.height / 2 - (t.y[190] - c.y) * c.scale)) / c.scale; }""",
        [said['1']['x'], said['1']['y'] - 4.0],
    )
    scale = shown.evaluate('report.camera.scale')
    assert (away - 20.0) * scale > 13.0 + 6.0


@pytest.mark.one_in(3)
@pytest.mark.parametrize('width', [1440, 1024, 900, 600, 390, 320])
def test_tiles_leave_no_hole(chromium, page_file, width):
    with opened(chromium, page_file, viewport={'width': width, 'height': 900}) as page:
        tiles, last = page.evaluate(
            """['.tiles', '.tile:last-child'].map((one) =>
            document.querySelector(one).getBoundingClientRect().right)"""
        )
        assert last == pytest.approx(tiles, abs=1.5)


@pytest.mark.nightly
def test_the_whole_map_is_in_sight_at_once(chromium, page_file):
    for width, height in ((1440, 900), (1280, 720)):
        with opened(chromium, page_file, viewport={'width': width, 'height': height}) as page:
            view, bar = page.evaluate(
                """[document.getElementById('view').getBoundingClientRect().bottom,
                document.querySelector('.transport').getBoundingClientRect().top]"""
            )
            assert view < bar


def test_what_happened_is_told_in_full_on_a_phone(chromium, page_file):
    with opened(chromium, page_file, **PHONE) as page:
        page.evaluate('report.seek(6)')
        page.locator('#metrics .panel').last.scroll_into_view_if_needed()
        settled(page)
        cut = """() => { const one = [...document.querySelectorAll('#metrics .readout')].pop();
        return [one.textContent, one.scrollWidth <= one.clientWidth]; }"""
        text, whole = page.evaluate(cut)
        assert text.startswith('uav_2 down at 6.') and whole


@pytest.mark.one_in(4)
@pytest.mark.parametrize('width', [390, 844, 1440, 2500])
def test_what_is_printed_is_as_wide_as_the_paper_whatever_the_window(chromium, page_file, width):
    with opened(chromium, page_file, viewport={'width': width, 'height': 800}) as page:
        settled(page)
        page.evaluate('dispatchEvent(new Event("beforeprint"))')
        page.emulate_media(media='print')
        drawn = page.evaluate(
            """['#metrics', '#multiples'].map((one) => [...document.querySelectorAll(
            one + ' .js-plotly-plot')].map((plot) => plot.layout.width))"""
        )
        assert len(drawn[0]) == 10 and set(drawn[0]) == {678}
        assert len(drawn[1]) == 5 and set(drawn[1]) == {334}
        shape, box = page.evaluate(
            """(() => { const c = document.getElementById('canvas');
            return [c.width / c.height, c.clientWidth / c.clientHeight]; })()"""
        )
        assert shape == pytest.approx(box, abs=0.01)
        page.emulate_media(media='screen')
        page.evaluate('dispatchEvent(new Event("afterprint"))')
        settled(page)
        now = 'document.querySelector("#metrics .chart")'
        assert page.evaluate(f'{now}.clientWidth') == page.evaluate(
            f'{now}.querySelector(".js-plotly-plot").layout.width'
        )


@pytest.mark.nightly
def test_paper_shows_every_plot_in_dark_ink(chromium, page_file):
    with opened(chromium, page_file, **DESKTOP, color_scheme='dark') as page:
        page.evaluate('dispatchEvent(new Event("beforeprint"))')
        assert page.locator('html').get_attribute('data-theme') == 'light'
        assert page.evaluate('[...report.panels].every((one) => one.ready)')
        page.emulate_media(media='print')
        assert not page.locator('.transport').is_visible()
        overflow = 'getComputedStyle(document.querySelector(".scroll")).overflow'
        assert page.evaluate(overflow) == 'visible'
        page.emulate_media(media='screen')
        page.evaluate('dispatchEvent(new Event("afterprint"))')
        page.evaluate(NEXT_FRAME)
        assert page.locator('html').get_attribute('data-theme') == 'dark'
