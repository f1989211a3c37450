"""An agent that has lost the target for long stops itself, and only an operator releases it."""

import pytest
from soliton_encirclement_ros.core import AgentState, Pose, TargetState
from soliton_encirclement_ros.nodes.actors.target_loss import TargetLoss
from support.agents import healthy
from support.ros.cockpit import PLACE as FAR
from support.ros.cockpit import Cockpit
from support.ros.graph import set_parameters
from support.ros.stopping import Operator, call_stop, is_zero
from support.ros.told import ERROR, Told

STILL = (0.0, 0.0, 0.0)
PLACE = Pose((30.0, 3.0, 1.0), STILL)
LONG = 10.0
TICK = 0.05


class Watched:
    """An agent, looked at after every tick."""

    def __init__(self):
        self.agent = healthy(name='soliton')
        self.loss = TargetLoss(self.agent)
        self.tick = 0

    def live(self, seconds, target=False, stopped=False, longest=LONG):
        """Return the reasons to stop of some time."""
        found = []
        for _ in range(round(seconds / TICK)):
            self.tick += 1
            now = self.tick * TICK
            states = [AgentState(2, self.tick, (0.0, 20.0, 0.0), STILL)]
            states += [TargetState(self.tick, STILL, STILL)] if target else []
            self.agent.receive(now, states)
            (self.agent.hold if stopped else self.agent.decide)(now, PLACE)
            found.append(self.loss.reason_to_stop(now, longest, stopped))
        return [reason for reason in found if reason]


@pytest.fixture
def watched():
    """Return an agent that hears the target."""
    one = Watched()
    assert one.live(1.0, target=True) == []
    return one


def test_one_loss_stops_it_once(watched):
    assert watched.live(LONG - 0.1) == []
    assert watched.live(0.2) == ['target lost for 10 s']
    assert watched.live(100.0, stopped=True) == []


def test_a_short_gap_is_flown_through(watched):
    for _ in range(3):
        assert watched.live(LONG - 0.5) == []
        assert watched.live(0.1, target=True) == []


def test_who_has_never_heard_the_target_waits_for_it():
    assert Watched().live(5 * LONG) == []


def test_after_a_release_without_the_target_it_does_not_stop_again(watched):
    assert len(watched.live(LONG + 1.0)) == 1
    watched.live(1.0, stopped=True)
    assert watched.live(10 * LONG) == []
    assert watched.live(1.0, target=True) == []
    assert len(watched.live(LONG + 1.0)) == 1


def test_a_loss_during_another_stop_stops_nobody_later(watched):
    assert watched.live(LONG + 1.0, stopped=True) == []
    assert watched.live(10 * LONG) == []


def test_a_loss_that_is_short_at_the_release_counts_on(watched):
    assert watched.live(LONG / 2.0, stopped=True) == []
    assert len(watched.live(LONG)) == 1


def test_one_that_was_down_has_lost_nothing(watched):
    watched.agent.failures.fail()
    assert watched.live(LONG + 1.0) == []
    watched.agent.failures.recover(watched.tick * TICK)
    assert watched.live(2 * LONG) == []


def test_without_a_time_it_never_stops_itself(watched):
    assert watched.live(10 * LONG, longest=0.0) == []


STATUS = 'uav_1/agent: control'
SERVICE = '/uav_1/emergency_stop'


class LongLost:
    """A node that stands, since the target was lost, and hears it again."""

    def __init__(self, ros):
        self.ros, self.told, self.operator = ros, Told(ros), None
        self.cockpit = Cockpit(ros, target_loss_stop=1.0)
        self.operator = Operator(ros)
        self.flies()
        self.cockpit.until(
            lambda: self.told.shows(STATUS, ERROR, 'stopped by itself: target lost for 1 s'),
            'the stop', with_target=False,
        )  # fmt: skip

    def flies(self, place=FAR):
        before = len(self.cockpit.commands)
        self.cockpit.until(
            lambda: sum(not is_zero(one) for one in self.cockpit.commands[before:]) > 10,
            'commands', place=place,
        )  # fmt: skip

    def stands(self):
        before = len(self.cockpit.commands)
        self.cockpit.until(lambda: len(self.cockpit.commands) > before + 40, 'commands')
        return all(map(is_zero, self.cockpit.commands[before:]))

    def value(self, key):
        return {pair.key: pair.value for pair in self.told.statuses(STATUS)[-1].values}[key]


@pytest.mark.ros
@pytest.mark.parametrize('scope', ['', 'uav_1'])
def test_a_target_that_is_back_is_not_flown_to_before_a_release(ros, scope):
    lost = LongLost(ros)
    assert lost.stands()
    assert (lost.value('emergency_stop'), lost.value('own_stop')) == (
        'true',
        'target lost for 1 s',
    )
    assert int(lost.value('stop_order_ns')) > 0
    lost.operator.order(False, scope)
    lost.flies()
    lost.cockpit.until(lambda: lost.value('own_stop') == '', 'the status')
    assert lost.told.logged('uav_1.agent', 'emergency stop by itself: target lost for 1 s')


@pytest.mark.ros
def test_the_service_of_the_vehicle_releases_it_and_without_the_target_it_stays_released(ros):
    lost = LongLost(ros)
    assert call_stop(ros, SERVICE, False).success
    lost.cockpit.until(
        lambda: lost.told.shows(STATUS, ERROR, 'target lost')
        and len(lost.told.statuses(STATUS)) > 8,
        'many statuses', with_target=False,
    )  # fmt: skip
    assert lost.value('emergency_stop') == 'false'
    lost.flies()


@pytest.mark.ros
@pytest.mark.nightly
def test_the_time_may_change_in_flight(ros):
    cockpit, told = Cockpit(ros), Told(ros)
    cockpit.until(lambda: len(cockpit.commands) > 10, 'commands')
    assert set_parameters(ros, '/uav_1/agent', target_loss_stop=0.7) == ['']
    cockpit.until(
        lambda: told.shows(STATUS, ERROR, 'stopped by itself: target lost for 0.7 s'), 'the stop',
        with_target=False,
    )  # fmt: skip
