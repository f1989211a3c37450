"""What a law did that no law may, in words: the step is made once more, as it stands."""

import traceback
from collections.abc import Callable

from soliton_encirclement_ros.controllers import kind_of
from soliton_encirclement_ros.core.laws.law import Gains, Memory, View
from soliton_encirclement_ros.core.laws.law_source import short_name
from soliton_encirclement_ros.core.laws.record_rows import packing
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.flight_constants import setup_of
from soliton_encirclement_ros.sim.kernel import columns as at
from soliton_encirclement_ros.sim.kernel.ages import time_at
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory
from soliton_encirclement_ros.sim.kernel.reception import target_age
from soliton_encirclement_ros.sim.kernel.views import view_of


def law_error(scenario: Scenario, rules: Rules, flight: FlightMemory) -> str:
    """Return what happened in the step of the agent that the flight stopped at."""
    i = int(flight.counters[at.FAULTY]) - 1
    now = time_at(rules, int(flight.counters[at.TICK]))
    view = view_of(rules, flight, i, now, target_age(flight, i, now))
    setup = setup_of(scenario)
    law = kind_of(scenario.control.controller).law(setup)
    memory = packing(law.rest).unpack(flight.laws[i].tolist())
    what = fault_of(law.step, law.gains(setup), memory, view)
    return f'{short_name(scenario.control.controller)}: uav_{i + 1} at {now:g} s: {what}'


def fault_of(step: Callable, gains: Gains, memory: Memory, view: View) -> str:
    """Return what a step comes to that no step may."""
    try:
        _, _, wanted = step(gains, memory, view)
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        reason = ' '.join(f'{type(error).__name__}: {error}'.split())
        return f'{reason} ({frame.name}, line {frame.lineno})'
    return f'wants the velocity {tuple(map(float, wanted.velocity))} m/s; it must be finite'
