"""A flight of a field around a target by ``swarm fly``, and what may not go wrong in it."""

import math

import pytest

from support.fly.autopilot_field import FLYABLE
from support.fly.ring_watch import RingWatch
from support.ros.told import Told

BOUND = 0.2
"""Largest mean E_r and E_gap of a closed ring. Real firmware reaches 0.05 and 0.03 around a slow
target; vehicles with these limits cannot follow the turns of a fast one at once."""

WINDOW = 2.0
"""So long a ring has to stay closed [s]."""

MARGIN = 1.0
"""By so much vehicles may be nearer than their separation distance [m]: the target moves."""

QUICK = FLYABLE | {'mpc_land_speed': 1.5, 'mpc_land_crwl': 0.7, 'com_disarm_land': 0.5}
"""Parameters of PX4 that make a landing short."""

PATIENT = QUICK | {'com_of_loss_t': 1.5}
LENIENT = {'position_timeout': 1.5, 'command_timeout': 1.0}
SIDE = 80.0
SAFETY = {
    'silent_flight_time': 2.0,
    'fence': f'{-SIDE} {-SIDE}, {SIDE} {-SIDE}, {SIDE} {SIDE}, {-SIDE} {SIDE}',
}
"""What PX4s and bridges bear on a slow machine; so a silent vehicle may fly on for longer."""


class Flight:
    """A field, and all that is seen of it."""

    def __init__(self, ros, field):
        self.ros, self.field, self.watch = ros, field, RingWatch(ros, field)
        self.told = Told(ros)
        field.until = ros.until
        self.names = self.watch.names

    def begin(self, bridged=()):
        """Take off, and close the ring; bridged vehicles are named if there are others."""
        self.expected = bridged or ('--agents', str(len(self.names)))
        self.ros.until(lambda: len(self.watch.heard()) == len(self.names), 'all agents')
        reports = {*(f'{name}/agent: control' for name in self.names), 'target/target: control'}
        self.ros.until(lambda: reports <= self.told.names(), 'their diagnostics, and the target')
        self.field.must_fly('takeoff', *self.expected)
        self.field.must_fly('engage', *self.expected)
        self.closes(self.names)

    def closes(self, names):
        """Wait until some vehicles have been a closed ring for some time."""
        self.figures = math.nan, math.nan

        def is_closed():
            self.ros.meanwhile(0.3)
            self.engage_who_stood_still(names)
            self.figures = self.watch.figures(names, WINDOW)
            return all(figure < BOUND for figure in self.figures)

        try:
            self.ros.until(is_closed, 'the ring')
        except pytest.fail.Exception as failure:
            raise AssertionError(f'{failure}: {self.figures}, {self.watch.states}') from None

    def until_state(self, name, *states):
        """Wait until a bridge is in one of some states."""
        self.ros.until(lambda: self.watch.state(name) in states, f'{name} in {states}')

    def engage_who_stood_still(self, names):
        """Engage again whom a slow machine has left behind."""
        behind = [n for n in names if self.watch.state(n) in ('EXTERNAL', 'HOLD_REENTRY', 'HOLD')]
        if behind:
            self.engage(*behind)

    def engage(self, *names):
        """Let the operator engage some vehicles."""
        for number in (int(name[-1]) for name in names):
            if self.field.kinds[number] == 'px4':
                self.field.px4s.do(number, 'operator_word')
        self.field.must_fly('engage', *names)

    def end(self, without_agent=()):
        """Land all; nothing may have gone wrong in the whole flight."""
        self.field.must_fly('land', *self.expected)
        safety, limits = self.field.scenario.safety, self.field.scenario.limits_of('uav_1')
        horizontal, vertical = self.watch.fastest()
        assert horizontal <= limits.max_speed_xy + 1e-6
        assert vertical <= limits.max_speed_z + 1e-6
        east, north, up = self.watch.farthest()
        assert max(east, north) < SIDE and up < safety.highest_height
        assert self.watch.closest() > safety.separation_distance - MARGIN
        self.assert_lawful(without_agent)

    def assert_lawful(self, without_agent=()):
        """Nothing was sent that PX4 misunderstands; a slow machine may stop a bridge for a while.

        Args:
            without_agent: As of the field.
        """
        self.field.assert_lawful((*without_agent, *self.watch.stood_still()))
