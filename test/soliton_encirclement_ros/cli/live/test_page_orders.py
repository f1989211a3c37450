"""Orders of the live page in a real browser: what each does, and to whom, is said before."""

import time
from contextlib import contextmanager

import pytest

from soliton_encirclement_ros.cli.live.live_page import live_page
from soliton_encirclement_ros.cli.live.live_server import PageOrder
from support.live_page import Flight, served
from support.recorded.browser import DESKTOP, PHONE, chromium, until

__all__ = ['chromium']

EVERYTHING = ('fly', 'fail', 'pause', 'target', 'restart', 'cancel')
SHOWN = '[...document.querySelectorAll("[data-verb]")].filter((one) => one.offsetParent).length'


@contextmanager
def operated(chromium, can=EVERYTHING, operates=True, **look):
    """Open a page with orders; yield it, what it has ordered, and its flight."""
    orders, flight = [], Flight(agents=3)
    obey = (lambda order, page: orders.append(order)) if operates else None
    page_text = live_page('swarm', operates)
    with (
        chromium.tab(**look) as page,
        served(flight.feed(can), page_text, obey=obey) as port,
    ):
        page.goto(f'http://127.0.0.1:{port}/')
        until(page, 'document.querySelectorAll("#vehicles tr").length === 4')
        yield page, orders, flight


def press(page, verb, where=''):
    page.locator(f'{where} [data-verb="{verb}"]').locator('visible=true').first.click()


def ordered(orders, *wanted):
    """Wait for orders."""
    deadline = time.monotonic() + 30.0
    while orders != [*wanted] and time.monotonic() < deadline:
        time.sleep(0.02)
    assert orders == [*wanted]


def test_without_operate_there_is_nothing_to_press(chromium):
    with operated(chromium, operates=False) as (page, _, _flight):
        assert page.evaluate(SHOWN) == 0
        assert page.locator('#orders').count() == 0
        assert 'This page only looks' in page.locator('main').inner_text()


@pytest.mark.parametrize('look', [DESKTOP, PHONE | {'color_scheme': 'dark'}])
def test_hold_and_stop_of_all_leave_at_one_press_whoever_is_chosen(chromium, look):
    with operated(chromium, **look) as (page, orders, _):
        until(page, f'{SHOWN} > 10')
        assert page.evaluate('document.documentElement.scrollWidth <= innerWidth')
        urgent = page.locator('#urgent button').all_inner_texts()
        assert urgent == ['Hold all', 'Stop all']
        press(page, 'hold', '#urgent')
        page.locator('#whom button', has_text='uav_2').click()
        page.locator('#whom button', has_text='uav_3').click()
        assert page.locator('#whom-said').inner_text() == 'for uav_2, uav_3 alone'
        press(page, 'stop', '#urgent')
        press(page, 'stop', '#fly-orders')
        some = PageOrder('stop', ('uav_2', 'uav_3'))
        ordered(orders, PageOrder('hold'), PageOrder('stop'), some)
        assert page.locator('#urgent button').all_inner_texts() == urgent


def test_a_take_off_says_what_it_does_asks_the_gate_and_is_held_to_be_given(chromium):
    with operated(chromium) as (page, orders, flight):
        until(page, f'{SHOWN} > 10')
        press(page, 'takeoff')
        asked = page.locator('#asked')
        assert asked.inner_text().startswith('all vehicles: their agents are stopped; once all')
        yes = asked.locator('button', has_text='Hold to take off')
        yes.click()  # too short
        ordered(orders, PageOrder('check takeoff'))
        yes.click(delay=1500)
        ordered(orders, PageOrder('check takeoff'), PageOrder('takeoff'))
        assert not asked.is_visible()
        flight.lines = [{'at': '12:00:00', 'text': 'uav_2: no GPS fix', 'bad': True}]
        until(page, 'document.querySelector("#lines .bad") !== null')
        assert page.locator('#lines').inner_text() == '12:00:00  uav_2: no GPS fix'


def test_the_keyboard_holds_as_well(chromium):
    with operated(chromium) as (page, orders, _):
        until(page, f'{SHOWN} > 10')
        page.locator('[data-verb=release]').focus()
        page.keyboard.press('Enter')
        assert page.evaluate('document.activeElement.textContent') == 'Hold to release stop'
        page.keyboard.down('Enter')
        ordered(orders, PageOrder('release'))
        page.keyboard.up('Enter')


def test_only_what_can_be_ordered_is_offered_and_a_failure_names_its_agents(chromium):
    with operated(chromium, can=('fail', 'target')) as (page, orders, _):
        until(page, f'{SHOWN} === 5')
        assert page.locator('[data-verb=fail]').is_disabled()
        page.locator('#whom button', has_text='uav_1').click()
        press(page, 'fail')
        page.locator('#asked .danger').click()
        page.locator('#aim').click()
        box = page.locator('#canvas').bounding_box()
        page.mouse.click(box['x'] + box['width'] / 2, box['y'] + box['height'] / 2)
        ordered(orders, PageOrder('fail', ('uav_1',)), PageOrder('send target', (), (0.0, 0.0)))
        assert page.locator('#agents [aria-pressed=false]').count() == 0  # nobody was hidden


def test_a_restart_tells_how_many_and_which_seed(chromium):
    with operated(chromium) as (page, orders, _):
        until(page, f'{SHOWN} > 10')
        assert page.locator('#agent-count').input_value() == '3'
        page.locator('#agent-count').fill('5')
        page.locator('#seed').fill('7')
        press(page, 'restart')
        assert 'one with 5 agents and seed 7 begins' in page.locator('#asked').inner_text()
        page.locator('#asked .danger').click()
        ordered(orders, PageOrder('restart', (), (5.0, 7.0)))


def test_an_order_without_a_server_is_said_not_to_be_sent(chromium):
    with chromium.tab() as page:
        with served(Flight(agents=1).feed(), live_page('swarm', operates=True)) as port:
            page.goto(f'http://127.0.0.1:{port}/')
            until(page, 'document.querySelectorAll("#vehicles tr").length === 2')
        until(page, 'feed.open === false')
        press(page, 'stop')
        assert page.locator('#lines .bad').inner_text().endswith('no connection to the server')
