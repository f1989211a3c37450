"""What the state machine makes of every fault in every state."""

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

from support.autopilot.simple import PARAMETERS, Flight
from velocity_mobility_ros.autopilot.autopilot_reports import Battery, Mode
from velocity_mobility_ros.autopilot.autopilot_requests import Intent
from velocity_mobility_ros.autopilot.engage.engage_records import Request, State

SECONDS = 4.0
"""Time for which a fault lasts [s]."""

STATES = (State.READY, State.PRECHECK, State.TAKE_OFF, State.HOLD, State.TRACK, State.BRAKE,
          State.HOLD_REENTRY, State.EXTERNAL, State.LANDING)  # fmt: skip


class Fault(NamedTuple):
    """A row: what happens, and how it is made to."""

    name: str
    strike: Callable[[Flight], None]


def known(**changes):
    return lambda flight: flight.known.update(changes)


def pilot(**changes):
    def strike(flight):
        for name, value in changes.items():
            setattr(flight.autopilot, name, value)

    return strike


def flight_has(**changes):
    def strike(flight):
        for name, value in changes.items():
            setattr(flight, name, value)

    return strike


def silent(flight):
    flight.is_silent = flight.autopilot.is_deaf = True


FAULTS = (
    Fault('commands fall silent', known(command_age=math.inf)),
    Fault('position and odometry late', flight_has(position_lost=True)),
    Fault('position not valid', flight_has(estimate={'xy_valid': False})),
    Fault('neither position nor velocity', flight_has(
        estimate={'xy_valid': False, 'v_xy_valid': False})),
    Fault('estimator moves its origin', known(frame_moved=True)),
    Fault('bridge stands still for 1.5 s', known(tick_age=1.5)),
    Fault('autopilot silent', silent),
    Fault('failsafe of the autopilot', pilot(
        mode=Mode.RETURN, failsafe=True, heard=-math.inf)),
    Fault('pilot takes over', pilot(mode=Mode.PILOT, intention=Mode.PILOT)),
    Fault('disarmed', pilot(is_armed=False)),
    Fault('terminated', pilot(mode=Mode.TERMINATION, intention=Mode.TERMINATION)),
    Fault('battery low', known(battery=Battery(0.0, True, 0.2, 1))),
    Fault('battery critical', known(battery=Battery(0.0, True, 0.1, 2))),
    Fault('outside of its room', known(outside=5.0)),
    Fault('second bridge', known(commanders=2)),
    Fault('answers lost', pilot(is_mute=True)),
    Fault('requests lost', pilot(is_deaf=True)),
)  # fmt: skip


def flight_in(state: State) -> Flight:
    """Return a flight in a state."""
    flight = Flight(PARAMETERS)
    flight.run(1.0)
    if state is State.READY:
        return flight
    flight.ask(Request.TAKE_OFF)
    if state is State.PRECHECK:
        return flight
    flight.run(5.0, State.TAKE_OFF)
    flight.autopilot.landed = False
    if state is State.TAKE_OFF:
        return flight
    flight.known['has_taken_off'] = True
    flight.run(0.5)
    if state is State.LANDING:
        flight.ask(Request.LAND)
        flight.run(0.5)
    if state in (State.HOLD, State.LANDING):
        return flight
    flight.known['command_age'] = 0.01
    flight.ask(Request.ENGAGE)
    flight.run(0.1)
    if state is State.BRAKE:
        flight.known.update(command_age=0.6, has_stopped=False)
        flight.run(0.1)
    if state in (State.EXTERNAL, State.HOLD_REENTRY):
        flight.autopilot.mode = flight.autopilot.intention = Mode.HOLD
        flight.run(0.1)
    if state is State.HOLD_REENTRY:
        flight.autopilot.mode = flight.autopilot.intention = Mode.OFFBOARD
        flight.autopilot.heard = flight.now
        flight.run(0.1)
    return flight


class Cell(NamedTuple):
    """What becomes of a state.

    Attributes:
        way: The states that follow, the last one at the end of the fault.
        setpoints: Whether setpoints are sent then.
        heartbeat: Whether there is a heartbeat then.
        asked: What the autopilot was asked for meanwhile.
    """

    way: tuple[State, ...]
    setpoints: bool
    heartbeat: bool
    asked: tuple[str, ...]


def cell(state: State, fault: Fault) -> Cell:
    """Return what a fault makes of a state."""
    flight = flight_in(state)
    assert flight.outputs.state is state, (state, flight.outputs)
    fault.strike(flight)
    flight.states.clear()
    before = len(flight.autopilot.asked)
    flight.run(SECONDS)
    out = flight.outputs
    asked = tuple(dict.fromkeys(action.value for _, action in flight.autopilot.asked[before:]))
    way = tuple(one for one in dict.fromkeys([state, *flight.states]) if one is not state)
    if out.state is state and way:
        way = (*way, state)
    return Cell(way, out.intent is not Intent.SILENT, out.heartbeat is not None, asked)


def matrix() -> Iterator[tuple[Fault, list[Cell]]]:
    """Iterate over the rows."""
    for fault in FAULTS:
        yield fault, [cell(state, fault) for state in STATES]
