"""How fast the engine flies swarms of each vehicle, laws included, on one core.

    python bench/vehicles.py [--agents N ...] [--rounds R]

The scenario is ``constant_velocity``: all agents fly, nobody fails; control at 20 Hz, vehicles
updated at 100 Hz, the rotors of quadrotors at 1 kHz. Nothing is written to disk. The median of
some rounds, the cases in turns.

Published for comparison: gym-pybullet-drones, 2.1 times real time for 10 quadrotors at 240 Hz on a
CPU (Panerati et al., IROS 2021).
"""

import argparse
import time
from statistics import median

from machine import describe

from soliton_encirclement_ros.core.scenario.scenario import Scenario, load_scenario
from soliton_encirclement_ros.core.scenario.user_files import find_scenario
from soliton_encirclement_ros.sim.engine import Engine

VEHICLES = {
    'velocity model': {},
    'second order': {'vehicle': 'second_order'},
    'quadrotor, 1 kHz': {'vehicle_file': 'x500', 'sim_dt': 0.001},
    'quadrotor, 1 kHz, gusts': {'vehicle_file': 'x500', 'sim_dt': 0.001, 'gust_intensity': 1.0},
}
DURATION = 60.0
WARM_UP = 1.0


def swarm(agents: int, mobility: dict[str, object], duration: float = DURATION) -> Scenario:
    """Return a flight of some agents with a vehicle; the ring grows with them."""
    changes = {
        'run': {'num_agents': agents, 'sim_duration': duration},
        'swarm': {'encirclement_radius': max(20.0, 1.5 * agents)},
        'mobility': mobility,
    }
    return load_scenario(find_scenario('constant_velocity')).with_changes(changes, 'bench')


def factor(scenario: Scenario) -> float:
    """Return how many times as fast as real time a flight is."""
    engine = Engine(scenario)
    begun = time.perf_counter()
    engine.fly()
    return scenario.run.sim_duration / (time.perf_counter() - begun)


def main() -> None:
    """Fly all cases in turns and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('--agents', type=int, nargs='+', default=[10, 100])
    parser.add_argument('--rounds', type=int, default=5)
    asked = parser.parse_args()
    cases = [(name, agents) for name in VEHICLES for agents in asked.agents]
    found = {case: [] for case in cases}
    for name, agents in cases:
        factor(swarm(agents, VEHICLES[name], WARM_UP))
    for _ in range(asked.rounds):
        for name, agents in cases:
            found[name, agents].append(factor(swarm(agents, VEHICLES[name])))
    print(describe())
    for (name, agents), factors in found.items():
        print(f'{name:24} {agents:4} agents: {median(factors):8.0f} times real time')


if __name__ == '__main__':
    main()
