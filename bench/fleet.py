"""How many small runs one process keeps at once, and what they cost.

    python bench/fleet.py [RUNS]

Every run has five agents, 20 s and a seed of its own. All are in memory at the same time: first
all are placed, then all fly. Prints one line of JSON; the laws should be compiled before, as
compiling leaves some hundred MB behind.
"""

import dataclasses
import json
import sys
import time

from machine import memory, peak_memory
from rich.console import Console
from rich.progress import track

from soliton_encirclement_ros.core.run.summary import summarise
from soliton_encirclement_ros.core.scenario.scenario import Scenario, load_scenario
from soliton_encirclement_ros.core.scenario.user_files import find_scenario
from soliton_encirclement_ros.sim import get_ready
from soliton_encirclement_ros.sim.engine import Engine

RUNS = 10_000
SCENARIO = 'failures'
ROOM = 128
"""Samples that a flight may keep before it passes them on."""

SMALL = {'num_agents': 5, 'sim_duration': 20.0}


def scenarios(runs: int) -> list[Scenario]:
    """Return small runs with different seeds."""
    base = load_scenario(find_scenario(SCENARIO)).with_changes({'run': SMALL}, 'bench')
    seeds = (dataclasses.replace(base.run, seed=seed) for seed in range(runs))
    return [dataclasses.replace(base, run=run) for run in seeds]


def measure(runs: int) -> dict[str, float]:
    """Place and fly all runs; return times [s] and memory [MB]."""
    wanted = scenarios(runs)
    get_ready()
    before, began = memory(), time.perf_counter()
    fleet = [Engine(scenario, telemetry=False, room=ROOM) for scenario in wanted]
    placed = time.perf_counter()
    screen = Console(stderr=True)
    for engine in track(fleet, 'flying all at once', runs, console=screen):
        engine.fly()
        summarise(engine.scenario, engine.seen, engine.seen.commands.facts)
    ended = time.perf_counter()
    return {
        'runs': runs,
        'placing_s': round(placed - began, 3),
        'flying_s': round(ended - placed, 3),
        'runs_per_s': round(runs / (ended - began), 1),
        'peak_mb': round(peak_memory(), 1),
        'kb_per_run': round(1e3 * (peak_memory() - before) / runs, 1),
    }


def main() -> None:
    """Print what was measured."""
    print(json.dumps(measure(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS)))


if __name__ == '__main__':
    main()
