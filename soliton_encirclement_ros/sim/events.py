"""The first events of a flight in the original's order."""

import math

import numpy as np

from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.kernel.event_tick import EVENT_COLUMNS, EventQueue, begin
from soliton_encirclement_ros.swarm.rules import Rules

EVENTS_PER_MEMBER = 8
"""Maximum number of waiting events, besides messages in transit and cancelled events."""


BYTES_PER_EVENT = 8 * (1 + EVENT_COLUMNS)


def event_queue(scenario: Scenario, rules: Rules) -> EventQueue:
    """Return a queue with the first events, and with space for all that can ever wait in it."""
    room = largest_queue(scenario)
    queue = EventQueue(
        np.zeros(room),
        np.zeros((room, EVENT_COLUMNS), dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )
    begin(rules, queue)
    return queue


def largest_queue(scenario: Scenario) -> int:
    """Return how many events can wait at once."""
    members, period = len(scenario.members), scenario.swarm.control_period
    on_the_way = math.ceil(scenario.radio.communication_delay / period) + 2
    called_off = math.ceil(period / scenario.failure.failure_check_period) + 1
    return 1 + (EVENTS_PER_MEMBER + called_off + on_the_way * members) * members
