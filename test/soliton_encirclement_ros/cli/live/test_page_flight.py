"""A flight of three emulated PX4s that is operated by the live page alone, in a real browser."""

import itertools
import re

import pytest

from soliton_encirclement_ros.core.scenario.part_plan import recorder_part
from soliton_encirclement_ros.nodes.stop_topic import read_words
from support.cli import start_swarm
from support.fly.autopilot_field import AutopilotField
from support.fly.ring_flight import LENIENT, PATIENT, SAFETY, Flight
from support.recorded.bags import raw_messages
from support.recorded.browser import DESKTOP, chromium
from support.ros.graph import domain, ros
from velocity_mobility_ros.ros_io.autopilot.fleet_topics import read_orders

__all__ = ['chromium', 'domain', 'ros']

pytestmark = [pytest.mark.ros, pytest.mark.nightly]

ALL = 'uav_1, uav_2, uav_3'
RECORDED = '/swarm/fly_orders|/swarm/stop'
ORDERED = ['arm_takeoff', 'engage', 'hold', 'engage', 'land']
"""As ``swarm fly`` of the same names orders it."""


class Page:
    """The page of a flight."""

    def __init__(self, page, flight):
        self.page, self.flight = page, flight

    def press(self, verb, held=False):
        """Press a button, and confirm what it asks."""
        self.page.locator(f'[data-verb="{verb}"]').locator('visible=true').click()
        if held:
            self.page.locator('#asked .danger').click(delay=1500)
        elif self.page.locator('#asked').is_visible():
            self.page.locator('#asked .danger').click()

    def count(self, text):
        """Return how often lines about orders have a text."""
        return self.page.locator('#lines').inner_text().count(text)

    def reads(self, text, times=1):
        """Wait until lines about orders have a text so many times."""
        self._until(lambda: self.count(text) >= times, f'{times} x {text!r}')

    def _until(self, condition, what):
        try:
            self.flight.field.until(condition, what, 120.0)
        except pytest.fail.Exception as failure:
            lines = self.page.locator('#lines').inner_text()
            raise AssertionError(f'{failure}: {lines}') from None

    def engages(self):
        """Engage all; whom a slow machine has left behind the flight engages, then once more."""
        before = self.count('  engage: done'), self.count('  engage: not done')
        self.press('engage', held=True)
        self._until(lambda: before != (self.count('  engage: done'),
                                       self.count('  engage: not done')), 'the engagement')
        if self.count('  engage: done') == before[0]:
            self.flight.engage_who_stood_still(self.flight.names)
            self.engages()

    def is_refused(self, verb, why):
        """Give an order that the gate refuses."""
        self.press(verb, held=True)
        self.reads(why)
        self.reads(f'  {verb}: not done')


@pytest.mark.timeout(400)
def test_three_px4s_fly_by_the_page_alone(ros, domain, chromium, tmp_path):
    slow = {'target': {'target_motion_speed_xy': 1.0}, 'safety': SAFETY}
    with AutopilotField(domain, tmp_path, ('px4',) * 3, PATIENT, LENIENT, **slow) as field:
        field.start(recorder_part(str(tmp_path / 'bag'), RECORDED))
        flight = Flight(ros, field)
        view = start_swarm(
            'view', '--operate', '--agents', '3', domain=domain, folder=tmp_path, name='view'
        )
        with view, chromium.tab(**DESKTOP) as tab:
            ros.until(lambda: len(flight.watch.heard()) == 3, 'all agents')
            ros.until(lambda: 'http' in view.out, 'the address')
            tab.goto(re.search(r'http://\S+', view.out)[0])
            fly(Page(tab, flight))
        field.stop('recorder_node')
    assert_ordered(tmp_path / 'bag')


def fly(page):
    """Fly: one refusal by the gate, one hold, one emergency stop in the air."""
    flight = page.flight
    flight.field.until(lambda: page.page.locator('[data-verb=takeoff]').is_visible(), 'the orders')
    page.press('stop')
    page.reads(f'stopped: target, {ALL}')
    page.is_refused('takeoff', 'an emergency stop is in force')
    page.press('release', held=True)
    page.reads(f'released: target, {ALL}')
    page.press('takeoff', held=True)
    page.reads('next: swarm fly engage starts them together')
    page.reads('  takeoff: done')
    page.engages()
    flight.closes(flight.names)
    page.press('hold')
    page.reads(f'hold: {ALL} (3 of 3)')
    page.engages()
    page.press('stop')
    page.reads(f'stopped: target, {ALL}', times=2)
    page.press('land')
    page.reads(f'stand, disarmed: {ALL} (3 of 3)')
    flight.assert_lawful()


def assert_ordered(bag):
    """The bag has the orders of ``swarm fly`` of the same names, and the stops of the page.

    On a slow machine the flight engages again whom that has left behind.
    """
    orders, stops = {}, {}
    for message in raw_messages(bag):
        if message.topic == '/swarm/fly_orders':
            for order in read_orders(message.data)[0]:
                orders.setdefault(order.order_id, order.request.value)
        elif message.topic == '/swarm/stop':
            for word in read_words(message.data)[0]:
                stops.setdefault(word.stamp_ns, (word.kind, '(swarm view,' in word.source))
    assert [name for name, _ in itertools.groupby(orders.values())] == ORDERED
    assert [*stops.values()].count(('stop', True)) == 2  # the rest is that of the commands
    assert ('release', False) in stops.values()
