"""The live page in a real browser: it follows, tells its age, and begins anew."""

import time
from contextlib import contextmanager

import pytest

from soliton_encirclement_ros.cli.live.live_page import live_page
from support.live_page import Flight, served
from support.recorded.accessibility import LOOKS, barriers
from support.recorded.browser import DESKTOP, PHONE, chromium, until
from support.sweeping.sweeps import free_port

__all__ = ['chromium']

IS_LIVE = 'document.getElementById("link").textContent === "live, control period 50 ms"'
NAMES = 'document.getElementById("solid").data.flatMap((one) => one.text || [])'

@contextmanager
def shown(chromium, flight, **look):
    """Open the page of a flight; nothing may go wrong in it. (Drivers of graphics warn.)"""
    wrong = []
    with chromium.tab(**look) as page, served(flight.feed(), live_page('swarm')) as port:
        listeners = {
            'pageerror': lambda error: wrong.append(str(error)),
            'console': lambda said: said.type != 'error' or wrong.append(said.text),
        }
        for event, listener in listeners.items():
            page.on(event, listener)
        page.goto(f'http://127.0.0.1:{port}/')
        until(page, 'Boolean(window.report && report.bodies.length)')
        yield page, port
        for event, listener in listeners.items():
            page.remove_listener(event, listener)
    assert not wrong


@pytest.mark.parametrize('look', [DESKTOP, PHONE, DESKTOP | {'color_scheme': 'dark'}])
def test_it_follows_the_swarm(chromium, look):
    flight = Flight(agents=5)
    with shown(chromium, flight, **look) as (page, _):
        until(page, IS_LIVE)
        first = page.evaluate('report.clock.time')
        until(page, f'report.clock.time > {first} + 0.5')
        flight.down.add(3)
        until(page, 'document.querySelectorAll("#events li").length === 1')
        assert page.locator('#events').inner_text().endswith('uav_3: down')
        until(page, 'Boolean(document.querySelector(".chip.is-down"))')
        assert page.locator('.chip.is-down').inner_text() == '3'
        assert page.locator('#vehicles tr').count() == 6
        until(page, 'document.getElementById("counts").textContent === "4 of 5 up, 1 down"')
        assert page.locator('#source').inner_text() == 'Live view of a simulation'
        assert page.locator('#vehicles tr').first.locator('td').nth(2).inner_text() == '12'
        until(page, '[...report.panels].some((one) => one.ready)')
        assert page.evaluate('document.documentElement.scrollWidth <= innerWidth')


def test_old_data_never_looks_alive(chromium):
    flight = Flight(agents=2)
    with shown(chromium, flight) as (page, _):
        until(page, IS_LIVE)
        flight.is_silent = True
        until(page, 'document.getElementById("link").textContent.startsWith("nothing heard for")')
        assert page.evaluate('document.body.classList.contains("is-old")')
        flight.is_silent = False
        until(page, '!document.body.classList.contains("is-old")')


def test_a_lost_server_is_told_and_found_again(chromium):
    flight, port = Flight(agents=2), free_port()
    with chromium.tab(**DESKTOP) as page:
        with served(flight.feed(), live_page('swarm'), port=port):
            page.goto(f'http://127.0.0.1:{port}/')
            until(page, 'Boolean(window.report && report.bodies.length)')
        until(page, 'document.getElementById("link").textContent.startsWith("no connection")')
        with served(flight.feed(), live_page('swarm'), port=port):
            until(page, IS_LIVE)


def test_one_can_go_back_and_return_to_the_present(chromium):
    flight = Flight(agents=3)
    flight.began -= 100.0
    with shown(chromium, flight) as (page, _):
        until(page, 'report.clock.end - report.clock.begin > 1.0')
        page.evaluate('report.seek(report.clock.begin)')
        page.locator('#scrub').focus()
        page.keyboard.press('Home')
        time.sleep(0.2)
        assert page.evaluate('report.clock.end - report.clock.time') > 0.9
        page.locator('#now').click()
        until(page, 'report.clock.end - report.clock.time < 0.3')
        page.locator('#play').click()
        until(page, 'report.clock.end - report.clock.time > 0.5')
        assert page.locator('#play').get_attribute('aria-label') == 'Play'
        page.locator('#play').click()
        until(page, 'report.clock.playing')


OUTSIDE = """(() => {
  const { camera, scene, bodies } = report;
  const [x, y] = [bodies[0].x, bodies[0].y].map((column) => column[scene.count - 1]);
  return Math.abs(x - camera.x) * camera.scale > camera.width / 2
    || Math.abs(y - camera.y) * camera.scale > camera.height / 2;
})()"""


DRAWN_AT = """([x, y]) => {
  const { camera } = report;
  const ratio = canvas.width / camera.width;
  const right = camera.width / 2 + (x - camera.x) * camera.scale;
  const down = camera.height / 2 - (y - camera.y) * camera.scale;
  return canvas.getContext('2d').getImageData(right * ratio, down * ratio, 1, 1).data[3] > 0;
}"""


def test_who_is_silent_is_drawn_where_he_was_last(chromium):
    flight = Flight(agents=3)
    with shown(chromium, flight) as (page, _):
        until(page, 'report.clock.end > 1.0')
        page.locator('#trails').select_option('0')
        flight.silent.add(3)
        gone = 'report.bodies.find((one) => one.name === "uav_3")'
        place = f'report.lastPlaceOf({gone}, report.clock.end)'
        until(page, f'Number.isFinite({place}[0])')
        x, y = page.evaluate(place)
        inside = [x * 0.98, y * 0.98]  # beside the line of the ring
        assert page.evaluate(DRAWN_AT, inside)
        assert not page.evaluate(DRAWN_AT, [x * 0.8, y * 0.8])


def test_the_map_keeps_a_swarm_that_travels_in_view(chromium):
    flight = Flight(agents=3)
    with shown(chromium, flight) as (page, _):
        until(page, 'report.clock.end > 1.0')
        flight.centre = (500.0, -300.0)
        until(page, f'report.camera.x > 100 && !{OUTSIDE}')


DRAWN = """(() => {
  const [line, plot] = ['#metrics .js-line', '#metrics .glass'].map(
    (one) => document.querySelector(one).getBoundingClientRect());
  return (line.right - plot.left) / plot.width;
})()"""


def test_curves_are_drawn_up_to_the_present(chromium):
    with shown(chromium, Flight(agents=3)) as (page, _):
        until(page, 'document.querySelectorAll("#metrics .js-line").length > 0')
        drawn = page.evaluate('report.range()[1]')
        until(page, f'{DRAWN} * report.range()[1] > {drawn} + 2.0', 30.0)


def test_a_swarm_that_begins_anew_is_shown_from_its_begin(chromium):
    flight = Flight(agents=3)
    flight.began -= 100.0
    with shown(chromium, flight) as (page, _):
        until(page, 'report.clock.end > 50.0')
        flight.begins_anew = True
        until(page, 'report.clock.end < 50.0 && report.bodies.length === 4')


def test_fifty_agents_have_a_chip_and_a_row_each(chromium):
    with shown(chromium, Flight(agents=50)) as (page, _):
        until(page, 'report.bodies.length === 51 && report.clock.end > 1.0')
        assert page.locator('.chip').count() == 51
        until(page, 'document.querySelectorAll("#vehicles tr").length === 51')


def test_one_key_shows_it_in_three_dimensions_and_back(chromium):
    with shown(chromium, Flight(agents=4)) as (page, _):
        page.keyboard.press('3')
        until(page, 'document.querySelectorAll("#solid > *").length > 0')
        assert page.locator('#canvas').is_hidden()
        assert page.locator('#solid-button').get_attribute('aria-pressed') == 'true'
        names = page.evaluate(NAMES)
        assert sorted(names) == ['1', '2', '3', '4', 'target']
        page.keyboard.press('3')
        until(page, 'document.getElementById("solid").hidden')
        assert page.locator('#canvas').is_visible()


def test_the_keys_of_the_replay_step_follow_and_lead_to_events_here_too(chromium):
    flight = Flight(agents=3)
    with shown(chromium, flight) as (page, _):
        until(page, 'report.clock.end > 1.0')
        flight.down.add(2)
        until(page, 'document.querySelectorAll("#events li").length === 1')
        page.keyboard.press('p')
        until(page, 'document.getElementById("said").textContent.includes("uav_2: down")')
        failed = page.evaluate('report.clock.time')
        page.keyboard.press(',')
        assert page.evaluate('report.clock.time') == pytest.approx(failed, abs=0.1)
        assert page.evaluate('report.clock.time') < failed
        page.locator('#follow').select_option('uav_2')
        assert page.evaluate('report.camera.follow.name') == 'uav_2'
        page.locator('#now').click()
        until(page, 'report.clock.end - report.clock.time < 0.3')
        assert page.evaluate('report.camera.follow.name') == 'uav_2'
        page.keyboard.press('Escape')
        assert page.evaluate('report.camera.follow') is None
        page.keyboard.press('?')
        assert page.locator('#help').is_visible()


def test_who_is_followed_is_followed_on_when_the_swarm_begins_anew(chromium):
    flight = Flight(agents=3)
    flight.began -= 100.0
    with shown(chromium, flight) as (page, _):
        page.locator('#follow').select_option('uav_3')
        until(page, 'report.clock.end > 50.0')
        flight.begins_anew = True
        until(page, 'report.clock.end < 50.0 && report.bodies.length === 4')
        assert page.evaluate('report.bodies.includes(report.camera.follow)')
        assert page.evaluate('report.camera.follow.name') == 'uav_3'


@pytest.mark.parametrize('look', LOOKS.values(), ids=LOOKS)
def test_nobody_is_kept_out(chromium, look):
    flight = Flight(agents=3)
    with shown(chromium, flight, **look) as (page, _):
        flight.down.add(2)
        until(page, 'document.querySelectorAll("#events li").length === 1')
        until(page, 'document.querySelectorAll("#vehicles tr").length === 4')
        assert barriers(page) == []
        flight.is_silent = True
        until(page, 'document.body.classList.contains("is-old")')
        assert barriers(page) == []
