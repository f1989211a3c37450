"""Orders in simulated time: nobody is left out in silence, and nobody arms without the release."""

from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

from soliton_encirclement_ros.cli.fly.fly_order import (
    ENGAGE, HOLD, KILL, LAND, RETURN, Execution, show_nothing
)
from soliton_encirclement_ros.cli.fly.fly_view import conclude
from soliton_encirclement_ros.cli.fly.takeoff import take_off
from soliton_encirclement_ros.cli.operator.addressees import WHOLE_SWARM, Addressees
from support.fly.simulated_fleet import SETTINGS, KilledError, SimulatedOperator, World
from velocity_mobility_ros.autopilot.engage.engage_records import State
from velocity_mobility_ros.autopilot.fleet_orders import VALID_FOR

ALL = ('uav_1', 'uav_2', 'uav_3')


def silent(line):
    """Print nothing."""


def ordered(operator, order, meant=WHOLE_SWARM, within=None):
    """Give an order; return the exit code, and the identity of the order."""
    execution = Execution(operator, order, meant)
    found = execution.run(within or order.within, show_nothing)
    code = conclude(order, found, execution.fleet, silent, silent)
    return code, execution


def flying(world, names=ALL):
    """Let all take off."""
    assert take_off(SimulatedOperator(world), names, 60.0, show_nothing).is_done
    assert world.airborne == [*names]


@pytest.mark.parametrize('late', [0.0, 1.0, 3.0, 10.0])
@pytest.mark.parametrize('is_stated', [True, False])
def test_one_that_is_found_late_is_waited_for(late, is_stated):
    world = World(3, is_stated)
    flying(world)
    operator = SimulatedOperator(world, found={'uav_2': late})
    assert ordered(operator, LAND)[0] == 0
    assert not world.airborne


@pytest.mark.parametrize('is_stated', [True, False])
def test_one_that_is_not_found_is_named(is_stated):
    world = World(3, is_stated)
    flying(world)
    operator = SimulatedOperator(world, found={'uav_2': 60.0})
    begun = world.now
    code, execution = ordered(operator, HOLD)
    assert code == 1 and [*execution.fleet.names] == [*ALL]
    assert world.now - begun < 16.0
    assert world.bridges['uav_1'].answers and not world.bridges['uav_2'].answers.get('hold')


def test_a_safe_order_leaves_at_once_and_goes_on_to_latecomers():
    world = World(3)
    flying(world)
    operator = SimulatedOperator(world, found={'uav_3': 5.0})
    execution = Execution(operator, LAND, WHOLE_SWARM)
    while world.bridges['uav_3'].flight.memory.state is not State.HANDOVER:
        execution.step()
        if operator.now() < execution.began + 4.0:
            continue
        assert all(
            world.bridges[name].flight.memory.state is not State.HOLD for name in ALL[:2]
        )
    assert world.bridges['uav_3'].is_airborne


def test_a_suspended_bridge_is_named_and_obeys_when_it_goes_on():
    world = World(3)
    flying(world)
    world.bridges['uav_2'].is_suspended = True
    operator = SimulatedOperator(world)
    world.at(world.now + 4.0, lambda: setattr(world.bridges['uav_2'], 'is_suspended', False))
    assert ordered(operator, LAND)[0] == 0
    assert not world.airborne


def test_an_order_of_a_dead_operator_counts_no_more_after_a_long_standstill():
    """What waits in the queue of a bridge that stood still is not carried out."""
    world = World(3)
    flying(world)
    world.bridges['uav_2'].is_suspended = True
    operator = SimulatedOperator(world)
    assert ordered(operator, LAND, within=5.0)[0] == 1
    operator.is_dead = True
    world.advance(60.0)
    world.bridges['uav_2'].is_suspended = False
    world.advance(5.0)
    assert world.airborne == ['uav_2']


def test_one_alone_that_was_told_nothing_is_no_fleet():
    world = World(1, is_stated=False)
    flying(world, ('uav_1',))
    assert ordered(SimulatedOperator(world), HOLD)[0] == 1
    assert ordered(SimulatedOperator(world), HOLD, Addressees(expected=('uav_1',)))[0] == 0


@pytest.mark.parametrize('moment', [0.1, 0.5, 0.9, 1.2, 1.5])
def test_nobody_takes_off_whose_operator_is_killed_before_the_release(moment):
    world = World(3)
    operator = SimulatedOperator(world)
    operator.dies_at = world.now + moment
    with pytest.raises(KilledError):
        take_off(operator, ALL, 60.0, show_nothing)
    assert not world.released
    world.advance(20.0)
    assert {one.flight.memory.state for one in world.bridges.values()} == {State.READY}
    assert not world.armed_unreleased


def test_if_one_is_not_ready_in_time_nobody_is_released():
    world = World(3)
    slow = world.bridges['uav_3'].flight
    slow.settings, slow.estimate = replace(SETTINGS, check_timeout=3.0), {'eph': 9.0}
    flown = take_off(SimulatedOperator(world), ALL, 60.0, show_nothing)
    assert not flown.is_released and not world.released
    world.advance(20.0)
    assert {one.flight.memory.state for one in world.bridges.values()} == {State.READY}


def test_a_release_waits_for_the_slowest_vehicle():
    """Longer than other orders are valid."""
    world = World(3)
    slow = world.bridges['uav_3'].flight
    slow.settings, slow.estimate = replace(SETTINGS, check_timeout=60.0), {'eph': 9.0}
    world.at(world.now + VALID_FOR + 3.0, lambda: setattr(slow, 'estimate', {}))
    assert take_off(SimulatedOperator(world), ALL, 60.0, show_nothing).is_done
    assert not world.armed_unreleased


def test_two_operators_at_once_the_newest_counts_and_the_other_is_told():
    world = World(3)
    flying(world)
    ann, bob = SimulatedOperator(world, 'ann'), SimulatedOperator(world, 'bob')
    world.advance(1.0)
    landing = Execution(ann, LAND, WHOLE_SWARM)
    world.advance(0.5)
    assert ordered(bob, RETURN)[0] == 0
    texts = {one.text for one in landing.statuses().values()}
    world.advance(1.0)
    assert all('overruled by rtl of bob' in text or 'lands' in text for text in texts)


def test_no_order_from_before_acts_on_a_later_flight():
    """A command that still runs from the flight before, found late, ends no take-off."""
    world = World(3)
    old = SimulatedOperator(world, 'old', found={'uav_2': 4.0})
    Execution(old, LAND, WHOLE_SWARM)
    world.advance(1.0)
    flying(world)
    world.advance(10.0)
    assert world.airborne == [*ALL] and not world.stale


ORDERS = {'land': LAND, 'hold': HOLD, 'rtl': RETURN, 'engage': ENGAGE, 'kill': KILL}
OPERATIONS = st.sampled_from(['takeoff', *ORDERS])
FAULTS = st.sampled_from(
    ['suspend', 'resume', 'kill bridge', 'kill operator', 'second hold', 'second land', 'refuse']
)
EVENTS = st.tuples(FAULTS, st.sampled_from(ALL), st.floats(0.0, 12.0))


class Story:
    """A sequence of orders and faults, judged all the way."""

    def __init__(self, is_stated, delay, late, seed):
        self.world = World(3, is_stated, seed)
        self.world.longest_delay = delay
        self.late = dict(zip(ALL, late, strict=True))

    def fault(self, what, name, after):
        """Let something happen later."""
        world, bridge = self.world, self.world.bridges[name]
        actions = {
            'suspend': lambda: setattr(bridge, 'is_suspended', True),
            'resume': lambda: setattr(bridge, 'is_suspended', False),
            'kill bridge': lambda: setattr(bridge, 'is_dead', True),
            'kill operator': self.kill_operators,
            'second hold': lambda: Execution(SimulatedOperator(world, 'bob'), HOLD, WHOLE_SWARM),
            'second land': lambda: Execution(SimulatedOperator(world, 'bob'), LAND, WHOLE_SWARM),
            'refuse': lambda: setattr(bridge.flight.autopilot, 'is_deaf', True),
        }
        world.at(world.now + after, actions[what])

    def kill_operators(self):
        """Kill all operators."""
        for operator in self.world.operators:
            operator.is_dead = True

    def do(self, what):
        """Let an operator order something; judge what he was answered."""
        operator = SimulatedOperator(self.world, found=self.late)
        try:
            if what == 'takeoff':
                take_off(operator, ALL, 30.0, show_nothing)
                return
            order = ORDERS[what]
            code, execution = ordered(operator, order, within=min(order.within, 15.0))
        except KilledError:
            return
        finally:
            operator.is_dead = True
        if code == 0:
            self.judge_done(what, execution)

    def judge_done(self, what, execution):
        """Whoever is in the air has got an order that was answered as done."""
        for name in self.world.airborne:
            bridge = self.world.bridges[name]
            assert bridge.answers, f'{what} was done without {name}'
            assert name in execution.fleet.names
            got = bridge.answers.get(execution.order_id)
            assert got is not None, f'{what} never reached {name}'

    def judge(self):
        """The rules that protect people hold."""
        assert not self.world.armed_unreleased, self.world.armed_unreleased
        assert not self.world.stale, self.world.stale


@settings(max_examples=60, deadline=None)
@given(
    st.booleans(), st.sampled_from([0.02, 0.3, 1.0]),
    st.tuples(*[st.sampled_from([0.0, 0.2, 1.0, 3.0, 10.0])] * 3),
    st.lists(st.one_of(OPERATIONS, EVENTS), min_size=1, max_size=8), st.integers(0, 1000),
)  # fmt: skip
def test_whatever_happens_done_is_true_and_nobody_arms_without_the_release(
    is_stated, delay, late, steps, seed
):
    story = Story(is_stated, delay, late, seed)
    for step in steps:
        if isinstance(step, tuple):
            story.fault(*step)
        else:
            story.do(step)
        story.judge()
    story.world.advance(10.0)
    story.judge()
