"""Orders of a page to vehicles with bridges: at once, by the gate, one at a time; all is told."""

import pytest

from soliton_encirclement_ros.cli.fly.fly_node import FlyNode
from soliton_encirclement_ros.cli.live.live_server import PageOrder
from soliton_encirclement_ros.cli.live.page_operator import MOST_WAITING, PageOperator
from soliton_encirclement_ros.cli.operator.addressees import parse_addressees
from soliton_encirclement_ros.core.states.swarm_topics import Fleet
from support.fly.field import Field
from support.ros.graph import domain, ros
from velocity_mobility_ros.ros_io.process.teardown import destroy

__all__ = ['domain', 'ros']

pytestmark = pytest.mark.ros

ALL = 'uav_1, uav_2, uav_3'
PAGE = 'page 1 (127.0.0.1)'


class Page:
    """An operator, and what he is told."""

    def __init__(self, field, operator):
        self.field, self.operator, self.lines = field, operator, []

    def order(self, verb, *members, values=()):
        """Order something."""
        self.operator.ask(PageOrder(verb, members, values), PAGE)

    def hears(self, text, bad=False):
        """Wait for a line with a text, which tells what was done, or what was not."""
        self.field.ros.until(lambda: self._find(text, bad), f'{text!r}')

    def _find(self, text, bad):
        self.lines += self.operator.lines()
        return any(text in one['text'] and one['bad'] is bad for one in self.lines)


@pytest.fixture
def page(ros, domain, tmp_path, monkeypatch):
    """Return a page of three vehicles that stand on a field, with their agents."""
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    field = Field(ros, tmp_path, 3)
    field.add_agents()
    node = FlyNode(Fleet(), 'swarm view')
    operator = PageOperator(node, Fleet(), parse_addressees((), 3), ('--agents', '3'))
    operator.start()
    yield Page(field, operator)
    operator.close()
    destroy([node])


def test_a_hold_leaves_at_once_and_its_results_are_told(page):
    page.field.in_the_air('TRACK')
    page.order('hold', 'uav_2')
    page.hears(f'{PAGE}: hold uav_2')
    page.hears('hold: uav_2 (1 of 1)')
    assert page.field.states == {'uav_1': 'TRACK', 'uav_2': 'HOLD', 'uav_3': 'TRACK'}
    page.order('land')
    page.hears(f'stand, disarmed: {ALL} (3 of 3)')
    page.order('stop')
    page.hears(f'stopped: {ALL} (3 of 3)')
    assert page.field.stops[-1] == 'stop everybody'
    page.order('release')
    page.hears(f'released: {ALL} (3 of 3)')
    page.hears('release: done')


def test_the_gate_refuses_before_and_at_the_take_off_as_it_does_the_command(page):
    page.field['uav_2'].values.update(ready='false', waits_for='battery at 12 %')
    page.order('check takeoff')
    page.hears('uav_2: battery at 12 %', bad=True)
    page.hears('check takeoff: not done', bad=True)
    page.order('takeoff')
    page.hears('no take-off, nothing was armed: 1 of 3 vehicles not ready', bad=True)
    assert page.field.called == {f'uav_{k}': [] for k in (1, 2, 3)}
    page.field['uav_2'].values.update(ready='true', waits_for='')
    page.order('takeoff')
    page.hears('next: swarm fly engage starts them together')
    page.hears('takeoff: done')
    assert set(page.field.states.values()) == {'HOLD'}


def test_one_take_off_at_a_time_which_can_be_cancelled(page):
    page.field['uav_3'].values.update(ready='false', waits_for='a GPS fix')
    page.order('takeoff')
    page.order('engage')
    page.hears('engage refused: takeoff is under way; wait, or cancel it', bad=True)
    page.field.ros.until(lambda: 'cancel' in page.operator.can, 'that it can be cancelled')
    page.order('cancel')
    page.hears('takeoff: not done', bad=True)
    page.order('cancel')
    page.hears('nothing is under way that could be cancelled', bad=True)
    assert page.field.called == {f'uav_{k}': [] for k in (1, 2, 3)}


def test_what_only_a_simulation_does_is_refused(page):
    page.field.ros.until(lambda: page.operator.can == ('fly', 'fail'), 'what can be ordered')
    for verb, values, why in (
        ('pause', (), 'nobody serves /world/pause'), ('pace', (2.0,), 'nobody serves /world/'),
        ('send target', (1.0, 2.0), 'nobody is there who is the target'),
        ('restart', (3.0, 1.0), 'only the page of swarm run --operate restarts its run'),
    ):  # fmt: skip
        page.order(verb, values=values)
        page.hears(why, bad=True)


def test_a_flood_of_orders_is_cut_off(page):
    for _ in range(10 * MOST_WAITING):
        page.order('pause')
    page.hears(f'pause refused: {MOST_WAITING} orders wait', bad=True)
