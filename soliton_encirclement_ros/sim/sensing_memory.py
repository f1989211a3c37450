"""Sensors and command links of a flight: their numbers, and their memory at the start."""

import numpy as np

from soliton_encirclement_ros.core.scenario.random_streams import sensor_seed
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.kernel.motion import (
    READ_BODY,
    READING_COLUMNS,
    SENSOR_COLUMNS,
    STATE_COLUMNS,
    pack_means,
)
from soliton_encirclement_ros.swarm.memory import Floats, SensingArrays, cyclic_size
from soliton_encirclement_ros.swarm.rules import SensingRules


def sensing_rules(scenario: Scenario) -> SensingRules:
    """Return the constants of all sensors; off if every member has perfect ones."""
    members = scenario.members if scenario.is_sensed else ()
    sensors = [*map(scenario.sensor_of, members)]
    kinds = [*dict.fromkeys(sensors)]
    means = np.zeros((len(kinds), SENSOR_COLUMNS))
    for one, row in zip(kinds, means, strict=True):
        pack_means(one, row)
    kind = np.array([*map(kinds.index, sensors)], dtype=np.int64)
    seeds = [sensor_seed(scenario.run.seed, member) for member in members]
    return SensingRules(scenario.is_sensed, means, kind, np.array(seeds, dtype=np.int64))


def sensing_arrays(scenario: Scenario, bodies: Floats) -> SensingArrays:
    """Return commands and measurements on their way: none, and bodies at rest where they start."""
    if not scenario.is_sensed:
        return SensingArrays(*(np.zeros((0, 1, 1)) for _ in range(2)), np.zeros((0, 1)))
    sensors = [*map(scenario.sensor_of, scenario.members)]
    ticks = cyclic_size(max(one.delay // scenario.substeps for one in sensors) + 2)
    slots = cyclic_size(max(one.latency // one.period for one in sensors) + 2)
    readings = np.zeros((len(bodies), slots, READING_COLUMNS))
    readings[:, :, READ_BODY :] = bodies[:, np.newaxis]
    states = np.zeros((len(bodies), STATE_COLUMNS))
    return SensingArrays(np.zeros((len(bodies), ticks, 3)), readings, states)
