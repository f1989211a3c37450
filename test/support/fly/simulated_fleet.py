"""A fleet in simulated time: real state machines and operators, a network that is late and loses.

Bridges can be suspended and found late, operators can die; nothing waits for a clock.
"""

import random
from collections import deque

from soliton_encirclement_ros.cli.fly.fleet_link import FleetLink
from support.autopilot.simple import DT, Flight
from support.fly.reports import READY
from velocity_mobility_ros.autopilot.autopilot_requests import Action
from velocity_mobility_ros.autopilot.engage.engage_records import EngageParameters, State
from velocity_mobility_ros.autopilot.fleet_member import FleetMember
from velocity_mobility_ros.autopilot.fleet_orders import fields_of, read_order

STEP = 0.1
"""Simulated time between two looks at everything [s]."""

REPORT_PERIOD, CLIMB = 0.5, 1.0

SETTINGS = EngageParameters(
    operate=True, px4_offboard_loss_action='hold', px4_rc_policy='none', allow_kill=True,
    check_time=1.2,
)  # fmt: skip


class KilledError(Exception):
    """The process of an operator was killed."""


class World:
    """Everything, and the time.

    Attributes:
        now: The time [s].
        bridges: By name.
        armed_unreleased: Vehicles that armed although nobody had released their take-off.
        stale: Orders that were carried out although they were given before the arming.
    """

    def __init__(self, count, is_stated=True, seed=0):
        self.now, self._random = 1000.0, random.Random(seed)
        names = [f'uav_{k}' for k in range(1, count + 1)]
        stated = ','.join(names) if is_stated else ''
        self.operators, self._events, self._mail = [], [], []
        self.released, self.armed_unreleased, self.stale = set(), [], []
        self.longest_delay = 0.05
        self.bridges = {name: SimulatedBridge(self, name, stated) for name in names}
        self.advance(2.0)
        for bridge in self.bridges.values():
            assert bridge.flight.memory.state is State.READY

    def at(self, moment, what):
        """Let something happen at a time."""
        self._events.append((moment, what))

    def advance(self, seconds):
        """Let time pass."""
        for _ in range(max(1, round(seconds / STEP))):
            self.now += STEP
            due = [event for event in self._events if event[0] <= self.now]
            self._events = [event for event in self._events if event[0] > self.now]
            for _, what in due:
                what()
            late = [one for one in self._mail if one[0] > self.now]
            ripe, self._mail = [one for one in self._mail if one[0] <= self.now], late
            for _, deliver, message in sorted(ripe, key=lambda one: one[0]):
                deliver(message)
            for bridge in self.bridges.values():
                bridge.step()
            for operator in self.operators:
                operator.live()

    def send(self, deliver, message):
        """Deliver a message after some time."""
        delay = self._random.uniform(0.0, self.longest_delay)
        self._mail.append((self.now + delay, deliver, message))

    @property
    def airborne(self):
        """Names of the vehicles in the air."""
        return [name for name, bridge in self.bridges.items() if bridge.is_airborne]


class SimulatedBridge:
    """One vehicle with the real state machine, and its fleet's side."""

    def __init__(self, world, name, stated):
        self.world, self.name, self.flight = world, name, Flight(SETTINGS)
        self.flight.now = world.now
        self.member = FleetMember(name, f'{name} 1', stated, self._asked)
        self.is_suspended, self.is_dead, self._stood = False, False, 0.0
        self._inbox, self._reported, self._last, self.latched = deque(), 0.0, None, None
        self._climbing = 0.0
        self.answers = {}
        self._ordered_at = {}
        self.armed_at = None

    @property
    def is_airborne(self):
        """Whether the vehicle flies."""
        return self.flight.autopilot.is_armed and not self.flight.autopilot.landed

    def hear_orders(self, copies):
        """Take copies of orders as they come over the network."""
        self._inbox.append(('orders', copies))

    def hear_bridge(self, told):
        """Take the report of another bridge."""
        self._inbox.append(('report', told))

    def step(self):
        """Do all that is to be done in a step of the world."""
        pilot = self.flight.autopilot
        if self.is_dead or self.is_suspended:
            self._stood += STEP
            self.flight.now += STEP
            pilot.hear(self.flight.now, None, None)
            return
        self.flight.known['tick_age'] = max(DT, self._stood)
        self._stood = 0.0
        for _ in range(round(STEP / DT)):
            self._tick(None)
            self.flight.known['tick_age'] = DT
        self._fly()
        while self._inbox:
            kind, content = self._inbox.popleft()
            if kind == 'orders':
                self._take(content)
            else:
                self.member.hear(*content, self.world.now)
        self._report()

    def _take(self, copies):
        for fields, source in copies:
            order = read_order(source, fields)
            self._ordered_at.setdefault(order.order_id, self.world.now - order.age)
            self._taking = order
            self.member.take([order], self.world.now, round(1e9 * self.world.now))

    def _asked(self, request, operator):
        self.flight.known['together'] = operator.together
        given = self._ordered_at[self._taking.order_id]
        if self.armed_at is not None and given < self.armed_at - STEP:
            self.world.stale.append((self.name, request))
        out = self._tick(request)
        self.flight.known['together'] = False
        self._last = None
        return out

    def _tick(self, request):
        flight = self.flight
        flight.known['operator_age'] = self.member.operator(self.world.now).age
        out = flight.tick(request)
        if out.send is Action.ARM and self.member.values(self.world.now)['order_id'] not in (
            self.world.released
        ):
            self.world.armed_unreleased.append(self.name)
        return out

    def _fly(self):
        flight, pilot = self.flight, self.flight.autopilot
        self.member.armed(pilot.is_armed, self.world.now)
        if not pilot.is_armed:
            flight.known['has_taken_off'], self._climbing, self.armed_at = False, 0.0, None
            return
        self.armed_at = self.armed_at or self.world.now
        if flight.memory.state is State.TAKE_OFF:
            self._climbing += STEP
            pilot.landed = pilot.landed and self._climbing < 0.3
            flight.known['has_taken_off'] = self._climbing > CLIMB

    def _report(self):
        now, out = self.world.now, self.flight.outputs
        news = out.state, self.flight.memory.agrees
        if news == self._last and now - self._reported < REPORT_PERIOD:
            return
        self._last, self._reported = news, now
        pilot = self.flight.autopilot
        values = {
            **READY, 'state': out.state.name, 'armed': str(pilot.is_armed).lower(),
            'landed': str(pilot.landed).lower(), 'agrees': str(news[1]).lower(),
            **self.member.values(now),
        }  # fmt: skip
        self.latched = self.name, out.reason, values
        if values['order_id']:
            self.answers[values['order_id']] = values['order_accepted'] == 'true'
        for operator in self.world.operators:
            operator.send_report(self)
        for other in self.world.bridges.values():
            if other is not self:
                self.world.send(other.hear_bridge, (self.name, values))


class SimulatedOperator(FleetLink):
    """An operator in simulated time, who finds each bridge at a time of its own.

    Attributes:
        executions: Orders that are followed while time passes.
    """

    def __init__(self, world, name='operator', found=None):
        self.world, self._latched = world, None
        self.begin(name)
        self.is_dead, self.dies_at = False, float('inf')
        self._found = {
            bridge: world.now + (found or {}).get(bridge, 0.1) for bridge in world.bridges
        }  # fmt: skip
        self._told = set()
        world.operators.append(self)

    def now(self):
        return self.world.now

    def wall_ns(self):
        return round(1e9 * self.world.now)

    def turn(self):
        self.world.advance(STEP)
        if self.is_dead or self.world.now >= self.dies_at:
            self.is_dead = True
            raise KilledError

    def live(self):
        """Find bridges, and say the orders again."""
        if self.is_dead:
            return
        for name, at in self._found.items():
            if at <= self.world.now and name not in self._told:
                self._told.add(name)
                if self._latched is not None:
                    self._send_orders(name)
                self.send_report(self.world.bridges[name])
        self.say_again()

    def publish_orders(self, orders):
        if self.is_dead:
            return
        self._latched = [(fields_of(order), order.source) for order in orders]
        for name in self._told:
            self._send_orders(name)

    def _send_orders(self, name):
        self.world.send(self.world.bridges[name].hear_orders, self._latched)

    def release(self, order_id):
        self.world.released.add(order_id)
        super().release(order_id)

    def send_report(self, bridge):
        """Let the report of a bridge come, if it is found."""
        if bridge.name in self._told and bridge.latched and not self.is_dead:
            self.world.send(self._hear, bridge.latched)

    def _hear(self, told):
        if not self.is_dead:
            self.hear(*told)
