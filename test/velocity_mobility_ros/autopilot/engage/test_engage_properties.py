"""Whatever happens, in whatever order: the rules that protect people hold at every step."""

import math

from hypothesis import given, settings, strategies as st

from support.autopilot.simple import DT, Flight
from velocity_mobility_ros.autopilot.autopilot_reports import Battery, Mode
from velocity_mobility_ros.autopilot.autopilot_requests import Action, Intent, MavResult
from velocity_mobility_ros.autopilot.engage.engage_records import (
    FLYING, EngageParameters, Request, State
)

SETTINGS = EngageParameters(
    px4_offboard_loss_action='hold', px4_rc_policy='none', allow_kill=True, check_time=1.2
)


def sets(name, values):
    return st.sampled_from(values).map(lambda value: (name, value))


EVENTS = st.one_of(
    sets('request', list(Request)),
    sets('mode', [Mode.PILOT, Mode.RETURN, Mode.HOLD, Mode.LAND, Mode.OFFBOARD, Mode.OTHER]),
    sets('failsafe', [True, False]),
    sets('armed', [True, False]),
    sets('landed', [True, False]),
    sets('is_silent', [True, False, False]),
    sets('is_deaf', [True, False, False]),
    sets('is_mute', [True, False]),
    sets('command_age', [0.01, 0.01, 0.6, math.inf]),
    sets('has_taken_off', [True, False]),
    sets('has_stopped', [True, False]),
    sets('commanders', [1, 1, 2]),
    sets('tick_age', [DT, DT, 0.9, 1.5]),
    sets('battery', [Battery(0.0, True, 0.9), Battery(0.0, True, 0.1, 2)]),
    sets('outside', [0.0, 0.0, 5.0]),
    sets('estimate', [{}, {}, {'xy_valid': False}, {'eph': 9.0}]),
    st.tuples(st.just('reply'), st.tuples(st.sampled_from(list(Action)),
                                          st.sampled_from(list(MavResult)))),
)  # fmt: skip
EPISODE = st.tuples(st.one_of(EVENTS, sets('request', [Request.TAKE_OFF, Request.ENGAGE])),
                    st.sampled_from([0.02, 0.02, 0.5, 2.5]))  # fmt: skip
BEGINNINGS = st.sampled_from([(), ('taken off',), ('flies',)])


class Watched(Flight):
    """A flight of which every step is judged."""

    def __init__(self):
        super().__init__(SETTINGS)
        self.may_arm = self.has_asked = False
        self.last_mode = None
        self.seen = set()

    def tick(self, request=None):
        self.may_arm |= request is Request.TAKE_OFF
        before = self.memory.state
        out = super().tick(request)
        self.judge(out, request, before)
        return out

    def judge(self, out, request, before):
        status = self.status
        fresh = status is not None and self.now - status.received <= SETTINGS.status_timeout
        if status is not None and status.mode is not self.last_mode:
            self.last_mode = status.mode
            self.has_asked = False
        self.has_asked |= request is not None
        if out.intent is not Intent.SILENT:
            assert fresh
            on_ground = out.state is State.SET_OFFBOARD and not status.is_armed
            assert status.mode is Mode.OFFBOARD or on_ground
        if out.send is Action.ARM:
            assert self.may_arm and not status.is_armed
        assert out.send is not Action.TAKEOFF
        if out.send is not None and status.mode is Mode.PILOT:
            assert self.has_asked, out
        if out.refused:
            assert out.reason
        if fresh and out.state in FLYING and before in FLYING:
            assert status.mode is Mode.OFFBOARD
        if out.state in (State.READY, State.FAULT, State.EXTERNAL, State.LINK_LOST):
            self.may_arm = False
        recent = [at for at, _ in self.autopilot.asked if self.now - at < 1.0]
        assert len(recent) <= 6
        self.seen.add(out.state)


def apply(flight, name, value):
    pilot = flight.autopilot
    if name == 'request':
        flight.tick(value)
    elif name == 'mode':
        pilot.mode = value
        if not pilot.failsafe:
            pilot.intention = value
    elif name == 'armed':
        pilot.is_armed = value
    elif name in ('failsafe', 'landed', 'is_deaf', 'is_mute'):
        setattr(pilot, name, value)
    elif name in ('is_silent', 'estimate'):
        setattr(flight, name, value)
    elif name == 'reply':
        pilot.replies[value[0]] = value[1]
    else:
        flight.known[name] = value


def begun(how):
    flight = Watched()
    if how == ('flies',):
        flight.autopilot.fly()
    flight.run(0.1)
    if how == ('taken off',):
        flight.ask(Request.TAKE_OFF)
        flight.run(4.0, State.TAKE_OFF)
        flight.autopilot.landed = False
        flight.known.update(has_taken_off=True, command_age=0.01)
        flight.run(0.1)
        flight.ask(Request.ENGAGE)
    return flight


@settings(max_examples=250)
@given(BEGINNINGS, st.lists(EPISODE, max_size=25))
def test_the_rules_hold_whatever_happens(how, episodes):
    flight = begun(how)
    for (name, value), seconds in episodes:
        apply(flight, name, value)
        flight.run(seconds)


def test_the_watch_sees_what_is_wrong():
    """The judge is not blind: a machine that arms by itself is caught."""
    flight = Watched()
    flight.run(0.1)
    flight.memory = flight.memory._replace(state=State.PRECHECK, goal=Request.TAKE_OFF)
    try:
        flight.run(5.0)
    except AssertionError:
        return
    raise RuntimeError('nobody noticed')
