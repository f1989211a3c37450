"""Flights without an autopilot's details that have come to a certain stage."""

from support.autopilot.simple import PARAMETERS, Flight
from velocity_mobility_ros.autopilot.engage.engage_records import Request, State


def ready(settings=PARAMETERS):
    flight = Flight(settings)
    assert flight.run(1.0).state is State.READY
    return flight


def airborne(settings=PARAMETERS):
    """Return a vehicle that holds after its take-off."""
    flight = ready(settings)
    flight.ask(Request.TAKE_OFF)
    assert flight.run(5.0, State.TAKE_OFF).state is State.TAKE_OFF
    flight.autopilot.landed = False
    flight.run(2.0)
    flight.known['has_taken_off'] = True
    assert flight.run(1.0).state is State.HOLD
    return flight


def tracking(settings=PARAMETERS):
    flight = airborne(settings)
    flight.known['command_age'] = 0.01
    assert not flight.ask(Request.ENGAGE).refused
    assert flight.run(0.1).state is State.TRACK
    return flight


def asked(flight):
    return [action for _, action in flight.autopilot.asked]
