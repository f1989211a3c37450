"""An agent that has lost the target for long stops itself, and only an operator releases it."""

import pytest

from soliton_encirclement_ros.core import AgentState, Pose, TargetState
from soliton_encirclement_ros.nodes.actors.agent_watch import TargetLoss
from support.agents import healthy
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


@pytest.mark.ros
@pytest.mark.usefixtures('simulated')
@pytest.mark.parametrize('scope', ['', 'uav_1', None])
def test_a_target_that_is_back_is_not_flown_to_before_a_release(ros, scope):
    """By an order to all or to it, or by its service; the time changed in flight."""
    told, cockpit = Told(ros), Cockpit(ros)

    def value(key):
        return {pair.key: pair.value for pair in told.statuses(STATUS)[-1].values}[key]

    def flies():
        before = len(cockpit.commands)
        cockpit.until(lambda: any(not is_zero(one) for one in cockpit.commands[before:]), 'flight')

    flies()
    assert set_parameters(ros, '/uav_1/agent', target_loss_stop=1.0) == ['']
    text = 'stopped by itself: target lost for 1 s'
    cockpit.until(lambda: told.shows(STATUS, ERROR, text), 'the stop', with_target=False)
    before = len(cockpit.commands)
    cockpit.until(lambda: len(cockpit.commands) > before + 40, 'commands')
    assert all(map(is_zero, cockpit.commands[before:]))
    assert (value('emergency_stop'), value('own_stop')) == ('true', 'target lost for 1 s')
    assert int(value('stop_order_ns')) > 0
    assert told.logged('uav_1.agent', 'emergency stop by itself: target lost for 1 s')
    if scope is None:
        assert call_stop(ros, SERVICE, False).success
    else:
        Operator(ros).order(False, scope)
    flies()
    cockpit.until(lambda: value('own_stop') == '', 'the status')
